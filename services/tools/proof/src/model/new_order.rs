//! What a new or modified order must look like.

use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};

use crate::order::{OrderRequest, OrderSheet, OrderSide, OrderView};

/// `price` is the expected one, and `replaced_id` zero for a new order.
pub(super) fn check_new_order(
    reply: &OrderView,
    price: Option<Decimal>,
    request: &OrderRequest,
    replaced_id: i64,
    sheet: Option<&OrderSheet>,
) -> Result<(), String> {
    let has_quantity = |quantity| match request.amount_won {
        None => reply.quantity == quantity,
        Some(_) => reply.quantity <= quantity,
    };
    let is_as_requested = ["ACCEPTED", "QUEUED"].contains(&reply.status.as_str())
        && reply.replaced_id == replaced_id
        && reply.price == price
        && reply.amount_won == request.amount_won
        && reply.quantity > Decimal::ZERO
        && request.quantity.is_none_or(has_quantity)
        && reply.filled.is_zero();
    if !is_as_requested {
        return Err(format!("another order than was requested: {reply:?}"));
    }
    let held = match (reply.side, price, sheet) {
        (OrderSide::Sell, _, _) => Some(0),
        (OrderSide::Buy, Some(price), Some(sheet)) if sheet.is_won => {
            let exact = price * reply.quantity;
            Some(up(exact) + up(exact * sheet.fee_rate))
        }
        // The hold of a market order or an order in dollars depends on the current price or rate.
        (OrderSide::Buy, _, _) => None,
    };
    if let Some(most) = request.amount_won.filter(|most| reply.held_won > *most) {
        return Err(format!("holds more than {most}: {reply:?}"));
    }
    match held {
        Some(held) if held != reply.held_won => Err(format!("{held} held expected: {reply:?}")),
        Some(_) | None => Ok(()),
    }
}

pub(super) fn up(exact: Decimal) -> i64 {
    let won = exact.round_dp_with_strategy(0, RoundingStrategy::ToPositiveInfinity);
    won.to_i64().unwrap_or(i64::MAX)
}
