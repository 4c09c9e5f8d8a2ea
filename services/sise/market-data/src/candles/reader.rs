//! Reads the tick log into the quote board and the candles.
//!
//! One task does both, so that every write belongs to one log offset. Writes run concurrently with
//! reading: a slow or absent database delays the candle tables but not the quotes, until too many
//! rows are pending.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use messaging::Amqp;
use messaging::ticks::{Delivered, NewestBatch, ReadFrom, Reader, StreamSpec};
use proto::market::v1::{Tick, tick_record::Record};
use sqlx::PgPool;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::quotes::{LogProgress, QuoteBoard};

use super::book::{CandleAggregator, CandleRow, Changes};
use super::state::{NewestMinutes, StoredState, save};

/// A crash loses nothing: the log is read again from the offset of the last write. Each write
/// updates the minute and the day of nearly every instrument, so writing more often repeats the
/// same rows.
const WRITE_INTERVAL: Duration = Duration::from_secs(3);
/// Reading pauses above this number of pending rows.
const MAX_PENDING_ROWS: usize = 200_000;
const PREFETCH: u16 = 64;
/// Existing batches arrive at once; after this long without one the start continues.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(10);

pub struct LogReader {
    pool: PgPool,
    board: QuoteBoard,
    aggregator: CandleAggregator,
    reader: Reader,
    // Changes of a failed write, for the next one.
    unwritten: Changes,
    unwritten_codes: HashSet<String>,
    // Moved into a write while it is running.
    stored_minutes: NewestMinutes,
}

struct Write {
    changes: Changes,
    codes: HashSet<String>,
    stored_minutes: NewestMinutes,
    outcome: Result<(), sqlx::Error>,
}

impl LogReader {
    /// Continues at the stored log offset.
    #[must_use]
    pub fn open(
        pool: PgPool,
        board: QuoteBoard,
        stored: StoredState,
        amqp: Amqp,
        spec: StreamSpec,
    ) -> Self {
        let from = ReadFrom::Offset(stored.progress.offset);
        let stored_minutes = newest(&stored.minutes);
        let aggregator = CandleAggregator::restored(stored.minutes, &stored.ticks);
        board.restore(
            stored.progress,
            &stored.sessions,
            stored.ticks,
            stored.splits,
        );
        Self {
            pool,
            board,
            aggregator,
            reader: Reader::open(amqp, spec, from, PREFETCH),
            unwritten: Changes::default(),
            unwritten_codes: HashSet::new(),
            stored_minutes,
        }
    }

    pub async fn catch_up(&mut self, newest: NewestBatch) {
        while self.is_before(newest) {
            let Ok(delivered) = tokio::time::timeout(CATCH_UP_TIMEOUT, self.reader.next()).await
            else {
                tracing::error!(?newest, "Timed out before the end of the tick log");
                return;
            };
            self.apply(delivered);
        }
    }

    fn is_before(&self, newest: NewestBatch) -> bool {
        let read = self.board.progress().offset;
        (read.epoch, read.next) <= (newest.epoch, newest.offset)
    }

    /// Replaces the state by one that was written past the log.
    pub fn replace(&mut self, stored: StoredState) {
        self.stored_minutes = newest(&stored.minutes);
        self.aggregator = CandleAggregator::restored(stored.minutes, &stored.ticks);
        self.board.restore(
            stored.progress,
            &stored.sessions,
            stored.ticks,
            stored.splits,
        );
    }

    /// Writes the pending rows.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database; the rows stay pending.
    pub async fn write_now(&mut self) -> Result<(), sqlx::Error> {
        if let Some(write) = self.start_write() {
            self.finish_write(write.await).await
        } else {
            Ok(())
        }
    }

