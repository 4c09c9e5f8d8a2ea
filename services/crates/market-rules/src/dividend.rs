//! What is withheld from a dividend, by the currency that it is paid in.

use kernel::money::{MoneyError, Rounding};
use kernel::{Currency, Won};
use rust_decimal::Decimal;

use crate::interest::InterestTax;

/// US withholding rate.
pub const US_WITHHELD: Decimal = Decimal::from_parts(15, 0, 0, false, 2);

/// The tax on a dividend of `gross` won paid in `currency`: in Korea 14 % income tax and 10 % of it
/// as local tax, each rounded down to ten won; for US shares 15 % at the source, rounded down to a
/// won, and no further tax in Korea.
///
/// # Errors
/// [`MoneyError::OutOfRange`] on overflow.
pub fn tax(gross: Won, currency: Currency) -> Result<Won, MoneyError> {
    match currency {
        Currency::Krw => InterestTax::on(gross)?.total(),
        Currency::Usd => {
            let exact = gross.to_decimal().checked_mul(US_WITHHELD);
            Won::from_decimal(exact.ok_or(MoneyError::OutOfRange)?, Rounding::Down)
        }
    }
}
