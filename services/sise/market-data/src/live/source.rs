//! The source that is configured: the simulated market or recorded days, the history it has before
//! its first tick, and its feeds.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use chrono::{Days, Months};
use kernel::clock::KST;
use market_rules::Calendar;
use proto::market::v1::Snapshot;

use super::Parts;
use crate::candles::history::{self, Span};
use crate::candles::reader::LogReader;
use crate::candles::state::{self, Stored};
use crate::config::MarketFeed;
use crate::feed::Feed;
use crate::feed::builtin::BuiltinFeed;
use crate::feed::lines::LinesFeed;
use crate::feed::replay::ReplayFeed;
use crate::model::Simulation;
use crate::model::simulation::Setting;
use crate::quotes::Position;

/// History begins a little before the oldest candle that is shown.
const EXTRA_HISTORY_DAYS: u64 = 10;

/// Where the prices of the configured feed come from.
pub(super) enum Source {
    Builtin(Arc<Simulation>),
    Replay(Box<ReplayFeed>),
}

impl Source {
    pub(super) fn prepare(parts: &Parts) -> anyhow::Result<Self> {
        match parts.market_feed {
            MarketFeed::Builtin => Ok(Self::Builtin(Arc::new(simulation(parts)?))),
            MarketFeed::Replay => {
                let feed = ReplayFeed::open(&parts.config, parts.board.catalogue())?;
                Ok(Self::Replay(Box::new(feed)))
            }
        }
    }

    /// Whether prices are of the present. Recorded days go on where they stopped.
    pub(super) fn follows_the_clock(&self) -> bool {
        matches!(self, Self::Builtin(_))
    }

    /// Makes the history that is there before the first tick.
    pub(super) async fn first_history(&self, parts: &Parts) -> anyhow::Result<Stored> {
        // A start that was cut off in the middle has left rows behind.
        sqlx::query("delete from candle_minute")
            .execute(&parts.pool)
            .await?;
        sqlx::query("delete from candle_day")
            .execute(&parts.pool)
            .await?;
        let (ticks, market_time_us) = match self {
            Self::Builtin(market) => {
                let now_us = parts.clock.now().timestamp_micros();
                let span = Span::everything(now_us, parts.config.history_minute_days);
                tracing::info!(
                    instruments = market.specs().len(),
                    years = parts.config.history_years,
                    "Making the history of the market"
                );
                let ticks = history::write(&parts.pool, market, span, true).await?;
                (ticks, span.until_us)
            }
            Self::Replay(feed) => (feed.write_history(&parts.pool).await?, feed.begins_at_us()),
        };
        let stored = Stored {
            position: Position {
                market_time_us,
                ..Position::default()
            },
            sessions: Snapshot::default(),
            minutes: Vec::new(),
            ticks,
            splits: Vec::new(),
        };
        let mut transaction = parts.pool.begin().await?;
        state::save_ticks(&mut transaction, &stored.ticks).await?;
        state::save_position(&mut transaction, stored.position, &stored.sessions).await?;
        transaction.commit().await?;
        let stored = state::load(&parts.pool).await?;
        stored.context("the place in the log was written a moment ago")
    }

    /// After a long stand-still: makes the candles of the part that is not made up for by ticks.
    pub(super) async fn missed_history(
        &self,
        parts: &Parts,
        reader: &mut LogReader,
    ) -> anyhow::Result<bool> {
        let Self::Builtin(market) = self else {
            // Recorded days wait.
            return Ok(false);
        };
        let now_us = parts.clock.now().timestamp_micros();
        let limit_us = i64::from(parts.config.catch_up_limit_minutes) * 60_000_000;
        let position = parts.board.position();
        if now_us - position.market_time_us <= limit_us {
            return Ok(false);
        }
        reader.write_now().await?;
        let until_us = now_us - limit_us;
        let days = parts.config.history_minute_days;
        let span = Span::missed(position.market_time_us, until_us, days);
        let ticks = history::write(&parts.pool, market, span, false).await?;
        let position = Position {
            market_time_us: span.until_us,
            ..position
        };
        let mut transaction = parts.pool.begin().await?;
        state::save_ticks(&mut transaction, &ticks).await?;
        state::save_position(&mut transaction, position, &parts.board.sessions()).await?;
        transaction.commit().await?;
        let stored = state::load(&parts.pool).await?;
        reader.replace(stored.context("the place in the log was written a moment ago")?);
        Ok(true)
    }
}

fn simulation(parts: &Parts) -> anyhow::Result<Simulation> {
    let calendar = Calendar::embedded().context("the calendar cannot be read")?;
    let first_live_day = parts.began_at.with_timezone(&KST).date_naive();
    let years = Months::new(parts.config.history_years.saturating_mul(12));
    let setting = Setting {
        seed: parts.seed.clone(),
        hours: parts.market_clock.hours(first_live_day),
        history_from: first_live_day - years - Days::new(EXTRA_HISTORY_DAYS),
        first_live_day,
        trades_per_second: f64::from(parts.config.market_trades_per_second),
        ordered: Arc::new(parts.config.market_events.clone()),
    };
    let until = parts.clock.today_kst() + Days::new(3);
    let catalogue = parts.board.catalogue();
    Ok(Simulation::new(
        setting,
        Arc::new(calendar),
        catalogue,
        until,
    ))
}

pub(super) fn feeds(source: Source, parts: &Parts, position: Position) -> Vec<Box<dyn Feed>> {
    let clock = || Arc::clone(&parts.clock);
    let mut feeds: Vec<Box<dyn Feed>> = Vec::with_capacity(2);
    feeds.push(match source {
        Source::Builtin(market) => Box::new(BuiltinFeed::new(
            market,
            &parts.board,
            clock(),
            parts.rates.clone(),
            position.market_time_us,
        )),
        Source::Replay(mut feed) => {
            feed.resume(position.market_time_us);
            parts.rates.set(feed.rates(), Vec::new());
            feed
        }
    });
    if let Some(address) = &parts.config.feed_lines_addr {
        let catalogue = parts.board.catalogue().clone();
        let rates = parts.rates.clone();
        feeds.push(Box::new(LinesFeed::new(
            address.clone(),
            catalogue,
            rates,
            clock(),
        )));
    }
    feeds
}

/// Reads the master seed: 64 hexadecimal digits. Without a file the market is a well-known one.
///
/// # Errors
/// When the file cannot be read or holds something else.
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
