//! The pipeline from feeds to the tick log: normalises and validates trades, builds batches, and
//! appends them with publisher confirms.

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

use crate::feed::supervise::NamedBatch;
use crate::feed::{FeedBatch, FeedRecord};
use crate::quotes::QuoteBoard;

pub use normalise::Normaliser;
pub use refused::RefusedLog;

/// Maximum number of batches without a confirm in between.
const MAX_BATCHES_IN_FLIGHT: usize = 64;

/// What the next batch follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEnd {
    pub epoch: i64,
    /// Sequence number of the last batch.
    pub batch_seq: i64,
    /// Whether the epoch starts here.
    pub is_new_epoch: bool,
}

impl LogEnd {
    /// A new epoch, greater than this one and `newest`.
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

/// Builds the batches of the log.
pub struct Batcher {
    normaliser: Normaliser,
    refused: RefusedLog,
    end: LogEnd,
    /// Market time of the newest batch.
    market_time_us: i64,
}

/// Producer name of the batch that restates the state in a new epoch.
const RESTATE_PRODUCER: &str = "log";

impl Batcher {
    /// Continues the log at `end` with the state in `board`.
    #[must_use]
    pub fn new(board: &QuoteBoard, refused: RefusedLog, end: LogEnd) -> Self {
        Self {
            normaliser: Normaliser::new(board),
            refused,
            end,
            market_time_us: board.progress().market_time_us,
        }
    }

    #[must_use]
    pub fn end(&self) -> LogEnd {
        self.end
    }

    /// Starts a new epoch with `batches` and the restated state. Sequence numbers continue, so that
    /// readers can count the batches they missed.
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
            "Started a new epoch of the tick log"
        );
    }

    /// Restates the sessions reached before the epoch; `None` before the first one.
    pub fn restate(&mut self) -> Option<TickBatch> {
        let sessions = self.normaliser.restate(self.market_time_us);
        let records = sessions.into_iter().map(|session| TickRecord {
            record: Some(Record::Session(session)),
        });
        self.number_batch(RESTATE_PRODUCER, records.collect(), self.market_time_us)
    }

    /// `None` when no record is valid.
    pub fn batch(&mut self, feed: &'static str, feed_batch: FeedBatch) -> Option<TickBatch> {
        let mut records = Vec::with_capacity(feed_batch.records.len());
        let span_us = feed_batch.began_us..feed_batch.market_time_us;
        for record in feed_batch.records {
            let record = match record {
                FeedRecord::Trade(trade) => match self.normaliser.tick(trade, span_us.clone()) {
                    Ok(tick) => Record::Tick(tick),
                    Err(refused) => {
                        self.refused.record(feed, refused);
                        continue;
                    }
                },
                FeedRecord::Session(change) => Record::Session(self.normaliser.session(change)),
                FeedRecord::Refused(refused) => {
                    self.refused.record(feed, refused);
                    continue;
                }
            };
            records.push(TickRecord {
                record: Some(record),
            });
        }
        metrics::counter!("feed_records_total", "feed" => feed)
            .increment(u64::try_from(records.len()).unwrap_or(0));
        self.number_batch(feed, records, feed_batch.market_time_us)
    }

    fn number_batch(
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

/// The log, and whether this process may write it.
pub struct Output {
    pub publisher: Publisher,
    /// Whether this process is known to hold the writer lock.
    pub holds_lock: watch::Receiver<bool>,
    pub clock: Arc<dyn Clock>,
}

/// Appends the batches of the feeds until all feeds end or shutdown. An unconfirmed batch is
/// appended again; readers detect duplicates by their sequence numbers. Returns whether every
/// appended batch was confirmed.
pub async fn publish(
    mut batcher: Batcher,
    mut output: Output,
    mut feeds: mpsc::Receiver<NamedBatch>,
    shutdown: CancellationToken,
) -> bool {
    let mut received_batches = Vec::with_capacity(MAX_BATCHES_IN_FLIGHT);
    let mut batches = Vec::new();
    if batcher.end().is_new_epoch {
        batches.extend(batcher.restate());
    }
    loop {
        if batches.is_empty() {
            received_batches.clear();
            let received = tokio::select! {
                received = feeds.recv_many(&mut received_batches, MAX_BATCHES_IN_FLIGHT) => received,
                () = shutdown.cancelled() => return true,
            };
            if received == 0 {
                return true;
            }
            let pending = received_batches.drain(..);
            batches.extend(pending.filter_map(|(feed, batch)| batcher.batch(feed, batch)));
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
            if self
                .holds_lock
                .wait_for(|holds_lock| *holds_lock)
                .await
                .is_err()
            {
                // The owner of the lock has ended, so this process is shutting down.
                return std::future::pending().await;
            }
            match self.publisher.publish_many(batches).await {
                Ok(()) => batches.clear(),
                Err(PublishError::Lost(_)) => batcher.begin_epoch(self.clock.as_ref(), batches),
                Err(error) => {
                    metrics::counter!("ticks_publish_errors_total").increment(1);
                    tracing::warn!(%error, batches = batches.len(), "Batches were not confirmed, appending again");
                    backoff.wait().await;
                }
            }
        }
    }
}
