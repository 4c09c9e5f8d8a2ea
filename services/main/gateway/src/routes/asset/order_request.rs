//! Placing, modifying and canceling orders: one route takes all three, and `orderGb` says which.

use actix_web::HttpResponse;
use kernel::RequestId;
use proto::convert::decimal;
use proto::trading::v1 as trading;
use rust_decimal::Decimal;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::authentication::Caller;
use crate::error::ApiError;
use crate::routes::repeatable;
use crate::state::AppState;
use crate::wire::amount::{order_amount, price, quantity, required};
use crate::wire::code::{Acno, Code};
use crate::wire::number::Exact;
use crate::wire::order::OrderReply;
use crate::wire::order_enums::{OrderCategory, OrderGb, OrderModification};
use crate::wire::request_id::request_id;

/// An order, or the modification or cancellation of one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderDraft {
    /// Account; `00` (also when it is missing) is one's basic account.
    pub(crate) acno: Option<Acno>,
    /// Code of the instrument.
    pub(crate) isu_srt_cd: Code,
    /// Its name; only shown back, never trusted.
    #[serde(default, rename = "isuKorNm")]
    #[schema(required = false)]
    pub(crate) _isu_kor_nm: Option<String>,
    /// Limit price in the instrument's currency; null or 0 is a market order.
    pub(crate) ju_prc: Option<Exact>,
    /// Quantity; of a modification what shall be left to fill. A cancellation does not need it. With
    /// `orderAmount` it may be absent, and is an upper bound otherwise.
    pub(crate) ju_qty: Option<Exact>,
    /// An extension of ours, of a market buy: won that the order may cost, fee and exchange spread
    /// included. It buys the largest quantity that this affords; what it no longer affords
    /// when the order fills ends with AMOUNT_REACHED.
    pub(crate) order_amount: Option<Exact>,
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    pub(crate) _member_sid: i64,
    pub(crate) order_gb: OrderGb,
    /// The order that is modified or cancelled.
    pub(crate) order_sid: Option<i64>,
    pub(crate) order_category: OrderCategory,
    /// The price the member saw.
    pub(crate) book_prc: Option<Exact>,
    /// What a modification changes; absent = whatever of price and quantity is given.
    pub(crate) order_mofication_type: Option<OrderModification>,
    /// Of a modification: the `remainQty` that the member saw when deciding. If it is another by
    /// now nothing is changed, and the answer is 3023 with the order as it stands. Absent =
    /// whatever is left now is modified.
    pub(crate) remain_qty: Option<Exact>,
    /// True when the member accepted the warning of the instrument.
    pub(crate) risk_ack: Option<bool>,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never orders twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub(crate) req_sid: Option<String>,
}

/// A request whose answer was lost.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestRef {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    pub(crate) _member_sid: i64,
    /// The retry key it was sent with.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub(crate) req_sid: String,
}

/// `category` is that of the route; another one in the draft is rejected.
pub(super) async fn submit(
    state: &AppState,
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
    let buys = draft.order_gb == OrderGb::Buy;
    let order_amount = order_amount(buys, draft.ju_prc, draft.order_amount)?;
    let seen_remaining = quantity("remainQty", draft.remain_qty)?;
    let side = match draft.order_gb {
        OrderGb::Buy | OrderGb::CancelBuy | OrderGb::ModifyBuy => trading::OrderSide::Buy,
        OrderGb::Sell | OrderGb::CancelSell | OrderGb::ModifySell => trading::OrderSide::Sell,
    };
    let reply = match draft.order_gb {
        OrderGb::Buy | OrderGb::Sell => {
            place(state, caller, draft, request_id, side, order_amount).await
        }
        OrderGb::CancelBuy | OrderGb::CancelSell => {
            cancel(state, caller, &draft, request_id, side).await
        }
        OrderGb::ModifyBuy | OrderGb::ModifySell => {
            modify(state, caller, draft, request_id, side, seen_remaining).await
        }
    }?;
    response(reply)
}

/// The reply of an earlier request. One that has not arrived is rejected now and if it arrives later.
pub(in crate::routes) async fn close(
    state: &AppState,
    caller: &Caller,
    earlier: RequestRef,
) -> Result<HttpResponse, ApiError> {
    let request = trading::CloseRequestRequest {
        member_id: caller.member_id.0,
        request_id: request_id(Some(&earlier.req_sid))?.to_string(),
    };
    let reply = state
        .orders
        .call(async |mut orders| orders.close_request(request).await)
        .await?;
    response(reply)
}

fn response(reply: trading::OrderReply) -> Result<HttpResponse, ApiError> {
    Ok(repeatable::reply(
        reply.replayed,
        OrderReply::try_from(reply)?,
    ))
}

async fn place(
    state: &AppState,
    caller: &Caller,
    draft: OrderDraft,
    request_id: RequestId,
    side: trading::OrderSide,
    order_amount_won: Option<i64>,
) -> Result<trading::OrderReply, ApiError> {
    let limit_price = price("juPrc", draft.ju_prc)?;
    let mut quantity = quantity("juQty", draft.ju_qty)?;
    if order_amount_won.is_none() {
        quantity = Some(required("juQty", quantity)?);
    }
    let request = trading::PlaceOrderRequest {
        member_id: caller.member_id.0,
        account: Some(trading::AccountRef {
            account_no: draft.acno.map(String::from).unwrap_or_default(),
        }),
        request_id: request_id.to_string(),
        instrument_code: draft.isu_srt_cd.into(),
        side: side.into(),
        category: draft.order_category.to_proto().into(),
        price: limit_price.map(decimal),
        quantity: quantity.map(decimal),
        seen_price: price("bookPrc", draft.book_prc)?.map(decimal),
        risk_acknowledged: draft.risk_ack.unwrap_or_default(),
        order_amount_won,
    };
    state
        .trading
        .call(async |mut trading| trading.place_order(request).await)
        .await
}

async fn cancel(
    state: &AppState,
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
        .call(async |mut trading| trading.cancel_order(request).await)
        .await
}

async fn modify(
    state: &AppState,
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
    let new_quantity = quantity("juQty", draft.ju_qty)?;
    // What the modification type does not name stays as it is, whatever else was sent.
    let (price, quantity) = match draft.order_mofication_type {
        Some(OrderModification::Price) => (Some(required("juPrc", price)?), None),
        Some(OrderModification::Qty) => (None, Some(required("juQty", new_quantity)?)),
        Some(OrderModification::Both) => (
            Some(required("juPrc", price)?),
            Some(required("juQty", new_quantity)?),
        ),
        None => (price, new_quantity),
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
        .call(async |mut orders| orders.modify_order(request).await)
        .await
}
