//! The configured source of prices (simulated or recorded), its history before the first tick, and
//! its feeds.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use chrono::{Days, Months};
use kernel::clock::KST;
use market_rules::Calendar;
use market_rules::calendar::practice_hours;
use proto::market::v1::Snapshot;

use super::Dependencies;
use crate::candles::history::{self, Span};
use crate::candles::reader::LogReader;
use crate::candles::state::{self, StoredState};
use crate::closes::{self, Closes, DayClose};
use crate::config::MarketFeed;
use crate::feed::Feed;
use crate::feed::builtin::{self, BuiltinFeed};
use crate::feed::lines::LinesFeed;
use crate::feed::replay::ReplayFeed;
use crate::model::Simulation;
use crate::model::simulation::MarketParameters;
use crate::quotes::LogProgress;

/// The history starts before the oldest candle that is shown.
const EXTRA_HISTORY_DAYS: u64 = 10;
const CLOSES_OF_A_WRITE: usize = 5_000;

pub(super) enum Source {
    Builtin(Arc<Simulation>),
    Replay(Box<ReplayFeed>),
}

impl Source {
    pub(super) fn prepare(dependencies: &Dependencies) -> anyhow::Result<Self> {
        match dependencies.market_feed {
            MarketFeed::Builtin => Ok(Self::Builtin(Arc::new(simulation(dependencies)?))),
            MarketFeed::Replay => {
                let feed = ReplayFeed::open(&dependencies.config, dependencies.board.catalogue())?;
                Ok(Self::Replay(Box::new(feed)))
            }
        }
    }

    /// Whether prices follow the wall clock; a replay continues where it stopped.
    pub(super) fn follows_the_clock(&self) -> bool {
        matches!(self, Self::Builtin(_))
    }

    /// Tells exchange rates and index values at the market time of the board, so that prices are
    /// not served with those of the seed before the feed runs.
    pub(super) fn tell_rates(&self, dependencies: &Dependencies) {
        let (rates, board) = (&dependencies.rates, &dependencies.board);
        match self {
            Self::Builtin(market) => {
                let market_time_us = board.progress().market_time_us;
                builtin::tell_rates(rates, market, board.catalogue(), market_time_us);
            }
            Self::Replay(feed) => rates.set(feed.rates(), Vec::new()),
        }
    }

    /// Generates the history before the first tick.
    pub(super) async fn first_history(
        &self,
        dependencies: &Dependencies,
    ) -> anyhow::Result<StoredState> {
        // An interrupted first start has left rows.
        sqlx::query("delete from candle_minute")
            .execute(&dependencies.pool)
            .await?;
        sqlx::query("delete from candle_day")
            .execute(&dependencies.pool)
            .await?;
        let (ticks, market_time_us) = match self {
            Self::Builtin(market) => {
                let now_us = dependencies.clock.now().timestamp_micros();
                let span = Span::everything(now_us, dependencies.config.history_minute_days);
                tracing::info!(
                    instruments = market.specs().len(),
                    years = dependencies.config.history_years,
                    "Generating the market's history"
                );
                let ticks = history::write(&dependencies.pool, market, span, true).await?;
                (ticks, span.until_us)
            }
            Self::Replay(feed) => (
                feed.write_history(&dependencies.pool).await?,
                feed.begins_at_us(),
            ),
        };
        let stored = StoredState {
            progress: LogProgress {
                market_time_us,
                ..LogProgress::default()
            },
            sessions: Snapshot::default(),
            minutes: Vec::new(),
            ticks,
            splits: Vec::new(),
        };
        let mut transaction = dependencies.pool.begin().await?;
        state::save_ticks(&mut transaction, &stored.ticks).await?;
        state::save_progress(&mut transaction, stored.progress, &stored.sessions).await?;
        transaction.commit().await?;
        let stored = state::load(&dependencies.pool).await?;
        stored.context("the log progress has just been written")
    }

    /// Stores the values of days that have ended and that nobody noted: before the first tick, and
    /// while the process did not run.
    pub(super) async fn missed_closes(&self, dependencies: &Dependencies) -> anyhow::Result<()> {
        let Self::Builtin(market) = self else {
            // Recorded days have no indices.
            return Ok(());
        };
        let stored = Closes::new(dependencies.pool.clone());
        let newest = stored.newest_day().await?;
        let first = newest.unwrap_or(market.parameters().history_from);
        let today = closes::korean_day(dependencies.board.progress().market_time_us);
        let today = today.unwrap_or(first);
        let catalogue = dependencies.board.catalogue();
        let mut missed = Vec::new();
        for day in first.iter_days().take_while(|day| *day < today) {
            let tomorrow = day.succ_opt().unwrap_or(day);
            let ended_us = practice_hours(tomorrow).open.timestamp_micros();
            let rates = catalogue.currencies().iter().map(|currency| {
                let rate = market.exchange_rate(&currency.unit, currency.base_rate, ended_us);
                (&currency.unit, rate)
            });
            let indices = catalogue.indices().iter().map(|index| {
                let value = market.index_value(&index.code, index.base_value, ended_us);
                (&index.code, value)
            });
            let of_day = rates.chain(indices).map(|(code, value)| DayClose {
                code: code.clone(),
                day,
                value,
            });
            missed.extend(of_day);
        }
        for slice in missed.chunks(CLOSES_OF_A_WRITE) {
            stored.save(slice).await?;
        }
        Ok(())
    }

