//! Settings of the feed, the tick log and the history.

use std::path::PathBuf;

use chrono::NaiveDate;
use clap::{Parser, ValueEnum};

use crate::model::events::ConfiguredEvents;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AtEnd {
    /// Repeats, with dates shifted by whole weeks.
    Loop,
    /// Stops at the last close.
    Stop,
}

/// Settings of the feed, the tick log and the history.
#[derive(Clone, Debug, Parser)]
pub struct FeedConfig {
    /// RabbitMQ stream of the tick log.
    #[arg(long, env = "TICK_STREAM", default_value = "ticks")]
    pub tick_stream: String,

    /// Mean trades per second of the built-in market, over all instruments.
    #[arg(long, env = "MARKET_TRADES_PER_SECOND", default_value_t = 220)]
    pub market_trades_per_second: u32,

    /// Additional corporate actions and halts, for trials: `split CODE DAY NEW/OLD; dividend CODE
    /// EX_DAY AMOUNT PAY_DAY; halt CODE TIME MINUTES; vi CODE TIME`, in Korean time.
    #[arg(long, env = "MARKET_EVENTS", default_value = "")]
    pub market_events: ConfiguredEvents,

    /// Years of daily candles generated at the first start.
    #[arg(long, env = "HISTORY_YEARS", default_value_t = 5)]
    pub history_years: u32,

    /// Days of one-minute candles generated at the first start.
    #[arg(long, env = "HISTORY_MINUTE_DAYS", default_value_t = 8)]
    pub history_minute_days: u32,

    /// After downtime, this many minutes are replayed tick by tick; the time before gets candles
    /// but no ticks.
    #[arg(long, env = "CATCH_UP_LIMIT_MINUTES", default_value_t = 120)]
    pub catch_up_limit_minutes: u32,

    /// Retention of one-minute candles in days.
    #[arg(long, env = "MINUTE_CANDLE_RETENTION_DAYS", default_value_t = 30)]
    pub minute_candle_retention_days: u32,

    /// Retention of refused ticks in days.
    #[arg(long, env = "REFUSED_TICK_RETENTION_DAYS", default_value_t = 7)]
    pub refused_tick_retention_days: u32,

    /// Seconds without data after which a feed is reconnected.
    #[arg(long, env = "FEED_SILENCE_LIMIT_S", default_value_t = 10)]
    pub feed_silence_limit_s: u64,

    /// Address of a server of JSON lines (one trade each) that is read in addition to the feed. For
    /// tests only.
    #[arg(long, env = "FEED_LINES_ADDR")]
    pub feed_lines_addr: Option<String>,

    /// Recorded daily prices (gzip CSV) instead of the embedded ones.
    #[arg(long, env = "REPLAY_FILE")]
    pub replay_file: Option<PathBuf>,

    /// First recorded day to play; by default the first day on which all five shares are listed.
    #[arg(long, env = "REPLAY_FROM", default_value = "2012-05-18")]
    pub replay_from: NaiveDate,

    /// Last recorded day to play; by default the last one.
    #[arg(long, env = "REPLAY_UNTIL")]
    pub replay_until: Option<NaiveDate>,

    /// Duration of a recorded day in seconds.
    #[arg(long, env = "REPLAY_SECONDS_PER_DAY", default_value_t = 60)]
    pub replay_seconds_per_day: u32,

    /// Ticks per instrument and recorded day.
    #[arg(long, env = "REPLAY_TICKS_PER_DAY", default_value_t = 1200)]
    pub replay_ticks_per_day: u32,

    /// Behaviour after the last day.
    #[arg(long, env = "REPLAY_AT_END", value_enum, default_value = "loop")]
    pub replay_at_end: AtEnd,

    /// Won per dollar of the replay, times 10,000; the recorded prices have no exchange rates.
    #[arg(long, env = "REPLAY_WON_PER_DOLLAR_E4", default_value_t = 14_700_000)]
    pub replay_won_per_dollar_e4: i64,
}
