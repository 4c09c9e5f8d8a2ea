//! How far a price may move in one trading day.

use kernel::{MarketCode, Price};
use rust_decimal::Decimal;

use crate::tick::{TickClass, TickTable};

/// The lowest and the highest price of a day, both valid prices, both allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceBand {
    /// 하한가.
    pub lower: Price,
    /// 상한가.
    pub upper: Price,
}

impl PriceBand {
    /// Whether a price may be traded or named in an order.
    #[must_use]
    pub fn contains(&self, price: Price) -> bool {
        self.lower <= price && price <= self.upper
    }
}

/// The band around a base price (the last price of the trading day before), or `None` where
/// prices are free: US shares, coins, world commodities and recorded prices.
///
/// The allowed move is a whole number of ticks of the base price, and the band's ends are rounded
/// inwards to the tick at the end itself. `leverage` is an ETF's, of either sign; it counts for
/// ETFs alone.
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

/// The allowed move of a day in percent of the base price, or `None` where it is free.
#[must_use]
pub fn limit_percent(market: MarketCode, leverage: i32, class: TickClass) -> Option<u32> {
    match market {
        MarketCode::Kospi | MarketCode::Kosdaq => Some(30),
        MarketCode::Etf => Some(leverage.unsigned_abs().max(1).saturating_mul(30)),
        MarketCode::Gold if class == TickClass::KrxGold => Some(10),
        MarketCode::Gold | MarketCode::Global | MarketCode::Coin => None,
    }
}
