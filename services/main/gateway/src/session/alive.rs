//! Sessions that ended before their tokens did: a list in Redis while auth vouches for it, and
//! otherwise the auth service.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::ended_sessions::{self, Listing};
use bootstrap::grpc;
use bootstrap::redis::Redis;
use futures_util::{StreamExt, TryStreamExt, stream};
use moka::future::Cache;
use proto::auth::v1::auth_service_client::AuthServiceClient;
use proto::auth::v1::{CheckSessionRequest, CheckSessionsRequest, CheckSessionsResponse};
use tonic::{Code, Response, Status};

use crate::error::{ApiError, Reason};
use crate::state::Auth;
use crate::together::Together;

/// How long an answer holds. A screen asks for several things at once, and a session that ended must
/// be over within a second.
const REMEMBERED_FOR: Duration = Duration::from_millis(250);
const MOST_REMEMBERED: u64 = 50_000;
/// How long auth may take to answer: an order is not waited for any longer. Then nobody waits for it
/// until it has answered something.
const AUTH_LIMIT: Duration = Duration::from_secs(3);
/// How long those wait for auth for whom a list would do.
const STALE_LIMIT: Duration = Duration::from_secs(1);
const PROBE_EVERY: Duration = Duration::from_millis(500);
/// Sessions that auth is asked about in one call.
const MOST_ASKED: usize = 1_000;
/// Calls at a time to an auth service of the release before, which is asked about each session.
const CALLS_AT_A_TIME: usize = 16;

/// Knows which sessions ended.
pub(super) struct EndedSessions {
    listed: Together<String, Listing>,
    /// Whether auth says that a session has ended; nothing when it cannot say. One call at a time
    /// for each thread: without Redis all would go to auth.
    asked: Together<String, Option<bool>>,
    /// Whether a session has ended. Whoever wants to know while somebody asks waits for the answer.
    known: Cache<String, bool>,
}

impl EndedSessions {
    pub(super) fn new(auth: Arc<Auth>, redis: Redis) -> Self {
        let known = Cache::builder()
            .max_capacity(MOST_REMEMBERED)
            .time_to_live(REMEMBERED_FOR)
            .build();
        let list = ended_sessions::EndedSessions::new(redis);
        let source = Arc::new(Source {
            auth,
            is_silent: AtomicBool::new(false),
        });
        Self {
            listed: Together::new(move |sessions: Vec<String>| {
                let list = list.clone();
                async move { list.look_up(&sessions).await }
            }),
            asked: Together::new(move |sessions| Arc::clone(&source).check_all(sessions)),
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
            let listing = self.listed.ask(session_id.to_owned()).await;
            match listing.unwrap_or(Listing::Unknown) {
                Listing::Ended => Ok(true),
                Listing::Alive => Ok(false),
                // Only auth ends sessions: while it is silent, hardly any can be missing.
                Listing::Stale => {
                    let answer = tokio::time::timeout(STALE_LIMIT, self.ask_auth(session_id));
                    Ok(answer.await.ok().flatten().unwrap_or(false))
                }
                Listing::Unknown => self
                    .ask_auth(session_id)
                    .await
                    .ok_or_else(|| ApiError::from(Reason::Unavailable)),
            }
        };
        let known = self.known.try_get_with_by_ref(session_id, asking).await;
        known.map_err(|error: Arc<ApiError>| ApiError::clone(&error))
    }

    async fn ask_auth(&self, session_id: &str) -> Option<bool> {
        self.asked.ask(session_id.to_owned()).await.flatten()
    }
}

/// The auth service, and whether it was silent when it was last asked.
struct Source {
    auth: Arc<Auth>,
    is_silent: AtomicBool,
}

impl Source {
    /// Whether each session has ended.
    async fn check_all(self: Arc<Self>, sessions: Vec<String>) -> Vec<Option<bool>> {
        let mut ended = Vec::with_capacity(sessions.len());
        for slice in sessions.chunks(MOST_ASKED) {
            match self.check(slice).await {
                Some(alive) => ended.extend(slice.iter().map(|id| Some(!alive.contains(id)))),
                None => ended.extend(slice.iter().map(|_id| None)),
            }
        }
        ended
    }

    /// Which of the sessions go on; nothing while auth is silent.
    async fn check(self: &Arc<Self>, sessions: &[String]) -> Option<HashSet<String>> {
        if self.is_silent.load(Ordering::Relaxed) {
            return None;
        }
        let answer = self.call(sessions).await;
        if answer.is_none() && !self.is_silent.swap(true, Ordering::Relaxed) {
            tracing::warn!("auth does not say which sessions go on");
            actix_web::rt::spawn(Arc::clone(self).probe());
        }
        answer
    }

    /// Asks until there is an answer.
    async fn probe(self: Arc<Self>) {
        loop {
            tokio::time::sleep(PROBE_EVERY).await;
            if self.call(&[]).await.is_some() {
                self.is_silent.store(false, Ordering::Relaxed);
                return;
            }
        }
    }

    async fn call(&self, sessions: &[String]) -> Option<HashSet<String>> {
        let call = self.auth.read(async |auth| check(auth, sessions).await);
        let answer = deadline::scope(Deadline::within(AUTH_LIMIT), call).await;
        Some(answer.ok()?.alive_session_ids.into_iter().collect())
    }
}

async fn check(
    mut auth: AuthServiceClient<grpc::Client>,
    sessions: &[String],
) -> Result<Response<CheckSessionsResponse>, Status> {
    let request = CheckSessionsRequest {
        session_ids: sessions.to_vec(),
    };
    match auth.check_sessions(request).await {
        Err(status) if status.code() == Code::Unimplemented => check_each(auth, sessions).await,
        answer => answer,
    }
}

/// As the release before of auth, which may still run while processes are replaced, can be asked.
async fn check_each(
    auth: AuthServiceClient<grpc::Client>,
    sessions: &[String],
) -> Result<Response<CheckSessionsResponse>, Status> {
    let calls = sessions.iter().map(|session_id| {
        let mut auth = auth.clone();
        let request = CheckSessionRequest {
            session_id: session_id.clone(),
        };
        async move {
            let alive = auth.check_session(request).await?.into_inner().alive;
            Ok::<_, Status>(alive.then(|| session_id.clone()))
        }
    });
    let alive = stream::iter(calls).buffer_unordered(CALLS_AT_A_TIME);
    let alive: Vec<Option<String>> = alive.try_collect().await?;
    Ok(Response::new(CheckSessionsResponse {
        alive_session_ids: alive.into_iter().flatten().collect(),
    }))
}
