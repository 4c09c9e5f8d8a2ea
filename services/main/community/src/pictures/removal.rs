//! Removes the pictures that no text has: first nobody sees them, then their files go, then their
//! rows. What a crash interrupts, the next round finishes; files that cannot be removed are tried again
//! later, and hold up no others. Pictures of comments whose post was deleted count as those that no text
//! has, after a round. Counts of uploads go with their day.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::files::Files;
use crate::error::CommunityError;
use crate::store::Store;

const INTERVAL: Duration = Duration::from_secs(10);
/// In a round: after so many the store is away, and each may have taken seconds.
const MAX_FAILURES: u32 = 5;

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
/// When the database is away.
pub async fn work(
    store: &Store,
    files: &Files,
    shutdown: &CancellationToken,
) -> Result<(), CommunityError> {
    while store.forget_upload_counts().await? && !shutdown.is_cancelled() {}
    while store.release_pictures().await? && !shutdown.is_cancelled() {}
    while store.mark_unused_pictures().await? && !shutdown.is_cancelled() {}
    let mut failures = 0;
    while failures < MAX_FAILURES && !shutdown.is_cancelled() {
        let pictures = store.pictures_to_remove().await?;
        if pictures.is_empty() {
            break;
        }
        let mut removed = Vec::with_capacity(pictures.len());
        for picture in pictures {
            match files.remove(picture).await {
                Ok(()) => removed.push(picture),
                Err(error) => {
                    tracing::warn!(%picture, %error, "Files of a picture were not removed");
                    metrics::counter!("community_picture_removals_failed_total").increment(1);
                    store.remove_picture_later(picture).await?;
                    failures += 1;
                }
            }
            if failures >= MAX_FAILURES || shutdown.is_cancelled() {
                break;
            }
        }
        store.forget_pictures(&removed).await?;
    }
    Ok(())
}
