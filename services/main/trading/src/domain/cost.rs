//! Which fees and taxes hold on a trading day.

use kernel::MarketCode;
use market_rules::{FeeRates, FeeTable};

use super::day::date_of;

/// The cost table of the service, asked by trading day.
#[derive(Clone, Debug)]
pub struct Costs(FeeTable);

impl Costs {
    /// The costs this product charges.
    #[must_use]
    pub fn standard() -> Self {
        Self(FeeTable::standard())
    }

    /// Rates of a market on a trading day (yyyymmdd). A day that is no date counts as the first
    /// of the table.
    #[must_use]
    pub fn on(&self, market: MarketCode, trading_day: i32) -> FeeRates {
        self.0.rates(market, date_of(trading_day))
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn the_sell_tax_follows_the_trading_day() {
        let costs = Costs::standard();
        let tax = |day| costs.on(MarketCode::Kospi, day).sell_tax_rate;
        assert_eq!(tax(20_251_230), dec!(0.0015));
        assert_eq!(tax(20_260_102), dec!(0.0020));
        assert_eq!(costs.on(MarketCode::Etf, 20_260_102).sell_tax_rate, dec!(0));
    }
}
