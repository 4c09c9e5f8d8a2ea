//! Contracts of deposits and savings plans: opening, paying in, closing.

pub(crate) mod contract_view;

use actix_web::{HttpResponse, web};
use proto::trading::v1 as trading;
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::path::SidPath;
use super::repeatable;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Path};
use crate::routes::{Reply, State};
use crate::wire::amount::{MAX_AMOUNT, within};
use crate::wire::code::Acno;
use crate::wire::product::{ProductSid, ReserveType};
use crate::wire::request_id::request_id;
use crate::wire::rows::decode_rows;
use contract_view::{
    CancelInfo, ClosedContract, Contract, ContractChange, ContractSchedule, MaturityAction,
};

#[derive(OpenApi)]
#[openapi(paths(
    open_contract,
    close_contract,
    pay_into_contract,
    contracts,
    cancel_info,
    schedule
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let of_caller = Subject::Path("sid");
    let in_body = Subject::Body("memberSid");
    vec![
        Endpoint::post("/api/v1/product", in_body, open_contract),
        Endpoint::delete("/api/v1/product", in_body, close_contract),
        Endpoint::post("/api/v1/product/payment", in_body, pay_into_contract).extension(),
        Endpoint::get("/api/v1/product/member/{sid}", of_caller, contracts),
        Endpoint::get(
            "/api/v1/product/account/{acno}/member/{sid}/cancel-info",
            of_caller,
            cancel_info,
        ),
        Endpoint::get(
            "/api/v1/product/account/{acno}/member/{sid}/schedule",
            of_caller,
            schedule,
        )
        .extension(),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ContractPath {
    /// The account of the contract.
    #[param(inline)]
    acno: Acno,
    /// The caller.
    #[serde(rename = "sid")]
    _sid: i64,
}

/// A contract to be opened with money of the basic account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OpenContractBody {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    #[schema(inline)]
    product_sid: ProductSid,
    /// Months, one of the product's terms.
    #[schema(minimum = 1, maximum = 600)]
    save_trm: i32,
    /// Of a savings plan that is offered in both ways; absent = as the product has it.
    #[schema(inline)]
    rsrv_type: Option<ReserveType>,
    /// Won: the principal, or the sum of every month.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    amount: i64,
    /// Day of the month on which equal sums of a savings plan are taken, 1 to 31; absent = that of
    /// the opening. Nothing else has one.
    #[schema(minimum = 1, maximum = 31)]
    transfer_day: Option<i32>,
    /// The member says that the conditions of the best rate are met.
    preferential: Option<bool>,
    /// Absent = PAY.
    #[schema(inline)]
    maturity_action: Option<MaturityAction>,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never opens two contracts.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// A contract to be closed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CloseContractBody {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    /// The account of the contract.
    acno: Acno,
    /// The `payout` that the member saw. If it is another by now nothing is closed, and the answer is
    /// 3051 with the new one. Absent = whatever it is.
    #[schema(minimum = 0, maximum = 9_007_199_254_740_991_i64)]
    payout: Option<i64>,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// A payment into a savings plan.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PaymentBody {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    /// The account of the contract.
    acno: Acno,
    /// Won: the sum of a month, or of a free plan any sum up to the contract's `payable`.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    amount: i64,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never pays twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// Open a deposit or a savings plan.
#[utoipa::path(post, path = "/api/v1/product", tag = "product", request_body = OpenContractBody,
    responses((status = 200, description = "The contract.", body = ContractChange)))]
async fn open_contract(
    state: State,
    caller: Caller,
    Json(body): Json<OpenContractBody>,
) -> Result<HttpResponse, ApiError> {
    let reserve = match body.rsrv_type {
        None => "",
        Some(ReserveType::Fixed) => "S",
        Some(ReserveType::Free) => "F",
    };
    let action = body.maturity_action.unwrap_or(MaturityAction::Pay);
    let request = trading::OpenContractRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        product_id: body.product_sid.0,
        term_months: within("saveTrm", body.save_trm, 1, 600)?,
        reserve_type: reserve.to_owned(),
        amount_won: within("amount", body.amount, 1, MAX_AMOUNT)?,
        transfer_day: match body.transfer_day {
            None => 0,
            Some(day) => within("transferDay", day, 1, 31)?,
        },
        preferential: body.preferential.unwrap_or_default(),
        maturity_action: action.to_proto().into(),
    };
    let reply = state
        .contracts
        .call(async |mut contracts| contracts.open_contract(request).await)
        .await?;
    change(reply)
}

