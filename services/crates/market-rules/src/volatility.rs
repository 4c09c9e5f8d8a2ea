//! Volatility interruptions (VI): a price of a domestic share or fund that moves too far starts a
//! call auction of two minutes.

use kernel::{MarketCode, Price};
use rust_decimal::Decimal;

use crate::tick::TickTable;

/// Duration of the call auction in seconds.
pub const AUCTION_S: i64 = 120;
/// Maximum random extension in seconds.
pub const LATE_END_S: i64 = 30;

/// Below this price, moves of a few ticks do not interrupt.
const SMALL_PRICE: Decimal = Decimal::ONE_THOUSAND;
const SMALL_MOVE_TICKS: i64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// Too far from the last auction's price.
    Static,
    /// Too far from the previous trade.
    Dynamic,
}

/// Thresholds in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Compared with the last auction's price.
    pub fixed_percent: u32,
    /// Compared with the previous trade.
    pub moving_percent: u32,
}

/// `None` for instruments without interruptions. All known shares of the main market are large and
/// have the narrow threshold, like unleveraged funds.
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
    /// Whether a trade at `price` is interrupted. `last` is the previous trade's price, `auction`
    /// the last call auction's price (or the day's first price).
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
