//! Checks of prices and quantities in requests.

use rust_decimal::Decimal;

use crate::error::ApiError;
use crate::wire::number::Exact;

/// `None` for a market order, which has no price or 0.
pub(crate) fn price(field: &str, number: Option<Exact>) -> Result<Option<Decimal>, ApiError> {
    Ok(not_negative(field, number)?.filter(|price| !price.is_zero()))
}

/// Whether 0 is allowed is up to trading.
pub(crate) fn quantity(field: &str, number: Option<Exact>) -> Result<Option<Decimal>, ApiError> {
    not_negative(field, number)
}

/// Fails when `field` is absent.
pub(crate) fn required(field: &str, number: Option<Decimal>) -> Result<Decimal, ApiError> {
    number.ok_or_else(|| ApiError::field(field, "꼭 필요한 값이에요"))
}

fn not_negative(field: &str, number: Option<Exact>) -> Result<Option<Decimal>, ApiError> {
    match number {
        Some(Exact(number)) if number.is_sign_negative() && !number.is_zero() => {
            Err(ApiError::field(field, "0보다 작을 수 없어요"))
        }
        Some(Exact(number)) => Ok(Some(number)),
        None => Ok(None),
    }
}
