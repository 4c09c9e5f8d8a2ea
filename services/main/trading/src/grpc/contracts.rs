//! `ContractService`: contracts of deposits and savings plans.

use bootstrap::grpc::Reply;
use kernel::Won;
use proto::market::v1::ReserveType;
use proto::trading::v1 as wire;
use proto::trading::v1::contract_service_server::{ContractService, ContractServiceServer};
use tonic::{Request, Response};

use super::call::{member, with_timeout};
use super::digest::digest;
use super::parse;
use crate::contracts::MaturityAction;
use crate::contracts::close::CloseContract;
use crate::contracts::contract::{PaymentState, ScheduledPayment};
use crate::contracts::list::{ContractList, ContractSchedule, ScheduledMonth};
use crate::contracts::offer::{OfferQuery, Products};
use crate::contracts::open::OpenContract;
use crate::contracts::pay::PayIntoContract;
use crate::domain::day::yyyymmdd;
use crate::error::TradingError;
use crate::store::Store;

/// Won that fit every sum: a hundredfold of the largest order.
const MAX_AMOUNT_WON: i64 = 1_000_000_000_000;

pub struct Contracts {
    store: Store,
    products: Products,
}

impl Contracts {
    #[must_use]
    pub fn server(store: Store, products: Products) -> ContractServiceServer<Self> {
        ContractServiceServer::new(Self { store, products })
    }
}

#[tonic::async_trait]
impl ContractService for Contracts {
    async fn open_contract(
        &self,
        request: Request<wire::OpenContractRequest>,
    ) -> Reply<wire::ContractReply> {
        let open = open(&request.into_inner())?;
        let (store, products) = (self.store.clone(), self.products.clone());
        let opened = with_timeout(async move { store.open_contract(&open, &products).await });
        Ok(Response::new(opened.await?))
    }

    async fn list_contracts(
        &self,
        request: Request<wire::ListContractsRequest>,
    ) -> Reply<wire::Contracts> {
        let member_id = member(request.into_inner().member_id)?;
        let store = self.store.clone();
        let list = with_timeout(async move { store.contracts(member_id).await });
        Ok(Response::new(contracts(&list.await?)?))
    }

    async fn get_cancel_info(
        &self,
        request: Request<wire::GetContractRequest>,
    ) -> Reply<wire::CancelInfo> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let store = self.store.clone();
        let info =
            with_timeout(async move { store.cancel_info(member_id, &request.account_no).await });
        Ok(Response::new(info.await?))
    }

    async fn close_contract(
        &self,
        request: Request<wire::CloseContractRequest>,
    ) -> Reply<wire::CloseContractReply> {
        let request = request.into_inner();
        let close = CloseContract {
            member_id: member(request.member_id)?,
            request_id: parse::request_id(&request.request_id)?,
            digest: digest(&request),
            account_no: request.account_no,
            payout: request.payout_won.map(Won),
        };
        let store = self.store.clone();
        let closed = with_timeout(async move { store.close_contract(&close).await });
        Ok(Response::new(closed.await?))
    }

    async fn get_schedule(
        &self,
        request: Request<wire::GetContractRequest>,
    ) -> Reply<wire::ContractSchedule> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let store = self.store.clone();
        let schedule = with_timeout(async move {
            let schedule = store.contract_schedule(member_id, &request.account_no);
            schedule.await
        });
        Ok(Response::new(schedule_view(schedule.await?)))
    }

    async fn pay_into_contract(
        &self,
        request: Request<wire::PayIntoContractRequest>,
    ) -> Reply<wire::ContractReply> {
        let request = request.into_inner();
        let pay = PayIntoContract {
            member_id: member(request.member_id)?,
            request_id: parse::request_id(&request.request_id)?,
            digest: digest(&request),
            amount: amount(request.amount_won)?,
            account_no: request.account_no,
        };
        let store = self.store.clone();
        let paid = with_timeout(async move { store.pay_into_contract(&pay).await });
        Ok(Response::new(paid.await?))
    }
}

fn amount(won: i64) -> Result<Won, TradingError> {
    if (1..=MAX_AMOUNT_WON).contains(&won) {
        Ok(Won(won))
    } else {
        Err(TradingError::Malformed("amount"))
    }
}

fn open(request: &wire::OpenContractRequest) -> Result<OpenContract, TradingError> {
    let transfer_day = match request.transfer_day {
        0 => None,
        day @ 1..=31 => u32::try_from(day).ok(),
        _ => return Err(TradingError::Malformed("transferDay")),
    };
    let reserve = match request.reserve_type.as_str() {
        "" => ReserveType::Unspecified,
        "S" => ReserveType::Fixed,
        "F" => ReserveType::Free,
        _ => return Err(TradingError::Malformed("rsrvType")),
    };
    if request.product_id <= 0 {
        return Err(TradingError::Malformed("productSid"));
    }
    Ok(OpenContract {
        member_id: member(request.member_id)?,
        request_id: parse::request_id(&request.request_id)?,
        digest: digest(request),
        query: OfferQuery {
            product_id: request.product_id,
            amount: amount(request.amount_won)?,
            term_months: request.term_months,
            reserve,
            preferential: request.preferential,
        },
        transfer_day,
        action: match request.maturity_action() {
            wire::MaturityAction::Unspecified | wire::MaturityAction::Pay => MaturityAction::Pay,
            wire::MaturityAction::Keep => MaturityAction::Keep,
            wire::MaturityAction::Renew => MaturityAction::Renew,
        },
    })
}

fn contracts(list: &ContractList) -> Result<wire::Contracts, TradingError> {
    let views = list.contracts.iter();
    let views = views.map(|(account_no, contract)| contract.view(account_no, list.now));
    Ok(wire::Contracts {
        contracts: views.collect::<Result<_, _>>()?,
    })
}

fn schedule_view(schedule: ContractSchedule) -> wire::ContractSchedule {
    let end = schedule.end;
    wire::ContractSchedule {
        account_no: schedule.account_no,
        payments: schedule.payments.iter().map(payment).collect(),
        months: schedule.months.iter().map(month).collect(),
        principal_won: end.principal.0,
        interest_won: end.interest.0,
        income_tax_won: end.tax.income.0,
        local_tax_won: end.tax.local.0,
        payout_won: schedule.payout.0,
        matures_on: yyyymmdd(schedule.matures_on),
    }
}

fn month(month: &ScheduledMonth) -> wire::ScheduledMonth {
    wire::ScheduledMonth {
        month: i32::try_from(month.number).unwrap_or(i32::MAX),
        on: yyyymmdd(month.on),
        paid_in_won: month.paid_in.0,
        interest_won: month.interest.0,
    }
}

fn payment(one: &ScheduledPayment) -> wire::ScheduledPayment {
    let state = match one.state {
        PaymentState::Paid => wire::PaymentState::Paid,
        PaymentState::Due => wire::PaymentState::Due,
        PaymentState::Missed => wire::PaymentState::Missed,
        PaymentState::Upcoming => wire::PaymentState::Upcoming,
    };
    wire::ScheduledPayment {
        number: i32::try_from(one.number).unwrap_or(i32::MAX),
        due_on: yyyymmdd(one.due_on),
        paid_on: one.paid_on.map_or(0, yyyymmdd),
        amount_won: one.amount.0,
        state: state.into(),
    }
}
