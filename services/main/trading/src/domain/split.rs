//! A share split: `numerator` new shares for `denominator` old ones (rule R1).

use chrono::{DateTime, Utc};
use kernel::{AccountId, Price, Quantity, Won, money::Rounding};
use market_rules::QuantityRule;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::accounts::holding::{Holding, SoldCost};
use crate::ledger::{Book, Posting};
use crate::orders::order::Order;

/// The ratio of a split. Both parts are positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitRatio {
    /// New shares …
    pub numerator: i64,
    /// … for so many old ones.
    pub denominator: i64,
}

/// A split as the log told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareSplit {
    /// By what quantities are multiplied and prices divided.
    pub ratio: SplitRatio,
    /// The first trading day in the new units, yyyymmdd.
    pub trading_day: i32,
    /// Market time at the end of its batch. Whoever has read that batch knows at least this time,
    /// whoever has not knows an earlier one.
    pub known_at: DateTime<Utc>,
}

impl ShareSplit {
    /// Whether price and quantity of an order are still in the units before the split.
    #[must_use]
    pub fn applies_to(&self, order: &Order) -> bool {
        order.split_day < self.trading_day && order.placed_market_at < self.known_at
    }
}

/// What a split did to a holding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitHolding {
    /// Quantity before.
    pub before: Quantity,
    /// Quantity after.
    pub after: Quantity,
    /// Won paid for the part of a share that was left over.
    pub paid: Won,
    /// What that part had cost.
    pub cost: SoldCost,
}

impl SplitHolding {
    /// The double entry of what it pays to an account.
    #[must_use]
    pub fn postings(&self, account: AccountId) -> Vec<Posting> {
        vec![
            Posting::to_account(account, self.paid),
            Posting::to_book(Book::Adjust, Won(-self.paid.0)),
        ]
    }
}

impl SplitRatio {
    /// The new quantity, exact to eight decimals.
    #[must_use]
    pub fn quantity(&self, old: Quantity) -> Quantity {
        let new = old.0 * Decimal::from(self.numerator) / Decimal::from(self.denominator);
        Quantity(new.trunc_with_scale(8))
    }

    /// The new price, not rounded to a tick.
    #[must_use]
    pub fn price(&self, old: Price) -> Price {
        Price(old.0 * Decimal::from(self.denominator) / Decimal::from(self.numerator))
    }

    /// Splits a holding. `price_won` is what one old share is worth; a part of a new share that
    /// is left over is paid out.
    pub fn apply(
        &self,
        holding: &mut Holding,
        rule: &QuantityRule,
        price_won: Decimal,
    ) -> SplitHolding {
        let before = holding.quantity;
        let exact = self.quantity(before);
        let after = Quantity(exact.0 - exact.0 % rule.step.0);
        let left_over = Quantity(exact.0 - after.0);
        let worth = self.price(Price(price_won)).0 * left_over.0;
        let paid = Won::from_decimal(worth, Rounding::Down).unwrap_or_default();
        holding.quantity = exact;
        let cost = if left_over.is_positive() {
            holding.cost_of(left_over)
        } else {
            SoldCost {
                won: Won::ZERO,
                quote: Decimal::ZERO,
            }
        };
        holding.quantity = after;
        holding.cost_won.0 -= cost.won.0;
        holding.cost_quote -= cost.quote;
        SplitHolding {
            before,
            after,
            paid,
            cost,
        }
    }

    /// Splits an order that has no fills. `false` when nothing of it is left.
    pub fn apply_to_order(&self, order: &mut Order, rule: &QuantityRule) -> bool {
        let exact = self.quantity(order.quantity);
        order.quantity = Quantity(exact.0 - exact.0 % rule.step.0);
        let table = order.tick_table();
        order.price = order.price.map(|price| table.nearest(self.price(price)));
        order.reference_price = order
            .reference_price
            .map(|price| table.nearest(self.price(price)));
        order.queue_ahead = None;
        order.quantity.is_positive()
    }
}

#[cfg(test)]
mod tests {
    use kernel::MarketCode;
    use rust_decimal_macros::dec;

    use super::*;
    use crate::domain::sample;
    use crate::orders::order::Side;

    fn holding(quantity: Decimal) -> Holding {
        Holding {
            quantity: Quantity(quantity),
            held: Quantity::ZERO,
            cost_won: Won(70_000),
            cost_quote: dec!(70),
        }
    }

    #[test]
    fn two_for_one_doubles_the_shares_and_keeps_the_cost() {
        let ratio = SplitRatio {
            numerator: 2,
            denominator: 1,
        };
        let rule = QuantityRule::for_market(MarketCode::Global);
        let mut held = holding(dec!(7));
        let split = ratio.apply(&mut held, &rule, dec!(10_000));
        assert_eq!(
            (held.quantity.0, held.cost_won, split.paid),
            (dec!(14), Won(70_000), Won(0))
        );
    }

    #[test]
    fn joined_shares_pay_out_the_part_that_is_left_over() {
        let ratio = SplitRatio {
            numerator: 1,
            denominator: 5,
        };
        let rule = QuantityRule::for_market(MarketCode::Global);
        let mut held = holding(dec!(7));
        let split = ratio.apply(&mut held, &rule, dec!(10_000));
        assert_eq!(held.quantity.0, dec!(1));
        // 0.4 of a new share that is worth 50,000.
        assert_eq!(split.paid, Won(20_000));
        assert_eq!(held.cost_won, Won(50_000));
    }

    #[test]
    fn an_order_keeps_its_worth() {
        let ratio = SplitRatio {
            numerator: 2,
            denominator: 1,
        };
        let rule = QuantityRule::for_market(MarketCode::Kospi);
        let mut order = sample::order(1, Side::Buy, Some(dec!(71_300)), dec!(3));
        assert!(ratio.apply_to_order(&mut order, &rule));
        assert_eq!(order.quantity.0, dec!(6));
        assert_eq!(order.price, Some(Price(dec!(35_650))));
    }
}
