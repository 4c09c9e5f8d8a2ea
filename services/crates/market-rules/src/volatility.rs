//! Volatility interruptions (VI): when a price of a domestic share or fund has moved so far that
//! continuous trading stops for a call auction of two minutes.

use kernel::{MarketCode, Price};
use rust_decimal::Decimal;

use crate::tick::TickTable;

/// How long the call auction of an interruption lasts, in seconds.
pub const AUCTION_S: i64 = 120;
/// It ends at random up to so many seconds later.
pub const LATE_END_S: i64 = 30;

/// Below this price moves of a few ticks interrupt nothing.
const SMALL_PRICE: Decimal = Decimal::ONE_THOUSAND;
const SMALL_MOVE_TICKS: i64 = 3;

/// Why trading is interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// Too far from the last auction's price.
    Static,
    /// Too far from the trade before.
    Dynamic,
}

/// How far a price may move before it is interrupted, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// From the price of the last auction.
    pub fixed_percent: u32,
    /// From one trade to the next.
    pub moving_percent: u32,
}

/// The thresholds of an instrument; `None` where nothing is interrupted. Of the main market's
/// shares only large ones are known to us, and those have the narrow threshold; so have funds that
/// follow an index once.
#[must_use]
pub fn thresholds(market: MarketCode, leverage: i32) -> Option<Thresholds> {
    let moving_percent = match market {
        MarketCode::Kospi => 3,
        MarketCode::Kosdaq => 6,
        MarketCode::Etf if leverage == 1 => 3,
        MarketCode::Etf => 6,
        MarketCode::Global | MarketCode::Coin | MarketCode::Gold => return None,
    };
    Some(Thresholds {
        fixed_percent: 10,
        moving_percent,
    })
}

impl Thresholds {
    /// Whether a trade at `price` would be interrupted. `last` is the price of the trade before,
    /// `auction` that of the last call auction (the day's first price where there was none).
    #[must_use]
    pub fn judge(
        &self,
        price: Price,
        last: Price,
        auction: Price,
        table: &TickTable,
    ) -> Option<Interruption> {
        let found = if reaches(price, auction, self.fixed_percent) {
            (Interruption::Static, auction)
        } else if reaches(price, last, self.moving_percent) {
            (Interruption::Dynamic, last)
        } else {
            return None;
        };
        let (interruption, from) = found;
        let ticks = table.tick_at(from) * Decimal::from(SMALL_MOVE_TICKS);
        let is_small = price.0 < SMALL_PRICE && (price.0 - from.0).abs() <= ticks;
        (!is_small).then_some(interruption)
    }
}

fn reaches(price: Price, from: Price, percent: u32) -> bool {
    let moved = (price.0 - from.0).abs() * Decimal::ONE_HUNDRED;
    from.is_positive() && moved >= from.0 * Decimal::from(percent)
}
