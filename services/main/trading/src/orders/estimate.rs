//! Estimates a fill with the functions that settle one, so that both give the same sums.

use kernel::{Price, Quantity, Won};
use market_rules::FeeRates;
use market_rules::quantity::LARGEST_ORDER;
use rust_decimal::Decimal;

use crate::accounts::holding::Holding;
use crate::domain::market::{Listing, Quote, TradingSession, middle_rate};
use crate::domain::settlement::{Charge, charge_after};
use crate::matching::offer;
use crate::orders::order::{FillTotals, Side};
use crate::orders::rejection::OrderRejection;

/// An order filled at once and completely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FillEstimate {
    /// In the instrument's currency.
    pub price: Price,
    pub charge: Charge,
    /// Won debited (buys) or credited (sells), fee and tax included.
    pub total: Won,
    /// Cost of the sold part; `None` for a buy, and when the holding is smaller.
    pub cost_of_sale: Option<Won>,
    /// Average price of the holding after a buy.
    pub average_after: Option<Price>,
}

impl FillEstimate {
    /// Profit of a sale after fee and tax.
    #[must_use]
    pub fn profit(&self) -> Option<Won> {
        Some(Won(self.total.0 - self.cost_of_sale?.0))
    }
}

/// The price a market order would get from another trade at the last price, by the matching rule. In
/// an auction, or with an empty opposite side, it is the last price.
#[must_use]
pub fn market_price(side: Side, listing: &Listing, quote: &Quote) -> Price {
    if quote.session == TradingSession::Auction {
        return quote.last;
    }
    let (book, table) = ((quote.bid, quote.ask), listing.tick_table());
    let admitted = offer::taker_price(side, quote.last, book, quote.band, &table);
    admitted.map_or(quote.last, |(price, _rule)| price)
}

/// Won per dollar, spread included.
#[must_use]
pub fn applied_fx(side: Side, middle: Decimal, rates: &FeeRates) -> Decimal {
    match side {
        Side::Buy => rates.buy_fx(middle),
        Side::Sell => rates.sell_fx(middle),
    }
}

