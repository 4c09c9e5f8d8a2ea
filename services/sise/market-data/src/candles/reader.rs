//! Reads the tick log into the quote board and the candles.
//!
//! One task does both, so that what is written always belongs to one place in the log. Writing
//! happens beside reading: a slow or absent database delays the candles' tables, not the quotes,
//! until so much waits that reading must wait too.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use messaging::Amqp;
use messaging::ticks::{Delivered, LogOffset, NewestBatch, ReadFrom, Reader, StreamSpec};
use proto::market::v1::{Tick, tick_record::Record};
use sqlx::PgPool;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::quotes::{Position, QuoteBoard};

use super::book::{CandleBook, Changes, Row};
use super::state::{NewestMinutes, Stored, save};

/// A crash loses nothing, however long ago the last write was: the log is read again from the place
/// that came with it. Each write renews the minute and the day of nearly every instrument, so to
/// write more often is to write the same rows again.
const WRITE_EVERY: Duration = Duration::from_secs(3);
/// Rows that may wait for the database before reading stops.
const MOST_WAITING_ROWS: usize = 200_000;
const PREFETCH: u16 = 64;
/// What is there comes at once; after so much silence the start goes on without it.
const SILENCE: Duration = Duration::from_secs(10);

/// The reader of the log that writes candles.
pub struct LogReader {
    pool: PgPool,
    board: QuoteBoard,
    book: CandleBook,
    reader: Reader,
    // Changes of a write that failed, to be written with the next one.
    unwritten: Changes,
    unwritten_codes: HashSet<String>,
    // Empty while a write is under way, which has it.
    stored_minutes: NewestMinutes,
}

struct Write {
    changes: Changes,
    codes: HashSet<String>,
    stored_minutes: NewestMinutes,
    outcome: Result<(), sqlx::Error>,
}

impl LogReader {
    /// Continues at a stored place in the log.
    #[must_use]
    pub fn open(
        pool: PgPool,
        board: QuoteBoard,
        stored: Stored,
        amqp: Amqp,
        spec: StreamSpec,
    ) -> Self {
        let from = ReadFrom::Offset(LogOffset {
            epoch: stored.position.epoch,
            next: stored.position.next_offset,
        });
        let stored_minutes = newest(&stored.minutes);
        let book = CandleBook::restored(stored.minutes, &stored.ticks);
        board.restore(
            stored.position,
            &stored.sessions,
            stored.ticks,
            stored.splits,
        );
        Self {
            pool,
            board,
            book,
            reader: Reader::open(amqp, spec, from, PREFETCH),
            unwritten: Changes::default(),
            unwritten_codes: HashSet::new(),
            stored_minutes,
        }
    }

    /// Reads on to the batch that is the newest one while nobody appends.
    pub async fn catch_up(&mut self, newest: NewestBatch) {
        while self.is_before(newest) {
            let Ok(delivered) = tokio::time::timeout(SILENCE, self.reader.next()).await else {
                tracing::error!(?newest, "The end of the tick log does not come");
                return;
            };
            self.take(delivered);
        }
    }

    fn is_before(&self, newest: NewestBatch) -> bool {
        let position = self.board.position();
        (position.epoch, position.next_offset) <= (newest.epoch, newest.offset)
    }

    /// Takes over candles and ticks that were written past the log.
    pub fn replace(&mut self, stored: Stored) {
        self.stored_minutes = newest(&stored.minutes);
        self.book = CandleBook::restored(stored.minutes, &stored.ticks);
        self.board.restore(
            stored.position,
            &stored.sessions,
            stored.ticks,
            stored.splits,
        );
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database; it is written with the next write.
    pub async fn write_now(&mut self) -> Result<(), sqlx::Error> {
        if let Some(write) = self.start_write() {
            self.finish_write(write.await).await
        } else {
            Ok(())
        }
    }

    /// Reads and writes until shutdown, then writes the rest.
    pub async fn run(mut self, shutdown: CancellationToken) {
        let mut every = tokio::time::interval(WRITE_EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut writing: Option<JoinHandle<Write>> = None;
        loop {
            // Inputs: the log, unless too much waits; the clock that says "write"; the end of a
            // write; shutdown.
            let crowded = self.book.waiting() + self.unwritten.len() > MOST_WAITING_ROWS;
            tokio::select! {
                delivered = self.reader.next(), if !crowded => self.take(delivered),
                _ = every.tick(), if writing.is_none() => writing = self.start_write(),
                written = ended(&mut writing) => {
                    writing = None;
                    if let Err(error) = self.finish_write(written).await {
                        metrics::counter!("candle_write_errors_total").increment(1);
                        tracing::warn!(%error, "Candles could not be written, trying again");
                    }
                }
                () = shutdown.cancelled() => break,
            }
        }
        if let Some(write) = writing {
            drop(self.finish_write(write.await).await);
        }
        if let Err(error) = self.write_now().await {
            tracing::warn!(%error, "The last candles are made again from the log at the next start");
        }
    }

    fn take(&mut self, delivered: Delivered) {
        let lag = delivered.missed_batches.max(self.skipped(&delivered));
        if lag > 0 {
            metrics::counter!("candle_missed_batches_total").increment(lag);
            tracing::error!(
                missed = lag,
                "Batches of the tick log are gone before they were read"
            );
        }
        let mut ticks = 0_u64;
        let book = &mut self.book;
        self.board
            .apply(delivered.offset, delivered.batch, |record| match record {
                Record::Tick(tick) => {
                    ticks += 1;
                    book.tick(tick);
                }
                Record::Session(session) => book.session(session),
            });
        metrics::counter!("candle_ticks_total").increment(ticks);
    }

    /// Batches between the stored place and the first one that is still there.
    fn skipped(&self, delivered: &Delivered) -> u64 {
        let position = self.board.position();
        let step = delivered.batch.batch_seq - position.batch_seq - 1;
        if position.batch_seq > 0 {
            u64::try_from(step).unwrap_or(0)
        } else {
            0
        }
    }

    fn start_write(&mut self) -> Option<JoinHandle<Write>> {
        let changes = std::mem::take(&mut self.unwritten).followed_by(self.book.take_changes());
        let mut codes = std::mem::take(&mut self.unwritten_codes);
        codes.extend(changes.days.keys().map(|(code, _)| code.to_string()));
        let position = self.board.position();
        if position == Position::default() {
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
            let outcome = save(&pool, &changes, stored, &ticks, position, &sessions).await;
            if outcome.is_ok() {
                note_newest(&mut stored_minutes, changes.minutes.values());
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
            self.unwritten = write.changes.followed_by(newer);
            self.unwritten_codes.extend(write.codes);
            // Without a pause a database that refuses at once would be asked without end.
            tokio::time::sleep(Duration::from_millis(50)).await;
            return Err(error);
        }
        Ok(())
    }
}

fn newest(minutes: &[Row]) -> NewestMinutes {
    let mut newest = NewestMinutes::new();
    note_newest(&mut newest, minutes);
    newest
}

fn note_newest<'a>(newest: &mut NewestMinutes, minutes: impl IntoIterator<Item = &'a Row>) {
    for row in minutes {
        let start_us = newest.entry(Arc::clone(&row.code)).or_insert(row.start_us);
        *start_us = row.start_us.max(*start_us);
    }
}

async fn ended(writing: &mut Option<JoinHandle<Write>>) -> Result<Write, tokio::task::JoinError> {
    match writing {
        Some(write) => write.await,
        None => std::future::pending().await,
    }
}
