//! Accounts, order sheets and receipts.

mod account;
mod capacity;
mod items;
mod preview;

use actix_web::{HttpResponse, web};
use proto::trading::v1 as trading;
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi};

use super::asset::order_request::{self, RequestRef};
use super::path::{IdCodePath, IdPath};
use account::AccountSummary;
use capacity::OrderCapacity;
use preview::{OrderPreview, PreviewDraft};

use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::error::{ApiError, Reason};
use crate::extract::{Json, Path, Query};
use crate::routes::{Reply, State};
use crate::wire::amount;
use crate::wire::code::Acno;
use crate::wire::number::Exact;
use crate::wire::order::{OrderDetail, OrderReply};
use crate::wire::order_enums::Side;

#[derive(OpenApi)]
#[openapi(paths(
    account,
    order_capacity,
    order,
    preview,
    close_request,
    items::buy_item,
    items::buy_item_list
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/invest/account/{id}", Subject::Path("id"), account),
        Endpoint::get(
            "/api/v1/invest/member/{id}/code/{code}",
            Subject::Path("id"),
            order_capacity,
        ),
        Endpoint::get("/api/v1/invest/order/{orderSid}", Subject::Owner, order).extension(),
        Endpoint::post(
            "/api/v1/invest/preview",
            Subject::Body("memberSid"),
            preview,
        )
        .class(Class::Read)
        .extension(),
        Endpoint::post(
            "/api/v1/invest/close-request",
            Subject::Body("memberSid"),
            close_request,
        )
        .extension(),
        Endpoint::post(
            "/api/v1/invest/buy-item",
            Subject::Body("memberSid"),
            items::buy_item,
        ),
        Endpoint::get(
            "/api/v1/invest/buy-item-list",
            Subject::Query("memberSid"),
            items::buy_item_list,
        ),
    ]
}

/// The caller's accounts, what they are worth and the level that makes. The basic account is
/// opened when there is none.
#[utoipa::path(get, path = "/api/v1/invest/account/{id}", tag = "invest", params(IdPath),
    responses((status = 200, description = "The summary.", body = AccountSummary)))]
async fn account(state: State, caller: Caller) -> Reply<AccountSummary> {
    let request = trading::GetAccountSummaryRequest {
        member_id: caller.member_id.0,
    };
    let summary = state
        .trading
        .call_idempotent(async |mut trading| trading.get_account_summary(request).await)
        .await?;
    Ok(web::Json(AccountSummary::new(caller.member_id, summary)?))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct CapacityQuery {
    /// An account of the caller; absent = the basic one.
    #[param(inline)]
    acno: Option<Acno>,
    /// The limit price to reckon with; absent or 0 = a market order.
    #[param(value_type = Option<Exact>, inline)]
    ju_prc: Option<String>,
}

/// How much of an instrument the caller can buy and sell, and by which rules.
#[utoipa::path(get, path = "/api/v1/invest/member/{id}/code/{code}", tag = "invest",
    params(IdCodePath, CapacityQuery),
    responses((status = 200, description = "What an order sheet needs.", body = OrderCapacity),
        (status = 422, description = "The instrument is not traded.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
async fn order_capacity(
    state: State,
    caller: Caller,
    path: Path<IdCodePath>,
    query: Query<CapacityQuery>,
) -> Reply<OrderCapacity> {
    let Query(query) = query;
    let price = match query.ju_prc.as_deref() {
        None | Some("") => None,
        // JSON would accept spaces around the number.
        Some(text) => serde_json::from_str::<Exact>(text)
            .ok()
            .filter(|price| !price.0.is_sign_negative() && !text.contains(char::is_whitespace))
            .ok_or_else(|| ApiError::field("juPrc", "가격이 올바르지 않아요"))
            .map(|price| Some(price.0))?,
    };
    let request = trading::GetOrderCapacityRequest {
        member_id: caller.member_id.0,
        account_no: query.acno.map(String::from).unwrap_or_default(),
        instrument_code: path.0.code.into(),
        price: price
            .filter(|price| !price.is_zero())
            .map(proto::convert::decimal),
    };
    let capacity = state
        .trading
        .call_idempotent(async |mut trading| trading.get_order_capacity(request.clone()).await)
        .await?;
    Ok(web::Json(capacity.try_into()?))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Path)]
struct OrderPath {
    /// An order of the caller.
    order_sid: i64,
}

/// An order of the caller with its receipts.
#[utoipa::path(get, path = "/api/v1/invest/order/{orderSid}", tag = "invest", params(OrderPath),
    responses((status = 200, description = "The order and its fills.", body = OrderDetail)))]
async fn order(state: State, caller: Caller, path: Path<OrderPath>) -> Reply<OrderDetail> {
    let request = trading::GetOrderRequest {
        member_id: caller.member_id.0,
        order_id: path.0.order_sid,
    };
    if request.order_id <= 0 {
        return Err(Reason::OrderNotFound.into());
    }
    let detail = state
        .trading
        .call_idempotent(async |mut trading| trading.get_order(request).await)
        .await?;
    Ok(web::Json(detail.try_into()?))
}

/// What one fill of an order would book, to the won.
#[utoipa::path(post, path = "/api/v1/invest/preview", tag = "invest",
    request_body = PreviewDraft,
    responses((status = 200, description = "Cost or proceeds.", body = OrderPreview)))]
async fn preview(state: State, caller: Caller, draft: Json<PreviewDraft>) -> Reply<OrderPreview> {
    let draft = draft.0;
    let price = amount::price("juPrc", draft.ju_prc)?;
    let buys = draft.side == Side::Buy;
    let order_amount_won = amount::order_amount(buys, draft.ju_prc, draft.order_amount)?;
    let mut quantity = amount::quantity("juQty", draft.ju_qty)?;
    if order_amount_won.is_none() {
        quantity = Some(amount::required("juQty", quantity)?);
    }
    let request = trading::PreviewOrderRequest {
        member_id: caller.member_id.0,
        account_no: draft.acno.map(String::from).unwrap_or_default(),
        instrument_code: draft.isu_srt_cd.into(),
        side: match draft.side {
            Side::Buy => trading::OrderSide::Buy,
            Side::Sell => trading::OrderSide::Sell,
        }
        .into(),
        price: price.map(proto::convert::decimal),
        quantity: quantity.map(proto::convert::decimal),
        order_amount_won,
    };
    let preview = state
        .orders
        .call_idempotent(async |mut orders| orders.preview_order(request.clone()).await)
        .await?;
    Ok(web::Json(preview.try_into()?))
}

/// What became of an order, modification or cancellation whose answer was lost: what its request
/// was answered, with the order as it stands now. A request that has not arrived is closed: it is
/// refused with 3024, now and should it arrive later, so it can never have an effect.
#[utoipa::path(post, path = "/api/v1/invest/close-request", tag = "invest",
    request_body = RequestRef,
    responses((status = 200, description = "It was done.", body = OrderReply)))]
async fn close_request(
    state: State,
    caller: Caller,
    earlier: Json<RequestRef>,
) -> Result<HttpResponse, ApiError> {
    order_request::close(&state, &caller, earlier.0).await
}
