//! Where prices come from: the adapter that every feed is, and the feeds.
//!
//! A feed turns whatever its source sends into trades in the scales of our instruments and into
//! changes of sessions. It knows nothing of days, sequences or the log: the pipeline makes ticks
//! of its trades, checks them and appends them, the same way for every feed.

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
pub use rates::RateBoard;

/// A source of prices.
#[async_trait]
pub trait Feed: Send {
    /// Its name in the log, in metrics and in messages.
    fn name(&self) -> &'static str;

    /// Connects, or connects again after an error or a silence. A feed that makes its own prices
    /// has nothing to do.
    ///
    /// # Errors
    /// [`FeedError`] when the source cannot be reached: it is tried again later.
    async fn connect(&mut self) -> Result<(), FeedError>;

    /// Waits for records and gives what has come within at most 100 ms of the first. A feed that
    /// makes its own prices gives a batch at least every second.
    ///
    /// # Errors
    /// [`FeedError`] when the connection is lost or the feed has come to its end.
    async fn next(&mut self) -> Result<FeedBatch, FeedError>;
}

/// A feed has stopped.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// The source is gone; it is connected again.
    #[error("the connection to the feed is lost: {0}")]
    Lost(String),
    /// There is nothing more to come, ever.
    #[error("the feed has come to its end")]
    Finished,
}

/// What a feed gave at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeedBatch {
    /// Records in the order of their time.
    pub records: Vec<FeedRecord>,
    /// Market time at which the batch was begun; what is much older does not belong into it.
    pub began_us: i64,
    /// Market time at which the batch was closed.
    pub market_time_us: i64,
}

/// One thing a feed says.
#[derive(Clone, Debug, PartialEq)]
pub enum FeedRecord {
    /// Something was traded.
    Trade(FeedTrade),
    /// A session changed.
    Session(SessionChange),
    /// Something came that is no trade.
    Refused(Refused),
}

/// A trade in the scales of the instrument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedTrade {
    /// Short code.
    pub code: Arc<str>,
    /// When it happened.
    pub event_time_us: i64,
    /// Price.
    pub price_units: i64,
    /// Quantity; `None` = the feed tells none.
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
    /// What happened.
    pub kind: Kind,
    /// Where; `None` for a heartbeat of the whole log.
    pub venue: Option<Venue>,
    /// The instrument; empty = the whole venue.
    pub code: String,
    /// yyyymmdd.
    pub trading_day: i32,
    /// When.
    pub event_time_us: i64,
    /// Base prices and limits of a day that begins.
    pub bases: Vec<DayBase>,
    /// New shares for old ones.
    pub split: Option<(i64, i64)>,
    /// Why an auction of one instrument begins.
    pub interruption: Interruption,
    /// A dividend that became known.
    pub dividend: Option<Dividend>,
}

/// Something a feed sent that cannot be a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Why, as a short word for metrics.
    pub reason: Reason,
    /// The beginning of it, to look at.
    pub sample: String,
}

/// Why something was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// Not the form the feed promises: bytes, JSON, types.
    Malformed,
    /// Longer than a frame may be.
    TooLong,
    /// No instrument of ours.
    UnknownCode,
    /// A price that is zero, negative or no number.
    BadPrice,
    /// A quantity that is negative or no number.
    BadVolume,
    /// More decimals than the instrument has, or beyond all numbers.
    BadScale,
    /// Ten times away from the price before, or outside the day's limits.
    PriceJump,
    /// Older than what is known already.
    OldTime,
    /// Ahead of the clock.
    FutureTime,
    /// The venue is closed or unknown.
    Closed,
}

impl Reason {
    /// The word in metrics and in the database.
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
    /// A heartbeat: nothing happened, and this is the time.
    #[must_use]
    pub fn heartbeat(event_time_us: i64) -> Self {
        Self::Session(SessionChange {
            kind: Kind::Heartbeat,
            event_time_us,
            ..SessionChange::default()
        })
    }
}
