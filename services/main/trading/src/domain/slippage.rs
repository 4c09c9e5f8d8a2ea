//! What a fill was worse than the price at that time, in won.

use kernel::{Price, Quantity, Won, money::Rounding};
use rust_decimal::Decimal;

use crate::orders::order::Side;

#[derive(Clone, Copy, Debug)]
pub struct FillPrices<'a> {
    /// As on the receipt.
    pub rule: &'a str,
    pub side: Side,
    pub tick_price: Price,
    pub price: Price,
    pub quantity: Quantity,
    pub fx_rate: Option<Decimal>,
}

/// Rounded down. `None` for limit orders and auctions, whose price was chosen, and where the price
/// was no worse or differs by less than a won.
#[must_use]
pub fn slippage_won(fill: &FillPrices<'_>) -> Option<i64> {
    if !fill.rule.starts_with("MARKET_") {
        return None;
    }
    let worse = match fill.side {
        Side::Buy => fill.price.0.checked_sub(fill.tick_price.0)?,
        Side::Sell => fill.tick_price.0.checked_sub(fill.price.0)?,
    };
    let quoted = worse.checked_mul(fill.quantity.0)?;
    let exact = quoted.checked_mul(fill.fx_rate.unwrap_or(Decimal::ONE))?;
    let won = Won::from_decimal(exact, Rounding::Down).ok()?.0;
    (won > 0).then_some(won)
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    fn bought(tick: Decimal, price: Decimal, quantity: Decimal) -> FillPrices<'static> {
        FillPrices {
            rule: "MARKET_BID_ASK",
            side: Side::Buy,
            tick_price: Price(tick),
            price: Price(price),
            quantity: Quantity(quantity),
            fx_rate: None,
        }
    }

    #[test]
    fn a_worse_price_times_the_quantity() {
        let fill = bought(dec!(10000), dec!(10030), dec!(40));
        assert_eq!(slippage_won(&fill), Some(1_200));
        let sold = FillPrices {
            side: Side::Sell,
            ..bought(dec!(10030), dec!(10000), dec!(40))
        };
        assert_eq!(slippage_won(&sold), Some(1_200));
        let dollars = FillPrices {
            fx_rate: Some(dec!(1391.4)),
            ..bought(dec!(231), dec!(231.01), dec!(2))
        };
        assert_eq!(slippage_won(&dollars), Some(27), "27.828 is rounded down");
    }

    #[test]
    fn a_better_or_chosen_price_is_none() {
        for (tick, price) in [(10000, 9990), (10000, 10000)] {
            let fill = bought(tick.into(), price.into(), dec!(1));
            assert_eq!(slippage_won(&fill), None);
        }
        assert_eq!(slippage_won(&bought(dec!(10), dec!(11), dec!(0.5))), None);
        for rule in ["LIMIT_TAKER", "LIMIT_THROUGH", "OPENING_GAP", "AUCTION", ""] {
            let fill = bought(dec!(10000), dec!(10030), dec!(40));
            assert_eq!(slippage_won(&FillPrices { rule, ..fill }), None, "{rule}");
        }
    }

    #[test]
    fn a_sum_beyond_every_number_is_none() {
        let huge = Decimal::MAX;
        assert_eq!(slippage_won(&bought(dec!(1), huge, huge)), None);
        assert_eq!(slippage_won(&bought(dec!(-1), huge, dec!(1))), None);
    }
}
