//! Takes what is due from the database, sends it, and stores how it went.
//!
//! A push is claimed under a lease, so no two processes send it at the same time; one whose process
//! died is sent again when the lease ends, with the same collapse key. Every provider has a loop of
//! its own, and in it every host its own share, so a slow service delays no other.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use kernel::Clock;
use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::{Provider, Providers, PushOutcome, http};
use crate::domain::PushKind;
use crate::domain::push::{LONGEST_WAIT, SERVICES, next_try};
use crate::error::AuthError;
use crate::store::{ClaimedPush, HostShare, PushResult, Store};

/// Pushes under way at the same time to a service that many members have.
const PER_SERVICE: usize = 64;
/// Pushes under way to another host of browsers.
const PER_HOST: usize = 16;
/// Deliveries that are divided among subscriptions in one transaction.
const DELIVERIES: u64 = 200;
/// Between two looks into the database.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Longer than a push can take with its token; afterwards the claiming process must have died.
const LEASE: TimeDelta = TimeDelta::seconds(60);
/// Connections that storing results may hold: logins need the others.
const STORING: usize = 2;

pub struct PushSender {
    store: Store,
    kinds: Vec<PushKind>,
    loops: Vec<SendLoop>,
}

/// What sends to one provider.
#[derive(Clone)]
struct SendLoop {
    provider: Arc<dyn Provider>,
    store: Store,
    clock: Arc<dyn Clock>,
    storing: Arc<Semaphore>,
    /// Pushes under way by host.
    under_way: Arc<Mutex<HashMap<String, usize>>>,
    /// That a push has ended.
    ended: Arc<Notify>,
    tasks: TaskTracker,
}

impl PushSender {
    #[must_use]
    pub fn new(store: &Store, providers: &Providers, clock: &Arc<dyn Clock>) -> Self {
        let storing = Arc::new(Semaphore::new(STORING));
        let loops = providers.iter().map(|provider| SendLoop {
            provider: Arc::clone(provider),
            store: store.clone(),
            clock: Arc::clone(clock),
            storing: Arc::clone(&storing),
            under_way: Arc::default(),
            ended: Arc::default(),
            tasks: TaskTracker::new(),
        });
        Self {
            store: store.clone(),
            kinds: providers.iter().map(|provider| provider.kind()).collect(),
            loops: loops.collect(),
        }
    }

    /// Sends until `shutdown`; pushes under way are finished.
    pub async fn run(self, shutdown: CancellationToken) {
        if self.loops.is_empty() {
            tracing::warn!("No push provider is configured: nothing is pushed");
        }
        let tasks = TaskTracker::new();
        for send_loop in self.loops.iter().cloned() {
            tasks.spawn(send_loop.run(shutdown.clone()));
        }
        while !shutdown.is_cancelled() {
            match self.divide_due().await {
                // More may be due.
                Ok(divided) if divided > 0 => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(?error, "Pushes that are due could not be read"),
            }
            let pause = tokio::time::sleep(POLL_INTERVAL);
            shutdown.run_until_cancelled(pause).await;
        }
        tasks.close();
        tasks.wait().await;
    }

    /// Divides what is due and sends all of it once; returns how many pushes were tried.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn send_due(&self) -> Result<usize, AuthError> {
        while self.divide_due().await? > 0 {}
        let mut tried = 0;
        for send_loop in &self.loops {
            loop {
                let started = send_loop.start_due().await?;
                if started == 0 && send_loop.is_idle() {
                    break;
                }
                tried += started;
                if started == 0 {
                    send_loop.ended.notified().await;
                }
            }
        }
        Ok(tried)
    }

    async fn divide_due(&self) -> Result<u64, AuthError> {
        self.store.delete_expired_pushes().await?;
        let urgent = self.store.divide_deliveries(&self.kinds, true, DELIVERIES);
        let divided = urgent.await?;
        if divided > 0 {
            self.wake();
            return Ok(divided);
        }
        let others = self.store.divide_deliveries(&self.kinds, false, DELIVERIES);
        let divided = others.await?;
        if divided > 0 {
            self.wake();
        }
        Ok(divided)
    }

    fn wake(&self) {
        for send_loop in &self.loops {
            send_loop.ended.notify_one();
        }
    }
}

