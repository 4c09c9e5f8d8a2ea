//! The sources of prices and their common interface.
//!
//! A feed converts its input into trades in the scales of our instruments and into session changes.
//! It knows nothing of trading days, sequence numbers or the log: the pipeline derives, validates
//! and appends the ticks of every feed.

pub mod builtin;
mod config;
pub mod lines;
pub mod rates;
pub mod replay;
pub mod supervise;

use std::sync::Arc;

use async_trait::async_trait;
use market_rules::Venue;
use proto::market::v1::{DayBase, Dividend, Interruption, session_record::Kind};

pub use config::{AtEnd, FeedConfig};
pub use rates::LatestRates;

#[async_trait]
pub trait Feed: Send {
    /// Name in logs, metrics and batches.
    fn name(&self) -> &'static str;

    /// Connects, also again after an error or a timeout. A feed that generates its prices does
    /// nothing.
    ///
    /// # Errors
    /// [`FeedError`] when the source is unreachable; the supervisor retries.
    async fn connect(&mut self) -> Result<(), FeedError>;

    /// Waits for records and returns those that arrive within 100 ms of the first. A feed that
    /// generates its prices returns a batch at least every second.
    ///
    /// # Errors
    /// [`FeedError`] when the connection is lost or the feed has ended.
    async fn next(&mut self) -> Result<FeedBatch, FeedError>;
}

#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// The connection is lost; the supervisor reconnects.
    #[error("the connection to the feed is lost: {0}")]
    Lost(String),
    /// The feed has no further records.
    #[error("the feed has come to its end")]
    Finished,
}

/// The records of one period.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeedBatch {
    /// Ordered by time.
    pub records: Vec<FeedRecord>,
    /// Market time at the start of the batch; much older records do not belong in it.
    pub began_us: i64,
    /// Market time at the end of the batch.
    pub market_time_us: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FeedRecord {
    Trade(FeedTrade),
    Session(SessionChange),
    Refused(RefusedRecord),
}

/// A trade in the scales of the instrument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedTrade {
    pub code: Arc<str>,
    pub event_time_us: i64,
    pub price_units: i64,
    /// Quantity; `None` = the feed has no volumes.
    pub volume_units: Option<i64>,
    /// Best bid after it; 0 = none or unknown.
    pub bid_units: i64,
    /// Best ask after it; 0 = none or unknown.
    pub ask_units: i64,
    /// Displayed size at the bid; 0 = unknown.
    pub bid_size_units: i64,
    /// Displayed size at the ask; 0 = unknown.
    pub ask_size_units: i64,
    /// Won per dollar in ten-thousandths for instruments in dollars, else 0.
    pub won_per_dollar_e4: i64,
}

/// A change of a venue's or an instrument's session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionChange {
    pub kind: Kind,
    /// `None` for a heartbeat of the whole log.
    pub venue: Option<Venue>,
    /// Empty = the whole venue.
    pub code: String,
    /// yyyymmdd.
    pub trading_day: i32,
    pub event_time_us: i64,
    /// Base prices and limits of a new trading day.
    pub bases: Vec<DayBase>,
    /// New shares and old shares.
    pub split: Option<(i64, i64)>,
    /// The reason of an auction of one instrument.
    pub interruption: Interruption,
    pub dividend: Option<Dividend>,
}

/// A record that cannot become a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRecord {
    /// Label in metrics.
    pub reason: RefusalReason,
    /// The start of the record, for diagnosis.
    pub sample: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefusalReason {
    /// Not the expected format: bytes, JSON or types.
    Malformed,
    /// Longer than the maximum length.
    TooLong,
    UnknownCode,
    /// A price that is zero, negative or not a number.
    BadPrice,
    /// A quantity that is negative or not a number.
    BadVolume,
    /// More decimals than the instrument has, or out of range.
    BadScale,
    /// Ten times the previous price or a tenth of it, or outside the day's limits.
    PriceJump,
    /// Older than the newest tick.
    OldTime,
    FutureTime,
    /// The venue is closed or unknown.
    Closed,
}

impl RefusalReason {
    /// Label in metrics and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::TooLong => "too_long",
            Self::UnknownCode => "unknown_code",
            Self::BadPrice => "bad_price",
            Self::BadVolume => "bad_volume",
            Self::BadScale => "bad_scale",
            Self::PriceJump => "price_jump",
            Self::OldTime => "old_time",
            Self::FutureTime => "future_time",
            Self::Closed => "closed",
        }
    }
}

impl FeedRecord {
    /// A heartbeat with the current market time.
    #[must_use]
    pub fn heartbeat(event_time_us: i64) -> Self {
        Self::Session(SessionChange {
            kind: Kind::Heartbeat,
            event_time_us,
            ..SessionChange::default()
        })
    }
}
