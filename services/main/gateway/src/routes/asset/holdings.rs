//! Holdings of a member.

use actix_web::web;
use proto::trading::v1 as trading;

use super::holding::Holding;
use super::kinds::AssetKind;
use super::orders::AccountQuery;
use crate::authentication::Caller;
use crate::extract::{Path, Query};
use crate::routes::path::{CodePath, IdCodePath, IdPath};
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::code::Code;
use crate::wire::rows::decode_rows;

#[utoipa::path(get, path = "holdings", params(IdPath, AccountQuery),
    responses((status = 200, body = Vec<Holding>)))]
pub(super) async fn holdings(
    kind: &'static AssetKind,
    state: State,
    caller: Caller,
    query: Query<AccountQuery>,
) -> Reply<Vec<Holding>> {
    list_holdings(kind, &state, &caller, None, query.0).await
}

#[utoipa::path(get, path = "holdings/{code}", params(IdCodePath, AccountQuery),
    responses((status = 200, body = Vec<Holding>)))]
pub(super) async fn holdings_of_code(
    kind: &'static AssetKind,
    state: State,
    caller: Caller,
    path: Path<CodePath>,
    query: Query<AccountQuery>,
) -> Reply<Vec<Holding>> {
    list_holdings(kind, &state, &caller, Some(path.0.code), query.0).await
}

async fn list_holdings(
    kind: &AssetKind,
    state: &AppState,
    caller: &Caller,
    code: Option<Code>,
    account: AccountQuery,
) -> Reply<Vec<Holding>> {
    let request = trading::ListHoldingsRequest {
        member_id: caller.member_id.0,
        account_no: account.acno.map(String::from).unwrap_or_default(),
        category: kind.category.to_proto().into(),
        instrument_code: code.map(String::from).unwrap_or_default(),
    };
    let listing = state
        .trading
        .call_idempotent(async |mut trading| trading.list_holdings(request.clone()).await);
    let (listed, likes) = tokio::join!(listing, state.shared_reads.likes(Some(caller)));
    let mut holdings: Vec<Holding> = decode_rows(listed?.holdings);
    likes.mark(&mut holdings);
    Ok(web::Json(holdings))
}
