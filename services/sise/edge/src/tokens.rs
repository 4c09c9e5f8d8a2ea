//! Validates sise tokens locally with the public keys of market-data. [`SessionCheck`] knows
//! whether the session has ended.
//!
//! [`SessionCheck`]: bootstrap::session_check::SessionCheck

use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::grpc;
use chrono::{DateTime, Utc};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use kernel::Clock;
use proto::market::v1::GetSiseJwksRequest;
use proto::market::v1::market_service_client::MarketServiceClient;
use serde::Deserialize;
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::protocol::AuthFailure;

const TOKEN_TYPE: &str = "sise+jwt";
const ISSUER: &str = "seedup-sise";
const AUDIENCE: &str = "sise";
/// Tolerated clock difference.
const LEEWAY_S: i64 = 60;
/// Minimum time between two fetches of the keys.
const FETCH_INTERVAL: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    pub member_id: i64,
    pub session_id: Uuid,
    pub expires_at: DateTime<Utc>,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    sid: Option<Uuid>,
    exp: i64,
    nbf: i64,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct TokenCheck {
    market: MarketServiceClient<grpc::Client>,
    clock: Arc<dyn Clock>,
    keys: Arc<Mutex<Keys>>,
}

#[derive(Default)]
struct Keys {
    set: Option<JwkSet>,
    fetched: Option<Instant>,
}

impl TokenCheck {
    #[must_use]
    pub fn new(market: MarketServiceClient<grpc::Client>, clock: Arc<dyn Clock>) -> Self {
        Self {
            market,
            clock,
            keys: Arc::default(),
        }
    }

    /// # Errors
    /// [`AuthFailure`] when the token has expired or is not valid, or the keys cannot be fetched.
    pub async fn identify(&self, token: &str) -> Result<Identity, AuthFailure> {
        let header = decode_header(token).map_err(|_malformed| AuthFailure::Invalid)?;
        if header.typ.as_deref() != Some(TOKEN_TYPE) || header.alg != Algorithm::EdDSA {
            return Err(AuthFailure::Invalid);
        }
        let key = self.key(&header.kid.ok_or(AuthFailure::Invalid)?).await?;
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
        // Checked below with our own clock.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        let claims = decode::<Claims>(token, &key, &validation)
            .map_err(|_invalid| AuthFailure::Invalid)?
            .claims;
        let member_id = claims.sub.parse().ok().filter(|id| *id > 0);
        let member_id = member_id.ok_or(AuthFailure::Invalid)?;
        let now = self.clock.now().timestamp();
        if claims.nbf > now + LEEWAY_S {
            return Err(AuthFailure::Invalid);
        }
        if claims.exp + LEEWAY_S <= now {
            return Err(AuthFailure::Expired);
        }
        // Tokens of the previous release name no session; the client must get a new one.
        let session_id = claims.sid.ok_or(AuthFailure::Expired)?;
        let expires_at = DateTime::from_timestamp(claims.exp, 0).ok_or(AuthFailure::Invalid)?;
        Ok(Identity {
            member_id,
            session_id,
            expires_at,
        })
    }

    /// The remaining lifetime, including the leeway.
    #[must_use]
    pub fn remaining(&self, identity: Identity) -> Duration {
        let until = identity.expires_at.timestamp() + LEEWAY_S;
        let remaining_s = until - self.clock.now().timestamp();
        Duration::from_secs(u64::try_from(remaining_s).unwrap_or(0))
    }

    async fn key(&self, kid: &str) -> Result<DecodingKey, AuthFailure> {
        // The lock allows one fetch at a time; the others use its result.
        let mut keys = self.keys.lock().await;
        if let Some(key) = keys.find(kid) {
            return key;
        }
        let recently = keys.fetched.is_some_and(|at| at.elapsed() < FETCH_INTERVAL);
        if recently {
            let known = keys.set.is_some();
            return Err(if known {
                AuthFailure::Invalid
            } else {
                AuthFailure::Unavailable
            });
        }
        keys.fetched = Some(Instant::now());
        let answer = self
            .market
            .clone()
            .get_sise_jwks(GetSiseJwksRequest {})
            .await;
        let set = answer
            .map_err(|status| status.to_string())
            .and_then(|jwks| {
                serde_json::from_str::<JwkSet>(&jwks.get_ref().json)
                    .map_err(|error| error.to_string())
            });
        match set {
            Ok(set) => {
                keys.set = Some(set);
                keys.find(kid).unwrap_or(Err(AuthFailure::Invalid))
            }
            Err(error) => {
                tracing::warn!(error, "Keys of sise tokens could not be fetched");
                Err(AuthFailure::Unavailable)
            }
        }
    }
}

impl Keys {
    fn find(&self, kid: &str) -> Option<Result<DecodingKey, AuthFailure>> {
        let key = self.set.as_ref()?.find(kid)?;
        Some(DecodingKey::from_jwk(key).map_err(|_unusable| AuthFailure::Invalid))
    }
}
