//! Who a sise token belongs to: checked with the public keys of market-data, without asking it
//! each time. Whether its session goes on is [`SessionCheck`]'s to say.
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
/// How far clocks may differ.
const LEEWAY_S: i64 = 60;
/// Unknown keys are looked for at most this often.
const FETCH_INTERVAL: Duration = Duration::from_secs(2);

/// The member behind a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The member.
    pub member_id: i64,
    /// The login that the token comes from.
    pub session_id: Uuid,
    /// When the token's time is up.
    pub expires_at: DateTime<Utc>,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    sid: Option<Uuid>,
    exp: i64,
    nbf: i64,
}

/// Checks tokens. Cheap to clone.
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
    /// Checks with the keys that `market` publishes.
    #[must_use]
    pub fn new(market: MarketServiceClient<grpc::Client>, clock: Arc<dyn Clock>) -> Self {
        Self {
            market,
            clock,
            keys: Arc::default(),
        }
    }

    /// The member a token belongs to.
    ///
    /// # Errors
    /// [`AuthFailure`]: expired, not ours, or the keys cannot be fetched.
    pub async fn identify(&self, token: &str) -> Result<Identity, AuthFailure> {
        let header = decode_header(token).map_err(|_garbage| AuthFailure::Invalid)?;
        if header.typ.as_deref() != Some(TOKEN_TYPE) || header.alg != Algorithm::EdDSA {
            return Err(AuthFailure::Invalid);
        }
        let key = self.key(&header.kid.ok_or(AuthFailure::Invalid)?).await?;
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
        // Time is judged below, by our own clock.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        let claims = decode::<Claims>(token, &key, &validation)
            .map_err(|_forged| AuthFailure::Invalid)?
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
        // The release before names no session, so nothing could end its token: a new one is due.
        let session_id = claims.sid.ok_or(AuthFailure::Expired)?;
        let expires_at = DateTime::from_timestamp(claims.exp, 0).ok_or(AuthFailure::Invalid)?;
        Ok(Identity {
            member_id,
            session_id,
            expires_at,
        })
    }

    /// How long a token is still good for, leeway included.
    #[must_use]
    pub fn left(&self, identity: Identity) -> Duration {
        let until = identity.expires_at.timestamp() + LEEWAY_S;
        let left_s = until - self.clock.now().timestamp();
        Duration::from_secs(u64::try_from(left_s).unwrap_or(0))
    }

    async fn key(&self, kid: &str) -> Result<DecodingKey, AuthFailure> {
        // One fetch at a time: whoever waits here finds the answer of the one before.
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
                tracing::warn!(error, "The keys of sise tokens cannot be fetched");
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
