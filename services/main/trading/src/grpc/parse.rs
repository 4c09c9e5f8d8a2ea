//! Parses requests. A value that its field cannot hold is malformed; whether the request is allowed
//! is decided by the rules.

use kernel::{MemberId, OrderId, Price, Quantity, RequestId, Won};
use proto::convert::{InvalidField, to_optional_decimal};
use proto::trading::v1 as wire;
use rust_decimal::Decimal;

use super::call::member;
use super::digest::digest;
use crate::accounts::open::AccountChoice;
use crate::error::TradingError;
use crate::orders::change::ChangeRequest;
use crate::orders::modify::ModifyOrder;
use crate::orders::order::Side;
use crate::orders::place::PlaceOrder;
use crate::orders::validation::{Category, OrderRequest, OrderSize};
use crate::orders::waiting::ListFilter;
use crate::store::request::{RequestDigest, RequestKind};

/// 10^15: larger prices and quantities do not fit their columns.
const LARGEST: Decimal = Decimal::from_parts(0xa4c6_8000, 0x0003_8d7e, 0, false, 0);
const MAX_DECIMALS: u32 = 8;
const MAX_CODE_LENGTH: usize = 32;

pub(super) fn place(request: wire::PlaceOrderRequest) -> Result<PlaceOrder, TradingError> {
    let side = side(request.side())?;
    let category =
        optional_category(request.category())?.ok_or(TradingError::Malformed("category"))?;
    let price = to_optional_decimal(request.price.as_ref(), "price")
        .and_then(|price| bounded(price, "price"))?;
    let quantity = to_optional_decimal(request.quantity.as_ref(), "quantity")
        .and_then(|quantity| bounded(quantity, "quantity"))?;
    // Zero means a market order, like a missing price; a negative price fails the tick check.
    let limit = price.filter(|price| !price.is_zero()).map(Price);
    let size = size(side, limit, quantity, request.order_amount_won)?;
    let seen_price = to_optional_decimal(request.seen_price.as_ref(), "seen_price")
        .and_then(|price| bounded(price, "seen_price"))?;
    let account = request
        .account
        .as_ref()
        .map_or("", |account| account.account_no.as_str());
    let positive = |price: &Decimal| *price > Decimal::ZERO;
    Ok(PlaceOrder {
        member_id: member(request.member_id)?,
        account: self::account(account)?,
        request_id: request_id(&request.request_id)?,
        digest: RequestDigest::new(
            RequestKind::Place,
            &wire::PlaceOrderRequest {
                request_id: String::new(),
                price: price.map(proto::convert::decimal),
                quantity: quantity.map(proto::convert::decimal),
                seen_price: seen_price.map(proto::convert::decimal),
                ..request.clone()
            },
        ),
        instrument_code: code(&request.instrument_code)?,
        order: OrderRequest {
            side,
            category,
            price: limit,
            size,
            seen_price: seen_price.filter(positive).map(Price),
            risk_acknowledged: request.risk_acknowledged,
        },
        trace: None,
        deadline: None,
    })
}

/// A quantity, or an order amount of a market buy with an optional upper bound of the quantity.
pub(super) fn size(
    side: Side,
    limit: Option<Price>,
    quantity: Option<Decimal>,
    order_amount_won: Option<i64>,
) -> Result<OrderSize, TradingError> {
    let most = quantity.map(Quantity);
    match order_amount_won {
        None => most
            .map(OrderSize::Quantity)
            .ok_or(TradingError::Malformed("quantity")),
        Some(won) if won > 0 && side == Side::Buy && limit.is_none() => Ok(OrderSize::Amount {
            won: Won(won),
            most,
        }),
        Some(_) => Err(TradingError::Malformed("order_amount_won")),
    }
}

pub(super) fn cancel(request: &wire::CancelOrderRequest) -> Result<ChangeRequest, TradingError> {
    Ok(ChangeRequest {
        member_id: member(request.member_id)?,
        request_id: request_id(&request.request_id)?,
        digest: digest(request),
        order_id: OrderId(request.order_id),
        side: side(request.side())?,
        category: optional_category(request.category())?
            .ok_or(TradingError::Malformed("category"))?,
        instrument_code: None,
    })
}

pub(super) fn modify(request: &wire::ModifyOrderRequest) -> Result<ModifyOrder, TradingError> {
    let price = to_optional_decimal(request.price.as_ref(), "price")
        .and_then(|price| bounded(price, "price"))?;
    let quantity = to_optional_decimal(request.quantity.as_ref(), "quantity")
        .and_then(|quantity| bounded(quantity, "quantity"))?;
    let seen_remaining = to_optional_decimal(
        request.seen_remaining_quantity.as_ref(),
        "seen_remaining_quantity",
    )
    .and_then(|quantity| bounded(quantity, "seen_remaining_quantity"))?;
    let change = ChangeRequest {
        member_id: member(request.member_id)?,
        request_id: request_id(&request.request_id)?,
        digest: RequestDigest::new(
            RequestKind::Modify,
            &wire::ModifyOrderRequest {
                request_id: String::new(),
                price: price.map(proto::convert::decimal),
                quantity: quantity.map(proto::convert::decimal),
                seen_remaining_quantity: seen_remaining.map(proto::convert::decimal),
                ..request.clone()
            },
        ),
        order_id: OrderId(request.order_id),
        side: side(request.side())?,
        category: optional_category(request.category())?
            .ok_or(TradingError::Malformed("category"))?,
        instrument_code: optional_code(&request.instrument_code)?,
    };
    Ok(ModifyOrder {
        request: change,
        price: price.map(Price),
        quantity: quantity.map(Quantity),
        risk_acknowledged: request.risk_acknowledged,
        seen_remaining: seen_remaining.map(Quantity),
    })
}

