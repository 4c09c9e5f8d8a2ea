//! The moving parts in their order of starting: history, the reader of the log, the feeds, and
//! the pipeline between them.

mod ownership;
mod source;

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
use crate::candles::state::{self, Stored};
use crate::config::{MarketClock, MarketFeed};
use crate::feed::supervise::{Patience, supervise};
use crate::feed::{FeedConfig, RateBoard};
use crate::pipeline::{Batcher, LogEnd, Output, RefusedLog, publish, refused};
use crate::quotes::{Position, QuoteBoard};

pub use source::master_seed;
use source::{Source, feeds};

/// What the moving parts need.
pub struct Parts {
    /// The database.
    pub pool: PgPool,
    /// The broker of the tick log.
    pub amqp: Amqp,
    /// The present.
    pub clock: Arc<dyn Clock>,
    /// Where quotes are put.
    pub board: QuoteBoard,
    /// Where exchange rates are put.
    pub rates: RateBoard,
    /// Which time the market follows.
    pub market_clock: MarketClock,
    /// Where prices come from.
    pub market_feed: MarketFeed,
    /// When this market was first started.
    pub began_at: DateTime<Utc>,
    /// The master seed of the built-in market.
    pub seed: Vec<u8>,
    /// Settings.
    pub config: FeedConfig,
}

/// Batches under way from feeds to the log.
const QUEUED_BATCHES: usize = 64;
/// The shortest time from the last price of a process to the first of its successor.
const REPLACEMENT: TimeDelta = TimeDelta::seconds(1);
const LOOK_AGAIN: Duration = Duration::from_millis(50);
const PROBE: Duration = Duration::from_secs(2);

/// Starts everything and returns when prices flow (history is there, the log has been read to
/// its end). The tasks end with `shutdown`; wait for them with the tracker.
///
/// # Errors
/// When the database fails, or the calendar or the recorded prices cannot be read.
pub async fn start(parts: Parts, shutdown: &CancellationToken) -> anyhow::Result<TaskTracker> {
    prepare(parts)?
        .restore(shutdown)
        .await?
        .go_on(shutdown)
        .await
}

/// What takes time and disturbs no other process: the market as it is drawn, or recorded prices.
///
/// # Errors
/// When the calendar or the recorded prices cannot be read.
pub fn prepare(parts: Parts) -> anyhow::Result<Prepared> {
    let source = Source::prepare(&parts)?;
    Ok(Prepared { parts, source })
}

/// Moving parts that may begin as soon as nobody else writes the log.
pub struct Prepared {
    parts: Parts,
    source: Source,
}

impl Prepared {
    /// Waits for the right to write, and shows what was stored last.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn restore(self, shutdown: &CancellationToken) -> anyhow::Result<Restored> {
        let Self { parts, source } = self;
        let tasks = TaskTracker::new();
        let ownership = ownership::take(&parts.pool).await?;
        let (all_confirmed, confirmation) = oneshot::channel();
        let right = WriteRight {
            follows_a_release: ownership.follows_a_release(),
            is_sure: ownership.is_sure(),
            all_confirmed,
        };
        tasks.spawn(ownership.keep(confirmation, shutdown.clone()));
        let stored = state::load(&parts.pool).await?;
        if let Some(stored) = stored.clone() {
            let sessions = &stored.sessions;
            parts
                .board
                .restore(stored.position, sessions, stored.ticks, stored.splits);
        }
        Ok(Restored {
            parts,
            source,
            stored,
            right,
            tasks,
        })
    }
}

/// What the publisher has of the right to write.
struct WriteRight {
    follows_a_release: bool,
    is_sure: watch::Receiver<bool>,
    /// Told at the end whether every batch was confirmed.
    all_confirmed: oneshot::Sender<bool>,
}

/// Moving parts at rest where they were left.
pub struct Restored {
    parts: Parts,
    source: Source,
    stored: Option<Stored>,
    right: WriteRight,
    tasks: TaskTracker,
}

impl Restored {
    /// Whether the board shows prices: all but those of the last moments.
    #[must_use]
    pub fn shows_prices(&self) -> bool {
        self.stored.is_some()
    }

