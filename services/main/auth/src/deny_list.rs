//! Maintains the list of ended sessions in Redis, so that access tokens can be revoked before they
//! expire. The session's row is authoritative. The process that ends a session adds it at once; a
//! missed one (Redis was unavailable, the process was killed after its commit) is found in the
//! database within a second. Auth confirms the list only when none is missing; without the
//! confirmation the processes that check tokens ask auth.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::ended_sessions::EndedSessions;
use bootstrap::redis::Redis;
use messaging::consumer::Broadcast;
use prost::Message;
use proto::auth::v1::SessionEnded;
use tokio::sync::Notify;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::error::AuthError;
use crate::store::Store;

const SYNC_INTERVAL: Duration = Duration::from_secs(1);
/// Longer than for requests, as background tasks write many entries.
const BACKGROUND_TIMEOUT: Duration = Duration::from_secs(1);
/// Sessions per command.
const BATCH: usize = 1_000;

#[derive(Clone)]
pub struct DenyList {
    /// With the timeout of a request.
    foreground: EndedSessions,
    background: EndedSessions,
    missed: Arc<Notify>,
}

impl DenyList {
    #[must_use]
    pub fn new(redis: Redis) -> Self {
        Self {
            foreground: EndedSessions::new(redis.clone()),
            background: EndedSessions::new(redis.with_timeout(BACKGROUND_TIMEOUT)),
            missed: Arc::default(),
        }
    }

    /// Adds ended sessions. Those that fail are added by [`run`](Self::run).
    pub async fn add(&self, sessions: &[Uuid]) {
        for batch in sessions.chunks(BATCH) {
            if !self.foreground.add(batch).await {
                metrics::counter!("auth_deny_list_missed_total").increment(1);
                self.missed.notify_one();
                return;
            }
        }
    }

    /// Adds the session of an `auth.session.ended.v1`, which another process may have ended.
    pub async fn handle_event(&self, broadcast: Broadcast) {
        let Broadcast::Event(event) = broadcast else {
            return;
        };
        let ended = SessionEnded::decode(event.body).ok();
        match ended.and_then(|ended| ended.session_id.parse().ok()) {
            Some(session) => self.add(&[session]).await,
            None => tracing::warn!(event_id = %event.event_id, "Undecodable session-ended event"),
        }
    }

    /// Keeps the list complete until `shutdown`.
    pub async fn run(self, store: Store, shutdown: CancellationToken) {
        let mut every = tokio::time::interval(SYNC_INTERVAL);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _now = every.tick() => {}
                () = self.missed.notified() => tokio::time::sleep(SYNC_INTERVAL / 10).await,
            }
            let synced = self.sync(&store).await;
            let is_complete = synced.unwrap_or_else(|error| {
                tracing::warn!(?error, "Ended sessions could not be read");
                false
            });
            metrics::gauge!("auth_deny_list_complete").set(u8::from(is_complete));
        }
    }

    /// Adds missing sessions, and confirms the list if that succeeded.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sync(&self, store: &Store) -> Result<bool, AuthError> {
        loop {
            let missed = store.unlisted_sessions().await?;
            if !self.background.add(&missed).await {
                return Ok(false);
            }
            if missed.is_empty() {
                break;
            }
            store.mark_listed(&missed).await?;
        }
        match self.background.confirm_complete().await {
            Some(false) => self.rebuild(store).await,
            Some(true) => Ok(true),
            None => Ok(false),
        }
    }

    async fn rebuild(&self, store: &Store) -> Result<bool, AuthError> {
        let Some(rebuild) = self.background.begin_rebuild().await else {
            return Ok(false);
        };
        // Read after the start: sessions that end later are added by the process that ends them.
        let ended = store.ended_sessions().await?;
        for batch in ended.chunks(BATCH) {
            if !self.background.add(batch).await {
                return Ok(false);
            }
        }
        let is_complete = self.background.finish_rebuild(rebuild).await == Some(true);
        tracing::info!(
            sessions = ended.len(),
            is_complete,
            "Rebuilt the list of ended sessions"
        );
        Ok(is_complete)
    }
}
