//! Authenticates callers: verifies the access token with the public keys of auth, and looks its
//! session up in the list of ended ones. Auth is not called for a request while that list is current.

mod ended_sessions;
mod keys;
mod token;

use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use bootstrap::redis::Redis;
use kernel::{Clock, MemberId};
use moka::future::Cache;

use crate::error::{ApiError, Reason};
use crate::upstream::clients::Auth;
use ended_sessions::EndedSessions;
use keys::KeyCache;
use token::VerifiedToken;

const MAX_HEADER_BYTES: usize = 4 * 1024;
/// How long a verified signature is remembered, because checking one costs more than the rest of a
/// request. A withdrawn key is accepted for as long.
const VERIFIED_FOR: Duration = Duration::from_secs(60);
const MAX_VERIFIED: u64 = 50_000;

/// The member of a valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) member_id: MemberId,
    pub(crate) session_id: String,
}

/// The outcome of one request's token.
pub(crate) struct Authentication {
    /// `None` without an Authorization header.
    pub(crate) caller: Result<Option<Caller>, ApiError>,
    /// The member of a token that is signed correctly, also when it is not accepted.
    pub(crate) signed_for: Option<MemberId>,
}

pub(crate) struct Authenticator {
    keys: Arc<KeyCache>,
    ended: EndedSessions,
    verified: Cache<String, VerifiedToken>,
    clock: Arc<dyn Clock>,
}

impl Authenticator {
    pub(crate) fn new(auth: Arc<Auth>, redis: Redis, clock: Arc<dyn Clock>) -> Self {
        Self {
            keys: Arc::new(KeyCache::new(Arc::clone(&auth), Arc::clone(&clock))),
            ended: EndedSessions::new(auth, redis),
            verified: Cache::builder()
                .max_capacity(MAX_VERIFIED)
                .time_to_live(VERIFIED_FOR)
                .build(),
            clock,
        }
    }

    pub(crate) async fn authenticate(&self, headers: &HeaderMap) -> Authentication {
        let verified = match bearer_token(headers) {
            Ok(Some(token)) => self.verify(token).await,
            Ok(None) => return Authentication::of_nobody(Ok(None)),
            Err(reason) => Err(reason.into()),
        };
        match verified {
            Ok(token) => Authentication {
                signed_for: Some(token.member_id()),
                caller: self.accept(&token).await.map(Some),
            },
            Err(error) => Authentication::of_nobody(Err(error)),
        }
    }

    /// Fails when the token has expired or its session has ended.
    async fn accept(&self, token: &VerifiedToken) -> Result<Caller, ApiError> {
        let caller = token.valid_at(self.clock.now())?;
        if self.ended.has_ended(&caller.session_id).await? {
            return Err(Reason::InvalidAuthentication.into());
        }
        Ok(caller.clone())
    }

    async fn verify(&self, token: &str) -> Result<VerifiedToken, ApiError> {
        match self.verified.get(token).await {
            Some(verified) => Ok(verified),
            // Boxed, because it is rare and would enlarge the future of every request.
            None => Box::pin(self.verify_signature(token)).await,
        }
    }

    async fn verify_signature(&self, token: &str) -> Result<VerifiedToken, ApiError> {
        let key_id = token::key_id(token)?;
        let key = self.keys.find(&key_id).await?;
        let verified = token::verify(token, &key)?;
        self.verified
            .insert(token.to_owned(), verified.clone())
            .await;
        Ok(verified)
    }
}

impl Authentication {
    pub(crate) fn of_nobody(caller: Result<Option<Caller>, ApiError>) -> Self {
        Self {
            caller,
            signed_for: None,
        }
    }
}

fn bearer_token(headers: &HeaderMap) -> Result<Option<&str>, Reason> {
    let mut values = headers.get_all(AUTHORIZATION);
    let Some(value) = values.next() else {
        return Ok(None);
    };
    value
        .to_str()
        .ok()
        .filter(|text| text.len() <= MAX_HEADER_BYTES)
        .and_then(|text| text.strip_prefix("Bearer "))
        .filter(|_| values.next().is_none())
        .map(Some)
        .ok_or(Reason::InvalidAuthentication)
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = std::future::Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let caller = request.extensions().get::<Self>().cloned();
        std::future::ready(caller.ok_or_else(|| Reason::InvalidAuthentication.into()))
    }
}
