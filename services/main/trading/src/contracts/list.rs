//! Contracts and their schedules as members see them.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountId, MemberId, Won};
use market_rules::contract::Earnings;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
};

use super::contract::{Contract, ScheduledPayment};
use super::open::out_of_range;
use super::{load, load_all};
use crate::entity::{account, contract};
use crate::error::TradingError;
use crate::seasons::span::present_season;
use crate::store::Store;

/// Closed contracts that are listed.
const CLOSED_LISTED: u64 = 50;

/// Contracts with the numbers of their accounts, as they are at `now`.
#[derive(Clone, Debug)]
pub struct ContractList {
    pub contracts: Vec<(String, Contract)>,
    pub now: DateTime<Utc>,
}

/// Every payment of a contract, and what it earns month by month.
#[derive(Clone, Debug)]
pub struct ContractSchedule {
    pub account_no: String,
    pub payments: Vec<ScheduledPayment>,
    pub months: Vec<ScheduledMonth>,
    /// At maturity, if every payment that is planned is made.
    pub end: Earnings,
    pub payout: Won,
    pub matures_on: NaiveDate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledMonth {
    pub number: u32,
    pub on: NaiveDate,
    pub paid_in: Won,
    pub interest: Won,
}

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
    pub async fn contracts(&self, member_id: MemberId) -> Result<ContractList, TradingError> {
        let now = self.market_time_or_clock();
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
        let contracts = contracts.into_iter().map(|contract| {
            let number = numbers.get(&contract.row.account_id);
            (number.cloned().unwrap_or_default(), contract)
        });
        Ok(ContractList {
            contracts: contracts.collect(),
            now,
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
    ) -> Result<ContractSchedule, TradingError> {
        let now = self.market_time_or_clock();
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
        let now = self.market_time_or_clock();
        let contracts = load_all(connection, rows).await?;
        let accrued = contracts.iter().map(|contract| {
            let accrued = contract.accrued(now).map_err(out_of_range)?;
            Ok((contract.row.account_id, accrued))
        });
        accrued.collect()
    }
}

impl Contract {
    fn schedule(
        &self,
        account_no: &str,
        now: DateTime<Utc>,
    ) -> Result<ContractSchedule, TradingError> {
        let planned = self.planned(now);
        let end = self.agreement.at_maturity(&planned).map_err(out_of_range)?;
        let month = |number: u32| {
            let (paid_in, interest) = self.month(&planned, number).map_err(out_of_range)?;
            Ok(ScheduledMonth {
                number,
                on: self.agreement.anniversary(number),
                paid_in,
                interest,
            })
        };
        let months = (1..=self.agreement.months).map(month);
        Ok(ContractSchedule {
            account_no: account_no.to_owned(),
            payments: self.scheduled(now),
            months: months.collect::<Result<_, TradingError>>()?,
            payout: end.payout().map_err(out_of_range)?,
            end,
            matures_on: self.row.matures_on,
        })
    }
}
