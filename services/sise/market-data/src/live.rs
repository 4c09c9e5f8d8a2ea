//! Starts the writer: history, the reader of the log, the feeds, and the pipeline between them.

mod source;
mod writer_lock;

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use messaging::Amqp;
use messaging::ticks::{LogOffset, NewestBatch, Publisher, StreamSpec, newest_batch};
use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::candles::reader::LogReader;
use crate::candles::retention::{self, Retention};
use crate::candles::state::{self, StoredState};
use crate::closes::{self, Closes};
use crate::config::{MarketClock, MarketFeed};
use crate::feed::supervise::{ReconnectPolicy, supervise};
use crate::feed::{FeedConfig, LatestRates};
use crate::pipeline::{Batcher, LogEnd, Output, RefusedLog, publish, refused};
use crate::quotes::QuoteBoard;

pub use source::master_seed;
use source::{Source, feeds};

/// What the writer needs from the process.
pub struct Dependencies {
    pub pool: PgPool,
    pub amqp: Amqp,
    pub clock: Arc<dyn Clock>,
    pub board: QuoteBoard,
    pub rates: LatestRates,
    pub market_clock: MarketClock,
    pub market_feed: MarketFeed,
    /// When this market was first started.
    pub began_at: DateTime<Utc>,
    pub seed: Vec<u8>,
    pub config: FeedConfig,
}

/// Batches in the channel from the feeds to the log.
const QUEUED_BATCHES: usize = 64;
/// Minimum time between the last price of a process and the first of its successor.
const MIN_HANDOVER: TimeDelta = TimeDelta::seconds(1);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
const BROKER_RETRY_INTERVAL: Duration = Duration::from_secs(2);

/// Starts all tasks and returns when prices are published: the history exists and the log has been
/// read to its end. The tasks end with `shutdown`; wait for them with the tracker.
///
/// # Errors
/// When the database fails, or the calendar or the recorded prices cannot be read.
pub async fn start(
    dependencies: Dependencies,
    shutdown: &CancellationToken,
) -> anyhow::Result<TaskTracker> {
    prepare(dependencies)?
        .restore(shutdown)
        .await?
        .start(shutdown)
        .await
}

/// Computes the simulated market or reads the recorded prices. Does not affect another process.
///
/// # Errors
/// When the calendar or the recorded prices cannot be read.
pub fn prepare(dependencies: Dependencies) -> anyhow::Result<Prepared> {
    let source = Source::prepare(&dependencies)?;
    Ok(Prepared {
        dependencies,
        source,
    })
}

/// Ready to start once no other process writes the log.
pub struct Prepared {
    dependencies: Dependencies,
    source: Source,
}

impl Prepared {
    /// Acquires the writer lock and restores the stored state.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn restore(self, shutdown: &CancellationToken) -> anyhow::Result<Restored> {
        let Self {
            dependencies,
            source,
        } = self;
        let tasks = TaskTracker::new();
        let writer_lock = writer_lock::acquire(&dependencies.pool).await?;
        let (all_confirmed, confirmation) = oneshot::channel();
        let writer = WriterHandle {
            follows_a_release: writer_lock.follows_a_release(),
            holds_lock: writer_lock.holds_lock(),
            all_confirmed,
        };
        tasks.spawn(writer_lock.hold(confirmation, shutdown.clone()));
        let stored = state::load(&dependencies.pool).await?;
        if let Some(stored) = stored.clone() {
            let sessions = &stored.sessions;
            dependencies
                .board
                .restore(stored.progress, sessions, stored.ticks, stored.splits);
            source.tell_rates(&dependencies);
        }
        Ok(Restored {
            dependencies,
            source,
            stored,
            writer,
            tasks,
        })
    }
}

/// The publisher's side of the writer lock.
struct WriterHandle {
    follows_a_release: bool,
    holds_lock: watch::Receiver<bool>,
    /// Sent at the end: whether every batch was confirmed.
    all_confirmed: oneshot::Sender<bool>,
}

/// The restored state, not started yet.
pub struct Restored {
    dependencies: Dependencies,
    source: Source,
    stored: Option<StoredState>,
    writer: WriterHandle,
    tasks: TaskTracker,
}

