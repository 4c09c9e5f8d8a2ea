//! The value of a holding, which profit and loss compares with its cost.

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
