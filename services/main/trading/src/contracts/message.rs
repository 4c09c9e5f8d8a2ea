//! Contracts as messages. Replies are stored as they are sent, and events have parts of them, so these
//! are made in the transaction, and not only by `grpc`.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::Won;
use proto::convert::decimal;
use proto::trading::v1 as wire;

use super::contract::{CloseInfo, Contract, Next, PaymentState, ScheduledPayment};
use super::open::out_of_range;
use super::{ContractKind, ContractStatus, MaturityAction, day_of};
use crate::domain::day::yyyymmdd;
use crate::error::TradingError;

impl Contract {
    pub(super) fn wire_kind(&self) -> wire::ContractKind {
        match self.kind {
            ContractKind::Deposit => wire::ContractKind::Deposit,
            ContractKind::Savings | ContractKind::Free => wire::ContractKind::Savings,
        }
    }

    pub(crate) fn view(
        &self,
        account_no: &str,
        now: DateTime<Utc>,
    ) -> Result<wire::Contract, TradingError> {
        let today = day_of(now);
        let row = &self.row;
        let payments = self.scheduled(now);
        let count = |state: fn(&ScheduledPayment) -> bool| {
            number(payments.iter().filter(|one| state(one)).count())
        };
        let (accrued, payout) = self.sums(now)?;
        Ok(wire::Contract {
            account_no: account_no.to_owned(),
            product_id: row.product_id,
            name: row.product_name.clone(),
            bank_code: row.bank_code.clone(),
            bank_name: row.bank_name.clone(),
            kind: self.wire_kind().into(),
            status: status(self.status).into(),
            rate: Some(decimal(row.rate.normalize())),
            base_rate: Some(decimal(row.base_rate.normalize())),
            compound: row.compounding == "MONTHLY",
            reserve_type: match self.kind {
                ContractKind::Deposit => String::new(),
                ContractKind::Savings => "S".to_owned(),
                ContractKind::Free => "F".to_owned(),
            },
            opened_on: yyyymmdd(row.opened_on),
            matures_on: yyyymmdd(row.matures_on),
            closed_on: row.closed_on.map_or(0, yyyymmdd),
            term_months: row.term_months.into(),
            months_elapsed: i32::try_from(self.agreement.months_elapsed(today)).unwrap_or(0),
            amount_won: row.amount_won.0,
            paid_in_won: row.paid_in_won.0,
            payments_made: number(self.payments.len()),
            payments_due: number(payments.iter().filter(|one| one.due_on <= today).count()),
            payments_missed: count(|one| one.state == PaymentState::Missed),
            next_payment_on: self.next_payment_on().map_or(0, yyyymmdd),
            transfer_day: row.transfer_day.map_or(0, i32::from),
            accrued_won: accrued.0,
            payout_at_maturity_won: payout.0,
            maturity_action: action(self.action).into(),
            notice: row.notice.clone().unwrap_or_default(),
            monthly_cap_won: row.monthly_cap_won.map_or(0, |cap| cap.0),
            paid_this_month_won: match self.kind {
                ContractKind::Free => self.paid_this_month(today).0.0,
                ContractKind::Deposit | ContractKind::Savings => 0,
            },
            payable_won: match self.kind {
                ContractKind::Deposit => 0,
                ContractKind::Savings => self.payable(now).map_or(0, |_| row.amount_won.0),
                ContractKind::Free => self.left_this_month(now).0,
            },
        })
    }

    /// Interest so far, and the payout at maturity; what they were once it is closed.
    fn sums(&self, now: DateTime<Utc>) -> Result<(Won, Won), TradingError> {
        if self.is_open() {
            let info = self.close_info(now).map_err(out_of_range)?;
            return Ok((info.due.interest, info.payout_at_maturity));
        }
        let (interest, tax) = self.booked();
        let payout = self.row.paid_in_won.0.saturating_add(interest.0);
        Ok((interest, Won(payout.saturating_sub(tax.0))))
    }

    /// The day on which money is taken next.
    fn next_payment_on(&self) -> Option<NaiveDate> {
        match self.next() {
            Some((at, Next::Payment(_))) => Some(day_of(at)),
            _ => None,
        }
    }
}

pub(super) fn cancel_info(
    contract: &Contract,
    account_no: &str,
    info: &CloseInfo,
    now: DateTime<Utc>,
) -> wire::CancelInfo {
    let months = |months: u32| i32::try_from(months).unwrap_or(i32::MAX);
    wire::CancelInfo {
        account_no: account_no.to_owned(),
        principal_won: info.total.principal.0,
        months_elapsed: months(contract.agreement.months_elapsed(day_of(now))),
        term_months: months(contract.agreement.months),
        applied_rate: Some(decimal(info.due.percent.normalize())),
        interest_won: info.total.interest.0,
        income_tax_won: info.total.tax.income.0,
        local_tax_won: info.total.tax.local.0,
        payout_won: info.payout.0,
        payout_at_maturity_won: info.payout_at_maturity.0,
        loss_won: info.loss.0,
        matured: contract.status == ContractStatus::Matured
            || day_of(now) >= contract.row.matures_on,
    }
}

fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn status(status: ContractStatus) -> wire::ContractStatus {
    match status {
        ContractStatus::Active => wire::ContractStatus::Active,
        ContractStatus::Matured => wire::ContractStatus::Matured,
        ContractStatus::EarlyClosed => wire::ContractStatus::EarlyClosed,
    }
}

fn action(action: MaturityAction) -> wire::MaturityAction {
    match action {
        MaturityAction::Pay => wire::MaturityAction::Pay,
        MaturityAction::Keep => wire::MaturityAction::Keep,
        MaturityAction::Renew => wire::MaturityAction::Renew,
    }
}
