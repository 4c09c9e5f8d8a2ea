//! Contracts of deposits and savings plans. Each is an account of its own: what is paid in is
//! transferred from the BASIC account, and the payout goes back there. `market_rules::contract` says
//! what a contract earns; days are KST days of market time.
//!
//! Members open, pay into and close contracts ([`open`], [`pay`], [`close`]); one process at a time
//! takes payments and lets contracts mature ([`worker`]), and one pays the interest of CMA accounts
//! ([`cma_worker`]).

pub mod advance;
pub mod close;
pub mod cma;
mod cma_worker;
pub mod contract;
mod day;
pub mod due;
pub mod list;
mod message;
mod notices;
pub mod offer;
pub mod open;
pub mod pay;
mod postponed;
mod worker;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::clock::KST;
use kernel::{AccountCode, AccountId, MemberId};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};

use crate::entity::{account, contract as contract_row, contract_interest, contract_payment};
use crate::error::TradingError;
use crate::named::named;
use crate::orders::validation::OrderRejection;
use crate::refusal::Refusal;
use crate::store::Store;
use contract::Contract;

pub use crate::ledger::{PartOf, Period};
pub use cma_worker::CmaWorker;
pub use kernel::day::day_of;
pub use worker::ContractWorker;

named! {
    /// What a member may pay in, and when.
    pub enum ContractKind {
        /// Once.
        Deposit = "DEPOSIT",
        /// The same sum every month.
        Savings = "SAVINGS",
        /// Any sum at any time, up to a cap in every month.
        Free = "FREE",
    }
}

named! {
    /// How far a contract is.
    pub enum ContractStatus {
        /// Before maturity.
        Active = "ACTIVE",
        /// Paid out, renewed, or kept in the account.
        Matured = "MATURED",
        /// Closed before maturity.
        EarlyClosed = "EARLY_CLOSED",
    }
}

named! {
    /// What happens at maturity.
    pub enum MaturityAction {
        /// The payout goes to the BASIC account.
        Pay = "PAY",
        /// It stays in the contract.
        Keep = "KEEP",
        /// The same product is opened again.
        Renew = "RENEW",
    }
}

/// An instant of a KST day.
fn at(day: NaiveDate, hour: u32, minute: u32) -> DateTime<Utc> {
    let local = day.and_hms_opt(hour, minute, 0).unwrap_or_default();
    let instant = local.and_local_timezone(KST).earliest();
    instant.map_or(local.and_utc(), |instant| instant.with_timezone(&Utc))
}

/// The instant at which a KST day begins.
pub(crate) fn midnight(day: NaiveDate) -> DateTime<Utc> {
    at(day, 0, 0)
}

fn closed() -> TradingError {
    Refusal::conflict("CONTRACT_CLOSED", "이미 끝난 계약이에요.").into()
}

impl Store {
    /// Market time, for what changes something.
    ///
    /// # Errors
    /// [`OrderRejection::PriceAwaited`] before the log is known.
    pub(crate) fn market_time(&self) -> Result<DateTime<Utc>, TradingError> {
        match self.market_cache.log_head() {
            Some(_) => Ok(self.market_cache.now()),
            None => Err(OrderRejection::PriceAwaited.into()),
        }
    }

    /// Market time for what only shows; the machine's before the log is known.
    pub(crate) fn market_time_or_clock(&self) -> DateTime<Utc> {
        self.market_time().unwrap_or_else(|_| self.clock.now())
    }

    /// The account of a member's contract, open or closed.
    ///
    /// # Errors
    /// [`OrderRejection::AccountForbidden`] if the member has no contract with this number.
    pub(crate) async fn contract_account(
        &self,
        member_id: MemberId,
        account_no: &str,
    ) -> Result<AccountId, TradingError> {
        let contract_codes = [AccountCode::Deposit, AccountCode::Save];
        let found = account::Entity::find()
            .filter(account::Column::MemberId.eq(member_id))
            .filter(account::Column::AccountNo.eq(account_no))
            .filter(account::Column::Code.is_in(contract_codes.map(AccountCode::as_str)))
            .one(&self.db)
            .await?;
        Ok(found.ok_or(OrderRejection::AccountForbidden)?.id)
    }
}

/// A contract with its payments and interest. Of one that changes, the account is locked.
async fn load(
    connection: &impl ConnectionTrait,
    account: AccountId,
) -> Result<Contract, TradingError> {
    let row = contract_row::Entity::find_by_id(account)
        .one(connection)
        .await?;
    let row = row.ok_or(OrderRejection::AccountForbidden)?;
    let mut loaded = load_all(connection, vec![row]).await?;
    let contract = loaded.pop();
    Ok(contract.ok_or_else(|| DbErr::RecordNotFound(format!("contract {account}")))?)
}

/// Contracts with their payments and interest, in the order of their rows.
async fn load_all(
    connection: &impl ConnectionTrait,
    rows: Vec<contract_row::Model>,
) -> Result<Vec<Contract>, TradingError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.account_id.0).collect();
    let payments = contract_payment::Entity::find()
        .filter(contract_payment::Column::AccountId.eq_any(ids.clone()))
        .order_by_asc(contract_payment::Column::AccountId)
        .order_by_asc(contract_payment::Column::Number)
        .all(connection)
        .await?;
    let interest = contract_interest::Entity::find()
        .filter(contract_interest::Column::AccountId.eq_any(ids))
        .all(connection)
        .await?;
    let mut contracts = Vec::with_capacity(rows.len());
    let (mut payments, mut interest) = (group(payments, |one| one.account_id), {
        group(interest, |one| one.account_id)
    });
    for row in rows {
        let payments = payments.remove(&row.account_id).unwrap_or_default();
        let interest = interest.remove(&row.account_id).unwrap_or_default();
        contracts.push(Contract::new(row, &payments, interest)?);
    }
    Ok(contracts)
}

fn group<T>(
    rows: Vec<T>,
    account: impl Fn(&T) -> AccountId,
) -> std::collections::BTreeMap<AccountId, Vec<T>> {
    let mut groups = std::collections::BTreeMap::<AccountId, Vec<T>>::new();
    for row in rows {
        groups.entry(account(&row)).or_default().push(row);
    }
    groups
}
