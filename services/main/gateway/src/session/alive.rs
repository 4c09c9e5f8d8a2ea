//! Sessions that ended before their tokens did: a list in Redis, and behind it the auth service.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::redis::{AsyncCommands, Redis};
use moka::future::Cache;
use proto::auth::v1::CheckSessionRequest;

use crate::error::{ApiError, Reason};
use crate::state::Auth;

/// How long an answer of auth holds while Redis is away.
const REMEMBERED_FOR: Duration = Duration::from_secs(1);
const MOST_REMEMBERED: u64 = 50_000;

/// Knows which sessions ended.
pub(super) struct EndedSessions {
    auth: Arc<Auth>,
    redis: Redis,
    asked: Cache<String, bool>,
}

impl EndedSessions {
    pub(super) fn new(auth: Arc<Auth>, redis: Redis) -> Self {
        let asked = Cache::builder()
            .max_capacity(MOST_REMEMBERED)
            .time_to_live(REMEMBERED_FOR)
            .build();
        Self { auth, redis, asked }
    }

    /// Whether `session_id` has ended. When neither Redis nor auth can say, nobody passes.
    pub(super) async fn contains(&self, session_id: &str) -> Result<bool, ApiError> {
        let name = format!("deny:sid:{session_id}");
        let listed: Option<bool> = self
            .redis
            .run(|mut connection| async move { connection.exists(name).await })
            .await;
        match listed {
            Some(listed) => Ok(listed),
            None => self.ask_auth(session_id).await,
        }
    }

    async fn ask_auth(&self, session_id: &str) -> Result<bool, ApiError> {
        if let Some(ended) = self.asked.get(session_id).await {
            return Ok(ended);
        }
        let request = CheckSessionRequest {
            session_id: session_id.to_owned(),
        };
        let session = self
            .auth
            .read(async |mut auth| auth.check_session(request.clone()).await)
            .await
            .map_err(|_refused| ApiError::from(Reason::Unavailable))?;
        let ended = !session.alive;
        self.asked.insert(session_id.to_owned(), ended).await;
        Ok(ended)
    }
}
