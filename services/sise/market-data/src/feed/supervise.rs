//! Keeps a feed alive: silence is death, and death is followed by a new connection.

use std::time::Duration;

use messaging::backoff::Backoff;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Feed, FeedBatch, FeedError};

/// What came from which feed.
pub type FromFeed = (&'static str, FeedBatch);

/// Waits between connections: from one second to thirty.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Silence after which a connected feed is dead.
    pub silence_limit: Duration,
    /// First wait before connecting again.
    pub first_wait: Duration,
    /// Longest wait.
    pub longest_wait: Duration,
}

impl Patience {
    /// Waits of 1 to 30 seconds after `silence_limit` of silence.
    #[must_use]
    pub fn of(silence_limit: Duration) -> Self {
        Self {
            silence_limit,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(30),
        }
    }
}

/// Moves batches from `feed` to `sender` until the feed ends, nobody listens any more, or
/// shutdown. A full channel slows the feed down; nothing is thrown away.
pub async fn supervise(
    mut feed: Box<dyn Feed>,
    patience: Patience,
    sender: mpsc::Sender<FromFeed>,
    shutdown: CancellationToken,
) {
    let name = feed.name();
    let run = async {
        let mut backoff = Backoff::new(patience.first_wait, patience.longest_wait);
        loop {
            match feed.connect().await {
                Ok(()) => {
                    tracing::info!(feed = name, "The feed is connected");
                    match listen(feed.as_mut(), patience.silence_limit, &sender, &mut backoff).await
                    {
                        Some(FeedError::Finished) => {
                            tracing::info!(feed = name, "The feed has come to its end");
                            return;
                        }
                        Some(error @ FeedError::Lost(_)) => lost(name, &error),
                        None => return,
                    }
                }
                Err(FeedError::Finished) => return,
                Err(error @ FeedError::Lost(_)) => lost(name, &error),
            }
            backoff.wait().await;
        }
    };
    tokio::select! {
        () = run => {}
        () = shutdown.cancelled() => {}
    }
}

/// Why listening ended; `None` when nobody listens to us.
async fn listen(
    feed: &mut dyn Feed,
    silence_limit: Duration,
    sender: &mpsc::Sender<FromFeed>,
    backoff: &mut Backoff,
) -> Option<FeedError> {
    loop {
        match tokio::time::timeout(silence_limit, feed.next()).await {
            Ok(Ok(batch)) => {
                backoff.reset();
                if sender.send((feed.name(), batch)).await.is_err() {
                    return None;
                }
            }
            Ok(Err(error)) => return Some(error),
            Err(_elapsed) => {
                let silence = format!("nothing came for {silence_limit:?}");
                return Some(FeedError::Lost(silence));
            }
        }
    }
}

fn lost(name: &'static str, error: &FeedError) {
    metrics::counter!("feed_connections_lost_total", "feed" => name).increment(1);
    tracing::warn!(feed = name, %error, "The feed is connected again after a wait");
}
