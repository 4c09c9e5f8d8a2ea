//! Sessions that ended before their tokens did: a list in Redis, and behind it the auth service.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bootstrap::redis::{Redis, RedisError, pipe};
use moka::future::Cache;
use proto::auth::v1::CheckSessionRequest;

use crate::error::{ApiError, Reason};
use crate::state::Auth;
use crate::together::Together;

/// How long an answer holds. A screen asks for several things at once, and a session that ended must
/// be over within a second.
const REMEMBERED_FOR: Duration = Duration::from_millis(250);
const MOST_REMEMBERED: u64 = 50_000;

/// Knows which sessions ended.
pub(super) struct EndedSessions {
    auth: Arc<Auth>,
    /// Whether Redis lists a session; nothing when it cannot say.
    listed: Together<String, Option<bool>>,
    /// Whether a session has ended. Whoever wants to know while somebody asks waits for the answer:
    /// without Redis, or with one that is too slow for a busy gateway, all would go to auth.
    known: Cache<String, bool>,
}

impl EndedSessions {
    pub(super) fn new(auth: Arc<Auth>, redis: Redis) -> Self {
        let known = Cache::builder()
            .max_capacity(MOST_REMEMBERED)
            .time_to_live(REMEMBERED_FOR)
            .build();
        Self {
            auth,
            listed: Together::new(move |sessions| list_all(redis.clone(), sessions)),
            known,
        }
    }

    /// Whether `session_id` has ended. When neither Redis nor auth can say, nobody passes.
    pub(super) async fn contains(&self, session_id: &str) -> Result<bool, ApiError> {
        if let Some(has_ended) = self.known.get(session_id).await {
            return Ok(has_ended);
        }
        // Seldom, and large: what every request goes through must stay small.
        Box::pin(self.ask(session_id)).await
    }

    async fn ask(&self, session_id: &str) -> Result<bool, ApiError> {
        let asking = async {
            match self.listed.ask(session_id.to_owned()).await.flatten() {
                Some(listed) => Ok(listed),
                None => self.ask_auth(session_id).await,
            }
        };
        let known = self.known.try_get_with_by_ref(session_id, asking).await;
        known.map_err(|error: Arc<ApiError>| ApiError::clone(&error))
    }

    async fn ask_auth(&self, session_id: &str) -> Result<bool, ApiError> {
        let request = CheckSessionRequest {
            session_id: session_id.to_owned(),
        };
        let session = self
            .auth
            .read(async |mut auth| auth.check_session(request.clone()).await)
            .await
            .map_err(|_refused| ApiError::from(Reason::Unavailable))?;
        Ok(!session.alive)
    }
}

/// Looks sessions up in Redis, each once.
async fn list_all(redis: Redis, sessions: Vec<String>) -> Vec<Option<bool>> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut asked = pipe();
    let wanted: Vec<usize> = sessions
        .into_iter()
        .map(|session| {
            let next = places.len();
            *places.entry(session).or_insert_with_key(|session| {
                asked.exists(format!("deny:sid:{session}"));
                next
            })
        })
        .collect();
    let listed: Option<Vec<bool>> = redis
        .run(|mut connection| async move {
            let listed = asked.query_async(&mut connection).await?;
            Ok::<_, RedisError>(listed)
        })
        .await;
    let listed = listed.unwrap_or_default();
    let answer = |place: usize| listed.get(place).copied();
    wanted.into_iter().map(answer).collect()
}
