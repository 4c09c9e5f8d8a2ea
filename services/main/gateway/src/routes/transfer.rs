//! Transfers between the caller's accounts, and closing sub-accounts.

mod movements;

use actix_web::{HttpResponse, web};
use proto::convert::InvalidField;
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::repeatable;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Path};
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::code::{Acno, TargetAcno};
use crate::wire::request_id::request_id;
use crate::wire::time::kst;
use crate::wire::won::PositiveWon;

#[derive(OpenApi)]
#[openapi(paths(
    transfer,
    transfer_sheet,
    transfer_possible,
    movements::cash_movements,
    movements::cash_movements_of_member,
    close_account
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(
            "/api/v1/invest/transfer",
            Subject::Body("memberSid"),
            transfer,
        ),
        Endpoint::get(
            "/api/v1/invest/transfer/member/{id}/account/{acno}",
            Subject::Path("id"),
            transfer_sheet,
        ),
        Endpoint::get(
            "/api/v1/invest/transfer-possible/member/{id}/account/{acno}",
            Subject::Path("id"),
            transfer_possible,
        ),
        Endpoint::get(
            "/api/v1/invest/all-transfer-list/member/",
            Subject::Owner,
            movements::cash_movements,
        ),
        Endpoint::get(
            "/api/v1/invest/all-transfer-list/member/{sid}",
            Subject::Path("sid"),
            movements::cash_movements_of_member,
        )
        .extension(),
        Endpoint::delete(
            "/api/v1/invest/account/{id}",
            Subject::Body("memberSid"),
            close_account,
        )
        .extension(),
    ]
}

/// Won to be moved between two accounts of the caller.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TransferDraft {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    from_acno: Acno,
    /// The first transfer to the bare code of a sub-account opens it.
    to_acno: TargetAcno,
    amount: PositiveWon,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never moves money twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// A transfer that is done.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Transfer {
    transfer_sid: i64,
    status: TransferStatus,
    from_acno: String,
    to_acno: String,
    /// Won.
    amount: i64,
    /// Won of both accounts afterwards, including what is held for orders.
    from_deposit: i64,
    to_deposit: i64,
    at: String,
    message: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum TransferStatus {
    Completed,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct AccountPath {
    /// The caller.
    #[serde(rename = "id")]
    _id: i64,
    /// An account of the caller.
    #[param(inline)]
    acno: Acno,
}

/// What a transfer sheet needs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TransferSheet {
    source: TransferSource,
    targets: Vec<TransferTarget>,
}

/// The account that pays.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TransferSource {
    acno: String,
    act_nm: String,
    /// Won, including what is held for orders.
    deposit: i64,
    /// Won held for orders.
    held: i64,
    /// Won of sales that are not settled.
    unsettled: i64,
    transferable: i64,
}

/// An account that can receive.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TransferTarget {
    /// The number, or the bare code of a sub-account that the transfer opens.
    acno: String,
    act_nm: String,
    deposit: i64,
    is_open: bool,
}

/// What can be moved out of an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Transferable {
    acno: String,
    transferable: i64,
    held: i64,
    unsettled: i64,
}

/// A sub-account to be closed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CloseAccountDraft {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ClosedPath {
    /// A sub-account of the caller.
    #[param(inline)]
    id: Acno,
}

/// An account that is closed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ClosedAccount {
    acno: String,
    is_closed: bool,
    at: String,
    message: String,
}

/// Move won between two of one's own accounts, at once.
#[utoipa::path(post, path = "/api/v1/invest/transfer", tag = "invest", request_body = TransferDraft,
    responses((status = 200, description = "It is done.", body = Transfer)))]
async fn transfer(
    state: State,
    caller: Caller,
    draft: Json<TransferDraft>,
) -> Result<HttpResponse, ApiError> {
    let draft = draft.0;
    let request = trading::TransferRequest {
        member_id: caller.member_id.0,
        request_id: request_id(draft.req_sid.as_deref())?.to_string(),
        from_account_no: draft.from_acno.into(),
        to_account_no: draft.to_acno.into(),
        amount_won: draft.amount.0,
    };
    let reply = state
        .transfers
        .call(async |mut transfers| transfers.transfer(request).await)
        .await?;
    let replayed = reply.replayed;
    Ok(repeatable::reply(replayed, Transfer::try_from(reply)?))
}

