//! Work without a request: ranks that sink, texts of what was deleted or reported, old requests,
//! edits, and likes that were taken back, restrictions that end, and what those who reported are told.
//!
//! Each batch is a statement of its own that passes over rows which another process works on, so any
//! number of processes may do this at once.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::error::CommunityError;
use crate::store::Store;

/// Works every ten seconds until `shutdown`.
pub async fn run(store: Store, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        if let Ok(late) = store.ranks_late().await {
            let seconds = u32::try_from(late.num_seconds()).unwrap_or(u32::MAX);
            metrics::gauge!("community_rank_late_seconds").set(f64::from(seconds));
        }
        if let Err(error) = work(&store, &shutdown).await {
            tracing::warn!(?error, "Background work failed; the next round tries again");
        }
    }
}

/// One round, which leaves to the next what it cannot do in time.
///
/// # Errors
/// When the database is away.
pub async fn work(store: &Store, shutdown: &CancellationToken) -> Result<(), CommunityError> {
    let begun = Instant::now();
    let is_over = || begun.elapsed() > INTERVAL || shutdown.is_cancelled();
    while store.rank_posts().await? && !is_over() {}
    while store.clear_texts().await? && !is_over() {}
    while store.forget_reported_texts().await? && !is_over() {}
    while store.end_restriction().await? && !is_over() {}
    while store.tell_reporters().await? && !is_over() {}
    while store.forget_requests().await? && !is_over() {}
    while store.forget_withdrawn_likes().await? && !is_over() {}
    while store.forget_edits().await? && !is_over() {}
    Ok(())
}

const INTERVAL: Duration = Duration::from_secs(10);
