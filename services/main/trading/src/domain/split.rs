//! A share split: `numerator` new shares for `denominator` old ones.

use chrono::{DateTime, Utc};
use kernel::{AccountId, Price, Quantity, Won, money::Rounding};
use market_rules::QuantityRule;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::accounts::holding::{Holding, SoldCost};
use crate::ledger::{Book, Posting};
use crate::orders::order::Order;

/// Both parts are positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitRatio {
    /// New shares for `denominator` old ones.
    pub numerator: i64,
    pub denominator: i64,
}

/// A split in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareSplit {
    /// Multiplies quantities and divides prices.
    pub ratio: SplitRatio,
    /// The first trading day in the new units, yyyymmdd.
    pub trading_day: i32,
    /// Market time at the end of its batch. A reader of the log has read the split exactly when its
    /// market time is at least this.
    pub known_at: DateTime<Utc>,
}

impl ShareSplit {
    /// Whether price and quantity of the order are in the units from before the split.
    #[must_use]
    pub fn applies_to(&self, order: &Order) -> bool {
        order.split_day < self.trading_day && order.placed_market_at < self.known_at
    }
}

/// Effect of a split on a holding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitHolding {
    pub before: Quantity,
    pub after: Quantity,
    /// Won paid out for the fraction of a share.
    pub paid: Won,
    /// Purchase cost of that fraction.
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

    /// Splits a holding and pays out the fraction of a new share. `price_won` is the price of one old
    /// share.
    pub fn apply(
        &self,
        holding: &mut Holding,
        rule: &QuantityRule,
        price_won: Decimal,
    ) -> SplitHolding {
        let before = holding.quantity;
        let exact = self.quantity(before);
        let after = Quantity(exact.0 - exact.0 % rule.step.0);
        let fraction = Quantity(exact.0 - after.0);
        let value = self.price(Price(price_won)).0 * fraction.0;
        let paid = Won::from_decimal(value, Rounding::Down).unwrap_or_default();
        holding.quantity = exact;
        let cost = if fraction.is_positive() {
            holding.cost_of(fraction)
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

    /// Splits an order without fills. `false` when its quantity becomes zero.
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
    fn a_reverse_split_pays_out_the_fraction_of_a_share() {
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
    fn an_order_keeps_its_value() {
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
