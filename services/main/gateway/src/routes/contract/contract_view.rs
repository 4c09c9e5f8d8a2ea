//! Contracts as clients see them.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::number::Exact;
use crate::wire::product::{InterestType, ReserveType};
use crate::wire::rows::decode_rows;
use crate::wire::time::day;
use crate::wire::variants::{from_proto, to_proto};

/// A deposit, or a savings plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum ContractKind {
    Deposit,
    Save,
}

/// ACTIVE until maturity; MATURED, and open while it is kept; EARLY_CLOSED.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum ContractStatus {
    Active,
    Matured,
    EarlyClosed,
}

/// What happens at maturity: PAY to the basic account, KEEP in the contract, or RENEW, which opens
/// the same product again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum MaturityAction {
    Pay,
    Keep,
    Renew,
}

/// PAID; DUE, whose day has come and which can still be made; MISSED (미납); UPCOMING.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum PaymentState {
    Paid,
    Due,
    Missed,
    Upcoming,
}

/// A contract of a deposit or a savings plan.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Contract {
    acno: String,
    product_sid: i64,
    name: String,
    bank: String,
    bank_cd: String,
    kind: ContractKind,
    status: ContractStatus,
    /// Percent a year, as agreed.
    rate: Exact,
    /// Percent a year without preference.
    base_rate: Exact,
    interest_type: InterestType,
    /// Null for a deposit.
    rsrv_type: Option<ReserveType>,
    opened_on: String,
    matures_on: String,
    /// Null while it is open.
    closed_on: Option<String>,
    /// Months.
    term: i32,
    /// Whole months that have passed.
    months_elapsed: i32,
    /// Won: the principal, or the sum of every month.
    amount: i64,
    /// Won paid in.
    paid_in: i64,
    payments_made: i32,
    /// Payments whose day has come, the first included.
    payments_due: i32,
    /// Payments that can no longer be made.
    payments_missed: i32,
    /// When money is taken next; null when it is not.
    next_payment_on: Option<String>,
    /// Null but for equal sums.
    transfer_day: Option<i32>,
    /// Won before tax if it were closed today; once it is closed what it earned.
    accrued: i64,
    /// Won after tax if every payment to come is made; once it is closed what was paid out.
    payout_at_maturity: i64,
    maturity_action: MaturityAction,
    /// Why it was paid out instead of renewed: `TERM_NOT_OFFERED`, `INVALID_AMOUNT`,
    /// `PRODUCT_NOT_FOUND`; null otherwise.
    notice: Option<String>,
    /// Won that a free plan takes in a month; null for others.
    monthly_cap: Option<i64>,
    /// Won that were paid into a free plan in its current month; null for others.
    paid_this_month: Option<i64>,
    /// Won that can be paid in by hand now: of a free plan the most, else exactly this sum; 0 = none.
    payable: i64,
}

/// A contract that was opened or paid into.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContractChange {
    contract: Contract,
    /// A Korean sentence.
    message: String,
}

/// What closing a contract pays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CancelInfo {
    acno: String,
    /// Won paid in.
    principal: i64,
    months_elapsed: i32,
    /// Months.
    term: i32,
    /// Percent a year; after maturity that of the days since.
    applied_rate: Exact,
    /// Won before tax.
    interest: i64,
    income_tax: i64,
    local_tax: i64,
    /// Both taxes.
    tax: i64,
    /// Won that reach the basic account.
    payout: i64,
    /// Won if every payment to come is made and it is kept until maturity.
    payout_at_maturity: i64,
    /// Interest after tax that is given up.
    loss: i64,
    /// It has matured, so nothing is given up.
    matured: bool,
}

/// A contract that was closed.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClosedContract {
    contract: Contract,
    closed: CancelInfo,
    /// Won on the basic account afterwards.
    deposit: i64,
    /// A Korean sentence.
    message: String,
}

/// A contract to its end. The sums are those of maturity if every payment to come is made.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContractSchedule {
    acno: String,
    payments: Vec<ContractPayment>,
    months: Vec<ContractMonth>,
    matures_on: String,
    principal: i64,
    /// Won before tax.
    interest: i64,
    income_tax: i64,
    local_tax: i64,
    payout: i64,
}

/// A payment of a contract.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ContractPayment {
    /// From 0.
    number: i32,
    due_on: String,
    /// Null until it is made.
    paid_on: Option<String>,
    amount: i64,
    state: PaymentState,
}

/// The end of a month of a contract.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ContractMonth {
    /// From 1.
    month: i32,
    on: String,
    /// Won paid in by then.
    paid_in: i64,
    /// Won earned by then at the agreed rate, before tax.
    interest: i64,
}

to_proto!(pub(crate) MaturityAction => trading::MaturityAction { Pay, Keep, Renew });
from_proto!(trading::MaturityAction => MaturityAction { Pay, Keep, Renew }, "maturity_action");
from_proto!(trading::ContractStatus => ContractStatus { Active, Matured, EarlyClosed }, "status");
from_proto!(trading::PaymentState => PaymentState { Paid, Due, Missed, Upcoming }, "state");

/// `None` for 0, which stands for no day.
fn day_if_set(number: i32, field: &'static str) -> Result<Option<String>, InvalidField> {
    if number == 0 {
        return Ok(None);
    }
    day(number, field).map(Some)
}

