//! How much an open order holds, and the largest quantity an account can buy.

use kernel::{Currency, MoneyError, Price, Quantity, Won, money::Rounding};
use market_rules::quantity::LARGEST_ORDER;
use market_rules::{FeeRates, PriceBand, QuantityRule, TickTable};
use rust_decimal::{Decimal, prelude::ToPrimitive};

use crate::domain::market::{Listing, Quote, TradingSession, middle_rate};
use crate::orders::rejection::OrderRejection;
use crate::orders::request::OrderSize;

/// A market buy holds its quantity at 1.05 × the reference price.
const MARKET_MARGIN: Decimal = Decimal::from_parts(105, 0, 0, false, 2);
/// A buy in dollars holds its amount at 1.03 × the exchange rate.
const FX_MARGIN: Decimal = Decimal::from_parts(103, 0, 0, false, 2);

/// Won that a buy holds until it fills: at its limit, or for a market buy at the price of
/// [`market_buy_price`].
///
/// # Errors
/// [`OrderRejection`]: no exchange rate is known, or the sum is beyond any order.
pub fn buy_hold(
    listing: &Listing,
    quote: &Quote,
    (price, quantity): (Option<Price>, Quantity),
    rates: &FeeRates,
) -> Result<Won, OrderRejection> {
    let middle =
        middle_rate(listing.currency, quote.fx_rate).ok_or(OrderRejection::PriceAwaited)?;
    let at = price.unwrap_or_else(|| market_price(listing, quote));
    for_buy(at, quantity, middle, listing.currency, rates).map_err(|_beyond| {
        OrderRejection::MaxAmount {
            most: LARGEST_ORDER,
        }
    })
}

/// Won that a buy of this size holds: as [`buy_hold`], but never more than the order amount.
///
/// # Errors
/// As [`buy_hold`].
pub fn hold_of(
    price: Option<Price>,
    size: &OrderSize,
    quantity: Quantity,
    listing: &Listing,
    quote: &Quote,
    rates: &FeeRates,
) -> Result<Won, OrderRejection> {
    let hold = buy_hold(listing, quote, (price, quantity), rates)?;
    Ok(size.amount().map_or(hold, |most| hold.min(most)))
}

fn market_price(listing: &Listing, quote: &Quote) -> Price {
    let queued = quote.session == TradingSession::Closed;
    market_buy_price(quote.last, quote.band, &listing.tick_table(), queued)
}

/// The largest quantity that a buy with `available` won could ask for; zero while the price or the
/// exchange rate is unknown.
#[must_use]
pub fn largest_buy(
    listing: &Listing,
    quote: &Quote,
    price: Option<Price>,
    available: Won,
    rates: &FeeRates,
) -> Quantity {
    let Some(middle) = middle_rate(listing.currency, quote.fx_rate) else {
        return Quantity::ZERO;
    };
    let at = price.unwrap_or_else(|| market_price(listing, quote));
    if !at.is_positive() {
        return Quantity::ZERO;
    }
    let amount_of = |price: Price| match listing.currency {
        Currency::Krw => price.0,
        Currency::Usd => price.0.saturating_mul(middle),
    };
    let by_amount = LARGEST_ORDER
        .to_decimal()
        .checked_div(amount_of(price.unwrap_or(quote.last)));
    let upper = by_amount.map_or(Quantity::ZERO, Quantity);
    let cost = |quantity| for_buy(at, quantity, middle, listing.currency, rates);
    largest_affordable(&listing.quantity_rule(), upper, available, cost)
}

/// The price at which the hold of a market buy is computed: five percent above the reference, on a
/// tick, and at most the upper limit of the day. A queued order is held at the limit itself, where
/// there is one.
#[must_use]
pub fn market_buy_price(
    reference: Price,
    band: Option<PriceBand>,
    table: &TickTable,
    queued: bool,
) -> Price {
    let margin = table.ceil(Price(reference.0.saturating_mul(MARKET_MARGIN)));
    match band {
        Some(band) if queued => band.upper,
        Some(band) => margin.min(band.upper),
        None => margin,
    }
}

