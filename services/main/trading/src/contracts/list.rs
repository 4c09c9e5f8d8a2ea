//! Contracts and their schedules as members see them.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountId, MemberId, Won};
use proto::convert::decimal;
use proto::trading::v1 as wire;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
};

use super::contract::{Contract, PaymentState, ScheduledPayment};
use super::open::out_of_range;
use super::{ContractKind, ContractStatus, MaturityAction, day_of, load, load_all};
use crate::domain::day::yyyymmdd;
use crate::entity::{account, contract};
use crate::error::TradingError;
use crate::seasons::span::present_season;
use crate::store::Store;

/// Closed contracts that are listed.
const CLOSED_LISTED: u64 = 50;

/// The contracts whose accounts were opened in this season.
pub(super) fn of_season(member_id: MemberId, season: i32) -> Select<contract::Entity> {
    let accounts = account::Entity::find()
        .select_only()
        .column(account::Column::Id)
        .filter(account::Column::MemberId.eq(member_id))
        .filter(account::Column::Season.eq(season));
    contract::Entity::find()
        .filter(contract::Column::MemberId.eq(member_id))
        .filter(contract::Column::AccountId.in_subquery(accounts.into_query()))
}

impl Store {
    /// Open contracts by opening, then the newest closed ones of the present season.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn contracts(&self, member_id: MemberId) -> Result<wire::Contracts, TradingError> {
        let now = self.contract_time_shown();
        let season = present_season(&self.db, member_id).await?;
        let open = contract::Entity::find()
            .filter(contract::Column::MemberId.eq(member_id))
            .filter(contract::Column::ClosedOn.is_null())
            .order_by_asc(contract::Column::AccountId);
        let ended = of_season(member_id, season)
            .filter(contract::Column::ClosedOn.is_not_null())
            .order_by_desc(contract::Column::AccountId)
            .limit(CLOSED_LISTED);
        let mut rows = open.all(&self.db).await?;
        rows.extend(ended.all(&self.db).await?);
        let numbers = self.contract_numbers(&rows).await?;
        let contracts = load_all(&self.db, rows).await?;
        let views = contracts.iter().map(|contract| {
            let number = numbers.get(&contract.row.account_id);
            contract.view(number.map_or("", String::as_str), now)
        });
        Ok(wire::Contracts {
            contracts: views.collect::<Result<_, _>>()?,
        })
    }

    async fn contract_numbers(
        &self,
        rows: &[contract::Model],
    ) -> Result<BTreeMap<AccountId, String>, DbErr> {
        let ids = rows.iter().map(|row| row.account_id.0);
        let accounts = account::Entity::find()
            .filter(account::Column::Id.eq_any(ids))
            .all(&self.db)
            .await?;
        let accounts = accounts.into_iter();
        Ok(accounts.map(|row| (row.id, row.account_no)).collect())
    }

    /// Every payment of a contract, and what it earns month by month.
    ///
    /// # Errors
    /// [`TradingError`]: another's contract, or of the database.
    pub async fn contract_schedule(
        &self,
        member_id: MemberId,
        account_no: &str,
    ) -> Result<wire::ContractSchedule, TradingError> {
        let now = self.contract_time_shown();
        let account_id = self.contract_account(member_id, account_no).await?;
        let contract = load(&self.db, account_id).await?;
        contract.schedule(account_no, now)
    }

    /// Interest before tax that a member's open contracts would earn if they were closed now, by
    /// account.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(crate) async fn accrued_interest(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
    ) -> Result<BTreeMap<AccountId, Won>, TradingError> {
        let open = contract::Entity::find()
            .filter(contract::Column::MemberId.eq(member_id))
            .filter(contract::Column::ClosedOn.is_null());
        let rows = open.all(connection).await?;
        if rows.is_empty() {
            return Ok(BTreeMap::new());
        }
        let now = self.contract_time_shown();
        let contracts = load_all(connection, rows).await?;
        let accrued = contracts.iter().map(|contract| {
            let accrued = contract.accrued(now).map_err(out_of_range)?;
            Ok((contract.row.account_id, accrued))
        });
        accrued.collect()
    }
}

impl Contract {
    pub(super) fn wire_kind(&self) -> wire::ContractKind {
        match self.kind {
            ContractKind::Deposit => wire::ContractKind::Deposit,
            ContractKind::Savings | ContractKind::Free => wire::ContractKind::Savings,
        }
    }

    /// The message of a contract.
    pub(super) fn view(
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
            Some((at, super::contract::Next::Payment(_))) => Some(day_of(at)),
            _ => None,
        }
    }

    fn schedule(
        &self,
        account_no: &str,
        now: DateTime<Utc>,
    ) -> Result<wire::ContractSchedule, TradingError> {
        let planned = self.planned(now);
        let end = self.agreement.at_maturity(&planned).map_err(out_of_range)?;
        let month = |month: u32| {
            let (paid, interest) = self.month(&planned, month).map_err(out_of_range)?;
            Ok(wire::ScheduledMonth {
                month: i32::try_from(month).unwrap_or(i32::MAX),
                on: yyyymmdd(self.agreement.anniversary(month)),
                paid_in_won: paid.0,
                interest_won: interest.0,
            })
        };
        let months = (1..=self.agreement.months).map(month);
        Ok(wire::ContractSchedule {
            account_no: account_no.to_owned(),
            payments: self.scheduled(now).iter().map(payment).collect(),
            months: months.collect::<Result<_, TradingError>>()?,
            principal_won: end.principal.0,
            interest_won: end.interest.0,
            income_tax_won: end.tax.income.0,
            local_tax_won: end.tax.local.0,
            payout_won: end.payout().map_err(out_of_range)?.0,
            matures_on: yyyymmdd(self.row.matures_on),
        })
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
