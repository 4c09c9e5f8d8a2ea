//! Who calls. An access token is verified here with the public keys of the auth service, and its
//! session is looked up among those that ended early; nothing is asked of auth per request while
//! it vouches for the list of those.

mod alive;
mod keys;
mod token;

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{AUTHORIZATION, HeaderMap};
use bootstrap::redis::Redis;
use kernel::{Clock, MemberId};
use moka::future::Cache;

use crate::error::{ApiError, Reason};
use crate::state::Auth;
use alive::EndedSessions;
use keys::Keys;
use token::Verified;

/// Longest Authorization header that is looked at.
const MAX_HEADER_BYTES: usize = 4 * 1024;
/// A signature is not checked again for this long: checking one costs more than the rest of a
/// request. A key that is withdrawn is good for no longer either.
const VERIFIED_FOR: Duration = Duration::from_secs(60);
const MOST_VERIFIED: u64 = 50_000;

/// A member whose token is good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) member_id: MemberId,
    /// The session family.
    pub(crate) session_id: String,
}

/// Verifies tokens.
pub(crate) struct Sessions {
    keys: Arc<Keys>,
    ended: EndedSessions,
    verified: Cache<String, Verified>,
    clock: Arc<dyn Clock>,
}

impl Sessions {
    pub(crate) fn new(auth: Arc<Auth>, redis: Redis, clock: Arc<dyn Clock>) -> Self {
        Self {
            keys: Arc::new(Keys::new(Arc::clone(&auth), Arc::clone(&clock))),
            ended: EndedSessions::new(auth, redis),
            verified: Cache::builder()
                .max_capacity(MOST_VERIFIED)
                .time_to_live(VERIFIED_FOR)
                .build(),
            clock,
        }
    }

    /// The caller of a request; `None` when it has no Authorization header.
    pub(crate) async fn authenticate(
        &self,
        headers: &HeaderMap,
    ) -> Result<Option<Caller>, ApiError> {
        let mut values = headers.get_all(AUTHORIZATION);
        let Some(value) = values.next() else {
            return Ok(None);
        };
        let token = value
            .to_str()
            .ok()
            .filter(|text| text.len() <= MAX_HEADER_BYTES)
            .and_then(|text| text.strip_prefix("Bearer "))
            .filter(|_| values.next().is_none())
            .ok_or(Reason::InvalidAuthentication)?;
        let caller = self.verify(token).await?.at(self.clock.now())?.clone();
        if self.ended.contains(&caller.session_id).await? {
            return Err(Reason::InvalidAuthentication.into());
        }
        Ok(Some(caller))
    }

    async fn verify(&self, token: &str) -> Result<Verified, ApiError> {
        match self.verified.get(token).await {
            Some(verified) => Ok(verified),
            // Seldom, and large: what every request goes through must stay small.
            None => Box::pin(self.verify_anew(token)).await,
        }
    }

    async fn verify_anew(&self, token: &str) -> Result<Verified, ApiError> {
        let key_id = token::key_id(token)?;
        let key = self.keys.find(&key_id).await?;
        let verified = token::verify(token, &key)?;
        self.verified
            .insert(token.to_owned(), verified.clone())
            .await;
        Ok(verified)
    }
}
