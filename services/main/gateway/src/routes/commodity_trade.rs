//! Orders for gold, those that wait, and what a member holds of it.

use actix_web::{HttpResponse, web};
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi};

use super::shape::holding::Holding;
use super::shape::order::{Order, OrderDraft, OrderReply};
use super::shape::words::{Code, OrderCategory};
use super::trade::{self, AccountQuery, MemberCodePath, MemberPath};
use crate::body::Json;
use crate::error::ApiError;
use crate::params::{Path, Query};
use crate::registry::{Endpoint, Subject};
use crate::session::Caller;
use crate::state::Gateway;

#[derive(OpenApi)]
#[openapi(paths(
    order_gold,
    waiting_gold_orders,
    waiting_orders_of_gold,
    gold_holdings,
    holdings_of_gold
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Body, Path};
    vec![
        Endpoint::post("/api/v1/commodity/order", Body("memberSid"), order_gold),
        Endpoint::get(
            "/api/v1/commodity/wait/member/{sid}",
            Path("sid"),
            waiting_gold_orders,
        )
        .extension(),
        Endpoint::get(
            "/api/v1/commodity/wait/member/{sid}/code/{code}",
            Path("sid"),
            waiting_orders_of_gold,
        )
        .extension(),
        Endpoint::get("/api/v1/commodity/member/{id}", Path("id"), gold_holdings).extension(),
        Endpoint::get(
            "/api/v1/commodity/member/{id}/code/{code}",
            Path("id"),
            holdings_of_gold,
        ),
    ]
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the guard reads it; this describes it")]
struct HolderPath {
    /// The caller.
    id: i64,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct HolderCodePath {
    /// The caller.
    #[serde(rename = "id")]
    _id: i64,
    #[param(inline)]
    code: Code,
}

/// Order gold, or modify or cancel an order. World commodities are shown only.
#[utoipa::path(post, path = "/api/v1/commodity/order", tag = "commodity",
    request_body = OrderDraft,
    responses((status = 200, description = "How the order stands.", body = OrderReply)))]
async fn order_gold(
    state: web::Data<Gateway>,
    caller: Caller,
    draft: Json<OrderDraft>,
) -> Result<HttpResponse, ApiError> {
    trade::order(&state, &caller, draft.0, OrderCategory::Gold).await
}

/// Orders for gold that wait.
#[utoipa::path(get, path = "/api/v1/commodity/wait/member/{sid}", tag = "commodity",
    params(MemberPath, AccountQuery),
    responses((status = 200, description = "At most 100, newest first.", body = Vec<Order>)))]
async fn waiting_gold_orders(
    state: web::Data<Gateway>,
    caller: Caller,
    account: Query<AccountQuery>,
) -> Result<web::Json<Vec<Order>>, ApiError> {
    let orders = trade::waiting(&state, &caller, account.0, OrderCategory::Gold, None);
    Ok(web::Json(orders.await?))
}

/// Orders for one kind of gold that wait.
#[utoipa::path(get, path = "/api/v1/commodity/wait/member/{sid}/code/{code}", tag = "commodity",
    params(MemberCodePath, AccountQuery),
    responses((status = 200, description = "At most 100, newest first.", body = Vec<Order>)))]
async fn waiting_orders_of_gold(
    state: web::Data<Gateway>,
    caller: Caller,
    path: Path<MemberCodePath>,
    account: Query<AccountQuery>,
) -> Result<web::Json<Vec<Order>>, ApiError> {
    let code = Some(path.0.code);
    let orders = trade::waiting(&state, &caller, account.0, OrderCategory::Gold, code);
    Ok(web::Json(orders.await?))
}

/// Gold the caller holds.
#[utoipa::path(get, path = "/api/v1/commodity/member/{id}", tag = "commodity",
    params(HolderPath, AccountQuery),
    responses((status = 200, description = "One per account and item.", body = Vec<Holding>)))]
async fn gold_holdings(
    state: web::Data<Gateway>,
    caller: Caller,
    account: Query<AccountQuery>,
) -> Result<web::Json<Vec<Holding>>, ApiError> {
    let holdings = trade::holdings(&state, &caller, account.0, OrderCategory::Gold, None);
    Ok(web::Json(holdings.await?))
}

/// What the caller holds of one kind of gold.
#[utoipa::path(get, path = "/api/v1/commodity/member/{id}/code/{code}", tag = "commodity",
    params(HolderCodePath, AccountQuery),
    responses((status = 200, description = "At most one per account.", body = Vec<Holding>)))]
async fn holdings_of_gold(
    state: web::Data<Gateway>,
    caller: Caller,
    path: Path<HolderCodePath>,
    account: Query<AccountQuery>,
) -> Result<web::Json<Vec<Holding>>, ApiError> {
    let code = Some(path.0.code);
    let holdings = trade::holdings(&state, &caller, account.0, OrderCategory::Gold, code);
    Ok(web::Json(holdings.await?))
}