impl SendLoop {
    async fn run(self, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            match self.start_due().await {
                // More may be due.
                Ok(started) if started > 0 => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(?error, "Queued pushes could not be read"),
            }
            let pause = async {
                tokio::select! {
                    () = self.ended.notified() => {}
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                }
            };
            shutdown.run_until_cancelled(pause).await;
        }
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Claims as many as have room, and begins to send them.
    async fn start_due(&self) -> Result<usize, AuthError> {
        let (free, busy) = self.room();
        if free == 0 {
            return Ok(0);
        }
        let kind = self.provider.kind();
        let share = HostShare {
            service: PER_SERVICE / 2,
            other: match kind {
                PushKind::Web => PER_HOST / 2,
                PushKind::Fcm | PushKind::Apns | PushKind::Sink => PER_SERVICE,
            },
        };
        let claimed = self.store.claim_pushes(kind, free, share, &busy, LEASE);
        let claimed = claimed.await?;
        let started = claimed.len();
        for push in claimed {
            *self.under_way.lock().entry(push.host.clone()).or_default() += 1;
            let send_loop = self.clone();
            self.tasks.spawn(async move { send_loop.send(push).await });
        }
        Ok(started)
    }

    /// How many more may be sent, and the hosts that have their share.
    fn room(&self) -> (usize, Vec<String>) {
        let under_way = self.under_way.lock();
        let total: usize = under_way.values().sum();
        let share = |host: &str| {
            if SERVICES.contains(&host) {
                PER_SERVICE
            } else {
                PER_HOST
            }
        };
        let (most, busy) = match self.provider.kind() {
            PushKind::Web => {
                let busy = under_way
                    .iter()
                    .filter(|(host, count)| **count > share(host) / 2)
                    .map(|(host, _)| host.clone());
                (SERVICES.len() * PER_SERVICE + PER_HOST, busy.collect())
            }
            PushKind::Fcm | PushKind::Apns | PushKind::Sink => (PER_SERVICE, Vec::new()),
        };
        (most.saturating_sub(total), busy)
    }

    fn is_idle(&self) -> bool {
        self.under_way.lock().is_empty()
    }

    async fn send(self, claimed: ClaimedPush) {
        let host = claimed.host.clone();
        let result = match self.withheld(&claimed) {
            Some(result) => result,
            None => self.try_once(&claimed).await,
        };
        if let Err(error) = self.store_result(&claimed, result).await {
            // Sent again when its lease ends.
            tracing::warn!(
                ?error,
                push = claimed.id,
                "The result of a push was not stored"
            );
        }
        {
            let mut under_way = self.under_way.lock();
            if let Some(count) = under_way.get_mut(&host) {
                *count -= 1;
                if *count == 0 {
                    under_way.remove(&host);
                }
            }
        }
        self.ended.notify_one();
    }

    /// What becomes of a push that its member does not want at this hour: a retry, or one that was late.
    fn withheld(&self, claimed: &ClaimedPush) -> Option<PushResult> {
        let now = self.clock.now();
        let morning = claimed.quiet_hours?.end(now);
        if morning <= now {
            return None;
        }
        Some(if morning < claimed.push.expires_at {
            // A longer wait would look like one that began before the clock was set back.
            PushResult::Withheld(morning.min(now + LONGEST_WAIT))
        } else {
            PushResult::Expired
        })
    }

    async fn try_once(&self, claimed: &ClaimedPush) -> PushResult {
        // The clients have limits of their own; a provider that waits for its token takes longer.
        let sending = self.provider.send(&claimed.push, &claimed.recipient);
        let outcome = tokio::time::timeout(2 * http::TIMEOUT, sending).await;
        let outcome = outcome.unwrap_or_else(PushOutcome::failed);
        let kind = self.provider.kind().as_str();
        metrics::counter!("auth_pushes_total", "kind" => kind, "outcome" => outcome.as_str())
            .increment(1);
        let id = claimed.id;
        match outcome {
            PushOutcome::Accepted => PushResult::Accepted,
            PushOutcome::Gone => PushResult::Gone,
            PushOutcome::Refused { error } => {
                tracing::warn!(push = id, kind, error, "Push refused");
                PushResult::GivenUp
            }
            PushOutcome::Failed { error, retry_after } => {
                let (now, expires_at) = (self.clock.now(), claimed.push.expires_at);
                let next = next_try(claimed.tries, retry_after, now, expires_at);
                tracing::info!(push = id, kind, tries = claimed.tries, error, "Push failed");
                // An outage says nothing about the subscription.
                next.map_or(PushResult::Expired, PushResult::Later)
            }
        }
    }

    async fn store_result(
        &self,
        claimed: &ClaimedPush,
        result: PushResult,
    ) -> Result<(), AuthError> {
        let _permit = self.storing.acquire().await.ok();
        self.store.store_push_result(claimed, result).await
    }
}