/// Hold of a buy: price × quantity and the fee, each rounded up.
///
/// # Errors
/// [`MoneyError::OutOfRange`] when the product does not fit.
pub fn for_buy(
    price: Price,
    quantity: Quantity,
    middle: Decimal,
    currency: Currency,
    rates: &FeeRates,
) -> Result<Won, MoneyError> {
    let rate = match currency {
        Currency::Krw => middle,
        Currency::Usd => middle
            .checked_mul(FX_MARGIN)
            .ok_or(MoneyError::OutOfRange)?,
    };
    let exact = price
        .0
        .checked_mul(quantity.0)
        .and_then(|amount| amount.checked_mul(rate))
        .ok_or(MoneyError::OutOfRange)?;
    let amount = Won::from_decimal(exact, Rounding::Up)?;
    amount.checked_add(rates.fee(exact, Rounding::Up)?)
}

/// The largest quantity, in whole steps and at most `upper`, whose cost is within `funds`.
/// `cost` must not fall as the quantity rises; an error counts as unaffordable.
pub fn largest_affordable(
    rule: &QuantityRule,
    upper: Quantity,
    funds: Won,
    cost: impl Fn(Quantity) -> Result<Won, MoneyError>,
) -> Quantity {
    let step = rule.step.0;
    let at = |steps: i128| {
        let count = Decimal::try_from_i128_with_scale(steps, 0).ok();
        count
            .and_then(|count| count.checked_mul(step))
            .map(Quantity)
    };
    let fits = |steps: i128| {
        at(steps).is_some_and(|quantity| cost(quantity).is_ok_and(|won| won <= funds))
    };
    let most = rule.floor(upper).0.checked_div(step);
    let mut high = most.and_then(|steps| steps.to_i128()).unwrap_or(0);
    let mut low = 0_i128;
    while low < high {
        let middle = low + (high - low + 1) / 2;
        if fits(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    at(low).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use kernel::MarketCode;
    use market_rules::TickClass;
    use rust_decimal_macros::dec;

    use super::*;
    use crate::domain::cost::Costs;

    #[test]
    fn a_buy_holds_price_and_fee_rounded_up() {
        let rates = Costs::standard().on(MarketCode::Kospi, 20_261_121);
        let hold = for_buy(
            Price(dec!(71_300)),
            Quantity(dec!(10)),
            Decimal::ONE,
            Currency::Krw,
            &rates,
        );
        // 713,000 and 0.015 % of it, 106.95.
        assert_eq!(hold, Ok(Won(713_107)));
    }

    #[test]
    fn dollars_are_held_at_a_higher_rate() {
        let rates = Costs::standard().on(MarketCode::Global, 20_261_121);
        let hold = for_buy(
            Price(dec!(100)),
            Quantity(dec!(1)),
            dec!(1400),
            Currency::Usd,
            &rates,
        );
        assert_eq!(hold, Ok(Won(144_200 + 145)));
    }

    #[test]
    fn a_market_buy_is_held_five_percent_higher_but_within_the_limit() {
        let table = TickTable::for_class(TickClass::KrxStock, "005930");
        let band = Some(PriceBand {
            lower: Price(dec!(50_000)),
            upper: Price(dec!(72_000)),
        });
        let at = |band, queued| market_buy_price(Price(dec!(70_000)), band, &table, queued).0;
        assert_eq!(at(None, false), dec!(73_500));
        assert_eq!(at(band, false), dec!(72_000));
        assert_eq!(at(band, true), dec!(72_000));
    }

    #[test]
    fn the_largest_quantity_is_the_last_that_is_affordable() {
        let rates = Costs::standard().on(MarketCode::Coin, 20_261_121);
        let rule = QuantityRule::for_market(MarketCode::Coin);
        let price = Price(dec!(3_333));
        let cost = |quantity| for_buy(price, quantity, Decimal::ONE, Currency::Krw, &rates);
        let most = largest_affordable(&rule, Quantity(dec!(1_000_000)), Won(5_000_000), cost);
        assert!(cost(most).unwrap() <= Won(5_000_000));
        assert!(cost(Quantity(most.0 + dec!(0.01))).unwrap() > Won(5_000_000));
    }
}