    /// After a long downtime: generates the candles of the part that is not caught up with ticks.
    pub(super) async fn missed_history(
        &self,
        dependencies: &Dependencies,
        reader: &mut LogReader,
    ) -> anyhow::Result<bool> {
        let Self::Builtin(market) = self else {
            // A replay continues where it stopped.
            return Ok(false);
        };
        let now_us = dependencies.clock.now().timestamp_micros();
        let limit_us = i64::from(dependencies.config.catch_up_limit_minutes) * 60_000_000;
        let progress = dependencies.board.progress();
        if now_us - progress.market_time_us <= limit_us {
            return Ok(false);
        }
        reader.write_now().await?;
        let until_us = now_us - limit_us;
        let days = dependencies.config.history_minute_days;
        let span = Span::missed(progress.market_time_us, until_us, days);
        let ticks = history::write(&dependencies.pool, market, span, false).await?;
        let progress = LogProgress {
            market_time_us: span.until_us,
            ..progress
        };
        let mut transaction = dependencies.pool.begin().await?;
        state::save_ticks(&mut transaction, &ticks).await?;
        state::save_progress(&mut transaction, progress, &dependencies.board.sessions()).await?;
        transaction.commit().await?;
        let stored = state::load(&dependencies.pool).await?;
        reader.replace(stored.context("the log progress has just been written")?);
        Ok(true)
    }
}

fn simulation(dependencies: &Dependencies) -> anyhow::Result<Simulation> {
    let calendar = Calendar::embedded().context("the calendar cannot be read")?;
    let first_live_day = dependencies.began_at.with_timezone(&KST).date_naive();
    let years = Months::new(dependencies.config.history_years.saturating_mul(12));
    let parameters = MarketParameters {
        seed: dependencies.seed.clone(),
        hours: dependencies.market_clock.hours(first_live_day),
        history_from: first_live_day - years - Days::new(EXTRA_HISTORY_DAYS),
        first_live_day,
        trades_per_second: f64::from(dependencies.config.market_trades_per_second),
        ordered: Arc::new(dependencies.config.market_events.clone()),
    };
    let until = dependencies.clock.today_kst() + Days::new(3);
    let catalogue = dependencies.board.catalogue();
    Ok(Simulation::new(
        parameters,
        Arc::new(calendar),
        catalogue,
        until,
    ))
}

pub(super) fn feeds(
    source: Source,
    dependencies: &Dependencies,
    progress: LogProgress,
) -> Vec<Box<dyn Feed>> {
    let clock = || Arc::clone(&dependencies.clock);
    let mut feeds: Vec<Box<dyn Feed>> = Vec::with_capacity(2);
    feeds.push(match source {
        Source::Builtin(market) => Box::new(BuiltinFeed::new(
            market,
            &dependencies.board,
            clock(),
            dependencies.rates.clone(),
            progress.market_time_us,
        )),
        Source::Replay(mut feed) => {
            feed.resume(progress.market_time_us);
            feed
        }
    });
    if let Some(address) = &dependencies.config.feed_lines_addr {
        let catalogue = dependencies.board.catalogue().clone();
        let rates = dependencies.rates.clone();
        feeds.push(Box::new(LinesFeed::new(
            address.clone(),
            catalogue,
            rates,
            clock(),
        )));
    }
    feeds
}

/// Reads the master seed: 64 hexadecimal digits. The default is a public seed.
///
/// # Errors
/// When the file cannot be read or has another format.
pub fn master_seed(file: Option<&PathBuf>) -> anyhow::Result<Vec<u8>> {
    const WELL_KNOWN: &[u8] = b"seedup built-in market";
    let Some(path) = file else {
        tracing::warn!("MARKET_SEED_FILE is not set: members could predict this market");
        return Ok(WELL_KNOWN.to_vec());
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("MARKET_SEED_FILE {} cannot be read", path.display()))?;
    let seed = hex::decode(text.trim())
        .ok()
        .filter(|seed| seed.len() == 32);
    seed.with_context(|| format!("{} must hold 64 hexadecimal digits", path.display()))
}
