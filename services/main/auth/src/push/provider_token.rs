//! Tokens that several pushes share, each of them asked for once.

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Mutex;

#[derive(Default)]
pub(super) struct ProviderToken {
    kept: Mutex<Option<(String, DateTime<Utc>)>>,
}

/// A new token and how long it is used.
pub(super) type NewToken = (String, TimeDelta);

impl ProviderToken {
    /// The token in use, or what `make` returns. Whoever comes meanwhile waits for the same one.
    pub(super) async fn get<E>(
        &self,
        now: DateTime<Utc>,
        make: impl AsyncFnOnce() -> Result<NewToken, E>,
    ) -> Result<String, E> {
        let mut kept = self.kept.lock().await;
        if let Some((token, until)) = kept.as_ref()
            && now < *until
        {
            return Ok(token.clone());
        }
        let (token, lives) = make().await?;
        *kept = Some((token.clone(), now + lives));
        Ok(token)
    }

    /// Makes the next caller ask for another one, if the refused one is still in use.
    pub(super) async fn forget(&self, refused: &str) {
        let mut kept = self.kept.lock().await;
        if kept.as_ref().is_some_and(|(token, _)| token == refused) {
            *kept = None;
        }
    }
}
