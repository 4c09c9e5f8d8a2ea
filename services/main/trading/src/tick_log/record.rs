//! The tick log in trading's words.

use chrono::{DateTime, Utc};
use kernel::{MarketCode, Price, Quantity};
use market_rules::PriceBand;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::domain::market::TradingSession;
use crate::domain::split::SplitRatio;

/// One trade.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// What was traded.
    pub code: String,
    /// Where it is listed.
    pub market: MarketCode,
    /// Rises per instrument; one that is not above the last is a repetition.
    pub seq: i64,
    /// Market time.
    pub time: DateTime<Utc>,
    /// The day it counts for, yyyymmdd.
    pub trading_day: i32,
    /// Price of the trade.
    pub price: Price,
    /// Close of the trading day before.
    pub prev_close: Price,
    /// Best bid after it.
    pub bid: Option<Price>,
    /// Best ask after it.
    pub ask: Option<Price>,
    /// Size displayed at the best bid.
    pub bid_size: Option<Quantity>,
    /// Size displayed at the best ask.
    pub ask_size: Option<Quantity>,
    /// Quantity of the trade; `None` from a feed without volume.
    pub volume: Option<Quantity>,
    /// Won per dollar.
    pub fx_rate: Option<Decimal>,
    /// Where its market stood.
    pub session: TradingSession,
}

/// A trading venue with hours of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Venue {
    /// KOSPI, KOSDAQ and ETF.
    Krx,
    /// US shares.
    Us,
    /// Coins.
    Coin,
    /// Gold and commodities.
    Gold,
}

impl Venue {
    /// The venue of a market.
    #[must_use]
    pub fn of(market: MarketCode) -> Self {
        match market {
            MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf => Self::Krx,
            MarketCode::Global => Self::Us,
            MarketCode::Coin => Self::Coin,
            MarketCode::Gold => Self::Gold,
        }
    }
}

/// What a notice is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Scope {
    /// A whole venue.
    Venue(Venue),
    /// One instrument.
    Code(String),
}

/// What happens to a session.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionRecordKind {
    /// Continuous trading begins, with the day's limits.
    Open(Vec<(String, Option<PriceBand>)>),
    /// A call auction begins, with the day's limits.
    Auction(Vec<(String, Option<PriceBand>)>),
    /// The day ends.
    Close,
    /// Trading stops for a while.
    Halt,
    /// Trading goes on.
    Resume,
    /// Shares were divided before this day's open.
    Split(SplitRatio),
    /// Only time has passed.
    Heartbeat,
}

/// A session record.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionRecord {
    /// What happens.
    pub kind: SessionRecordKind,
    /// To what; `None` of a heartbeat.
    pub scope: Option<Scope>,
    /// The trading day, yyyymmdd.
    pub trading_day: i32,
    /// Market time.
    pub time: DateTime<Utc>,
    /// Rises with every session record of the log; zero where the log does not number them.
    pub seq: i64,
}

impl SessionRecord {
    /// Whether a reader that has come to the session record `newest` has read this one before;
    /// if not, `newest` is this one.
    pub fn is_repeated(&self, newest: &mut i64) -> bool {
        let is_repeated = self.seq > 0 && self.seq <= *newest;
        *newest = self.seq.max(*newest);
        is_repeated
    }
}

/// One record of the log.
#[derive(Clone, Debug, PartialEq)]
pub enum LogRecord {
    /// A trade.
    Tick(Tick),
    /// A session record.
    Session(SessionRecord),
}

/// One message of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Its position in the stream.
    pub offset: i64,
    /// Epoch of the producer's log.
    pub epoch: i64,
    /// Market time at its end.
    pub closed_at: DateTime<Utc>,
    /// In order.
    pub records: Vec<LogRecord>,
}
