//! From a feed's trades to the tick log: normalised once, checked, batched and appended with the
//! broker's confirms.

pub mod normalise;
pub mod refused;

use std::sync::Arc;
use std::time::Duration;

use kernel::Clock;
use messaging::backoff::Backoff;
use messaging::ticks::{PublishError, Publisher};
use proto::market::v1::{TickBatch, TickRecord, tick_record::Record};
use tokio::sync::{mpsc, watch};
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
    /// Number of the last batch before it is continued.
    pub batch_seq: i64,
    /// Whether the epoch begins here.
    pub is_new_epoch: bool,
}

impl LogEnd {
    /// A new epoch after this one, and after `newest` if somebody has begun that.
    #[must_use]
    pub fn next_epoch(self, newest: i64, clock: &dyn Clock) -> Self {
        let above = self.epoch.max(newest).saturating_add(1);
        Self {
            epoch: clock.now().timestamp_micros().max(above),
            is_new_epoch: true,
            ..self
        }
    }
}

/// Makes batches of what feeds give.
pub struct Batcher {
    normaliser: Normaliser,
    refused: RefusedLog,
    end: LogEnd,
    /// Market time of the newest batch.
    market_time_us: i64,
}

/// The producer of what a new epoch begins with.
const RESTATED: &str = "log";

impl Batcher {
    /// Continues a log at its end, from the state that the log has told so far.
    #[must_use]
    pub fn new(board: &QuoteBoard, refused: RefusedLog, end: LogEnd) -> Self {
        Self {
            normaliser: Normaliser::new(board),
            refused,
            end,
            market_time_us: board.position().market_time_us,
        }
    }

    /// Where the log continues.
    #[must_use]
    pub fn end(&self) -> LogEnd {
        self.end
    }

    /// Continues in another log, to which `batches` are appended first. Numbers go on, so that
    /// readers know how much of the one before they missed.
    pub fn begin_epoch(&mut self, clock: &dyn Clock, batches: &mut Vec<TickBatch>) {
        self.end = self.end.next_epoch(0, clock);
        for batch in batches.iter_mut() {
            batch.epoch = self.end.epoch;
        }
        batches.extend(self.restate());
        metrics::counter!("ticks_epochs_begun_total").increment(1);
        tracing::warn!(
            epoch = self.end.epoch,
            batch_seq = self.end.batch_seq,
            "A new epoch of the tick log begins"
        );
    }

    /// What a new epoch says of the state that was reached before it; `None` when there is none.
    pub fn restate(&mut self) -> Option<TickBatch> {
        let sessions = self.normaliser.restate(self.market_time_us);
        let records = sessions.into_iter().map(|session| TickRecord {
            record: Some(Record::Session(session)),
        });
        self.numbered(RESTATED, records.collect(), self.market_time_us)
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
        metrics::counter!("feed_records_total", "feed" => feed)
            .increment(u64::try_from(records.len()).unwrap_or(0));
        self.numbered(feed, records, given.market_time_us)
    }

    fn numbered(
        &mut self,
        producer: &str,
        records: Vec<TickRecord>,
        closed_at_us: i64,
    ) -> Option<TickBatch> {
        if records.is_empty() {
            return None;
        }
        self.end.batch_seq += 1;
        self.market_time_us = self.market_time_us.max(closed_at_us);
        Some(TickBatch {
            producer: producer.to_owned(),
            epoch: self.end.epoch,
            batch_seq: self.end.batch_seq,
            closed_at_us,
            records,
        })
    }
}

/// Where batches are appended, and what may forbid it.
pub struct Output {
    /// The log.
    pub publisher: Publisher,
    /// Whether this process is known to be the one that writes.
    pub is_sure: watch::Receiver<bool>,
    /// The present.
    pub clock: Arc<dyn Clock>,
}

/// Appends what comes from the feeds until they are gone or shutdown. A batch that was not
/// confirmed is appended again until it is; readers know repeats by their numbers. Answers whether
/// all was confirmed that was appended.
pub async fn publish(
    mut batcher: Batcher,
    mut output: Output,
    mut feeds: mpsc::Receiver<FromFeed>,
    shutdown: CancellationToken,
) -> bool {
    let mut waiting = Vec::with_capacity(MOST_BATCHES_AT_ONCE);
    let mut batches = Vec::new();
    if batcher.end().is_new_epoch {
        batches.extend(batcher.restate());
    }
    loop {
        if batches.is_empty() {
            waiting.clear();
            let received = tokio::select! {
                received = feeds.recv_many(&mut waiting, MOST_BATCHES_AT_ONCE) => received,
                () = shutdown.cancelled() => return true,
            };
            if received == 0 {
                return true;
            }
            let given = waiting.drain(..);
            batches.extend(given.filter_map(|(feed, batch)| batcher.batch(feed, batch)));
        }
        let appending = output.append(&mut batcher, &mut batches);
        if shutdown.run_until_cancelled(appending).await.is_none() {
            return batches.is_empty();
        }
    }
}

impl Output {
    async fn append(&mut self, batcher: &mut Batcher, batches: &mut Vec<TickBatch>) {
        let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(3));
        while !batches.is_empty() {
            if self.is_sure.wait_for(|is_sure| *is_sure).await.is_err() {
                // Who knew has ended, and the process with it.
                return std::future::pending().await;
            }
            match self.publisher.publish_many(batches).await {
                Ok(()) => batches.clear(),
                Err(PublishError::Lost(_)) => batcher.begin_epoch(self.clock.as_ref(), batches),
                Err(error) => {
                    metrics::counter!("ticks_publish_errors_total").increment(1);
                    tracing::warn!(%error, batches = batches.len(), "The tick log did not confirm, appending again");
                    backoff.wait().await;
                }
            }
        }
    }
}