    /// Runs until shutdown, then writes the pending rows.
    pub async fn run(mut self, shutdown: CancellationToken) {
        let mut every = tokio::time::interval(WRITE_INTERVAL);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut writing: Option<JoinHandle<Write>> = None;
        loop {
            // Inputs: the log, unless too many rows are pending; the write interval; the end of a
            // write; shutdown.
            let is_backlogged =
                self.aggregator.pending_rows() + self.unwritten.len() > MAX_PENDING_ROWS;
            tokio::select! {
                delivered = self.reader.next(), if !is_backlogged => self.apply(delivered),
                _ = every.tick(), if writing.is_none() => writing = self.start_write(),
                written = completed(&mut writing) => {
                    writing = None;
                    if let Err(error) = self.finish_write(written).await {
                        metrics::counter!("candle_write_errors_total").increment(1);
                        tracing::warn!(%error, "Candles could not be written, retrying");
                    }
                }
                () = shutdown.cancelled() => break,
            }
        }
        if let Some(write) = writing {
            drop(self.finish_write(write.await).await);
        }
        if let Err(error) = self.write_now().await {
            tracing::warn!(%error, "Last candles not written, they are rebuilt from the log at the next start");
        }
    }

    fn apply(&mut self, delivered: Delivered) {
        let lag = delivered.missed_batches.max(self.skipped(&delivered));
        if lag > 0 {
            metrics::counter!("candle_missed_batches_total").increment(lag);
            tracing::error!(missed = lag, "Batches of the tick log were missed");
        }
        let mut ticks = 0_u64;
        let aggregator = &mut self.aggregator;
        self.board
            .apply(delivered.offset, delivered.batch, |record| match record {
                Record::Tick(tick) => {
                    ticks += 1;
                    aggregator.tick(tick);
                }
                Record::Session(session) => aggregator.session(session),
            });
        metrics::counter!("candle_ticks_total").increment(ticks);
    }

    /// Batches between the stored offset and the first one that still exists.
    fn skipped(&self, delivered: &Delivered) -> u64 {
        let progress = self.board.progress();
        let step = delivered.batch.batch_seq - progress.batch_seq - 1;
        if progress.batch_seq > 0 {
            u64::try_from(step).unwrap_or(0)
        } else {
            0
        }
    }

    fn start_write(&mut self) -> Option<JoinHandle<Write>> {
        let changes = std::mem::take(&mut self.unwritten).merge(self.aggregator.take_changes());
        let mut codes = std::mem::take(&mut self.unwritten_codes);
        codes.extend(changes.days.keys().map(|(code, _)| code.to_string()));
        let progress = self.board.progress();
        if progress == LogProgress::default() {
            return None;
        }
        let ticks: Vec<Tick> = codes
            .iter()
            .filter_map(|code| self.board.tick(code))
            .collect();
        let sessions = self.board.sessions();
        let pool = self.pool.clone();
        let mut stored_minutes = std::mem::take(&mut self.stored_minutes);
        Some(tokio::spawn(async move {
            let stored = &stored_minutes;
            let outcome = save(&pool, &changes, stored, &ticks, progress, &sessions).await;
            if outcome.is_ok() {
                update_newest(&mut stored_minutes, changes.minutes.values());
            }
            Write {
                changes,
                codes,
                stored_minutes,
                outcome,
            }
        }))
    }

    async fn finish_write(
        &mut self,
        write: Result<Write, tokio::task::JoinError>,
    ) -> Result<(), sqlx::Error> {
        let write = write.map_err(|error| sqlx::Error::Io(std::io::Error::other(error)))?;
        self.stored_minutes = write.stored_minutes;
        if let Err(error) = write.outcome {
            let newer = std::mem::take(&mut self.unwritten);
            self.unwritten = write.changes.merge(newer);
            self.unwritten_codes.extend(write.codes);
            // Avoids a busy loop when the database fails at once.
            tokio::time::sleep(Duration::from_millis(50)).await;
            return Err(error);
        }
        Ok(())
    }
}

fn newest(minutes: &[CandleRow]) -> NewestMinutes {
    let mut newest = NewestMinutes::new();
    update_newest(&mut newest, minutes);
    newest
}

fn update_newest<'a>(newest: &mut NewestMinutes, minutes: impl IntoIterator<Item = &'a CandleRow>) {
    for row in minutes {
        let start_us = newest.entry(Arc::clone(&row.code)).or_insert(row.start_us);
        *start_us = row.start_us.max(*start_us);
    }
}

async fn completed(
    writing: &mut Option<JoinHandle<Write>>,
) -> Result<Write, tokio::task::JoinError> {
    match writing {
        Some(write) => write.await,
        None => std::future::pending().await,
    }
}
