//! Market buys by amount: the order amount limits the whole cost, fee and exchange spread included. The
//! quantity is what the amount affords when the order is accepted; if the price rises before the fill,
//! the matcher fills less ([`Order::remaining_amount`](crate::orders::order::Order::remaining_amount)).

use kernel::{Currency, Quantity, Won};
use market_rules::FeeRates;
use market_rules::quantity::LARGEST_ORDER;

use crate::domain::market::{Listing, Quote, middle_rate};
use crate::domain::settlement::charge_after;
use crate::orders::estimate::market_price;
use crate::orders::order::{FillTotals, Side};
use crate::orders::rejection::OrderRejection;
use crate::orders::reserve::largest_affordable;

/// The largest quantity, at most `most`, that a market buy gets for `won` at the present price.
///
/// # Errors
/// [`OrderRejection`]: the amount is out of bounds or below the cost of the smallest quantity, or no
/// exchange rate is known.
pub fn affordable_quantity(
    listing: &Listing,
    quote: &Quote,
    won: Won,
    most: Option<Quantity>,
    rates: &FeeRates,
) -> Result<Quantity, OrderRejection> {
    let too_much = OrderRejection::MaxAmount {
        most: LARGEST_ORDER,
    };
    if won > LARGEST_ORDER {
        return Err(too_much);
    }
    let rule = listing.quantity_rule();
    if let Some(least) = rule.least_amount.filter(|least| won < *least) {
        return Err(OrderRejection::MinAmount { least });
    }
    let middle =
        middle_rate(listing.currency, quote.fx_rate).ok_or(OrderRejection::PriceAwaited)?;
    let price = market_price(Side::Buy, listing, quote);
    let unit = match listing.currency {
        Currency::Krw => price.0,
        Currency::Usd => price.0.saturating_mul(middle),
    };
    let without_fee = won.to_decimal().checked_div(unit).map(Quantity);
    let without_fee = without_fee.ok_or(OrderRejection::PriceAwaited)?;
    let upper = most.map_or(without_fee, |most| most.min(without_fee));
    let cost = |quantity| {
        let nothing = (FillTotals::default(), Quantity::ZERO);
        charge_after(Side::Buy, nothing, quantity, price, middle, rates).map(|charge| charge.paid())
    };
    let quantity = largest_affordable(&rule, upper, won, cost);
    if quantity.is_positive() {
        Ok(quantity)
    } else {
        let least = cost(rule.step).map_err(|_beyond| too_much)?;
        Err(OrderRejection::MinAmount { least })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use kernel::{AccountCode, AccountId, MarketCode, Price, WarningCode};
    use market_rules::TickClass;
    use proptest::prelude::*;
    use rust_decimal::Decimal;
    use rust_decimal_macros::dec;

    use super::*;
    use crate::accounts::account::Cash;
    use crate::domain::cost::Costs;
    use crate::domain::market::TradingSession;
    use crate::domain::sample;
    use crate::matching::balances::LockedBalances;
    use crate::matching::effect::Execution;
    use crate::matching::offer::FillRule;
    use crate::orders::order::end_reason;

    fn market(code: MarketCode, price: Decimal) -> (Listing, Quote) {
        let (currency, tick_class) = match code {
            MarketCode::Global => (Currency::Usd, TickClass::UsStock),
            MarketCode::Coin => (Currency::Krw, TickClass::UpbitKrw),
            MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Gold | MarketCode::Etf => {
                (Currency::Krw, TickClass::KrxStock)
            }
        };
        let listing = Listing {
            code: "005930".to_owned(),
            name: "삼성전자".to_owned(),
            market: code,
            currency,
            tick_class,
            warning: WarningCode::None,
            tradable: true,
        };
        let quote = Quote {
            last: Price(price),
            prev_close: Price(price),
            bid: None,
            ask: Some(Price(price)),
            band: None,
            session: TradingSession::Open,
            trading_day: sample::DAY,
            fx_rate: (currency == Currency::Usd).then_some(dec!(1_470.35)),
            tick_time: sample::at(0),
            day_volume: None,
            volume_before: None,
        };
        (listing, quote)
    }

    fn markets() -> impl Strategy<Value = MarketCode> {
        prop_oneof![
            Just(MarketCode::Kospi),
            Just(MarketCode::Global),
            Just(MarketCode::Coin)
        ]
    }

    fn price(code: MarketCode, units: i64) -> Decimal {
        Decimal::new(units, if code == MarketCode::Global { 2 } else { 0 })
    }

    fn balances(cash: i64, held: Won) -> LockedBalances {
        let account_id = AccountId(1);
        let cash = Cash {
            account_id,
            member_id: kernel::MemberId(100_000),
            code: AccountCode::Basic,
            balance: Won(cash),
            held,
        };
        LockedBalances {
            already_split: BTreeSet::new(),
            filled_before: BTreeMap::new(),
            cash: BTreeMap::from([(account_id, cash)]),
            holdings: BTreeMap::new(),
        }
    }

    proptest! {
        #[test]
        fn the_affordable_quantity_is_the_largest(
            code in markets(),
            units in 1_i64..2_000_000,
            won in 5_000_i64..1_000_000_000,
        ) {
            let (listing, quote) = market(code, price(code, units));
            let rates = Costs::standard().on(code, sample::DAY);
            let cost = |quantity: Decimal| {
                let nothing = (FillTotals::default(), Quantity::ZERO);
                let middle = quote.fx_rate.unwrap_or(Decimal::ONE);
                charge_after(Side::Buy, nothing, Quantity(quantity), quote.last, middle, &rates)
                    .unwrap()
                    .paid()
            };
            let step = listing.quantity_rule().step.0;
            match affordable_quantity(&listing, &quote, Won(won), None, &rates) {
                Ok(quantity) => {
                    prop_assert!(cost(quantity.0) <= Won(won));
                    prop_assert!(cost(quantity.0 + step) > Won(won));
                }
                Err(rejection) => {
                    prop_assert_eq!(rejection, OrderRejection::MinAmount { least: cost(step) });
                    prop_assert!(cost(step) > Won(won));
                }
            }
        }

        #[test]
        fn fills_never_cost_more_than_the_amount(
            code in markets(),
            units in 1_000_i64..500_000,
            won in 1_000_000_i64..4_000_000,
            held_percent in 1_i64..=100,
            ticks in prop::collection::vec((-50_i64..80, 1_i64..60, 0_i64..200), 1..20),
        ) {
            let (listing, quote) = market(code, price(code, units));
            let costs = Costs::standard();
            let rates = costs.on(code, sample::DAY);
            let Ok(quantity) = affordable_quantity(&listing, &quote, Won(won), None, &rates) else {
                return Ok(());
            };
            let mut order = sample::order(1, Side::Buy, None, quantity.0);
            (order.market, order.currency) = (code, listing.currency);
            order.order_amount = Some(Won(won));
            order.held_won = Won(won * held_percent / 100);
            let mut balances = balances(5_000_000, order.held_won);
            for (seq, (permille, part, fx)) in (1..).zip(ticks) {
                let price = quote.last.0 * Decimal::from(1_000 + permille) / Decimal::ONE_THOUSAND;
                let asked = order.quantity.0 * Decimal::from(part) / Decimal::from(100);
                let asked = listing.quantity_rule().floor(Quantity(asked)).min(order.remaining());
                if !asked.is_positive() {
                    continue;
                }
                let execution = Execution {
                    tick_seq: seq,
                    time: sample::at(seq),
                    trading_day: sample::DAY,
                    tick_price: Price(price),
                    bid: None,
                    ask: None,
                    rule: FillRule::MarketBidAsk,
                    slippage_ticks: 0,
                    cap: None,
                    quantity: asked,
                    price: Price(price.round_dp(8)),
                    fx_rate: quote.fx_rate.map(|rate| rate + Decimal::from(fx)),
                };
                let paid = balances.pay(&mut order, &execution, &costs).unwrap();
                order.filled.0 += paid.quantity.0;
                if let Some(payment) = paid.payment {
                    order.totals = payment.charge.totals;
                }
                let cost = order.totals.amount.0 + order.totals.fee.0;
                prop_assert!(cost + order.held_won.0 <= won);
                let cash = balances.cash[&AccountId(1)];
                prop_assert_eq!(cash.balance.0, 5_000_000 - cost);
                prop_assert_eq!(cash.held, order.held_won);
                if let Some(reason) = paid.shortfall {
                    prop_assert!(paid.quantity < asked);
                    prop_assert_eq!(reason, end_reason::AMOUNT_REACHED);
                    break;
                }
                prop_assert_eq!(paid.quantity, asked);
            }
        }
    }
}