    /// Sets everything going and returns when prices flow.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn go_on(self, shutdown: &CancellationToken) -> anyhow::Result<TaskTracker> {
        let Self {
            parts,
            source,
            stored,
            right,
            tasks,
        } = self;
        let spec = StreamSpec::named(parts.config.tick_stream.as_str());
        let first = stored.is_none();
        let stored = match stored {
            Some(stored) => stored,
            None => source.first_history(&parts).await?,
        };
        let newest = present_log(&parts, &spec, stored.position).await;
        let same_log = newest.filter(|newest| newest.is_continued);
        let stored = in_present_log(stored, newest, &parts);
        let mut reader = LogReader::open(
            parts.pool.clone(),
            parts.board.clone(),
            stored,
            parts.amqp.clone(),
            spec.clone(),
        );
        if !first {
            if let Some(newest) = same_log {
                reader.catch_up(newest).await;
            }
            if source.missed_history(&parts, &mut reader).await? {
                tracing::info!("What was missed is history now");
            }
        }
        reader.write_now().await?;
        let position = parts.board.position();
        let end = LogEnd {
            epoch: position.epoch,
            batch_seq: position.batch_seq,
            is_new_epoch: same_log.is_none(),
        };
        let end = match same_log {
            // What a writer sent that did not wait for the confirmation may still arrive.
            Some(newest) if !right.follows_a_release => {
                end.next_epoch(newest.epoch, parts.clock.as_ref())
            }
            Some(_) | None => end,
        };
        let board = parts.board.clone();
        // Readers of a log that ended without a word have seen prices that are in it no more, but
        // none after this.
        let is_behind = !first && end.is_new_epoch && source.follows_the_clock();
        let seen_until = is_behind.then(|| parts.clock.now() - REPLACEMENT);
        flow(
            Flow {
                parts,
                source,
                reader,
                spec,
                end,
                right,
            },
            &tasks,
            shutdown,
        );
        tasks.close();
        if let Some(until) = seen_until {
            shutdown.run_until_cancelled(passed(&board, until)).await;
        }
        Ok(tasks)
    }
}

/// Returns when the board is not older than `until`: whoever takes a snapshot then sees no price
/// go back.
async fn passed(board: &QuoteBoard, until: DateTime<Utc>) {
    while board.position().market_time_us < until.timestamp_micros() {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// All that prices flow through.
struct Flow {
    parts: Parts,
    source: Source,
    reader: LogReader,
    spec: StreamSpec,
    end: LogEnd,
    right: WriteRight,
}

/// Lets prices flow from the feeds into the log, and from the log to candles and quotes.
fn flow(flow: Flow, tasks: &TaskTracker, shutdown: &CancellationToken) {
    let Flow {
        parts,
        source,
        reader,
        spec,
        end,
        right,
    } = flow;
    let position = parts.board.position();
    let (refused_log, refusals) = RefusedLog::new();
    let batcher = Batcher::new(&parts.board, refused_log, end);
    let publisher = Publisher::new(parts.amqp.clone(), spec);
    let output = Output {
        publisher: if end.is_new_epoch {
            publisher
        } else {
            publisher.after((end.epoch, end.batch_seq))
        },
        is_sure: right.is_sure,
        clock: Arc::clone(&parts.clock),
    };
    let (sender, batches) = mpsc::channel(QUEUED_BATCHES);
    let patience = Patience::of(Duration::from_secs(parts.config.feed_silence_limit_s));
    for feed in feeds(source, &parts, position) {
        tasks.spawn(supervise(feed, patience, sender.clone(), shutdown.clone()));
    }
    drop(sender);
    let publishing = publish(batcher, output, batches, shutdown.clone());
    tasks.spawn(async move {
        // Nobody listens when the right to write was lost.
        let _unheard = right.all_confirmed.send(publishing.await);
    });
    tasks.spawn(reader.run(shutdown.clone()));
    tasks.spawn(refused::write(
        parts.pool.clone(),
        Arc::clone(&parts.clock),
        refusals,
        shutdown.clone(),
    ));
    tasks.spawn(retention::run(
        Retention::of(&parts.config),
        parts.pool,
        parts.board,
        parts.clock,
        shutdown.clone(),
    ));
    tracing::info!(
        feed = parts.market_feed.as_str(),
        epoch = end.epoch,
        market_time_us = position.market_time_us,
        "Prices flow"
    );
}

/// The newest batch of the log, asked for until the broker answers.
async fn present_log(parts: &Parts, spec: &StreamSpec, position: Position) -> Option<NewestBatch> {
    let read = LogOffset {
        epoch: position.epoch,
        next: position.next_offset,
    };
    loop {
        match newest_batch(&parts.amqp, spec, read).await {
            Ok(newest) => return newest,
            Err(error) => {
                tracing::warn!(%error, "Waiting for the broker");
                tokio::time::sleep(PROBE).await;
            }
        }
    }
}

/// The stored state with a place in the log that exists. A log that is empty or not the one the
/// place was stored for is begun anew, under an epoch that no log has had.
fn in_present_log(mut stored: Stored, newest: Option<NewestBatch>, parts: &Parts) -> Stored {
    if newest.is_some_and(|newest| newest.is_continued) {
        return stored;
    }
    let had = LogEnd {
        epoch: stored.position.epoch,
        batch_seq: stored.position.batch_seq,
        is_new_epoch: false,
    };
    let begun = had.next_epoch(
        newest.map_or(0, |newest| newest.epoch),
        parts.clock.as_ref(),
    );
    let read = stored.position;
    stored.position = Position {
        epoch: begun.epoch,
        // What the stream still has of older epochs is not part of it.
        next_offset: newest.map_or(0, |newest| newest.offset + 1),
        ..read
    };
    if had.epoch > 0 {
        metrics::counter!("ticks_logs_lost_total").increment(1);
        tracing::error!(
            ?read,
            ?newest,
            "The tick log that was read is gone; what was not read of it is missed"
        );
    }
    tracing::info!(epoch = stored.position.epoch, "The tick log begins anew");
    stored
}
