//! Keeps the list of ended sessions in Redis, so that an access token dies before it expires. The
//! session's row is the truth. Whoever ends a session adds it at once; what that missed (Redis was
//! away, the process was killed after its commit) is found in the database within a second. Only
//! when nothing is left to find does auth vouch for the list, and without that whoever checks a
//! token asks auth.

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

const EVERY: Duration = Duration::from_secs(1);
/// What writes many entries, and nobody waits for, may take longer than what a member waits for.
const PATIENCE: Duration = Duration::from_secs(1);
/// Sessions in one command.
const SLICE: usize = 1_000;

/// The list as auth writes it.
#[derive(Clone)]
pub struct DenyList {
    /// With the patience of a request.
    prompt: EndedSessions,
    patient: EndedSessions,
    missed: Arc<Notify>,
}

impl DenyList {
    /// A deny-list in this Redis.
    #[must_use]
    pub fn new(redis: Redis) -> Self {
        Self {
            prompt: EndedSessions::new(redis.clone()),
            patient: EndedSessions::new(redis.with_patience(PATIENCE)),
            missed: Arc::default(),
        }
    }

    /// Adds sessions that have ended. Those it cannot add are added by [`keep`](Self::keep).
    pub async fn add(&self, sessions: &[Uuid]) {
        for slice in sessions.chunks(SLICE) {
            if !self.prompt.add(slice).await {
                metrics::counter!("auth_deny_list_missed_total").increment(1);
                self.missed.notify_one();
                return;
            }
        }
    }

    /// Adds the session of an `auth.session.ended.v1`, which another process may have ended.
    pub async fn hear(&self, broadcast: Broadcast) {
        let Broadcast::Event(event) = broadcast else {
            return;
        };
        let ended = SessionEnded::decode(event.body).ok();
        match ended.and_then(|ended| ended.session_id.parse().ok()) {
            Some(session) => self.add(&[session]).await,
            None => tracing::warn!(event_id = %event.event_id, "Unreadable end of a session"),
        }
    }

    /// Keeps the list whole until `shutdown`.
    pub async fn keep(self, store: Store, shutdown: CancellationToken) {
        let mut every = tokio::time::interval(EVERY);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _now = every.tick() => {}
                () = self.missed.notified() => tokio::time::sleep(EVERY / 10).await,
            }
            let kept = self.bring_up_to_date(&store).await;
            let is_whole = kept.unwrap_or_else(|error| {
                tracing::warn!(?error, "Ended sessions could not be read");
                false
            });
            metrics::gauge!("auth_deny_list_whole").set(u8::from(is_whole));
        }
    }

    /// Adds what is missing, and vouches for the list when that could be done.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn bring_up_to_date(&self, store: &Store) -> Result<bool, AuthError> {
        loop {
            let missed = store.unlisted_sessions().await?;
            if !self.patient.add(&missed).await {
                return Ok(false);
            }
            if missed.is_empty() {
                break;
            }
            store.note_listed(&missed).await?;
        }
        match self.patient.vouch().await {
            Some(false) => self.rebuild(store).await,
            Some(true) => Ok(true),
            None => Ok(false),
        }
    }

    async fn rebuild(&self, store: &Store) -> Result<bool, AuthError> {
        let Some(rebuild) = self.patient.begin().await else {
            return Ok(false);
        };
        // Read after the beginning: what ends later is added by whoever ends it.
        let ended = store.ended_sessions().await?;
        for slice in ended.chunks(SLICE) {
            if !self.patient.add(slice).await {
                return Ok(false);
            }
        }
        let is_whole = self.patient.complete(rebuild).await == Some(true);
        tracing::info!(
            sessions = ended.len(),
            is_whole,
            "Wrote the list of ended sessions anew"
        );
        Ok(is_whole)
    }
}