/// The key of the request to close. A request without a key cannot be repeated, so an empty one is
/// malformed.
pub(super) fn close(
    request: &wire::CloseRequestRequest,
) -> Result<(MemberId, RequestId), TradingError> {
    let id = RequestId::parse(&request.request_id)
        .map_err(|_invalid| TradingError::Malformed("request_id"))?;
    Ok((member(request.member_id)?, id))
}

/// Rejects a value that its column cannot hold exactly.
pub(super) fn bounded(
    value: Option<Decimal>,
    field: &'static str,
) -> Result<Option<Decimal>, InvalidField> {
    match value {
        Some(value) if value.abs() > LARGEST || value.normalize().scale() > MAX_DECIMALS => {
            Err(InvalidField(field))
        }
        other => Ok(other),
    }
}

pub(super) fn account(text: &str) -> Result<AccountChoice, TradingError> {
    AccountChoice::parse(text).ok_or(TradingError::Malformed("account_no"))
}

/// Account filter of a list; empty means all accounts.
pub(super) fn optional_account(text: &str) -> Result<Option<AccountChoice>, TradingError> {
    if text.is_empty() {
        return Ok(None);
    }
    account(text).map(Some)
}

pub(super) fn optional_category(
    category: wire::OrderCategory,
) -> Result<Option<Category>, TradingError> {
    Ok(match category {
        wire::OrderCategory::Unspecified => None,
        wire::OrderCategory::Stock => Some(Category::Stock),
        wire::OrderCategory::Coin => Some(Category::Coin),
        wire::OrderCategory::Gold => Some(Category::Gold),
    })
}

pub(super) fn code(text: &str) -> Result<String, TradingError> {
    let plain =
        !text.is_empty() && text.len() <= MAX_CODE_LENGTH && !text.chars().any(char::is_control);
    if plain {
        Ok(text.to_owned())
    } else {
        Err(TradingError::Malformed("instrument_code"))
    }
}

/// Which orders or holdings a list shows; what is empty or unspecified bounds nothing.
pub(super) fn list_filter(
    account_no: &str,
    category: wire::OrderCategory,
    instrument_code: &str,
) -> Result<ListFilter, TradingError> {
    Ok(ListFilter {
        account: optional_account(account_no)?,
        category: optional_category(category)?,
        instrument_code: optional_code(instrument_code)?,
    })
}

/// A page of a list whose newest row comes first.
pub(super) struct Page {
    /// Only rows with a smaller id.
    pub(super) before: Option<i64>,
    pub(super) size: u32,
}

/// Without a size it has 20 rows, and never more than 100.
pub(super) fn page(before_id: i64, size: i32) -> Page {
    let size = u32::try_from(size).unwrap_or(0);
    Page {
        before: (before_id > 0).then_some(before_id),
        size: if size == 0 { 20 } else { size.min(100) },
    }
}

pub(super) fn optional_code(text: &str) -> Result<Option<String>, TradingError> {
    if text.is_empty() {
        return Ok(None);
    }
    code(text).map(Some)
}

pub(super) fn side(side: wire::OrderSide) -> Result<Side, TradingError> {
    match side {
        wire::OrderSide::Unspecified => Err(TradingError::Malformed("side")),
        wire::OrderSide::Buy => Ok(Side::Buy),
        wire::OrderSide::Sell => Ok(Side::Sell),
    }
}

/// Zero stands for the present season.
pub(super) fn season(number: i32) -> Result<Option<i32>, TradingError> {
    match number {
        0 => Ok(None),
        1.. => Ok(Some(number)),
        _ => Err(TradingError::Malformed("season")),
    }
}

/// A request without an idempotency key gets a random one.
pub(super) fn request_id(text: &str) -> Result<RequestId, TradingError> {
    let random;
    let text = if text.is_empty() {
        random = uuid::Uuid::new_v4().simple().to_string();
        &random
    } else {
        text
    };
    RequestId::parse(text).map_err(|_invalid| TradingError::Malformed("request_id"))
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn values_that_no_column_can_hold_are_malformed() {
        assert_eq!(LARGEST, dec!(1_000_000_000_000_000));
        for (value, fits) in [
            (dec!(1_000_000_000_000_000), true),
            (dec!(1_000_000_000_000_001), false),
            (dec!(-1_000_000_000_000_001), false),
            (dec!(0.12345678), true),
            (dec!(0.123456780000), true),
            (dec!(0.123456789), false),
        ] {
            assert_eq!(bounded(Some(value), "quantity").is_ok(), fits, "{value}");
        }
    }

    #[test]
    fn the_digest_ignores_the_key_and_the_spelling_of_numbers() {
        let request = |key: &str, quantity: &str| wire::PlaceOrderRequest {
            member_id: 1,
            request_id: key.to_owned(),
            instrument_code: "005930".to_owned(),
            side: wire::OrderSide::Buy.into(),
            category: wire::OrderCategory::Stock.into(),
            quantity: Some(proto::common::v1::Decimal {
                value: quantity.to_owned(),
            }),
            ..wire::PlaceOrderRequest::default()
        };
        let hash = |key, quantity| place(request(key, quantity)).unwrap().digest;
        assert_eq!(hash("aaaaaaaa", "1.0"), hash("bbbbbbbb", "1"));
        assert_ne!(hash("aaaaaaaa", "1"), hash("aaaaaaaa", "2"));
    }
}
