//! The public keys of the auth service: fetched once, again every ten minutes behind the requests,
//! and at most every five seconds when a token names a key that is not among them.

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
use crate::state::Auth;

const GOOD_FOR: TimeDelta = TimeDelta::minutes(10);
/// Older keys are waited for: whatever they signed has expired, unless nobody asked for long.
const USABLE_FOR: TimeDelta = TimeDelta::minutes(30);
const LEAST_INTERVAL: TimeDelta = TimeDelta::seconds(5);

/// The cached keys.
pub(super) struct Keys {
    auth: Arc<Auth>,
    clock: Arc<dyn Clock>,
    known: RwLock<Known>,
    /// One fetch at a time; whoever waited for it looks at what it brought.
    fetching: Mutex<()>,
}

#[derive(Default)]
struct Known {
    by_id: HashMap<String, DecodingKey>,
    fetched: Option<DateTime<Utc>>,
    tried: Option<DateTime<Utc>>,
}

impl Keys {
    pub(super) fn new(auth: Arc<Auth>, clock: Arc<dyn Clock>) -> Self {
        Self {
            auth,
            clock,
            known: RwLock::default(),
            fetching: Mutex::default(),
        }
    }

    /// The key `id`. That auth cannot be asked is an outage and never a verdict on the token.
    pub(super) async fn find(self: &Arc<Self>, id: &str) -> Result<DecodingKey, ApiError> {
        match self.known_key(id) {
            Some(key) if self.is_fetched_within(GOOD_FOR) => Ok(key),
            // Auth may hang: nobody waits for it who has a key.
            Some(key) if self.is_usable() => {
                self.fetch_behind();
                Ok(key)
            }
            Some(key) => {
                let fetched = self.fetch(GOOD_FOR).await;
                Ok(self
                    .known_key(id)
                    .filter(|_| fetched.is_ok())
                    .unwrap_or(key))
            }
            None => {
                self.fetch(LEAST_INTERVAL).await?;
                self.known_key(id)
                    .ok_or_else(|| Reason::InvalidAuthentication.into())
            }
        }
    }

    fn known_key(&self, id: &str) -> Option<DecodingKey> {
        self.known.read().by_id.get(id).cloned()
    }

    fn is_fetched_within(&self, limit: TimeDelta) -> bool {
        let fetched = self.known.read().fetched;
        fetched.is_some_and(|at| is_within(limit, at, self.clock.now()))
    }

    fn is_usable(&self) -> bool {
        let fetched = self.known.read().fetched;
        // Also where the clock was set back since.
        fetched.is_some_and(|at| self.clock.now() - at < USABLE_FOR)
    }

    /// Fetches the keys while requests go on, unless that was tried a moment ago.
    fn fetch_behind(self: &Arc<Self>) {
        let now = self.clock.now();
        let tried = self.known.write().tried.replace(now);
        if tried.is_some_and(|at| is_within(LEAST_INTERVAL, at, now)) {
            return;
        }
        let keys = Arc::clone(self);
        actix_web::rt::spawn(async move {
            // It is logged, and tried again when the next token comes.
            let _failed = keys.fetch(GOOD_FOR).await;
        });
    }

    /// Fetches the keys unless that was done less than `interval` ago.
    async fn fetch(&self, interval: TimeDelta) -> Result<(), ApiError> {
        let _one_at_a_time = self.fetching.lock().await;
        if self.is_fetched_within(interval) {
            return Ok(());
        }
        let jwks = self
            .auth
            .read(async |mut auth| auth.get_jwks(GetJwksRequest {}).await)
            .await
            .inspect_err(|error| tracing::warn!(%error, "the keys of auth could not be fetched"))
            .map_err(|_reason| ApiError::from(Reason::Unavailable))?;
        let by_id = parse(&jwks.json).map_err(|error| {
            tracing::error!(%error, "the key set of auth is unreadable");
            ApiError::from(Reason::Unavailable)
        })?;
        let now = self.clock.now();
        let mut known = self.known.write();
        known.by_id = by_id;
        known.fetched = Some(now);
        Ok(())
    }
}

/// Whether `at` is less than `limit` ago. What is still to come was noted before the clock was set
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
