//! Requests that must be rejected whatever the state of the ledger.

use rust_decimal::Decimal;

use crate::client::Client;
use crate::order::{Action, OrderCategory, OrderRequest, OrderResponse, OrderSide};
use crate::transport::Transport;

/// Above any member's cash and holdings, but within the limits of an order.
const UNAFFORDABLE_WON: i64 = 600_000_000;

/// A request, and the reasons of which the rejection must name one.
pub(crate) struct InvalidRequest {
    pub(crate) request: OrderRequest,
    pub(crate) reasons: &'static [&'static str],
    /// Whether the rejection is stored under the idempotency key.
    pub(crate) is_stored: bool,
}

pub(crate) async fn generate(client: &mut Client) -> Option<InvalidRequest> {
    match client.rng.below(5) {
        0 => reused_key(client),
        1 => other_members_order(client),
        2 => amount_of_another_order(client).await,
        _ => impossible_order(client).await,
    }
}

/// Repeats an idempotency key with another quantity or amount.
fn reused_key(client: &mut Client) -> Option<InvalidRequest> {
    let mut request = client.rng.pick(&client.done)?.clone();
    let was_done = matches!(
        client.results.responses.get(&request.identity())?,
        OrderResponse::Order(_)
    );
    if !was_done || request.action != Action::Place {
        return None;
    }
    match &mut request.amount_won {
        Some(won) => *won += 1,
        None => request.quantity = request.quantity.map(|quantity| quantity + Decimal::ONE),
    }
    Some(InvalidRequest {
        request,
        reasons: &["REQ_SID_REUSED"],
        is_stored: false,
    })
}

/// Cancels another member's order.
fn other_members_order(client: &mut Client) -> Option<InvalidRequest> {
    let order = client.model.pick(&mut client.rng)?;
    let member_id = match &client.transport {
        // Member ids below the first are not used.
        Transport::Grpc { first_member, .. } => i64::try_from(*first_member).ok()? - 1,
        Transport::Http(_) => return None,
    };
    Some(InvalidRequest {
        request: OrderRequest {
            member_id,
            key: client.key(),
            action: Action::Cancel(order.order_id),
            code: order.code,
            side: order.side,
            price: None,
            quantity: None,
            amount_won: None,
            competes: false,
        },
        reasons: &["ORDER_NOT_FOUND"],
        is_stored: false,
    })
}

/// Gives an amount to a sale or a limit buy.
async fn amount_of_another_order(client: &mut Client) -> Option<InvalidRequest> {
    let member_id = client.transport.member(&mut client.rng);
    let code = client.code()?;
    let sheet = client.sheet(member_id, &code).await?;
    let (side, price) = match client.rng.below(2) {
        0 => (OrderSide::Sell, None),
        _ => (OrderSide::Buy, sheet.on_tick(sheet.last)),
    };
    let request = client.order(member_id, code, side, price, sheet.step);
    Some(InvalidRequest {
        request: OrderRequest {
            amount_won: Some(100_000),
            ..request
        },
        reasons: &["MALFORMED"],
        is_stored: false,
    })
}

async fn impossible_order(client: &mut Client) -> Option<InvalidRequest> {
    let member_id = client.transport.member(&mut client.rng);
    let code = client.code()?;
    let sheet = client.sheet(member_id, &code).await?;
    let kind = client.rng.below(5);
    let side = if kind == 4 {
        OrderSide::Sell
    } else {
        OrderSide::Buy
    };
    let (price, quantity, reasons): (_, _, &'static [&'static str]) = match kind {
        0 => {
            let price = sheet.on_tick(sheet.last)?;
            let off = sheet.tick_at(price)? / Decimal::TWO;
            (
                Some(price + off),
                sheet.step,
                &["INVALID_TICK", "NOT_TRADABLE"],
            )
        }
        1 => {
            let beyond = sheet.on_tick(sheet.upper? * Decimal::TWO)?;
            (Some(beyond), sheet.step, &["PRICE_LIMIT", "NOT_TRADABLE"])
        }
        2 if OrderCategory::of(&code) != OrderCategory::Coin => {
            let half = sheet.step / Decimal::TWO;
            (None, half, &["INVALID_QUANTITY", "NOT_TRADABLE"])
        }
        3 | 4 if OrderCategory::of(&code) != OrderCategory::Gold => {
            let units =
                Decimal::from(UNAFFORDABLE_WON).checked_div(sheet.last.checked_mul(sheet.rate)?)?;
            let quantity = units - units % sheet.step;
            match side {
                OrderSide::Buy => (None, quantity, &["INSUFFICIENT_CASH", "NOT_TRADABLE"]),
                OrderSide::Sell => (None, quantity, &["INSUFFICIENT_QTY", "NOT_TRADABLE"]),
            }
        }
        _ => return None,
    };
    Some(InvalidRequest {
        request: client.order(member_id, code, side, price, quantity),
        reasons,
        is_stored: true,
    })
}
