//! What one fill would book, computed by the very functions that book it.

use kernel::{Price, Quantity, Won};
use market_rules::FeeRates;
use market_rules::quantity::LARGEST_ORDER;
use rust_decimal::Decimal;

use crate::accounts::holding::Holding;
use crate::domain::market::{Listing, Quote, TradingSession, middle_rate};
use crate::domain::settlement::{Charge, charge_after};
use crate::matching::offer;
use crate::orders::order::{FillTotals, Side};
use crate::orders::validation::OrderRejection;

/// An order filled at once and as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FillEstimate {
    /// At what price, in the instrument's currency.
    pub price: Price,
    /// What is booked.
    pub charge: Charge,
    /// What leaves (buys) or reaches (sells) the account.
    pub total: Won,
    /// What the sold part has cost; `None` for a buy, and when that much is not owned.
    pub cost_of_sale: Option<Won>,
    /// Average price after a purchase.
    pub average_after: Option<Price>,
}

impl FillEstimate {
    /// What a sale earns after fee and tax.
    #[must_use]
    pub fn profit(&self) -> Option<Won> {
        Some(Won(self.total.0 - self.cost_of_sale?.0))
    }
}

/// The price a market order would get if the last trade came again, by the rule that fills it. In
/// an auction, and where nobody stands on the other side, that is the last price.
#[must_use]
pub fn market_price(side: Side, listing: &Listing, quote: &Quote) -> Price {
    if quote.session == TradingSession::Auction {
        return quote.last;
    }
    let (book, table) = ((quote.bid, quote.ask), listing.tick_table());
    let admitted = offer::taker_price(side, quote.last, book, quote.band, &table);
    admitted.map_or(quote.last, |(price, _rule)| price)
}

/// Won per dollar that is paid or received, spread included.
#[must_use]
pub fn applied_fx(side: Side, middle: Decimal, rates: &FeeRates) -> Decimal {
    match side {
        Side::Buy => rates.buy_fx(middle),
        Side::Sell => rates.sell_fx(middle),
    }
}

/// Computes a fill of `quantity` at `price` for an account that owns `holding`.
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
        };
        (listing, quote)
    }

    proptest! {
        #[test]
        fn what_is_shown_is_what_is_booked(
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
            let shown =
                estimate_fill(side, price, quantity, (&listing, &quote), &holding, &rates).unwrap();

            let mut order = sample::order(1, side, Some(price.0), quantity.0);
            order.market = listing.market;
            order.currency = listing.currency;
            let before = Won(i64::from(u32::MAX) * 1_000);
            let key = (AccountId(1), order.instrument_code.clone());
            let mut balances = LockedBalances {
                already_split: std::collections::BTreeSet::new(),
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
            prop_assert_eq!(shown.charge, payment.charge);
            prop_assert_eq!(
                postings(AccountId(1), side, &shown.charge),
                postings(AccountId(1), side, &payment.charge)
            );
            let moved = balances.cash[&AccountId(1)].balance.0 - before.0;
            let after = &balances.holdings[&key];
            if buys {
                prop_assert_eq!(moved, -shown.total.0);
                prop_assert_eq!(shown.average_after, after.average_price());
            } else {
                prop_assert_eq!(moved, shown.total.0);
                prop_assert_eq!(shown.cost_of_sale, Some(payment.cost.won));
                prop_assert_eq!(shown.profit(), Some(Won(moved - payment.cost.won.0)));
            }
        }
    }

    #[test]
    fn a_sale_of_more_than_there_is_shows_no_profit() {
        let price = Price(dec!(71_300));
        let (listing, quote) = market(false, price);
        let rates = Costs::standard().on(listing.market, quote.trading_day);
        let market = (&listing, &quote);
        let quantity = Quantity(dec!(10));
        let shown =
            estimate_fill(Side::Sell, price, quantity, market, &Holding::EMPTY, &rates).unwrap();
        assert_eq!(shown.total, Won(711_468));
        assert_eq!((shown.cost_of_sale, shown.profit()), (None, None));
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
    fn nothing_in_dollars_is_reckoned_without_a_rate() {
        let price = Price(dec!(230.50));
        let (listing, mut quote) = market(true, price);
        quote.fx_rate = None;
        let rates = Costs::standard().on(listing.market, quote.trading_day);
        let market = (&listing, &quote);
        for side in [Side::Buy, Side::Sell] {
            let shown = estimate_fill(
                side,
                price,
                Quantity(dec!(1)),
                market,
                &Holding::EMPTY,
                &rates,
            );
            assert_eq!(shown, Err(OrderRejection::PriceAwaited));
        }
    }

    #[test]
    fn a_market_order_is_shown_at_the_other_side_of_the_book() {
        let (listing, mut quote) = market(false, Price(dec!(71_300)));
        quote.bid = Some(Price(dec!(71_000)));
        quote.ask = Some(Price(dec!(71_600)));
        let shown = |quote: &Quote| {
            [Side::Buy, Side::Sell].map(|side| market_price(side, &listing, quote).0)
        };
        assert_eq!(shown(&quote), [dec!(71_600), dec!(71_000)]);
        // Nobody sells: the last price is all there is to go by.
        quote.ask = None;
        assert_eq!(shown(&quote), [dec!(71_300), dec!(71_000)]);
        quote.session = TradingSession::Auction;
        assert_eq!(shown(&quote), [dec!(71_300), dec!(71_300)]);
    }
}