/// Estimates a fill of `quantity` at `price` for an account with `holding`.
///
/// # Errors
/// [`OrderRejection`]: no exchange rate is known, or a sum is beyond any order.
pub fn estimate_fill(
    side: Side,
    price: Price,
    quantity: Quantity,
    market: (&Listing, &Quote),
    holding: &Holding,
    rates: &FeeRates,
) -> Result<FillEstimate, OrderRejection> {
    let (listing, quote) = market;
    let middle =
        middle_rate(listing.currency, quote.fx_rate).ok_or(OrderRejection::PriceAwaited)?;
    let nothing = (FillTotals::default(), Quantity::ZERO);
    let charge =
        charge_after(side, nothing, quantity, price, middle, rates).map_err(|_beyond| {
            OrderRejection::MaxAmount {
                most: LARGEST_ORDER,
            }
        })?;
    let owned = quantity <= holding.quantity;
    Ok(match side {
        Side::Buy => {
            let mut after = holding.clone();
            let value = price.0 * quantity.0;
            after.buy(quantity, charge.amount, value.round_dp(16));
            FillEstimate {
                price,
                charge,
                total: charge.paid(),
                cost_of_sale: None,
                average_after: after.average_price(),
            }
        }
        Side::Sell => FillEstimate {
            price,
            charge,
            total: charge.received(),
            cost_of_sale: owned.then(|| holding.cost_of(quantity).won),
            average_after: None,
        },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use kernel::{AccountCode, AccountId, Currency, MarketCode, WarningCode};
    use market_rules::TickClass;
    use proptest::prelude::*;
    use rust_decimal_macros::dec;

    use super::*;
    use crate::accounts::account::Cash;
    use crate::domain::cost::Costs;
    use crate::domain::sample;
    use crate::domain::settlement::postings;
    use crate::matching::balances::LockedBalances;
    use crate::matching::effect::Execution;
    use crate::matching::offer::FillRule;

    fn market(dollars: bool, price: Price) -> (Listing, Quote) {
        let (market, currency, tick_class) = if dollars {
            (MarketCode::Global, Currency::Usd, TickClass::UsStock)
        } else {
            (MarketCode::Kospi, Currency::Krw, TickClass::KrxStock)
        };
        let listing = Listing {
            code: "005930".to_owned(),
            name: "삼성전자".to_owned(),
            market,
            currency,
            tick_class,
            warning: WarningCode::None,
            tradable: true,
        };
        let quote = Quote {
            last: price,
            prev_close: price,
            bid: None,
            ask: None,
            band: None,
            session: TradingSession::Open,
            trading_day: sample::DAY,
            fx_rate: dollars.then_some(dec!(1_470.35)),
            tick_time: sample::at(0),
            day_volume: None,
            volume_before: None,
        };
        (listing, quote)
    }

    proptest! {
        #[test]
        fn an_estimate_equals_the_settled_fill(
            quantity in 1_i64..500,
            owned in 500_i64..2_000,
            cost in 0_i64..900_000_000,
            price in 1_i64..2_000_000,
            dollars in any::<bool>(),
            buys in any::<bool>(),
        ) {
            let side = if buys { Side::Buy } else { Side::Sell };
            let price = Price(Decimal::new(price, if dollars { 2 } else { 0 }));
            let quantity = Quantity(Decimal::from(quantity));
            let (listing, quote) = market(dollars, price);
            let costs = Costs::standard();
            let holding = Holding {
                quantity: Quantity(Decimal::from(owned)),
                held: quantity,
                cost_won: Won(cost),
                cost_quote: Decimal::from(cost),
            };
            let rates = costs.on(listing.market, quote.trading_day);
            let estimate =
                estimate_fill(side, price, quantity, (&listing, &quote), &holding, &rates).unwrap();

            let mut order = sample::order(1, side, Some(price.0), quantity.0);
            order.market = listing.market;
            order.currency = listing.currency;
            let before = Won(i64::from(u32::MAX) * 1_000);
            let key = (AccountId(1), order.instrument_code.clone());
            let mut balances = LockedBalances {
                already_split: std::collections::BTreeSet::new(),
                filled_before: std::collections::BTreeMap::new(),
                cash: BTreeMap::from([(
                    AccountId(1),
                    Cash {
                        account_id: AccountId(1),
                        member_id: order.member_id,
                        code: AccountCode::Basic,
                        balance: before,
                        held: Won::ZERO,
                    },
                )]),
                holdings: BTreeMap::from([(key.clone(), holding)]),
            };
            let execution = Execution {
                tick_seq: 1,
                time: sample::at(1),
                trading_day: quote.trading_day,
                tick_price: price,
                bid: None,
                ask: None,
                rule: FillRule::LimitThrough,
                slippage_ticks: 0,
                cap: None,
                quantity,
                price,
                fx_rate: quote.fx_rate,
            };
            let paid = balances.pay(&mut order, &execution, &costs).unwrap();
            let payment = paid.payment.unwrap();
            prop_assert_eq!(estimate.charge, payment.charge);
            prop_assert_eq!(
                postings(AccountId(1), side, &estimate.charge),
                postings(AccountId(1), side, &payment.charge)
            );
            let moved = balances.cash[&AccountId(1)].balance.0 - before.0;
            let after = &balances.holdings[&key];
            if buys {
                prop_assert_eq!(moved, -estimate.total.0);
                prop_assert_eq!(estimate.average_after, after.average_price());
            } else {
                prop_assert_eq!(moved, estimate.total.0);
                prop_assert_eq!(estimate.cost_of_sale, Some(payment.cost.won));
                prop_assert_eq!(estimate.profit(), Some(Won(moved - payment.cost.won.0)));
            }
        }
    }

    #[test]
    fn a_sale_beyond_the_holding_has_no_profit() {
        let price = Price(dec!(71_300));
        let (listing, quote) = market(false, price);
        let rates = Costs::standard().on(listing.market, quote.trading_day);
        let market = (&listing, &quote);
        let quantity = Quantity(dec!(10));
        let estimate =
            estimate_fill(Side::Sell, price, quantity, market, &Holding::EMPTY, &rates).unwrap();
        assert_eq!(estimate.total, Won(711_468));
        assert_eq!((estimate.cost_of_sale, estimate.profit()), (None, None));
        assert_eq!(
            market_price(Side::Buy, &listing, &quote),
            Price(dec!(71_400))
        );
        assert_eq!(
            market_price(Side::Sell, &listing, &quote),
            Price(dec!(71_200))
        );
    }

    #[test]
    fn a_dollar_estimate_needs_an_exchange_rate() {
        let price = Price(dec!(230.50));
        let (listing, mut quote) = market(true, price);
        quote.fx_rate = None;
        let rates = Costs::standard().on(listing.market, quote.trading_day);
        let market = (&listing, &quote);
        for side in [Side::Buy, Side::Sell] {
            let estimate = estimate_fill(
                side,
                price,
                Quantity(dec!(1)),
                market,
                &Holding::EMPTY,
                &rates,
            );
            assert_eq!(estimate, Err(OrderRejection::PriceAwaited));
        }
    }

    #[test]
    fn a_market_order_is_estimated_at_the_opposite_side_of_the_book() {
        let (listing, mut quote) = market(false, Price(dec!(71_300)));
        quote.bid = Some(Price(dec!(71_000)));
        quote.ask = Some(Price(dec!(71_600)));
        let estimate = |quote: &Quote| {
            [Side::Buy, Side::Sell].map(|side| market_price(side, &listing, quote).0)
        };
        assert_eq!(estimate(&quote), [dec!(71_600), dec!(71_000)]);
        // Without an ask, the last price is the estimate.
        quote.ask = None;
        assert_eq!(estimate(&quote), [dec!(71_300), dec!(71_000)]);
        quote.session = TradingSession::Auction;
        assert_eq!(estimate(&quote), [dec!(71_300), dec!(71_300)]);
    }
}
