//! The caller's cash (캐시).

use actix_web::{HttpResponse, web};
use proto::trading::v1::{ExchangeCashRequest, GetBalancesRequest};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::repeatable;
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::Json;
use crate::routes::{Reply, State};
use crate::wire::amount::{MAX_AMOUNT, within};
use crate::wire::request_id::request_id;

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "read by the authorization; this describes it")]
struct CashQuery {
    /// The caller.
    member_sid: i64,
}

/// Cash of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Cash {
    member_sid: i64,
    cash: i64,
}

/// Cash of the caller.
#[utoipa::path(get, path = "/api/v1/auth/cash", tag = "auth", params(CashQuery),
    responses((status = 200, description = "The cash.", body = Cash)))]
pub(super) async fn cash(state: State, caller: Caller) -> Reply<Cash> {
    let request = GetBalancesRequest {
        member_id: caller.member_id.0,
    };
    let balances = state
        .trading
        .call_idempotent(async |mut trading| trading.get_balances(request).await)
        .await?;
    Ok(web::Json(Cash {
        member_sid: caller.member_id.0,
        cash: balances.cash,
    }))
}

/// Cash to be turned into won.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeCashBody {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    /// 1 to what the caller has.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    cash: i64,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never exchanges twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// What an exchange did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangedCash {
    /// Cash that is left.
    cash: i64,
    /// Cash that was turned into won.
    changed_cash: i64,
    /// Won that reached the basic account.
    won: i64,
    /// Won of the account afterwards.
    deposit: i64,
    message: String,
}

/// Turn cash into won of the basic account: 1,000 won each.
#[utoipa::path(put, path = "/api/v1/auth/change-cash", tag = "auth",
    request_body = ChangeCashBody,
    responses((status = 200, description = "It was done.", body = ChangedCash)))]
pub(super) async fn change_cash(
    state: State,
    caller: Caller,
    Json(body): Json<ChangeCashBody>,
) -> Result<HttpResponse, ApiError> {
    let request = ExchangeCashRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        cash: within("cash", body.cash, 1, MAX_AMOUNT)?,
    };
    let reply = state
        .cash
        .call(async |mut cash| cash.exchange_cash(request).await)
        .await?;
    let body = ChangedCash {
        cash: reply.cash_left,
        changed_cash: reply.cash,
        won: reply.won,
        deposit: reply.deposit_won,
        message: reply.message,
    };
    Ok(repeatable::reply(reply.replayed, body))
}
