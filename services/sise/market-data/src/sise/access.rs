//! Verifies main access tokens with the public keys of auth.

use std::collections::HashMap;
use std::sync::Arc;

use bootstrap::grpc;
use bootstrap::redis::Redis;
use bootstrap::session_check::SessionCheck;
use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use kernel::{Clock, MemberId};
use proto::auth::v1::GetJwksRequest;
use proto::auth::v1::auth_service_client::AuthServiceClient;
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::error::MarketError;

const ISSUER: &str = "seedup";
const AUDIENCE: &str = "seedup-main";
const TOKEN_TYPE: &str = "at+jwt";
/// Tolerated clock difference.
const LEEWAY_S: i64 = 60;
/// Keys are refetched after this time, so that a revoked key is dropped.
const KEYS_TTL: TimeDelta = TimeDelta::minutes(10);
/// Minimum time between two fetches, so that unknown key ids do not flood auth.
const MIN_FETCH_INTERVAL: TimeDelta = TimeDelta::seconds(5);

pub struct AccessVerifier {
    auth: AuthServiceClient<grpc::Client>,
    sessions: SessionCheck,
    clock: Arc<dyn Clock>,
    keys: Mutex<Keys>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedMember {
    pub member: MemberId,
    /// The session of the main token; the sise token ends with it.
    pub session_id: String,
}

#[derive(Default)]
struct Keys {
    by_id: HashMap<String, DecodingKey>,
    requested_at: Option<DateTime<Utc>>,
    fetched_at: Option<DateTime<Utc>>,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    sid: String,
    nbf: Option<i64>,
    exp: i64,
}

impl AccessVerifier {
    /// `redis` holds the list of ended sessions; auth is asked when the list is unavailable.
    #[must_use]
    pub fn new(auth: grpc::Client, redis: Redis, clock: Arc<dyn Clock>) -> Self {
        Self {
            auth: AuthServiceClient::new(auth.clone()),
            sessions: SessionCheck::new(auth, redis),
            clock,
            keys: Mutex::default(),
        }
    }

    /// # Errors
    /// [`MarketError::TokenExpired`], [`MarketError::TokenInvalid`], or
    /// [`MarketError::AuthUnavailable`] when the keys or the state of the session are unavailable.
    pub async fn verify(&self, token: &str) -> Result<VerifiedMember, MarketError> {
        let header = decode_header(token).map_err(|_malformed| MarketError::TokenInvalid)?;
        let typed = header.typ.as_deref() == Some(TOKEN_TYPE);
        let Some(key_id) = header
            .kid
            .filter(|_| typed && header.alg == Algorithm::EdDSA)
        else {
            return Err(MarketError::TokenInvalid);
        };
        let key = self.key(&key_id).await?;
        let claims = decode::<Claims>(token, &key, &validation())
            .map_err(|_invalid| MarketError::TokenInvalid)?
            .claims;
        let now_s = self.clock.now().timestamp();
        if claims.exp.saturating_add(LEEWAY_S) <= now_s {
            return Err(MarketError::TokenExpired);
        }
        if claims
            .nbf
            .is_some_and(|nbf| nbf > now_s.saturating_add(LEEWAY_S))
        {
            return Err(MarketError::TokenInvalid);
        }
        let member = claims.sub.parse().ok().filter(|member| *member > 0);
        let member = member.ok_or(MarketError::TokenInvalid)?;
        match self.sessions.has_ended(&claims.sid).await {
            Some(false) => Ok(VerifiedMember {
                member: MemberId(member),
                session_id: claims.sid,
            }),
            Some(true) => Err(MarketError::TokenInvalid),
            None => Err(MarketError::AuthUnavailable),
        }
    }

    async fn key(&self, key_id: &str) -> Result<DecodingKey, MarketError> {
        let mut keys = self.keys.lock().await;
        let now = self.clock.now();
        let is_fresh = keys
            .fetched_at
            .is_some_and(|at| is_within(KEYS_TTL, at, now));
        let recently_requested = keys
            .requested_at
            .is_some_and(|at| is_within(MIN_FETCH_INTERVAL, at, now));
        if !(recently_requested || is_fresh && keys.by_id.contains_key(key_id)) {
            keys.requested_at = Some(now);
            match self.fetch().await {
                Ok(by_id) => {
                    keys.by_id = by_id;
                    keys.fetched_at = Some(now);
                }
                Err(error) => {
                    tracing::warn!(error, "Keys of the auth service could not be fetched")
                }
            }
        }
        match (keys.by_id.get(key_id), keys.fetched_at) {
            (Some(key), _) => Ok(key.clone()),
            (None, Some(_)) => Err(MarketError::TokenInvalid),
            (None, None) => Err(MarketError::AuthUnavailable),
        }
    }

    async fn fetch(&self) -> Result<HashMap<String, DecodingKey>, String> {
        let mut auth = self.auth.clone();
        let answer = auth.get_jwks(GetJwksRequest {}).await;
        let json = answer
            .map_err(|status| status.to_string())?
            .into_inner()
            .json;
        let set: JwkSet = serde_json::from_str(&json).map_err(|error| error.to_string())?;
        let usable = set.keys.iter().filter_map(|jwk| {
            let key_id = jwk.common.key_id.clone()?;
            Some((key_id, DecodingKey::from_jwk(jwk).ok()?))
        });
        Ok(usable.collect())
    }
}

/// Whether `at` is less than `limit` ago. A future time was recorded before the clock was set back
/// and counts as long ago.
fn is_within(limit: TimeDelta, at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    at <= now && now - at < limit
}

/// Times are checked separately, by our own clock.
fn validation() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_back_does_not_block_fetches() {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let noted = |seconds_ago| {
            let at = now - TimeDelta::seconds(seconds_ago);
            is_within(MIN_FETCH_INTERVAL, at, now)
        };
        assert!(noted(0) && noted(4));
        assert!(!noted(5) && !noted(300));
        assert!(!noted(-1) && !noted(-300));
    }
}
