//! What is withheld from a dividend.

use kernel::money::{MoneyError, Rounding};
use kernel::{Currency, Won};
use rust_decimal::Decimal;

use crate::interest::InterestTax;

/// What the United States withhold of a dividend.
const US_WITHHELD: Decimal = Decimal::from_parts(15, 0, 0, false, 2);

/// The tax on a dividend of `gross` won paid in `currency`: 14 % income tax and a tenth of it for
/// the municipality, each cut to ten won, like interest; 15 % at the source of a US share, cut to a
/// won, which leaves nothing to tax here.
///
/// # Errors
/// [`MoneyError::OutOfRange`] when it does not fit.
pub fn tax(gross: Won, currency: Currency) -> Result<Won, MoneyError> {
    match currency {
        Currency::Krw => InterestTax::on(gross)?.total(),
        Currency::Usd => {
            let exact = gross.to_decimal().checked_mul(US_WITHHELD);
            Won::from_decimal(exact.ok_or(MoneyError::OutOfRange)?, Rounding::Down)
        }
    }
}
