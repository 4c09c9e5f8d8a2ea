//! Checks of prices and quantities in requests.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::error::ApiError;
use crate::wire::number::Exact;

/// Most units of money, cash or points that a request moves: they fit every sum.
pub(crate) const MAX_AMOUNT: i64 = 1_000_000_000_000;

/// Fails when `number` is outside the bounds, both inclusive.
pub(crate) fn within<N: PartialOrd + std::fmt::Display>(
    field: &str,
    number: N,
    least: N,
    most: N,
) -> Result<N, ApiError> {
    if (&least..=&most).contains(&&number) {
        Ok(number)
    } else {
        let message = format!("{least}부터 {most}까지 보내 주세요");
        Err(ApiError::field(field, message))
    }
}

/// `None` for a market order, which has no price or 0.
pub(crate) fn price(field: &str, number: Option<Exact>) -> Result<Option<Decimal>, ApiError> {
    Ok(not_negative(field, number)?.filter(|price| !price.is_zero()))
}

/// Whether 0 is allowed is up to trading.
pub(crate) fn quantity(field: &str, number: Option<Exact>) -> Result<Option<Decimal>, ApiError> {
    not_negative(field, number)
}

/// The order amount in whole won; only a market buy has one.
pub(crate) fn order_amount(
    buys: bool,
    limit: Option<Exact>,
    amount: Option<Exact>,
) -> Result<Option<i64>, ApiError> {
    let Some(Exact(amount)) = amount else {
        return Ok(None);
    };
    let refused = |why| Err(ApiError::field("orderAmount", why));
    if !buys || price("juPrc", limit)?.is_some() {
        return refused("금액은 시장가 구매에만 쓸 수 있어요");
    }
    match amount.to_i64() {
        Some(won) if won > 0 && amount.is_integer() => Ok(Some(won)),
        Some(_) | None => refused("1원 이상이고 원 단위여야 해요"),
    }
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
