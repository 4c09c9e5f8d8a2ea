//! Profit and loss from fills and holdings (rule R11's identity).

use kernel::{Currency, Price, Quantity, Won, money::Rounding};
use rust_decimal::Decimal;

use crate::domain::market::middle_rate;

/// What a quantity is worth in won at a price, without costs of selling it.
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
    /// Σ of sales: won received for the quantity − what it had cost.
    pub profit: Won,
    /// Σ of fees, of purchases and sales.
    pub fee: Won,
    /// Σ of taxes.
    pub tax: Won,
}

impl Realized {
    /// realized + unrealized − costs: by the identity, equity − base.
    #[must_use]
    pub fn total(&self, unrealized: Won) -> Won {
        Won(self.profit.0 + unrealized.0 - self.fee.0 - self.tax.0)
    }
}
