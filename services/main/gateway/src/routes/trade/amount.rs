//! Prices and quantities as members send them.

use rust_decimal::Decimal;

use crate::error::ApiError;
use crate::routes::shape::number::Exact;

/// A price; `None` when there is none or it is 0, which is how a market order is sent.
pub(in crate::routes) fn price(
    field: &str,
    number: Option<Exact>,
) -> Result<Option<Decimal>, ApiError> {
    Ok(not_negative(field, number)?.filter(|price| !price.is_zero()))
}

/// A quantity. Whether 0 is one is for trading to say.
pub(in crate::routes) fn quantity(
    field: &str,
    number: Option<Exact>,
) -> Result<Option<Decimal>, ApiError> {
    not_negative(field, number)
}

/// What `field` has to say.
pub(super) fn needed(field: &str, number: Option<Decimal>) -> Result<Decimal, ApiError> {
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
