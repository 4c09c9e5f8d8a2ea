//! Supervises a feed: reconnects it after an error or a timeout.

use std::time::Duration;

use messaging::backoff::Backoff;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Feed, FeedBatch, FeedError};

/// A batch and the name of its feed.
pub type NamedBatch = (&'static str, FeedBatch);

#[derive(Clone, Copy, Debug)]
pub struct ReconnectPolicy {
    /// A feed without data for this long is reconnected.
    pub silence_timeout: Duration,
    pub min_backoff: Duration,
    pub max_backoff: Duration,
}

impl ReconnectPolicy {
    /// Backoff of 1 to 30 seconds.
    #[must_use]
    pub fn new(silence_timeout: Duration) -> Self {
        Self {
            silence_timeout,
            min_backoff: Duration::from_secs(1),
            max_backoff: Duration::from_secs(30),
        }
    }
}

/// Forwards batches from `feed` to `sender` until the feed ends, the receiver is dropped, or
/// shutdown. A full channel slows the feed down.
pub async fn supervise(
    mut feed: Box<dyn Feed>,
    policy: ReconnectPolicy,
    sender: mpsc::Sender<NamedBatch>,
    shutdown: CancellationToken,
) {
    let name = feed.name();
    let run = async {
        let mut backoff = Backoff::new(policy.min_backoff, policy.max_backoff);
        loop {
            match feed.connect().await {
                Ok(()) => {
                    tracing::info!(feed = name, "Feed connected");
                    match forward(feed.as_mut(), policy.silence_timeout, &sender, &mut backoff)
                        .await
                    {
                        Some(FeedError::Finished) => {
                            tracing::info!(feed = name, "Feed ended");
                            return;
                        }
                        Some(error @ FeedError::Lost(_)) => record_lost_connection(name, &error),
                        None => return,
                    }
                }
                Err(FeedError::Finished) => return,
                Err(error @ FeedError::Lost(_)) => record_lost_connection(name, &error),
            }
            backoff.wait().await;
        }
    };
    tokio::select! {
        () = run => {}
        () = shutdown.cancelled() => {}
    }
}

/// Returns why the feed failed; `None` when the receiver is dropped.
async fn forward(
    feed: &mut dyn Feed,
    silence_timeout: Duration,
    sender: &mpsc::Sender<NamedBatch>,
    backoff: &mut Backoff,
) -> Option<FeedError> {
    loop {
        match tokio::time::timeout(silence_timeout, feed.next()).await {
            Ok(Ok(batch)) => {
                backoff.reset();
                if sender.send((feed.name(), batch)).await.is_err() {
                    return None;
                }
            }
            Ok(Err(error)) => return Some(error),
            Err(_elapsed) => {
                let silence = format!("no data for {silence_timeout:?}");
                return Some(FeedError::Lost(silence));
            }
        }
    }
}

fn record_lost_connection(name: &'static str, error: &FeedError) {
    metrics::counter!("feed_connections_lost_total", "feed" => name).increment(1);
    tracing::warn!(feed = name, %error, "Feed connection lost, reconnecting after a delay");
}
