//! Checking a member's main access token with the auth service's public keys.

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
/// How far clocks may be apart.
const LEEWAY_S: i64 = 60;
/// Keys are asked for again after this long, so that a withdrawn one is forgotten.
const KEYS_GOOD_FOR: TimeDelta = TimeDelta::minutes(10);
/// A token with an unknown key asks again at most this often.
const ASK_AGAIN_AFTER: TimeDelta = TimeDelta::seconds(5);

/// Judges main access tokens.
pub struct AccessVerifier {
    auth: AuthServiceClient<grpc::Client>,
    sessions: SessionCheck,
    clock: Arc<dyn Clock>,
    keys: Mutex<Keys>,
}

/// Whose token it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedMember {
    /// The member.
    pub member: MemberId,
    /// The login that the token comes from, which ends with it.
    pub session_id: String,
}

#[derive(Default)]
struct Keys {
    by_id: HashMap<String, DecodingKey>,
    asked_at: Option<DateTime<Utc>>,
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
    /// Judges with the keys of the auth service behind `auth`; sessions that were ended are known
    /// from the list in `redis` or from auth.
    #[must_use]
    pub fn new(auth: grpc::Client, redis: Redis, clock: Arc<dyn Clock>) -> Self {
        Self {
            auth: AuthServiceClient::new(auth.clone()),
            sessions: SessionCheck::new(auth, redis),
            clock,
            keys: Mutex::default(),
        }
    }

    /// The member of a valid token.
    ///
    /// # Errors
    /// [`MarketError::TokenExpired`], [`MarketError::TokenInvalid`], or
    /// [`MarketError::AuthUnavailable`] when the keys were never seen and cannot be fetched, or
    /// nobody knows whether the session has ended.
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
        let claims = decode::<Claims>(token, &key, &rules())
            .map_err(|_forged| MarketError::TokenInvalid)?
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
        let fresh = keys
            .fetched_at
            .is_some_and(|at| is_within(KEYS_GOOD_FOR, at, now));
        let asked = keys
            .asked_at
            .is_some_and(|at| is_within(ASK_AGAIN_AFTER, at, now));
        if !(asked || fresh && keys.by_id.contains_key(key_id)) {
            keys.asked_at = Some(now);
            match self.fetch().await {
                Ok(by_id) => {
                    keys.by_id = by_id;
                    keys.fetched_at = Some(now);
                }
                Err(error) => tracing::warn!(error, "The auth service's keys cannot be fetched"),
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

/// Whether `at` is less than `limit` ago. What is still to come was noted before the clock was set
/// back, and counts as long ago.
fn is_within(limit: TimeDelta, at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    at <= now && now - at < limit
}

/// Signature, issuer and audience; the times are judged by our own clock.
fn rules() -> Validation {
    let mut rules = Validation::new(Algorithm::EdDSA);
    rules.set_issuer(&[ISSUER]);
    rules.set_audience(&[AUDIENCE]);
    rules.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    rules.validate_exp = false;
    rules.validate_nbf = false;
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_set_back_keeps_nobody_from_asking() {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let noted = |seconds_ago| {
            let at = now - TimeDelta::seconds(seconds_ago);
            is_within(ASK_AGAIN_AFTER, at, now)
        };
        assert!(noted(0) && noted(4));
        assert!(!noted(5) && !noted(300));
        assert!(!noted(-1) && !noted(-300));
    }
}
