//! Placing, modifying and canceling: one address takes all three, and the draft says which.

use actix_web::HttpResponse;
use kernel::RequestId;
use proto::convert::decimal;
use proto::trading::v1 as trading;
use rust_decimal::Decimal;

use super::amount::{needed, price, quantity};
use crate::error::{ApiError, REPLAYED};
use crate::routes::shape::order::{OrderDraft, OrderReply, RequestRef};
use crate::routes::shape::words::{OrderCategory, OrderGb, OrderModification};
use crate::session::Caller;
use crate::state::Gateway;

/// Does what `draft` says, on the route of `category`.
pub(super) async fn act(
    state: &Gateway,
    caller: &Caller,
    draft: OrderDraft,
    category: OrderCategory,
) -> Result<HttpResponse, ApiError> {
    if draft.order_category != category {
        return Err(ApiError::field(
            "orderCategory",
            "이 주소에서 받지 않는 종류예요",
        ));
    }
    let request_id = request_id(draft.req_sid.as_deref())?;
    let seen_remaining = quantity("remainQty", draft.remain_qty)?;
    let side = match draft.order_gb {
        OrderGb::Buy | OrderGb::CancelBuy | OrderGb::ModifyBuy => trading::OrderSide::Buy,
        OrderGb::Sell | OrderGb::CancelSell | OrderGb::ModifySell => trading::OrderSide::Sell,
    };
    let reply = match draft.order_gb {
        OrderGb::Buy | OrderGb::Sell => place(state, caller, draft, request_id, side).await,
        OrderGb::CancelBuy | OrderGb::CancelSell => {
            cancel(state, caller, &draft, request_id, side).await
        }
        OrderGb::ModifyBuy | OrderGb::ModifySell => {
            modify(state, caller, draft, request_id, side, seen_remaining).await
        }
    }?;
    respond(reply)
}

/// Answers what a request was answered, and closes one that has not arrived.
pub(in crate::routes) async fn close(
    state: &Gateway,
    caller: &Caller,
    asked: RequestRef,
) -> Result<HttpResponse, ApiError> {
    let request = trading::CloseRequestRequest {
        member_id: caller.member_id.0,
        request_id: request_id(Some(&asked.req_sid))?.to_string(),
    };
    let reply = state
        .orders
        .act(async |mut orders| orders.close_request(request).await)
        .await?;
    respond(reply)
}

fn respond(reply: trading::OrderReply) -> Result<HttpResponse, ApiError> {
    let mut response = HttpResponse::Ok();
    if reply.replayed {
        response.insert_header((REPLAYED, "true"));
    }
    Ok(response.json(OrderReply::try_from(reply)?))
}

async fn place(
    state: &Gateway,
    caller: &Caller,
    draft: OrderDraft,
    request_id: RequestId,
    side: trading::OrderSide,
) -> Result<trading::OrderReply, ApiError> {
    let price_asked = price("juPrc", draft.ju_prc)?;
    let quantity = needed("juQty", quantity("juQty", draft.ju_qty)?)?;
    let request = trading::PlaceOrderRequest {
        member_id: caller.member_id.0,
        account: Some(trading::AccountRef {
            account_no: draft.acno.map(String::from).unwrap_or_default(),
        }),
        request_id: request_id.to_string(),
        instrument_code: draft.isu_srt_cd.into(),
        side: side.into(),
        category: draft.order_category.to_proto().into(),
        price: price_asked.map(decimal),
        quantity: Some(decimal(quantity)),
        seen_price: price("bookPrc", draft.book_prc)?.map(decimal),
        risk_acknowledged: draft.risk_ack.unwrap_or_default(),
    };
    state
        .trading
        .act(async |mut trading| trading.place_order(request).await)
        .await
}

async fn cancel(
    state: &Gateway,
    caller: &Caller,
    draft: &OrderDraft,
    request_id: RequestId,
    side: trading::OrderSide,
) -> Result<trading::OrderReply, ApiError> {
    let order_id = draft
        .order_sid
        .ok_or_else(|| ApiError::field("orderSid", "취소할 주문이 필요해요"))?;
    let request = trading::CancelOrderRequest {
        member_id: caller.member_id.0,
        request_id: request_id.to_string(),
        order_id,
        side: side.into(),
        category: draft.order_category.to_proto().into(),
    };
    state
        .trading
        .act(async |mut trading| trading.cancel_order(request).await)
        .await
}

async fn modify(
    state: &Gateway,
    caller: &Caller,
    draft: OrderDraft,
    request_id: RequestId,
    side: trading::OrderSide,
    seen_remaining: Option<Decimal>,
) -> Result<trading::OrderReply, ApiError> {
    let order_id = draft
        .order_sid
        .ok_or_else(|| ApiError::field("orderSid", "정정할 주문이 필요해요"))?;
    let price = price("juPrc", draft.ju_prc)?;
    let quantity_asked = quantity("juQty", draft.ju_qty)?;
    // The words name what is changed; what they do not name stays, whatever else was sent.
    let (price, quantity) = match draft.order_mofication_type {
        Some(OrderModification::Price) => (Some(needed("juPrc", price)?), None),
        Some(OrderModification::Qty) => (None, Some(needed("juQty", quantity_asked)?)),
        Some(OrderModification::Both) => (
            Some(needed("juPrc", price)?),
            Some(needed("juQty", quantity_asked)?),
        ),
        None => (price, quantity_asked),
    };
    let request = trading::ModifyOrderRequest {
        member_id: caller.member_id.0,
        request_id: request_id.to_string(),
        order_id,
        side: side.into(),
        category: draft.order_category.to_proto().into(),
        instrument_code: draft.isu_srt_cd.into(),
        price: price.map(decimal),
        quantity: quantity.map(decimal),
        risk_acknowledged: draft.risk_ack.unwrap_or_default(),
        seen_remaining_quantity: seen_remaining.map(decimal),
    };
    state
        .orders
        .act(async |mut orders| orders.modify_order(request).await)
        .await
}

/// The retry key that was sent, or one of our own.
fn request_id(sent: Option<&str>) -> Result<RequestId, ApiError> {
    let made;
    let text = match sent {
        Some(text) => text,
        None => {
            made = uuid::Uuid::new_v4().to_string();
            &made
        }
    };
    RequestId::parse(text)
        .map_err(|_shape| ApiError::field("reqSid", "영문, 숫자, _, -로 된 8자에서 64자여야 해요"))
}