impl Restored {
    /// Whether the board has prices, and exchange rates of the same time; those since the last write
    /// are missing.
    #[must_use]
    pub fn shows_prices(&self) -> bool {
        self.stored.is_some()
    }

    /// Starts all tasks and returns when prices are published.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn start(self, shutdown: &CancellationToken) -> anyhow::Result<TaskTracker> {
        let Self {
            dependencies,
            source,
            stored,
            writer,
            tasks,
        } = self;
        let spec = StreamSpec::named(dependencies.config.tick_stream.as_str());
        let first = stored.is_none();
        let stored = match stored {
            Some(stored) => stored,
            None => source.first_history(&dependencies).await?,
        };
        let newest = newest_batch_of_log(&dependencies.amqp, &spec, stored.progress.offset).await;
        let same_log = newest.filter(|newest| newest.is_continued);
        let stored = align_with_log(stored, newest, &dependencies);
        let mut reader = LogReader::open(
            dependencies.pool.clone(),
            dependencies.board.clone(),
            stored,
            dependencies.amqp.clone(),
            spec.clone(),
        );
        if !first {
            if let Some(newest) = same_log {
                reader.catch_up(newest).await;
            }
            if source.missed_history(&dependencies, &mut reader).await? {
                tracing::info!("Generated the candles of the downtime");
            }
        }
        reader.write_now().await?;
        source.missed_closes(&dependencies).await?;
        // What was told at the stored time would be stored as the close of its day, over this one.
        source.tell_rates(&dependencies);
        let end = log_end(&dependencies, same_log, writer.follows_a_release);
        let board = dependencies.board.clone();
        // Readers of a lost log have seen prices up to this time that the log no longer has.
        let is_behind = !first && end.is_new_epoch && source.follows_the_clock();
        let last_seen = is_behind.then(|| dependencies.clock.now() - MIN_HANDOVER);
        spawn_pipeline(
            Pipeline {
                dependencies,
                source,
                reader,
                spec,
                end,
                writer,
            },
            &tasks,
            shutdown,
        );
        tasks.close();
        if let Some(until) = last_seen {
            shutdown
                .run_until_cancelled(wait_until_past(&board, until))
                .await;
        }
        Ok(tasks)
    }
}

/// Where this process goes on: in the epoch that was read, or in a new one where the log is another or
/// unconfirmed batches of the previous writer may still arrive.
fn log_end(
    dependencies: &Dependencies,
    same_log: Option<NewestBatch>,
    follows_a_release: bool,
) -> LogEnd {
    let progress = dependencies.board.progress();
    let end = LogEnd {
        epoch: progress.offset.epoch,
        batch_seq: progress.batch_seq,
        is_new_epoch: false,
    };
    let next_epoch = |newest| end.next_epoch(newest, dependencies.clock.as_ref());
    match same_log {
        Some(_) if follows_a_release => end,
        Some(newest) => next_epoch(newest.epoch),
        None => next_epoch(progress.offset.epoch),
    }
}

