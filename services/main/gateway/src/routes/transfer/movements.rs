//! What moved the caller's cash without an order.

use actix_web::web;
use proto::convert::InvalidField;
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::path::SidPath;
use crate::authentication::Caller;
use crate::extract::Query;
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::code::Acno;
use crate::wire::page::{cursor, page_size, season};
use crate::wire::rows::decode_rows;
use crate::wire::time::kst;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct MovementQuery {
    /// An account of the caller; absent = all of them.
    #[param(inline)]
    acno: Option<Acno>,
    /// Where the page before ended (`nextCursor`); absent = the first page.
    #[param(pattern = "^[0-9]{0,18}$")]
    cursor: Option<String>,
    /// Movements of a page; 20 when absent.
    #[param(minimum = 1, maximum = 100)]
    size: Option<i32>,
    /// Absent = the present one.
    #[param(minimum = 1)]
    season: Option<i32>,
}

/// A page of what moved cash without an order, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CashMovements {
    transfers: Vec<CashMovement>,
    /// `cursor` of the next page; null on the last one.
    next_cursor: Option<String>,
}

/// A movement of cash.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CashMovement {
    transfer_sid: i64,
    /// TRANSFERRED, DIVIDEND_PAID, ACCOUNT_OPENED, SHARE_SPLIT …; more kinds may come.
    kind: String,
    /// Won, positive.
    amount: i64,
    /// Null where the money came from outside the caller's accounts.
    from_acno: Option<String>,
    from_act_nm: Option<String>,
    /// Null where the money left them.
    to_acno: Option<String>,
    to_act_nm: Option<String>,
    /// Of transfers: won of both accounts afterwards, and the retry key.
    from_deposit: Option<i64>,
    to_deposit: Option<i64>,
    req_sid: Option<String>,
    at: String,
}

/// What moved the caller's cash without an order: transfers, dividends, interest, points, contracts.
#[utoipa::path(get, path = "/api/v1/invest/all-transfer-list/member/", tag = "invest",
    params(MovementQuery),
    responses((status = 200, description = "One page.", body = CashMovements)))]
pub(super) async fn cash_movements(
    state: State,
    caller: Caller,
    query: Query<MovementQuery>,
) -> Reply<CashMovements> {
    list_movements(&state, &caller, query.0).await
}

/// As without a member in the path.
#[utoipa::path(get, path = "/api/v1/invest/all-transfer-list/member/{sid}", tag = "invest",
    params(SidPath, MovementQuery),
    responses((status = 200, description = "One page.", body = CashMovements)))]
pub(super) async fn cash_movements_of_member(
    state: State,
    caller: Caller,
    query: Query<MovementQuery>,
) -> Reply<CashMovements> {
    list_movements(&state, &caller, query.0).await
}

async fn list_movements(
    state: &AppState,
    caller: &Caller,
    query: MovementQuery,
) -> Reply<CashMovements> {
    let request = trading::ListCashMovementsRequest {
        member_id: caller.member_id.0,
        account_no: query.acno.map(String::from).unwrap_or_default(),
        before_id: cursor(query.cursor.as_deref())?,
        size: page_size(query.size)?,
        season: season(query.season)?,
    };
    let page = state
        .transfers
        .call_idempotent(async |mut transfers| transfers.list_cash_movements(request.clone()).await)
        .await?;
    Ok(web::Json(CashMovements {
        transfers: decode_rows(page.movements),
        next_cursor: Some(page.next_before_id)
            .filter(|id| *id != 0)
            .map(|id| id.to_string()),
    }))
}

impl TryFrom<trading::CashMovement> for CashMovement {
    type Error = InvalidField;

    fn try_from(movement: trading::CashMovement) -> Result<Self, InvalidField> {
        let filled = |text: String| Some(text).filter(|text| !text.is_empty());
        Ok(Self {
            transfer_sid: movement.movement_id,
            amount: movement.amount_won,
            at: kst(movement.occurred_at_us, "occurred_at_us")?,
            kind: movement.kind,
            from_acno: filled(movement.from_account_no),
            from_act_nm: filled(movement.from_account_name),
            to_acno: filled(movement.to_account_no),
            to_act_nm: filled(movement.to_account_name),
            from_deposit: movement.from_deposit_won,
            to_deposit: movement.to_deposit_won,
            req_sid: filled(movement.request_id),
        })
    }
}
