//! Holdings at moving average cost.

use kernel::{Currency, MarketCode, Price, Quantity, Won};
use rust_decimal::{Decimal, RoundingStrategy};

use crate::orders::order::average;

/// Quantity and cost of one instrument in an account.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// Held quantity included.
    pub quantity: Quantity,
    /// The part that open sell orders hold.
    pub held: Quantity,
    /// In won, without buy fees.
    pub cost_won: Won,
    /// In the instrument's currency.
    pub cost_quote: Decimal,
}

/// Cost of the sold part of a holding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoldCost {
    pub won: Won,
    /// In the instrument's currency.
    pub quote: Decimal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a holding of {have} is too small to sell {need}")]
pub struct HoldingTooSmall {
    pub need: Quantity,
    pub have: Quantity,
}

impl Holding {
    pub const EMPTY: Self = Self {
        quantity: Quantity::ZERO,
        held: Quantity::ZERO,
        cost_won: Won::ZERO,
        cost_quote: Decimal::ZERO,
    };

    /// Quantity that no open order holds.
    #[must_use]
    pub fn available(&self) -> Quantity {
        Quantity(self.quantity.0 - self.held.0)
    }

    /// Average cost in the instrument's currency; `None` for an empty holding.
    #[must_use]
    pub fn average_price(&self) -> Option<Price> {
        average(self.cost_quote, self.quantity)
    }

    pub fn buy(&mut self, quantity: Quantity, amount: Won, quote: Decimal) {
        self.quantity.0 += quantity.0;
        self.cost_won.0 = self.cost_won.0.saturating_add(amount.0);
        self.cost_quote += quote;
    }

    /// Removes a held quantity and returns its cost: `floor(cost × quantity / holding)`, and the whole
    /// remaining cost with the last unit.
    ///
    /// # Errors
    /// [`HoldingTooSmall`] when less is held.
    pub fn sell(&mut self, quantity: Quantity) -> Result<SoldCost, HoldingTooSmall> {
        if quantity > self.quantity || quantity > self.held {
            return Err(HoldingTooSmall {
                need: quantity,
                have: self.quantity.min(self.held),
            });
        }
        let cost = self.cost_of(quantity);
        self.quantity.0 -= quantity.0;
        self.held.0 -= quantity.0;
        self.cost_won.0 -= cost.won.0;
        self.cost_quote -= cost.quote;
        Ok(cost)
    }

    /// Cost of a part of the holding.
    #[must_use]
    pub fn cost_of(&self, quantity: Quantity) -> SoldCost {
        if quantity >= self.quantity {
            return SoldCost {
                won: self.cost_won,
                quote: self.cost_quote,
            };
        }
        let share = |total: Decimal, scale: u32| {
            // Dividing first loses digits. A product that does not fit means a total so large that
            // the quotient is exact enough.
            let exact = match total.checked_mul(quantity.0) {
                Some(product) => product / self.quantity.0,
                None => quantity.0 / self.quantity.0 * total,
            };
            exact.round_dp_with_strategy(scale, RoundingStrategy::ToZero)
        };
        let won = Won::from_decimal(
            share(self.cost_won.to_decimal(), 0),
            kernel::money::Rounding::Down,
        );
        SoldCost {
            won: won.unwrap_or(self.cost_won).min(self.cost_won),
            quote: share(self.cost_quote, 16).min(self.cost_quote),
        }
    }
}

/// Names stored with a holding, so that it can be shown without market-data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldingLabel {
    /// In Korean.
    pub name: String,
    pub market: MarketCode,
    pub currency: Currency,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal_macros::dec;

    use super::*;

    fn held(quantity: Decimal, cost: i64) -> Holding {
        Holding {
            quantity: Quantity(quantity),
            held: Quantity(quantity),
            cost_won: Won(cost),
            cost_quote: Decimal::from(cost),
        }
    }

    #[test]
    fn the_last_sale_takes_the_rest_of_the_cost() {
        let mut holding = held(dec!(3), 100);
        assert_eq!(holding.sell(Quantity(dec!(1))).unwrap().won, Won(33));
        assert_eq!(holding.sell(Quantity(dec!(1))).unwrap().won, Won(33));
        assert_eq!(holding.sell(Quantity(dec!(1))).unwrap().won, Won(34));
        assert_eq!(holding, Holding::EMPTY);
    }

    #[test]
    fn more_than_the_held_quantity_cannot_be_sold() {
        let mut holding = held(dec!(2), 100);
        assert!(holding.sell(Quantity(dec!(3))).is_err());
        holding.held = Quantity(dec!(1));
        assert!(holding.sell(Quantity(dec!(2))).is_err());
    }

    proptest! {
        #[test]
        fn the_costs_of_all_sales_are_the_cost_of_all_purchases(
            buys in prop::collection::vec((1_i64..1_000_000_000, 0_i64..1_000_000_000), 1..8),
            parts in prop::collection::vec(1_u32..100, 0..8),
        ) {
            let mut holding = Holding::EMPTY;
            let mut paid = 0;
            for (units, amount) in buys {
                holding.buy(Quantity(Decimal::new(units, 8)), Won(amount), Decimal::from(amount));
                paid += amount;
            }
            holding.held = holding.quantity;
            let mut returned = 0;
            for part in parts {
                let quantity = (holding.quantity.0 * Decimal::from(part) / dec!(100)).round_dp(8);
                returned += holding.sell(Quantity(quantity)).unwrap().won.0;
                prop_assert!(holding.cost_won.0 >= 0 && holding.cost_quote >= Decimal::ZERO);
            }
            returned += holding.sell(holding.quantity).unwrap().won.0;
            prop_assert_eq!(returned, paid);
            prop_assert_eq!(holding, Holding { held: Quantity(dec!(0)), ..Holding::EMPTY });
        }
    }
}
