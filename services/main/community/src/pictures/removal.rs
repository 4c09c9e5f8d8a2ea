//! Removes the pictures that no text has: first nobody sees them, then their files go, then their
//! rows. What a crash or an absent store interrupts, the next round finishes.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::files::Files;
use crate::error::CommunityError;
use crate::store::Store;

const INTERVAL: Duration = Duration::from_secs(10);

/// Works every ten seconds until `shutdown`.
pub async fn run(store: Store, files: Files, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        if let Err(error) = work(&store, &files, &shutdown).await {
            tracing::warn!(
                ?error,
                "Pictures were not removed; the next round tries again"
            );
        }
    }
}

/// One round.
///
/// # Errors
/// When the database or the file store is away.
pub async fn work(
    store: &Store,
    files: &Files,
    shutdown: &CancellationToken,
) -> Result<(), CommunityError> {
    while store.mark_unused_pictures().await? && !shutdown.is_cancelled() {}
    while !shutdown.is_cancelled() {
        let pictures = store.pictures_to_remove().await?;
        if pictures.is_empty() {
            break;
        }
        for picture in &pictures {
            files.remove(*picture).await?;
        }
        store.forget_pictures(&pictures).await?;
    }
    Ok(())
}