/// What a transfer from an account needs to know.
#[utoipa::path(get, path = "/api/v1/invest/transfer/member/{id}/account/{acno}", tag = "invest",
    params(AccountPath),
    responses((status = 200, description = "The account and those that can receive.",
            body = TransferSheet),
        (status = 422, description = "The account takes part in no transfers.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
async fn transfer_sheet(
    state: State,
    caller: Caller,
    path: Path<AccountPath>,
) -> Reply<TransferSheet> {
    let sheet = sheet_of(&state, &caller, path.0.acno).await?;
    let targets = sheet.targets.into_iter();
    Ok(web::Json(TransferSheet {
        source: sheet.source.ok_or(InvalidField("source"))?.into(),
        targets: targets.map(TransferTarget::from).collect(),
    }))
}

/// How much can be moved out of an account.
#[utoipa::path(get, path = "/api/v1/invest/transfer-possible/member/{id}/account/{acno}",
    tag = "invest", params(AccountPath),
    responses((status = 200, description = "Won.", body = Transferable),
        (status = 422, description = "The account takes part in no transfers.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
async fn transfer_possible(
    state: State,
    caller: Caller,
    path: Path<AccountPath>,
) -> Reply<Transferable> {
    let sheet = sheet_of(&state, &caller, path.0.acno).await?;
    let source = sheet.source.ok_or(InvalidField("source"))?;
    Ok(web::Json(Transferable {
        acno: source.account_no,
        transferable: source.transferable_won,
        held: source.held_won,
        unsettled: source.unsettled_won,
    }))
}

async fn sheet_of(
    state: &AppState,
    caller: &Caller,
    acno: Acno,
) -> Result<trading::TransferSheet, ApiError> {
    let request = trading::GetTransferSheetRequest {
        member_id: caller.member_id.0,
        account_no: acno.into(),
    };
    state
        .transfers
        .call_idempotent(async |mut transfers| transfers.get_transfer_sheet(request.clone()).await)
        .await
}

/// Close a sub-account in which nothing is left. The next transfer to its kind opens another one.
#[utoipa::path(delete, path = "/api/v1/invest/account/{id}", tag = "invest", params(ClosedPath),
    request_body = CloseAccountDraft,
    responses((status = 200, description = "It is closed.", body = ClosedAccount)))]
async fn close_account(
    state: State,
    caller: Caller,
    path: Path<ClosedPath>,
    draft: Json<CloseAccountDraft>,
) -> Result<HttpResponse, ApiError> {
    let request = trading::CloseAccountRequest {
        member_id: caller.member_id.0,
        request_id: request_id(draft.0.req_sid.as_deref())?.to_string(),
        account_no: path.0.id.into(),
    };
    let reply = state
        .transfers
        .call(async |mut transfers| transfers.close_account(request).await)
        .await?;
    let closed = ClosedAccount {
        at: kst(reply.closed_at_us, "closed_at_us")?,
        acno: reply.account_no,
        is_closed: true,
        message: reply.message,
    };
    Ok(repeatable::reply(reply.replayed, closed))
}

impl TryFrom<trading::TransferReply> for Transfer {
    type Error = InvalidField;

    fn try_from(reply: trading::TransferReply) -> Result<Self, InvalidField> {
        Ok(Self {
            transfer_sid: reply.transfer_id,
            status: TransferStatus::Completed,
            amount: reply.amount_won,
            from_deposit: reply.from_deposit_won,
            to_deposit: reply.to_deposit_won,
            at: kst(reply.occurred_at_us, "occurred_at_us")?,
            from_acno: reply.from_account_no,
            to_acno: reply.to_account_no,
            message: reply.message,
        })
    }
}

impl From<trading::TransferAccount> for TransferSource {
    fn from(account: trading::TransferAccount) -> Self {
        Self {
            deposit: account.deposit_won,
            held: account.held_won,
            unsettled: account.unsettled_won,
            transferable: account.transferable_won,
            acno: account.account_no,
            act_nm: account.account_name,
        }
    }
}

impl From<trading::TransferAccount> for TransferTarget {
    fn from(account: trading::TransferAccount) -> Self {
        Self {
            deposit: account.deposit_won,
            is_open: account.is_open,
            acno: account.account_no,
            act_nm: account.account_name,
        }
    }
}