/// Waits until the board has reached `until`, so that no snapshot goes back in time.
async fn wait_until_past(board: &QuoteBoard, until: DateTime<Utc>) {
    while board.progress().market_time_us < until.timestamp_micros() {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

struct Pipeline {
    dependencies: Dependencies,
    source: Source,
    reader: LogReader,
    spec: StreamSpec,
    end: LogEnd,
    writer: WriterHandle,
}

/// Spawns the tasks from the feeds to the log, and from the log to candles and quotes.
fn spawn_pipeline(pipeline: Pipeline, tasks: &TaskTracker, shutdown: &CancellationToken) {
    let Pipeline {
        dependencies,
        source,
        reader,
        spec,
        end,
        writer,
    } = pipeline;
    let progress = dependencies.board.progress();
    let (refused_log, refusals) = RefusedLog::new();
    let batcher = Batcher::new(&dependencies.board, refused_log, end);
    let publisher = Publisher::new(dependencies.amqp.clone(), spec);
    let output = Output {
        publisher: if end.is_new_epoch {
            publisher
        } else {
            publisher.after((end.epoch, end.batch_seq))
        },
        holds_lock: writer.holds_lock,
        clock: Arc::clone(&dependencies.clock),
    };
    let (sender, batches) = mpsc::channel(QUEUED_BATCHES);
    let policy = ReconnectPolicy::new(Duration::from_secs(
        dependencies.config.feed_silence_limit_s,
    ));
    for feed in feeds(source, &dependencies, progress) {
        tasks.spawn(supervise(feed, policy, sender.clone(), shutdown.clone()));
    }
    drop(sender);
    let publishing = publish(batcher, output, batches, shutdown.clone());
    tasks.spawn(async move {
        // The receiver is gone if the lock was lost.
        let _lock_lost = writer.all_confirmed.send(publishing.await);
    });
    tasks.spawn(reader.run(shutdown.clone()));
    tasks.spawn(closes::run(
        Closes::new(dependencies.pool.clone()),
        dependencies.rates.clone(),
        shutdown.clone(),
    ));
    tasks.spawn(refused::write(
        dependencies.pool.clone(),
        Arc::clone(&dependencies.clock),
        refusals,
        shutdown.clone(),
    ));
    tasks.spawn(retention::run(
        Retention::of(&dependencies.config),
        dependencies.pool,
        dependencies.board,
        dependencies.clock,
        shutdown.clone(),
    ));
    tracing::info!(
        feed = dependencies.market_feed.as_str(),
        epoch = end.epoch,
        market_time_us = progress.market_time_us,
        "Publishing prices"
    );
}

/// The newest batch of the log; waits for the broker.
async fn newest_batch_of_log(
    amqp: &Amqp,
    spec: &StreamSpec,
    read: LogOffset,
) -> Option<NewestBatch> {
    loop {
        match newest_batch(amqp, spec, read).await {
            Ok(newest) => return newest,
            Err(error) => {
                tracing::warn!(%error, "Waiting for the broker");
                tokio::time::sleep(BROKER_RETRY_INTERVAL).await;
            }
        }
    }
}

/// Aligns the stored state with the log. If the log is empty or another one, its batches count as read and a new epoch follows.
fn align_with_log(
    mut stored: StoredState,
    newest: Option<NewestBatch>,
    dependencies: &Dependencies,
) -> StoredState {
    if newest.is_some_and(|newest| newest.is_continued) {
        return stored;
    }
    let read = stored.progress;
    stored.progress.offset = before_next_epoch(read.offset, newest, dependencies.clock.as_ref());
    if read.offset.epoch > 0 {
        metrics::counter!("ticks_logs_lost_total").increment(1);
        tracing::error!(
            ?read,
            ?newest,
            "Tick log lost; its unread batches are missing"
        );
    }
    stored
}

/// The end of a log that does not contain `read`, as the last offset before a new epoch. Its epoch is above all that were read and
/// below the new one: if the log is created again before that begins, the reader finds a newer epoch at an offset that counts as
/// read, and reads from the start.
fn before_next_epoch(read: LogOffset, newest: Option<NewestBatch>, clock: &dyn Clock) -> LogOffset {
    let newest_epoch = newest.map_or(0, |newest| newest.epoch);
    let above = read.epoch.max(newest_epoch).saturating_add(1);
    LogOffset {
        epoch: clock.now().timestamp_micros().max(above),
        next: newest.map_or(0, |newest| newest.offset + 1),
    }
}

#[cfg(test)]
mod tests {
    use kernel::SystemClock;

    use super::*;

    #[test]
    fn a_log_that_is_passed_over_ends_between_its_epochs_and_the_next() {
        let read = LogOffset { epoch: 7, next: 82 };
        let newest = NewestBatch {
            epoch: 9,
            batch_seq: 40,
            offset: 36,
            is_continued: false,
        };
        for (newest, next) in [(Some(newest), 37), (None, 0)] {
            let end = before_next_epoch(read, newest, &SystemClock);
            assert_eq!(end.next, next);
            assert!(end.epoch > 9, "{end:?}");
            let last = LogEnd {
                epoch: end.epoch,
                batch_seq: 40,
                is_new_epoch: false,
            };
            assert!(last.next_epoch(end.epoch, &SystemClock).epoch > end.epoch);
        }
    }
}
