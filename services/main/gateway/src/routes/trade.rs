//! What the stock and coin routes ask of trading in the same way.

use actix_web::HttpResponse;
use kernel::RequestId;
use proto::trading::v1 as trading;
use rust_decimal::Decimal;
use serde::Deserialize;
use utoipa::IntoParams;

use super::liked::Liked;
use super::shape::holding::Holding;
use super::shape::number::Exact;
use super::shape::order::{Order, OrderDraft, OrderReply};
use super::shape::words::{Acno, Code, OrderCategory, OrderGb, OrderModification};
use crate::error::ApiError;
use crate::session::Caller;
use crate::state::Gateway;

/// Tells a client that it was answered from the memory of an earlier request.
pub(crate) const REPLAYED: &str = "Idempotent-Replayed";

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct AccountQuery {
    /// An account of the caller; absent = all of them.
    #[param(inline)]
    pub(super) acno: Option<Acno>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the guard reads it; this describes it")]
pub(super) struct MemberPath {
    /// The caller.
    sid: i64,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct MemberCodePath {
    /// The caller.
    #[serde(rename = "sid")]
    _sid: i64,
    #[param(inline)]
    pub(super) code: Code,
}

/// Places, modifies or cancels what `draft` says, on the route of `category`.
pub(super) async fn order(
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
    let reply = match draft.order_gb {
        OrderGb::Buy => place(state, caller, draft, request_id, trading::OrderSide::Buy).await,
        OrderGb::Sell => place(state, caller, draft, request_id, trading::OrderSide::Sell).await,
        OrderGb::CancelBuy => {
            cancel(state, caller, draft, request_id, trading::OrderSide::Buy).await
        }
        OrderGb::CancelSell => {
            cancel(state, caller, draft, request_id, trading::OrderSide::Sell).await
        }
        OrderGb::ModifyBuy => {
            modify(state, caller, draft, request_id, trading::OrderSide::Buy).await
        }
        OrderGb::ModifySell => {
            modify(state, caller, draft, request_id, trading::OrderSide::Sell).await
        }
    }?;
    let mut response = HttpResponse::Ok();
    if reply.replayed {
        response.insert_header((REPLAYED, "true"));
    }
    Ok(response.json(OrderReply::try_from(reply)?))
}

/// Orders of the caller that wait.
pub(super) async fn waiting(
    state: &Gateway,
    caller: &Caller,
    account: AccountQuery,
    category: OrderCategory,
    code: Option<Code>,
) -> Result<Vec<Order>, ApiError> {
    let request = trading::ListWaitingOrdersRequest {
        member_id: caller.member_id.0,
        account_no: text(account.acno.as_ref().map(Acno::as_str)),
        category: category.to_proto().into(),
        instrument_code: text(code.as_ref().map(Code::as_str)),
    };
    let answer = state
        .trading
        .read(async |mut trading| trading.list_waiting_orders(request.clone()).await)
        .await?;
    let orders = answer.orders.into_iter().map(Order::try_from);
    Ok(orders.collect::<Result<_, _>>()?)
}

/// What the caller holds.
pub(super) async fn holdings(
    state: &Gateway,
    caller: &Caller,
    account: AccountQuery,
    category: OrderCategory,
    code: Option<Code>,
) -> Result<Vec<Holding>, ApiError> {
    let request = trading::ListHoldingsRequest {
        member_id: caller.member_id.0,
        account_no: text(account.acno.as_ref().map(Acno::as_str)),
        category: category.to_proto().into(),
        instrument_code: text(code.as_ref().map(Code::as_str)),
    };
    let listing = state
        .trading
        .read(async |mut trading| trading.list_holdings(request.clone()).await);
    let (answer, liked) = tokio::join!(listing, Liked::of(state, Some(caller)));
    let holdings = answer?.holdings.into_iter().map(Holding::try_from);
    let mut holdings: Vec<Holding> = holdings.collect::<Result<_, _>>()?;
    liked.mark(&mut holdings);
    Ok(holdings)
}

async fn place(
    state: &Gateway,
    caller: &Caller,
    draft: OrderDraft,
    request_id: RequestId,
    side: trading::OrderSide,
) -> Result<trading::OrderReply, ApiError> {
    let price = not_negative("juPrc", draft.ju_prc)?;
    let quantity = not_negative("juQty", draft.ju_qty)?
        .ok_or_else(|| ApiError::field("juQty", "꼭 필요한 값이에요"))?;
    let seen_price = not_negative("bookPrc", draft.book_prc)?;
    let request = trading::PlaceOrderRequest {
        member_id: caller.member_id.0,
        account: Some(trading::AccountRef {
            account_no: text(draft.acno.as_ref().map(Acno::as_str)),
        }),
        request_id: request_id.to_string(),
        instrument_code: draft.isu_srt_cd.as_str().to_owned(),
        side: side.into(),
        category: draft.order_category.to_proto().into(),
        price: price.filter(is_set).map(proto::convert::decimal),
        quantity: Some(proto::convert::decimal(quantity)),
        seen_price: seen_price.filter(is_set).map(proto::convert::decimal),
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
    draft: OrderDraft,
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
) -> Result<trading::OrderReply, ApiError> {
    let order_id = draft
        .order_sid
        .ok_or_else(|| ApiError::field("orderSid", "정정할 주문이 필요해요"))?;
    let price = not_negative("juPrc", draft.ju_prc)?.filter(is_set);
    let quantity = not_negative("juQty", draft.ju_qty)?;
    // The words name what is changed; what they do not name stays, whatever else was sent.
    let (price, quantity) = match draft.order_mofication_type {
        Some(OrderModification::Price) => (Some(needed("juPrc", price)?), None),
        Some(OrderModification::Qty) => (None, Some(needed("juQty", quantity)?)),
        Some(OrderModification::Both) => (
            Some(needed("juPrc", price)?),
            Some(needed("juQty", quantity)?),
        ),
        None => (price, quantity),
    };
    let request = trading::ModifyOrderRequest {
        member_id: caller.member_id.0,
        request_id: request_id.to_string(),
        order_id,
        side: side.into(),
        category: draft.order_category.to_proto().into(),
        instrument_code: draft.isu_srt_cd.as_str().to_owned(),
        price: price.map(proto::convert::decimal),
        quantity: quantity.map(proto::convert::decimal),
        risk_acknowledged: draft.risk_ack.unwrap_or_default(),
    };
    state
        .orders
        .act(async |mut orders| orders.modify_order(request).await)
        .await
}

fn needed(field: &str, number: Option<Decimal>) -> Result<Decimal, ApiError> {
    number.ok_or_else(|| ApiError::field(field, "꼭 필요한 값이에요"))
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

pub(super) fn not_negative(
    field: &str,
    number: Option<Exact>,
) -> Result<Option<Decimal>, ApiError> {
    match number {
        Some(Exact(number)) if number.is_sign_negative() && !number.is_zero() => {
            Err(ApiError::field(field, "0보다 작을 수 없어요"))
        }
        Some(Exact(number)) => Ok(Some(number)),
        None => Ok(None),
    }
}

pub(super) fn is_set(number: &Decimal) -> bool {
    !number.is_zero()
}

fn text(value: Option<&str>) -> String {
    value.unwrap_or_default().to_owned()
}
