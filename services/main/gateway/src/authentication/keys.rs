//! The public keys of auth: refreshed in the background every ten minutes, and at most every five
//! seconds when a token names an unknown key.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::DecodingKey;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, JwkSet};
use kernel::Clock;
use parking_lot::RwLock;
use proto::auth::v1::GetJwksRequest;
use tokio::sync::Mutex;

use crate::error::{ApiError, Reason};
use crate::upstream::clients::Auth;

const FRESH_FOR: TimeDelta = TimeDelta::minutes(10);
/// Requests wait for a refresh of older keys: what those signed has expired by now.
const USABLE_FOR: TimeDelta = TimeDelta::minutes(30);
const MIN_INTERVAL: TimeDelta = TimeDelta::seconds(5);

pub(super) struct KeyCache {
    auth: Arc<Auth>,
    clock: Arc<dyn Clock>,
    keys: RwLock<KeySet>,
    /// Held by the one running fetch.
    fetching: Mutex<()>,
}

#[derive(Default)]
struct KeySet {
    by_id: HashMap<String, DecodingKey>,
    fetched_at: Option<DateTime<Utc>>,
    tried_at: Option<DateTime<Utc>>,
}

impl KeyCache {
    pub(super) fn new(auth: Arc<Auth>, clock: Arc<dyn Clock>) -> Self {
        Self {
            auth,
            clock,
            keys: RwLock::default(),
            fetching: Mutex::default(),
        }
    }

    /// An outage of auth is `UNAVAILABLE`, never an invalid token.
    pub(super) async fn find(self: &Arc<Self>, id: &str) -> Result<DecodingKey, ApiError> {
        match self.cached(id) {
            Some(key) if self.is_fetched_within(FRESH_FOR) => Ok(key),
            // Auth may hang, so requests with a usable key do not wait for it.
            Some(key) if self.is_usable() => {
                self.refresh_in_background();
                Ok(key)
            }
            Some(key) => {
                let fetched = self.fetch(FRESH_FOR).await;
                Ok(self.cached(id).filter(|_| fetched.is_ok()).unwrap_or(key))
            }
            None => {
                self.fetch(MIN_INTERVAL).await?;
                self.cached(id)
                    .ok_or_else(|| Reason::InvalidAuthentication.into())
            }
        }
    }

    fn cached(&self, id: &str) -> Option<DecodingKey> {
        self.keys.read().by_id.get(id).cloned()
    }

    fn is_fetched_within(&self, limit: TimeDelta) -> bool {
        let fetched = self.keys.read().fetched_at;
        fetched.is_some_and(|at| is_within(limit, at, self.clock.now()))
    }

    fn is_usable(&self) -> bool {
        let fetched = self.keys.read().fetched_at;
        // Also after the clock was set back.
        fetched.is_some_and(|at| self.clock.now() - at < USABLE_FOR)
    }

    fn refresh_in_background(self: &Arc<Self>) {
        let now = self.clock.now();
        let tried = self.keys.write().tried_at.replace(now);
        if tried.is_some_and(|at| is_within(MIN_INTERVAL, at, now)) {
            return;
        }
        let keys = Arc::clone(self);
        actix_web::rt::spawn(async move {
            // Logged there; the next request tries again.
            let _failed = keys.fetch(FRESH_FOR).await;
        });
    }

    /// Does nothing when the keys are newer than `interval`.
    async fn fetch(&self, interval: TimeDelta) -> Result<(), ApiError> {
        let _one_at_a_time = self.fetching.lock().await;
        if self.is_fetched_within(interval) {
            return Ok(());
        }
        let jwks = self
            .auth
            .call_idempotent(async |mut auth| auth.get_jwks(GetJwksRequest {}).await)
            .await
            .inspect_err(|error| tracing::warn!(%error, "cannot fetch the keys of auth"))
            .map_err(|_reason| ApiError::from(Reason::Unavailable))?;
        let by_id = parse(&jwks.json).map_err(|error| {
            tracing::error!(%error, "cannot parse the keys of auth");
            ApiError::from(Reason::Unavailable)
        })?;
        let now = self.clock.now();
        let mut keys = self.keys.write();
        keys.by_id = by_id;
        keys.fetched_at = Some(now);
        Ok(())
    }
}

/// Whether `at` is less than `limit` ago. A time in the future was recorded before the clock was set
/// back, and counts as long ago.
fn is_within(limit: TimeDelta, at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    at <= now && now - at < limit
}

fn parse(json: &str) -> Result<HashMap<String, DecodingKey>, serde_json::Error> {
    let set: JwkSet = serde_json::from_str(json)?;
    let ed25519 = |parameters: &AlgorithmParameters| matches!(parameters, AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519);
    Ok(set
        .keys
        .iter()
        .filter(|jwk| ed25519(&jwk.algorithm))
        .filter_map(|jwk| {
            let id = jwk.common.key_id.clone()?;
            Some((id, DecodingKey::from_jwk(jwk).ok()?))
        })
        .collect())
}