impl TryFrom<trading::Contract> for Contract {
    type Error = InvalidField;

    fn try_from(contract: trading::Contract) -> Result<Self, InvalidField> {
        let kind = match contract.kind() {
            trading::ContractKind::Unspecified => return Err(InvalidField("kind")),
            trading::ContractKind::Deposit => ContractKind::Deposit,
            trading::ContractKind::Savings => ContractKind::Save,
        };
        let rsrv_type = match contract.reserve_type.as_str() {
            "S" => Some(ReserveType::Fixed),
            "F" => Some(ReserveType::Free),
            _ => None,
        };
        let of_free = |won: i64| Some(won).filter(|_| rsrv_type == Some(ReserveType::Free));
        Ok(Self {
            kind,
            status: contract.status().try_into()?,
            rate: Exact(required(contract.rate.as_ref(), "rate")?),
            base_rate: Exact(required(contract.base_rate.as_ref(), "base_rate")?),
            interest_type: if contract.compound {
                InterestType::Compound
            } else {
                InterestType::Simple
            },
            rsrv_type,
            opened_on: day(contract.opened_on, "opened_on")?,
            matures_on: day(contract.matures_on, "matures_on")?,
            closed_on: day_if_set(contract.closed_on, "closed_on")?,
            term: contract.term_months,
            months_elapsed: contract.months_elapsed,
            amount: contract.amount_won,
            paid_in: contract.paid_in_won,
            payments_made: contract.payments_made,
            payments_due: contract.payments_due,
            payments_missed: contract.payments_missed,
            next_payment_on: day_if_set(contract.next_payment_on, "next_payment_on")?,
            transfer_day: Some(contract.transfer_day).filter(|day| *day != 0),
            accrued: contract.accrued_won,
            payout_at_maturity: contract.payout_at_maturity_won,
            maturity_action: contract.maturity_action().try_into()?,
            monthly_cap: of_free(contract.monthly_cap_won),
            paid_this_month: of_free(contract.paid_this_month_won),
            payable: contract.payable_won,
            notice: Some(contract.notice).filter(|notice| !notice.is_empty()),
            acno: contract.account_no,
            product_sid: contract.product_id,
            name: contract.name,
            bank: contract.bank_name,
            bank_cd: contract.bank_code,
        })
    }
}

impl TryFrom<trading::ContractReply> for ContractChange {
    type Error = InvalidField;

    fn try_from(reply: trading::ContractReply) -> Result<Self, InvalidField> {
        Ok(Self {
            contract: reply.contract.ok_or(InvalidField("contract"))?.try_into()?,
            message: reply.message,
        })
    }
}

impl TryFrom<trading::CancelInfo> for CancelInfo {
    type Error = InvalidField;

    fn try_from(info: trading::CancelInfo) -> Result<Self, InvalidField> {
        Ok(Self {
            applied_rate: Exact(required(info.applied_rate.as_ref(), "applied_rate")?),
            acno: info.account_no,
            principal: info.principal_won,
            months_elapsed: info.months_elapsed,
            term: info.term_months,
            interest: info.interest_won,
            income_tax: info.income_tax_won,
            local_tax: info.local_tax_won,
            tax: info.income_tax_won.saturating_add(info.local_tax_won),
            payout: info.payout_won,
            payout_at_maturity: info.payout_at_maturity_won,
            loss: info.loss_won,
            matured: info.matured,
        })
    }
}

impl TryFrom<trading::CloseContractReply> for ClosedContract {
    type Error = InvalidField;

    fn try_from(reply: trading::CloseContractReply) -> Result<Self, InvalidField> {
        Ok(Self {
            contract: reply.contract.ok_or(InvalidField("contract"))?.try_into()?,
            closed: reply.closed.ok_or(InvalidField("closed"))?.try_into()?,
            deposit: reply.deposit_won,
            message: reply.message,
        })
    }
}

impl TryFrom<trading::ContractSchedule> for ContractSchedule {
    type Error = InvalidField;

    fn try_from(schedule: trading::ContractSchedule) -> Result<Self, InvalidField> {
        Ok(Self {
            acno: schedule.account_no,
            payments: decode_rows(schedule.payments),
            months: decode_rows(schedule.months),
            matures_on: day(schedule.matures_on, "matures_on")?,
            principal: schedule.principal_won,
            interest: schedule.interest_won,
            income_tax: schedule.income_tax_won,
            local_tax: schedule.local_tax_won,
            payout: schedule.payout_won,
        })
    }
}

impl TryFrom<trading::ScheduledPayment> for ContractPayment {
    type Error = InvalidField;

    fn try_from(payment: trading::ScheduledPayment) -> Result<Self, InvalidField> {
        Ok(Self {
            number: payment.number,
            due_on: day(payment.due_on, "due_on")?,
            paid_on: day_if_set(payment.paid_on, "paid_on")?,
            amount: payment.amount_won,
            state: payment.state().try_into()?,
        })
    }
}

impl TryFrom<trading::ScheduledMonth> for ContractMonth {
    type Error = InvalidField;

    fn try_from(month: trading::ScheduledMonth) -> Result<Self, InvalidField> {
        Ok(Self {
            month: month.month,
            on: day(month.on, "on")?,
            paid_in: month.paid_in_won,
            interest: month.interest_won,
        })
    }
}
