//! How far prices may move in a day from the close before, where a market bounds that.

use kernel::{MarketCode, Price};
use rust_decimal::Decimal;

use crate::tick::{TickClass, TickTable};

/// The lowest and the highest valid price of a day, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceBand {
    /// 하한가.
    pub lower: Price,
    /// 상한가.
    pub upper: Price,
}

impl PriceBand {
    /// Whether a price is within the limits.
    #[must_use]
    pub fn contains(&self, price: Price) -> bool {
        self.lower <= price && price <= self.upper
    }
}

/// The limits around a base price (the previous close); `None` without limits: US shares, coins,
/// world commodities and recorded prices.
///
/// The allowed move is a whole number of ticks of the base price; both ends are rounded inwards to
/// valid prices. `leverage`, of either sign, applies to ETFs only.
#[must_use]
pub fn daily_limits(
    market: MarketCode,
    leverage: i32,
    base: Price,
    table: &TickTable,
) -> Option<PriceBand> {
    let percent = limit_percent(market, leverage, table.class())?;
    if !base.is_positive() {
        return None;
    }
    let exact = (base.0 * Decimal::from(percent) / Decimal::ONE_HUNDRED).floor();
    let amount = exact - exact % table.tick_at(base);
    let lowest = table.next_up(Price::ZERO);
    Some(PriceBand {
        lower: table.ceil(Price(base.0 - amount)).max(lowest),
        upper: table.floor(Price(base.0 + amount)),
    })
}

/// The limit in percent of the base price; `None` without limits.
#[must_use]
pub fn limit_percent(market: MarketCode, leverage: i32, class: TickClass) -> Option<u32> {
    match market {
        MarketCode::Kospi | MarketCode::Kosdaq => Some(30),
        MarketCode::Etf => Some(leverage.unsigned_abs().max(1).saturating_mul(30)),
        MarketCode::Gold if class == TickClass::KrxGold => Some(10),
        MarketCode::Gold | MarketCode::Global | MarketCode::Coin => None,
    }
}