/// Close a contract: early, or one that was kept after maturity.
#[utoipa::path(delete, path = "/api/v1/product", tag = "product", request_body = CloseContractBody,
    responses((status = 200, description = "What was paid out.", body = ClosedContract)))]
async fn close_contract(
    state: State,
    caller: Caller,
    Json(body): Json<CloseContractBody>,
) -> Result<HttpResponse, ApiError> {
    let payout = body
        .payout
        .map(|payout| within("payout", payout, 0, crate::wire::number::MAX_SAFE))
        .transpose()?;
    let request = trading::CloseContractRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        account_no: body.acno.into(),
        payout_won: payout,
    };
    let reply = state
        .contracts
        .call(async |mut contracts| contracts.close_contract(request).await)
        .await?;
    Ok(repeatable::reply(
        reply.replayed,
        ClosedContract::try_from(reply)?,
    ))
}

/// Pay into a savings plan by hand.
#[utoipa::path(post, path = "/api/v1/product/payment", tag = "product", request_body = PaymentBody,
    responses((status = 200, description = "The contract.", body = ContractChange)))]
async fn pay_into_contract(
    state: State,
    caller: Caller,
    Json(body): Json<PaymentBody>,
) -> Result<HttpResponse, ApiError> {
    let request = trading::PayIntoContractRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        account_no: body.acno.into(),
        amount_won: within("amount", body.amount, 1, MAX_AMOUNT)?,
    };
    let reply = state
        .contracts
        .call(async |mut contracts| contracts.pay_into_contract(request).await)
        .await?;
    change(reply)
}

/// Contracts of the caller: the open ones, then at most 50 closed ones, newest first.
#[utoipa::path(get, path = "/api/v1/product/member/{sid}", tag = "product", params(SidPath),
    responses((status = 200, description = "The contracts.", body = Vec<Contract>)))]
async fn contracts(state: State, caller: Caller) -> Reply<Vec<Contract>> {
    let request = trading::ListContractsRequest {
        member_id: caller.member_id.0,
    };
    let listed = state
        .contracts
        .call_idempotent(async |mut contracts| contracts.list_contracts(request).await)
        .await?;
    Ok(web::Json(decode_rows(listed.contracts)))
}

/// What closing a contract today pays.
#[utoipa::path(get, path = "/api/v1/product/account/{acno}/member/{sid}/cancel-info",
    tag = "product", params(ContractPath),
    responses((status = 200, description = "The sums.", body = CancelInfo)))]
async fn cancel_info(state: State, caller: Caller, path: Path<ContractPath>) -> Reply<CancelInfo> {
    let request = of_caller(&caller, path.0);
    let info = state
        .contracts
        .call_idempotent(async |mut contracts| contracts.get_cancel_info(request.clone()).await)
        .await?;
    Ok(web::Json(info.try_into()?))
}

/// Every payment of a contract, and what it earns month by month.
#[utoipa::path(get, path = "/api/v1/product/account/{acno}/member/{sid}/schedule",
    tag = "product", params(ContractPath),
    responses((status = 200, description = "To the end.", body = ContractSchedule)))]
async fn schedule(
    state: State,
    caller: Caller,
    path: Path<ContractPath>,
) -> Reply<ContractSchedule> {
    let request = of_caller(&caller, path.0);
    let schedule = state
        .contracts
        .call_idempotent(async |mut contracts| contracts.get_schedule(request.clone()).await)
        .await?;
    Ok(web::Json(schedule.try_into()?))
}

fn of_caller(caller: &Caller, path: ContractPath) -> trading::GetContractRequest {
    trading::GetContractRequest {
        member_id: caller.member_id.0,
        account_no: path.acno.into(),
    }
}

fn change(reply: trading::ContractReply) -> Result<HttpResponse, ApiError> {
    Ok(repeatable::reply(
        reply.replayed,
        ContractChange::try_from(reply)?,
    ))
}
