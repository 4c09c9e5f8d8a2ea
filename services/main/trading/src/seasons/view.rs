//! A season of a member as one snapshot of the database.

use chrono::NaiveDate;
use kernel::{AccountCode, MemberId};
use sea_orm::{
    AccessMode, ColumnTrait, DatabaseTransaction, EntityTrait, IsolationLevel, QueryFilter,
    QueryOrder, TransactionTrait,
};

use super::span::SeasonSpan;
use crate::accounts::open::AccountChoice;
use crate::contracts::day_of;
use crate::entity::account;
use crate::error::TradingError;
use crate::orders::validation::OrderRejection;
use crate::store::Store;

/// Whose accounts are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AccountScope<'a> {
    /// All except those of competitions.
    All,
    Competitions,
    One(&'a AccountChoice),
}

/// A read-only snapshot, so that what a fill took from the cash is in what it added to the holdings.
pub(crate) struct SeasonView {
    pub(crate) transaction: DatabaseTransaction,
    pub(crate) season: SeasonSpan,
    /// Closed ones too.
    pub(crate) accounts: Vec<account::Model>,
    /// Of a season that has ended, its last day.
    pub(crate) today: NaiveDate,
}

impl Store {
    /// Begins to read a season; `None` is the present one.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's, there is no such season, or of the database.
    pub(crate) async fn season_view(
        &self,
        member_id: MemberId,
        season: Option<i32>,
        scope: AccountScope<'_>,
    ) -> Result<SeasonView, TradingError> {
        self.open_basic_account(member_id).await?;
        let transaction = self
            .db
            .begin_with_config(
                Some(IsolationLevel::RepeatableRead),
                Some(AccessMode::ReadOnly),
            )
            .await?;
        let season = self.season_span(&transaction, member_id, season).await?;
        let accounts = accounts(&transaction, member_id, scope, season.season).await?;
        let today = season
            .ended_on
            .unwrap_or_else(|| day_of(self.contract_time_shown()));
        Ok(SeasonView {
            transaction,
            season,
            accounts,
            today,
        })
    }
}

async fn accounts(
    transaction: &DatabaseTransaction,
    member_id: MemberId,
    scope: AccountScope<'_>,
    season: i32,
) -> Result<Vec<account::Model>, TradingError> {
    let rows = account::Entity::find()
        .filter(account::Column::MemberId.eq(member_id))
        .order_by_asc(account::Column::Id)
        .all(transaction)
        .await?;
    let is_basic = |row: &account::Model| row.is(AccountCode::Basic);
    let competes = |row: &account::Model| row.is(AccountCode::Competition);
    let is_of_season = |row: &account::Model| is_basic(row) || row.season == season;
    let chosen = |row: &account::Model| match scope {
        AccountScope::All => !competes(row) && is_of_season(row),
        AccountScope::Competitions => competes(row) && is_of_season(row),
        AccountScope::One(AccountChoice::Basic) => is_basic(row),
        AccountScope::One(AccountChoice::Competition) => competes(row) && row.closed_at.is_none(),
        AccountScope::One(AccountChoice::Number(number)) => {
            row.account_no == number.as_str() && (competes(row) || is_of_season(row))
        }
    };
    let accounts: Vec<account::Model> = rows.into_iter().filter(chosen).collect();
    if accounts.is_empty() && matches!(scope, AccountScope::One(_)) {
        return Err(OrderRejection::AccountForbidden.into());
    }
    Ok(accounts)
}
