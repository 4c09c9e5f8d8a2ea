//! Profit and loss from fills and holdings.

use kernel::{Currency, Price, Quantity, Won, money::Rounding};
use rust_decimal::Decimal;

use crate::domain::market::middle_rate;

/// Value of a quantity in won at a price, without the costs of a sale. `None` without an exchange
/// rate.
#[must_use]
pub fn value(
    price: Price,
    quantity: Quantity,
    currency: Currency,
    fx_rate: Option<Decimal>,
) -> Option<Won> {
    let middle = middle_rate(currency, fx_rate)?;
    Won::from_trade(price, quantity, middle, Rounding::Down).ok()
}

/// Sums over the fills of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Realized {
    /// Σ over sales of won received less cost.
    pub profit: Won,
    /// Σ over buys and sales.
    pub fee: Won,
    pub tax: Won,
}

impl Realized {
    /// Realized + unrealized − costs; by the identity it equals equity − base.
    #[must_use]
    pub fn total(&self, unrealized: Won) -> Won {
        Won(self.profit.0 + unrealized.0 - self.fee.0 - self.tax.0)
    }
}
