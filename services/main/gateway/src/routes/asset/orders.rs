//! Order requests, and orders that wait.

use actix_web::{HttpResponse, web};
use proto::trading::v1 as trading;
use serde::Deserialize;
use utoipa::IntoParams;

use super::kinds::AssetKind;
use super::order_request::{self, OrderDraft};
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::{Json, Path, Query};
use crate::routes::path::{CodePath, IdCodePath, IdPath};
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::code::{Acno, Code};
use crate::wire::order::{Order, OrderReply};
use crate::wire::rows::decode_rows;

#[utoipa::path(post, path = "order", request_body = OrderDraft,
    responses((status = 200, body = OrderReply)))]
pub(super) async fn order(
    kind: &'static AssetKind,
    state: State,
    caller: Caller,
    draft: Json<OrderDraft>,
) -> Result<HttpResponse, ApiError> {
    order_request::submit(&state, &caller, draft.0, kind.category).await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct AccountQuery {
    /// An account of the caller; absent = all of them.
    #[param(inline)]
    pub(super) acno: Option<Acno>,
}

#[utoipa::path(get, path = "waiting", params(IdPath, AccountQuery),
    responses((status = 200, body = Vec<Order>)))]
pub(super) async fn waiting_orders(
    kind: &'static AssetKind,
    state: State,
    caller: Caller,
    query: Query<AccountQuery>,
) -> Reply<Vec<Order>> {
    list_waiting_orders(kind, &state, &caller, None, query.0).await
}

#[utoipa::path(get, path = "waiting/{code}", params(IdCodePath, AccountQuery),
    responses((status = 200, body = Vec<Order>)))]
pub(super) async fn waiting_orders_of_code(
    kind: &'static AssetKind,
    state: State,
    caller: Caller,
    path: Path<CodePath>,
    query: Query<AccountQuery>,
) -> Reply<Vec<Order>> {
    list_waiting_orders(kind, &state, &caller, Some(path.0.code), query.0).await
}

async fn list_waiting_orders(
    kind: &AssetKind,
    state: &AppState,
    caller: &Caller,
    code: Option<Code>,
    account: AccountQuery,
) -> Reply<Vec<Order>> {
    let request = trading::ListWaitingOrdersRequest {
        member_id: caller.member_id.0,
        account_no: account.acno.map(String::from).unwrap_or_default(),
        category: kind.category.to_proto().into(),
        instrument_code: code.map(String::from).unwrap_or_default(),
    };
    let listed = state
        .trading
        .call_idempotent(async |mut trading| trading.list_waiting_orders(request.clone()).await)
        .await?;
    Ok(web::Json(decode_rows(listed.orders)))
}
