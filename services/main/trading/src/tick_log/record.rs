//! Records of the tick log.

use chrono::{DateTime, Utc};
use kernel::{MarketCode, Price, Quantity};
use market_rules::{PriceBand, Venue};
use rust_decimal::Decimal;

use crate::domain::market::TradingSession;
use crate::domain::split::SplitRatio;

#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    pub code: String,
    pub market: MarketCode,
    /// Increases per instrument; a tick that is not above the last one is a repetition.
    pub seq: i64,
    /// Market time.
    pub time: DateTime<Utc>,
    /// yyyymmdd.
    pub trading_day: i32,
    pub price: Price,
    /// Close of the previous trading day.
    pub prev_close: Price,
    /// Best bid after the trade.
    pub bid: Option<Price>,
    /// Best ask after the trade.
    pub ask: Option<Price>,
    pub bid_size: Option<Quantity>,
    pub ask_size: Option<Quantity>,
    /// `None` from a feed without volume.
    pub volume: Option<Quantity>,
    /// The volume of its trading day so far, this trade included; `None` from a feed without volume.
    pub day_volume: Option<Quantity>,
    /// Won per dollar.
    pub fx_rate: Option<Decimal>,
    pub session: TradingSession,
}

/// What a session record applies to.
#[derive(Clone, Debug, PartialEq)]
pub enum Scope {
    Venue(Venue),
    Code(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum SessionRecordKind {
    /// Continuous trading starts, with the daily price limits.
    Open(Vec<(String, Option<PriceBand>)>),
    /// A call auction starts, with the daily price limits.
    Auction(Vec<(String, Option<PriceBand>)>),
    /// The trading day ends.
    Close,
    Halt,
    Resume,
    /// A share split, effective from this trading day.
    Split(SplitRatio),
    /// Market time advances without an event.
    Heartbeat,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SessionRecord {
    pub kind: SessionRecordKind,
    /// `None` for a heartbeat.
    pub scope: Option<Scope>,
    /// yyyymmdd.
    pub trading_day: i32,
    /// Market time.
    pub time: DateTime<Utc>,
    /// Increases with every session record of a log; 0 in a log without numbers.
    pub seq: i64,
}

impl SessionRecord {
    /// Whether a reader whose newest session record is `newest` has read this one before. Raises
    /// `newest` otherwise.
    pub fn is_repeated(&self, newest: &mut i64) -> bool {
        let is_repeated = self.seq > 0 && self.seq <= *newest;
        *newest = self.seq.max(*newest);
        is_repeated
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum LogRecord {
    Tick(Tick),
    Session(SessionRecord),
}

/// One message of the log, its records in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    pub offset: i64,
    pub epoch: i64,
    /// Market time at the end of the batch.
    pub closed_at: DateTime<Utc>,
    pub records: Vec<LogRecord>,
}
