//! Contracts of deposits and savings plans, as trading has them, of a test.

use std::sync::Arc;

use proto::common::v1::Decimal;
use proto::trading::v1::contract_service_server::ContractService;
use proto::trading::v1::{
    CancelInfo, CloseContractReply, CloseContractRequest, Contract, ContractKind, ContractReply,
    ContractSchedule, ContractStatus, Contracts, GetContractRequest, ListContractsRequest,
    MaturityAction, OpenContractRequest, PayIntoContractRequest, PaymentState, ScheduledMonth,
    ScheduledPayment,
};

use super::{Scenario, fake};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fn decimal(text: &str) -> Option<Decimal> {
    Some(Decimal {
        value: text.to_owned(),
    })
}

fn contract() -> Contract {
    Contract {
        account_no: "000000004203".to_owned(),
        product_id: 28,
        name: "카카오뱅크 정기예금".to_owned(),
        bank_code: "090".to_owned(),
        bank_name: "카카오뱅크".to_owned(),
        kind: ContractKind::Deposit.into(),
        status: ContractStatus::Active.into(),
        rate: decimal("3.3"),
        base_rate: decimal("3.3"),
        opened_on: 20_261_121,
        matures_on: 20_271_121,
        term_months: 12,
        amount_won: 1_000_000,
        paid_in_won: 1_000_000,
        payments_made: 1,
        payments_due: 1,
        payout_at_maturity_won: 1_027_920,
        maturity_action: MaturityAction::Pay.into(),
        ..Contract::default()
    }
}

fn free_plan() -> Contract {
    Contract {
        account_no: "000000004304".to_owned(),
        kind: ContractKind::Savings.into(),
        reserve_type: "F".to_owned(),
        monthly_cap_won: 300_000,
        paid_this_month_won: 100_000,
        payable_won: 200_000,
        ..contract()
    }
}

pub(crate) fn cancel_info() -> CancelInfo {
    CancelInfo {
        account_no: "000000004203".to_owned(),
        principal_won: 1_000_000,
        months_elapsed: 1,
        term_months: 12,
        applied_rate: decimal("0.5"),
        interest_won: 416,
        income_tax_won: 50,
        local_tax_won: 0,
        payout_won: 1_000_366,
        payout_at_maturity_won: 1_027_920,
        loss_won: 27_554,
        matured: false,
    }
}

fake! { ContractService:
    open_contract(OpenContractRequest) -> ContractReply = |request| ContractReply {
        contract: Some(contract()),
        message: "카카오뱅크 정기예금에 가입했어요".to_owned(),
        replayed: request.request_id == "seen-before",
    };
    list_contracts(ListContractsRequest) -> Contracts =
        |_| Contracts { contracts: vec![contract(), free_plan()] };
    get_cancel_info(GetContractRequest) -> CancelInfo = |_| cancel_info();
    close_contract(CloseContractRequest) -> CloseContractReply = |_| CloseContractReply {
        contract: Some(Contract {
            status: ContractStatus::EarlyClosed.into(),
            closed_on: 20_261_221,
            ..contract()
        }),
        closed: Some(cancel_info()),
        deposit_won: 5_000_366,
        message: "1,000,366원을 기본 계좌에 넣었어요".to_owned(),
        replayed: false,
    };
    get_schedule(GetContractRequest) -> ContractSchedule = |_| ContractSchedule {
        account_no: "000000004203".to_owned(),
        payments: vec![ScheduledPayment {
            number: 0,
            due_on: 20_261_121,
            paid_on: 20_261_121,
            amount_won: 1_000_000,
            state: PaymentState::Paid.into(),
        }],
        months: vec![ScheduledMonth {
            month: 1,
            on: 20_261_221,
            paid_in_won: 1_000_000,
            interest_won: 2_750,
        }],
        principal_won: 1_000_000,
        interest_won: 33_000,
        income_tax_won: 4_620,
        local_tax_won: 460,
        payout_won: 1_027_920,
        matures_on: 20_271_121,
    };
    pay_into_contract(PayIntoContractRequest) -> ContractReply = |_| ContractReply {
        contract: Some(free_plan()),
        message: "10,000원을 넣었어요".to_owned(),
        replayed: false,
    };
}
