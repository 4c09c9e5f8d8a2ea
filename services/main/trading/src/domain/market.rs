//! What trading knows of an instrument and of its market at a moment.

use chrono::{DateTime, Utc};
use kernel::{Currency, MarketCode, Price, Quantity, WarningCode};
use market_rules::{PriceBand, QuantityRule, TickClass, TickTable};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// An instrument as orders need it.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    pub code: String,
    /// Its Korean name.
    pub name: String,
    pub market: MarketCode,
    /// What its prices are in.
    pub currency: Currency,
    /// Which prices are valid.
    pub tick_class: TickClass,
    /// The exchange's warning.
    pub warning: WarningCode,
    /// False for what is shown only.
    pub tradable: bool,
}

impl Listing {
    #[must_use]
    pub fn tick_table(&self) -> TickTable {
        TickTable::for_class(self.tick_class, &self.code)
    }

    #[must_use]
    pub fn quantity_rule(&self) -> QuantityRule {
        QuantityRule::for_market(self.market)
    }
}

/// Where a market or an instrument stands in its day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TradingSession {
    #[default]
    Unknown,
    Closed,
    /// Call auction: one official price at its end.
    Auction,
    /// Continuous trading.
    Open,
    /// Halted: nothing trades.
    Halted,
}

impl TradingSession {
    /// The spelling on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown | Self::Closed => "CLOSED",
            Self::Auction => "AUCTION",
            Self::Open => "OPEN",
            Self::Halted => "HALTED",
        }
    }
}

/// The latest facts about one instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote {
    pub last: Price,
    /// Close of the trading day before.
    pub prev_close: Price,
    /// Best bid after the last trade; `None` where none is known.
    pub bid: Option<Price>,
    /// Best ask after it.
    pub ask: Option<Price>,
    /// Today's limits; `None` where prices are free.
    pub band: Option<PriceBand>,
    /// Where its market stands.
    pub session: TradingSession,
    /// The trading day, yyyymmdd.
    pub trading_day: i32,
    /// Won per dollar; `None` for instruments in won.
    pub fx_rate: Option<Decimal>,
    /// Market time of the last tick.
    pub tick_time: DateTime<Utc>,
    /// Traded on the trading day so far; `None` from a feed without volume.
    pub day_volume: Option<Quantity>,
    /// Traded on the trading day before; `None` where it is not known.
    pub volume_before: Option<Quantity>,
}

/// The market as an order finds it.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketView {
    pub listing: Listing,
    /// Its quote; `None` while no price is known.
    pub quote: Option<Quote>,
    /// Market time.
    pub now: DateTime<Utc>,
    /// Trading day of its newest share split; zero when none is known.
    pub split_day: i32,
}

/// Won per unit of the instrument's currency at the middle rate: one for won.
#[must_use]
pub fn middle_rate(currency: Currency, fx_rate: Option<Decimal>) -> Option<Decimal> {
    match currency {
        Currency::Krw => Some(Decimal::ONE),
        Currency::Usd => fx_rate,
    }
}
