//! From a feed's trades to the tick log: normalised once, checked, batched and appended with the
//! broker's confirms.

pub mod normalise;
pub mod refused;

use std::time::Duration;

use messaging::backoff::Backoff;
use messaging::ticks::Publisher;
use proto::market::v1::{TickBatch, TickRecord, tick_record::Record};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::feed::supervise::FromFeed;
use crate::feed::{FeedBatch, FeedRecord};
use crate::quotes::QuoteBoard;

pub use normalise::Normaliser;
pub use refused::RefusedLog;

/// Batches that are appended without waiting for a confirm in between.
const MOST_BATCHES_AT_ONCE: usize = 64;

/// Where the log continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEnd {
    /// The log's epoch.
    pub epoch: i64,
    /// Number of the last batch in it.
    pub batch_seq: i64,
}

/// Makes batches of what feeds give.
pub struct Batcher {
    normaliser: Normaliser,
    refused: RefusedLog,
    end: LogEnd,
}

impl Batcher {
    /// Continues a log at its end, from the state that the log has told so far.
    #[must_use]
    pub fn new(board: &QuoteBoard, refused: RefusedLog, end: LogEnd) -> Self {
        Self {
            normaliser: Normaliser::new(board),
            refused,
            end,
        }
    }

    /// The batch to append, `None` when nothing of it belongs into the log.
    pub fn batch(&mut self, feed: &'static str, given: FeedBatch) -> Option<TickBatch> {
        let mut records = Vec::with_capacity(given.records.len());
        let span_us = given.began_us..given.market_time_us;
        for record in given.records {
            let record = match record {
                FeedRecord::Trade(trade) => match self.normaliser.tick(trade, span_us.clone()) {
                    Ok(tick) => Record::Tick(tick),
                    Err(refused) => {
                        self.refused.note(feed, refused);
                        continue;
                    }
                },
                FeedRecord::Session(change) => Record::Session(self.normaliser.session(change)),
                FeedRecord::Refused(refused) => {
                    self.refused.note(feed, refused);
                    continue;
                }
            };
            records.push(TickRecord {
                record: Some(record),
            });
        }
        if records.is_empty() {
            return None;
        }
        self.end.batch_seq += 1;
        metrics::counter!("feed_records_total", "feed" => feed)
            .increment(u64::try_from(records.len()).unwrap_or(0));
        Some(TickBatch {
            producer: feed.to_owned(),
            epoch: self.end.epoch,
            batch_seq: self.end.batch_seq,
            closed_at_us: given.market_time_us,
            records,
        })
    }
}

/// Appends what comes from the feeds until they are gone or shutdown. A batch that was not
/// confirmed is appended again until it is; readers know repeats by their numbers.
pub async fn publish(
    mut batcher: Batcher,
    publisher: Publisher,
    mut feeds: mpsc::Receiver<FromFeed>,
    shutdown: CancellationToken,
) {
    let mut waiting = Vec::with_capacity(MOST_BATCHES_AT_ONCE);
    loop {
        waiting.clear();
        let received = tokio::select! {
            received = feeds.recv_many(&mut waiting, MOST_BATCHES_AT_ONCE) => received,
            () = shutdown.cancelled() => return,
        };
        if received == 0 {
            return;
        }
        let given = waiting.drain(..);
        let batches: Vec<TickBatch> = given
            .filter_map(|(feed, batch)| batcher.batch(feed, batch))
            .collect();
        if batches.is_empty() {
            continue;
        }
        tokio::select! {
            () = append(&publisher, &batches) => {}
            () = shutdown.cancelled() => return,
        }
    }
}

async fn append(publisher: &Publisher, batches: &[TickBatch]) {
    let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(3));
    while let Err(error) = publisher.publish_many(batches).await {
        metrics::counter!("ticks_publish_errors_total").increment(1);
        tracing::warn!(%error, batches = batches.len(), "The tick log did not confirm, appending again");
        backoff.wait().await;
    }
}
