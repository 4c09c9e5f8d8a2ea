//! The public keys of the auth service: fetched once, again every ten minutes, and at most every
//! five seconds when a token names a key that is not among them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jsonwebtoken::DecodingKey;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, JwkSet};
use parking_lot::RwLock;
use proto::auth::v1::GetJwksRequest;
use tokio::sync::Mutex;

use crate::error::{ApiError, Reason};
use crate::state::Auth;

const GOOD_FOR: Duration = Duration::from_secs(600);
const LEAST_INTERVAL: Duration = Duration::from_secs(5);

/// The cached keys.
pub(super) struct Keys {
    auth: Arc<Auth>,
    known: RwLock<Known>,
    /// One fetch at a time; whoever waited for it looks at what it brought.
    fetching: Mutex<()>,
}

#[derive(Default)]
struct Known {
    by_id: HashMap<String, DecodingKey>,
    fetched: Option<Instant>,
}

impl Keys {
    pub(super) fn new(auth: Arc<Auth>) -> Self {
        Self {
            auth,
            known: RwLock::default(),
            fetching: Mutex::default(),
        }
    }

    /// The key `id`. That auth cannot be asked is an outage and never a verdict on the token.
    pub(super) async fn find(&self, id: &str) -> Result<DecodingKey, ApiError> {
        let (cached, age) = self.look(id);
        match (cached, age) {
            (Some(key), Some(age)) if age < GOOD_FOR => Ok(key),
            // An old key is better than none while auth is away.
            (Some(key), _) => {
                let fetched = self.fetch(GOOD_FOR).await;
                Ok(self.look(id).0.filter(|_| fetched.is_ok()).unwrap_or(key))
            }
            (None, _) => {
                self.fetch(LEAST_INTERVAL).await?;
                let (cached, _age) = self.look(id);
                cached.ok_or_else(|| Reason::InvalidAuthentication.into())
            }
        }
    }

    fn look(&self, id: &str) -> (Option<DecodingKey>, Option<Duration>) {
        let known = self.known.read();
        let age = known.fetched.map(|fetched| fetched.elapsed());
        (known.by_id.get(id).cloned(), age)
    }

    /// Fetches the keys unless that was done less than `interval` ago.
    async fn fetch(&self, interval: Duration) -> Result<(), ApiError> {
        let _one_at_a_time = self.fetching.lock().await;
        let fetched = self.known.read().fetched;
        if fetched.is_some_and(|fetched| fetched.elapsed() < interval) {
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
        *self.known.write() = Known {
            by_id,
            fetched: Some(Instant::now()),
        };
        Ok(())
    }
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
