//! What was refused at the boundary: counted always, kept in part.

use std::sync::Arc;
use std::time::Duration;

use kernel::Clock;
use sqlx::PgPool;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::feed::Refused;

/// Rows written in a second at most; the rest is only counted.
const MOST_ROWS_PER_SECOND: usize = 100;
const PERIOD: Duration = Duration::from_secs(1);

/// Takes refused ticks without ever waiting.
#[derive(Clone, Debug)]
pub struct RefusedLog {
    sender: mpsc::Sender<(&'static str, Refused)>,
}

impl RefusedLog {
    /// The log and what [`write`] takes from it.
    #[must_use]
    pub fn new() -> (Self, mpsc::Receiver<(&'static str, Refused)>) {
        let (sender, receiver) = mpsc::channel(MOST_ROWS_PER_SECOND);
        (Self { sender }, receiver)
    }

    /// Counts a refused tick, and keeps it when there is room.
    pub fn note(&self, feed: &'static str, refused: Refused) {
        metrics::counter!(
            "feed_refused_total",
            "feed" => feed,
            "reason" => refused.reason.as_str()
        )
        .increment(1);
        // A full channel means that a hundred samples of this second are kept already.
        drop(self.sender.try_send((feed, refused)));
    }
}

/// Writes refused ticks to the database until shutdown. A row that cannot be written is lost;
/// it is counted all the same.
pub async fn write(
    pool: PgPool,
    clock: Arc<dyn Clock>,
    mut receiver: mpsc::Receiver<(&'static str, Refused)>,
    shutdown: CancellationToken,
) {
    let mut rows = Vec::new();
    loop {
        tokio::select! {
            received = receiver.recv_many(&mut rows, MOST_ROWS_PER_SECOND) => {
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
            // A text column holds no zero byte.
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
            tracing::warn!(%error, rows = feeds.len(), "Refused ticks could not be kept");
        }
        tokio::time::sleep(PERIOD).await;
    }
}
