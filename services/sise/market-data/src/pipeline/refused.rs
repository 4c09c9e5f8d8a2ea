//! Counts refused records and stores a sample of them.

use std::sync::Arc;
use std::time::Duration;

use kernel::Clock;
use sqlx::PgPool;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::feed::RefusedRecord;

/// Maximum rows stored per second.
const MAX_ROWS_PER_SECOND: usize = 100;
const PERIOD: Duration = Duration::from_secs(1);

/// Never blocks.
#[derive(Clone, Debug)]
pub struct RefusedLog {
    sender: mpsc::Sender<(&'static str, RefusedRecord)>,
}

impl RefusedLog {
    /// Returns the log and the receiver for [`write`].
    #[must_use]
    pub fn new() -> (Self, mpsc::Receiver<(&'static str, RefusedRecord)>) {
        let (sender, receiver) = mpsc::channel(MAX_ROWS_PER_SECOND);
        (Self { sender }, receiver)
    }

    /// Counts a refused record, and stores it if there is room.
    pub fn record(&self, feed: &'static str, refused: RefusedRecord) {
        metrics::counter!(
            "feed_refused_total",
            "feed" => feed,
            "reason" => refused.reason.as_str()
        )
        .increment(1);
        // A full channel means that this second's sample is complete.
        drop(self.sender.try_send((feed, refused)));
    }
}

/// Stores refused records until shutdown. A row that cannot be written is dropped.
pub async fn write(
    pool: PgPool,
    clock: Arc<dyn Clock>,
    mut receiver: mpsc::Receiver<(&'static str, RefusedRecord)>,
    shutdown: CancellationToken,
) {
    let mut rows = Vec::new();
    loop {
        tokio::select! {
            received = receiver.recv_many(&mut rows, MAX_ROWS_PER_SECOND) => {
                if received == 0 {
                    return;
                }
            }
            () = shutdown.cancelled() => return,
        }
        let (mut feeds, mut reasons, mut samples) = (Vec::new(), Vec::new(), Vec::new());
        for (feed, refused) in rows.drain(..) {
            feeds.push(feed);
            reasons.push(refused.reason.as_str());
            // A text column cannot hold a zero byte.
            samples.push(refused.sample.replace('\0', "\u{fffd}"));
        }
        let written = sqlx::query(
            "insert into refused_tick (refused_at, feed, reason, sample)
             select $1, * from unnest($2::text[], $3::text[], $4::text[])",
        )
        .bind(clock.now())
        .bind(&feeds)
        .bind(&reasons)
        .bind(&samples)
        .execute(&pool)
        .await;
        if let Err(error) = written {
            tracing::warn!(%error, rows = feeds.len(), "Refused ticks could not be stored");
        }
        tokio::time::sleep(PERIOD).await;
    }
}
