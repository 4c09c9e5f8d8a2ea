//! A season of a member as one snapshot of the database.

use chrono::NaiveDate;
use kernel::{AccountCode, AccountId, MemberId};
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

/// The scope with "99" resolved, and in competition mode all that counts.
#[derive(Clone, Copy)]
enum Resolved<'a> {
    Scope(AccountScope<'a>),
    Current(AccountId),
}

/// A read-only snapshot, so that what a fill took from the cash is in what it added to the holdings.
pub(crate) struct SeasonView {
    pub(crate) transaction: DatabaseTransaction,
    pub(crate) season: SeasonSpan,
    /// Closed ones too.
    pub(crate) accounts: Vec<account::Model>,
    /// The last day of a season that has ended.
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
        let scope = self.resolve_scope(member_id, scope).await?;
        let transaction = self
            .db
            .begin_with_config(
                Some(IsolationLevel::RepeatableRead),
                Some(AccessMode::ReadOnly),
            )
            .await?;
        let mut season = self.season_span(&transaction, member_id, season).await?;
        if scope.is_of_competitions() {
            season.take_everything();
        }
        let accounts = accounts(&transaction, member_id, scope, season.season).await?;
        let today = season
            .ended_on
            .unwrap_or_else(|| day_of(self.market_time_or_clock()));
        Ok(SeasonView {
            transaction,
            season,
            accounts,
            today,
        })
    }
}

impl Resolved<'_> {
    /// A reset ends no account of a competition.
    fn is_of_competitions(&self) -> bool {
        match self {
            Self::Current(_) | Self::Scope(AccountScope::Competitions) => true,
            Self::Scope(AccountScope::One(choice)) => choice.code() == AccountCode::Competition,
            Self::Scope(AccountScope::All) => false,
        }
    }
}

impl Store {
    async fn resolve_scope<'a>(
        &self,
        member_id: MemberId,
        scope: AccountScope<'a>,
    ) -> Result<Resolved<'a>, TradingError> {
        Ok(match scope {
            AccountScope::One(AccountChoice::Competition) => {
                Resolved::Current(self.current_account(member_id).await?)
            }
            AccountScope::All | AccountScope::Competitions => {
                let current = self.competition_mode(member_id).await?;
                current.map_or(Resolved::Scope(scope), |current| {
                    Resolved::Current(current.account_id)
                })
            }
            AccountScope::One(_) => Resolved::Scope(scope),
        })
    }
}

async fn accounts(
    transaction: &DatabaseTransaction,
    member_id: MemberId,
    scope: Resolved<'_>,
    season: i32,
) -> Result<Vec<account::Model>, TradingError> {
    let rows = account::Entity::find()
        .filter(account::Column::MemberId.eq(member_id))
        .order_by_asc(account::Column::Id)
        .all(transaction)
        .await?;
    let is_in = |row: &account::Model, scope| {
        let (is_basic, competes) = (row.is(AccountCode::Basic), row.is(AccountCode::Competition));
        let is_of_season = is_basic || row.season == season;
        match scope {
            AccountScope::All => !competes && is_of_season,
            AccountScope::Competitions => competes,
            AccountScope::One(AccountChoice::Basic) => is_basic,
            AccountScope::One(AccountChoice::Competition) => false,
            AccountScope::One(AccountChoice::Number(number)) => {
                row.account_no == number.as_str() && (competes || is_of_season)
            }
        }
    };
    let chosen = |row: &account::Model| match scope {
        Resolved::Current(id) => row.id == id,
        Resolved::Scope(scope) => is_in(row, scope),
    };
    let accounts: Vec<account::Model> = rows.into_iter().filter(chosen).collect();
    if accounts.is_empty() && matches!(scope, Resolved::Scope(AccountScope::One(_))) {
        return Err(OrderRejection::AccountForbidden.into());
    }
    Ok(accounts)
}
