//! Whether a session ended before its tokens expired: looked up in Redis while auth keeps the list
//! there current, and asked of auth otherwise.

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
use crate::upstream::clients::Auth;
use crate::upstream::coalescer::Coalescer;

/// How long a result is cached. A screen sends several requests at once, and an ended session must be
/// rejected within a second.
const CACHED_FOR: Duration = Duration::from_millis(250);
const MAX_CACHED: u64 = 50_000;
/// Timeout of a call to auth; after it no request waits for auth until a probe was answered.
const AUTH_TIMEOUT: Duration = Duration::from_secs(3);
/// Timeout where a list exists that is not current.
const STALE_TIMEOUT: Duration = Duration::from_secs(1);
const PROBE_INTERVAL: Duration = Duration::from_millis(500);
/// Sessions in one call.
const MAX_BATCH: usize = 1_000;
/// Concurrent calls to an auth of the release before, which is asked about each session.
const MAX_CONCURRENT_CALLS: usize = 16;

pub(super) struct EndedSessions {
    /// What Redis says.
    listed: Coalescer<String, Listing>,
    /// What auth says; `None` while it is unavailable. Coalesced, because without Redis every request
    /// would call auth.
    checked: Coalescer<String, Option<bool>>,
    /// Whether a session has ended.
    cached: Cache<String, bool>,
}

impl EndedSessions {
    pub(super) fn new(auth: Arc<Auth>, redis: Redis) -> Self {
        let cached = Cache::builder()
            .max_capacity(MAX_CACHED)
            .time_to_live(CACHED_FOR)
            .build();
        let list = ended_sessions::EndedSessions::new(redis);
        let auth = Arc::new(SessionChecks {
            auth,
            is_unavailable: AtomicBool::new(false),
        });
        Self {
            listed: Coalescer::batched(move |sessions: Vec<String>| {
                let list = list.clone();
                async move { list.look_up(&sessions).await }
            }),
            checked: Coalescer::batched(move |sessions| Arc::clone(&auth).check_all(sessions)),
            cached,
        }
    }

    /// Fails when neither Redis nor auth can say.
    pub(super) async fn has_ended(&self, session_id: &str) -> Result<bool, ApiError> {
        if let Some(has_ended) = self.cached.get(session_id).await {
            return Ok(has_ended);
        }
        // Boxed, because it is rare and would enlarge the future of every request.
        Box::pin(self.look_up(session_id)).await
    }

    async fn look_up(&self, session_id: &str) -> Result<bool, ApiError> {
        let looking_up = async {
            let listing = self.listed.get(session_id.to_owned()).await;
            match listing.unwrap_or(Listing::Unknown) {
                Listing::Ended => Ok(true),
                Listing::Alive => Ok(false),
                // Only auth ends sessions: while it is unavailable, hardly any can be missing.
                Listing::Stale => {
                    let checking = tokio::time::timeout(STALE_TIMEOUT, self.check(session_id));
                    Ok(checking.await.ok().flatten().unwrap_or(false))
                }
                Listing::Unknown => self
                    .check(session_id)
                    .await
                    .ok_or_else(|| ApiError::from(Reason::Unavailable)),
            }
        };
        let ended = self.cached.try_get_with_by_ref(session_id, looking_up);
        ended
            .await
            .map_err(|error: Arc<ApiError>| ApiError::clone(&error))
    }

    async fn check(&self, session_id: &str) -> Option<bool> {
        self.checked.get(session_id.to_owned()).await.flatten()
    }
}

/// Calls of auth, none of them while it is unavailable.
struct SessionChecks {
    auth: Arc<Auth>,
    is_unavailable: AtomicBool,
}

impl SessionChecks {
    /// Whether each session has ended.
    async fn check_all(self: Arc<Self>, sessions: Vec<String>) -> Vec<Option<bool>> {
        let mut ended = Vec::with_capacity(sessions.len());
        for slice in sessions.chunks(MAX_BATCH) {
            match self.check(slice).await {
                Some(alive) => ended.extend(slice.iter().map(|id| Some(!alive.contains(id)))),
                None => ended.extend(slice.iter().map(|_id| None)),
            }
        }
        ended
    }

    /// The sessions that have not ended; `None` while auth is unavailable.
    async fn check(self: &Arc<Self>, sessions: &[String]) -> Option<HashSet<String>> {
        if self.is_unavailable.load(Ordering::Relaxed) {
            return None;
        }
        let answer = self.call(sessions).await;
        if answer.is_none() && !self.is_unavailable.swap(true, Ordering::Relaxed) {
            tracing::warn!("auth is unavailable: sessions are not checked");
            actix_web::rt::spawn(Arc::clone(self).probe());
        }
        answer
    }

    /// Calls auth until it answers.
    async fn probe(self: Arc<Self>) {
        loop {
            tokio::time::sleep(PROBE_INTERVAL).await;
            if self.call(&[]).await.is_some() {
                self.is_unavailable.store(false, Ordering::Relaxed);
                return;
            }
        }
    }

    async fn call(&self, sessions: &[String]) -> Option<HashSet<String>> {
        let call = self
            .auth
            .call_idempotent(async |auth| check(auth, sessions).await);
        let answer = deadline::scope(Deadline::within(AUTH_TIMEOUT), call).await;
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

/// For an auth of the release before, which may still run during a rollout.
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
    let alive = stream::iter(calls).buffer_unordered(MAX_CONCURRENT_CALLS);
    let alive: Vec<Option<String>> = alive.try_collect().await?;
    Ok(Response::new(CheckSessionsResponse {
        alive_session_ids: alive.into_iter().flatten().collect(),
    }))
}
