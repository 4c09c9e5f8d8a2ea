//! Erases what members who left for good have left behind. Every piece is a transaction of its own, and
//! what is left is found by looking: whatever interrupts an erasure, the next round goes on where it
//! stopped. Uploads are only marked; [`removal`](crate::pictures::removal) removes their files.

use std::time::Duration;

use kernel::MemberId;
use tokio_util::sync::CancellationToken;

use crate::error::CommunityError;
use crate::store::{Erasure, Store, TextRef};

const INTERVAL: Duration = Duration::from_secs(10);

/// Works every ten seconds until `shutdown`.
pub async fn run(store: Store, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        if let Err(error) = work(&store, &shutdown).await {
            tracing::warn!(?error, "An erasure was interrupted and goes on in a minute");
        }
    }
}

/// One round: every erasure that waits, the longest first. One that cannot be finished yet waits a
/// minute.
///
/// # Errors
/// When the database is away.
pub async fn work(store: &Store, shutdown: &CancellationToken) -> Result<(), CommunityError> {
    while !shutdown.is_cancelled()
        && let Some(erasure) = store.claim_erasure().await?
    {
        erase(store, erasure, shutdown).await?;
    }
    Ok(())
}

async fn erase(
    store: &Store,
    erasure: Erasure,
    shutdown: &CancellationToken,
) -> Result<(), CommunityError> {
    let member = erasure.member;
    while store.erase_uploads(member).await? && !shutdown.is_cancelled() {}
    while store.erase_relations(member).await? && !shutdown.is_cancelled() {}
    while store.erase_words(member).await? && !shutdown.is_cancelled() {}
    erase_likes(store, member, shutdown).await?;
    if erasure.deletes_content {
        erase_texts(store, member, shutdown).await?;
    }
    if store.finish_erasure(member).await? {
        tracing::info!(%member, "Everything of a member who left is erased");
        metrics::counter!("community_erasures_total").increment(1);
    }
    Ok(())
}

async fn erase_likes(
    store: &Store,
    member: MemberId,
    shutdown: &CancellationToken,
) -> Result<(), CommunityError> {
    loop {
        let likes = store.likes_of(member).await?;
        if likes.is_empty() || shutdown.is_cancelled() {
            return Ok(());
        }
        for liked in likes {
            store.erase_like(member, liked).await?;
        }
    }
}

async fn erase_texts(
    store: &Store,
    member: MemberId,
    shutdown: &CancellationToken,
) -> Result<(), CommunityError> {
    loop {
        let texts = store.texts_of(member).await?;
        if texts.is_empty() || shutdown.is_cancelled() {
            return Ok(());
        }
        for text in texts {
            match text {
                TextRef::Comment(id) => store.delete_comment(member, id).await?,
                TextRef::Post(id) => store.delete_post(member, id).await?,
            }
        }
    }
}
