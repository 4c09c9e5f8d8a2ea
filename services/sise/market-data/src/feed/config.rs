//! Settings of the feed, the tick log and the history.

use std::path::PathBuf;

use chrono::NaiveDate;
use clap::{Parser, ValueEnum};

use crate::model::events::Ordered;

/// What the replay does after its last day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AtEnd {
    /// Plays again; dates go on, shifted by whole weeks.
    Loop,
    /// Stays at the last close.
    Stop,
}

/// Settings of the feed, the tick log and the history.
#[derive(Clone, Debug, Parser)]
pub struct FeedConfig {
    /// Name of the RabbitMQ stream that is the tick log.
    #[arg(long, env = "TICK_STREAM", default_value = "ticks")]
    pub tick_stream: String,

    /// Trades of the built-in market in an average second, over all instruments.
    #[arg(long, env = "MARKET_TRADES_PER_SECOND", default_value_t = 220)]
    pub market_trades_per_second: u32,

    /// Events of companies beside those that are drawn from the seed, for trials:
    /// `split CODE DAY NEW/OLD; dividend CODE EX_DAY AMOUNT PAY_DAY; halt CODE TIME MINUTES;
    /// vi CODE TIME`, with times of Korea.
    #[arg(long, env = "MARKET_EVENTS", default_value = "")]
    pub market_events: Ordered,

    /// Years of daily candles made at the first start.
    #[arg(long, env = "HISTORY_YEARS", default_value_t = 5)]
    pub history_years: u32,

    /// Days of one-minute candles made at the first start.
    #[arg(long, env = "HISTORY_MINUTE_DAYS", default_value_t = 8)]
    pub history_minute_days: u32,

    /// How much of a stand-still is made up for tick by tick; what lies further back gets its
    /// candles, but no ticks.
    #[arg(long, env = "CATCH_UP_LIMIT_MINUTES", default_value_t = 120)]
    pub catch_up_limit_minutes: u32,

    /// Days for which one-minute candles are kept.
    #[arg(long, env = "MINUTE_CANDLE_RETENTION_DAYS", default_value_t = 30)]
    pub minute_candle_retention_days: u32,

    /// Days for which refused ticks are kept.
    #[arg(long, env = "REFUSED_TICK_RETENTION_DAYS", default_value_t = 7)]
    pub refused_tick_retention_days: u32,

    /// Seconds of silence after which a connected feed is taken for dead.
    #[arg(long, env = "FEED_SILENCE_LIMIT_S", default_value_t = 10)]
    pub feed_silence_limit_s: u64,

    /// Address of a server of JSON lines (one trade each) that is read beside the feed. For
    /// trials of the boundary; never set in production.
    #[arg(long, env = "FEED_LINES_ADDR")]
    pub feed_lines_addr: Option<String>,

    /// Recorded daily prices (gzip CSV) that the replay plays instead of the embedded ones.
    #[arg(long, env = "REPLAY_FILE")]
    pub replay_file: Option<PathBuf>,

    /// First recorded day to play. The default is the first day on which all five are listed.
    #[arg(long, env = "REPLAY_FROM", default_value = "2012-05-18")]
    pub replay_from: NaiveDate,

    /// Last recorded day to play; the last there is when absent.
    #[arg(long, env = "REPLAY_UNTIL")]
    pub replay_until: Option<NaiveDate>,

    /// Seconds that a recorded day takes.
    #[arg(long, env = "REPLAY_SECONDS_PER_DAY", default_value_t = 60)]
    pub replay_seconds_per_day: u32,

    /// Ticks of an instrument in a recorded day.
    #[arg(long, env = "REPLAY_TICKS_PER_DAY", default_value_t = 1200)]
    pub replay_ticks_per_day: u32,

    /// What happens after the last day.
    #[arg(long, env = "REPLAY_AT_END", value_enum, default_value = "loop")]
    pub replay_at_end: AtEnd,

    /// Won per dollar of the replay in ten-thousandths; exchange rates of those years are not
    /// part of the record.
    #[arg(long, env = "REPLAY_WON_PER_DOLLAR_E4", default_value_t = 14_700_000)]
    pub replay_won_per_dollar_e4: i64,
}
