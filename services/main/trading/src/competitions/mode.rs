//! The mode of a member, and the event that counts in it.
//!
//! In the mode the current event is the chosen one while it runs, else the one joined last of those that
//! run, else the practice league of the month, which is joined when it is needed.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AccountId, AccountNo, MemberId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use super::competition::{self, CompetitionStatus};
use super::seeds;
use crate::accounts::open::AccountChoice;
use crate::error::TradingError;
use crate::orders::validation::OrderRejection;
use crate::refusal::Refusal;
use crate::store::{Store, once, skip_locked, sql};

use chrono::{DateTime, Utc};

/// The current event of a member in competition mode.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct CurrentEntry {
    pub account_id: AccountId,
    pub account_no: String,
    pub competition_id: i64,
    pub title: String,
    pub ends_at: DateTime<Utc>,
}

/// Whose orders and holdings a list shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListScope {
    Account(AccountId),
    /// All but those of competitions.
    Without(Vec<AccountId>),
}

/// The competition account of the BASIC account `b` at `$2`.
macro_rules! current {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            "select e.account_id, a.account_no, c.id as competition_id, c.title, c.ends_at
            from competition_entry e
            join competition c on c.id = e.competition_id and not c.is_canceled
                and c.closing_at is null and c.starts_at <= $2 and c.ends_at > $2
            join account a on a.id = e.account_id and a.closed_at is null
            where e.member_id = b.member_id and e.left_at is null
            order by c.id is not distinct from b.chosen_competition desc, c.kind = 'PRACTICE',
                e.joined_at desc, c.id desc
            limit 1",
            $after
        )
    };
}

/// The competition account of the member `$1`.
const CURRENT: &str = current!(
    "select d.* from account b cross join lateral (",
    ") d where b.member_id = $1 and b.code = '00'"
);
/// The competition accounts of members in the mode, by their BASIC accounts `$1`.
const CURRENT_OF_MANY: &str = current!(
    "select b.id as basic, d.account_id from account b cross join lateral (",
    ") d where b.id = any($1) and b.competition_mode"
);

impl Store {
    /// `None` while the mode is off.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn competition_mode(
        &self,
        member_id: MemberId,
    ) -> Result<Option<CurrentEntry>, TradingError> {
        skip_locked::until_locked(|| self.try_competition_mode(member_id)).await
    }

    /// As [`Store::competition_mode`], but waits for no locked account.
    async fn try_competition_mode(
        &self,
        member_id: MemberId,
    ) -> Result<Option<CurrentEntry>, TradingError> {
        let (basic, _) = self.open_basic_account(member_id).await?;
        if !is_on(&self.db, basic).await? {
            return Ok(None);
        }
        if let Some(current) = self.current_entry(&self.db, member_id).await? {
            return Ok(Some(current));
        }
        let joined = self.join_practice(member_id).await;
        let current = self.current_entry(&self.db, member_id).await?;
        // When two join at once, one finds the entry of the other.
        match (current, joined) {
            (Some(current), _) => Ok(Some(current)),
            (None, joined) => joined.map(|_opened| None),
        }
    }

    /// Turns the mode on or off. `chosen` is the event to compete in.
    ///
    /// # Errors
    /// [`TradingError`]: the member does not take part in the chosen event or it does not run, or of the
    /// database.
    pub async fn set_competition_mode(
        &self,
        member_id: MemberId,
        is_on: bool,
        chosen: Option<i64>,
    ) -> Result<Option<CurrentEntry>, TradingError> {
        let (basic, _) = self.open_basic_account(member_id).await?;
        let set = || async move {
            let transaction = self.db.begin().await?;
            let set = self.set_in(&transaction, (member_id, basic), is_on, chosen);
            let set = set.await;
            once::end(transaction, set).await
        };
        skip_locked::until_locked(set).await?;
        self.competition_mode(member_id).await
    }

    async fn set_in(
        &self,
        transaction: &DatabaseTransaction,
        (member_id, basic): (MemberId, AccountId),
        is_on: bool,
        chosen: Option<i64>,
    ) -> Result<(), TradingError> {
        // Orders decide by the mode under this lock.
        let locked = skip_locked::accounts(transaction, &[basic].into()).await?;
        if locked.is_empty() {
            return Err(TradingError::AccountLocked);
        }
        once::check_deadline()?;
        if let Some(id) = chosen.filter(|_| is_on) {
            self.check_choice(transaction, member_id, id).await?;
        }
        let update = sql(
            "update account set competition_mode = $2, \
                chosen_competition = case when $2 then $3 end where id = $1",
            [basic.into(), is_on.into(), chosen.into()],
        );
        transaction.execute_raw(update).await?;
        Ok(())
    }

    async fn check_choice(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
        id: i64,
    ) -> Result<(), TradingError> {
        let found = competition::find(connection, id).await?;
        let joined = sql(
            "select account_id from competition_entry \
             where competition_id = $1 and member_id = $2 and left_at is null",
            [id.into(), member_id.into()],
        );
        let is_joined = connection.query_one_raw(joined).await?.is_some();
        let Some(found) = found.filter(|_| is_joined) else {
            let message = "참여한 대회에서만 대회 모드를 쓸 수 있어요.";
            return Err(Refusal::new("COMPETITION_NOT_JOINED", message).into());
        };
        if found.is_canceled || found.status(self.market_time()?) != CompetitionStatus::Ongoing {
            return Err(OrderRejection::CompetitionNotOngoing.into());
        }
        Ok(())
    }

    async fn current_entry(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
    ) -> Result<Option<CurrentEntry>, TradingError> {
        let now = self.market_time_or_clock();
        let read = sql(CURRENT, [member_id.into(), now.into()]);
        Ok(CurrentEntry::find_by_statement(read)
            .one(connection)
            .await?)
    }

    /// The current accounts of members in the mode, by their BASIC accounts. Under the locks of those it
    /// stays so.
    pub(crate) async fn current_accounts(
        &self,
        transaction: &DatabaseTransaction,
        basics: &BTreeSet<AccountId>,
    ) -> Result<BTreeMap<AccountId, AccountId>, DbErr> {
        if basics.is_empty() {
            return Ok(BTreeMap::new());
        }
        let ids: Vec<i64> = basics.iter().map(|id| id.0).collect();
        let now = self.market_time_or_clock();
        let read = sql(CURRENT_OF_MANY, [ids.into(), now.into()]);
        let mut current = BTreeMap::new();
        for row in transaction.query_all_raw(read).await? {
            current.insert(row.try_get("", "basic")?, row.try_get("", "account_id")?);
        }
        Ok(current)
    }

    /// The account that "99" stands for.
    ///
    /// # Errors
    /// [`OrderRejection::AccountForbidden`] while the mode is off.
    pub(crate) async fn current_account(
        &self,
        member_id: MemberId,
    ) -> Result<AccountId, TradingError> {
        skip_locked::until_locked(|| self.try_current_account(member_id)).await
    }

    /// As [`Store::current_account`], but waits for no locked account.
    ///
    /// # Errors
    /// [`TradingError::AccountLocked`] when the practice league is to be joined with an account that
    /// another transaction has locked.
    pub(crate) async fn try_current_account(
        &self,
        member_id: MemberId,
    ) -> Result<AccountId, TradingError> {
        let current = self.try_competition_mode(member_id).await?;
        Ok(current.ok_or(OrderRejection::AccountForbidden)?.account_id)
    }

    /// Whose orders and holdings a list without an account shows.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(crate) async fn list_scope(&self, member_id: MemberId) -> Result<ListScope, TradingError> {
        let (basic, _) = self.open_basic_account(member_id).await?;
        let read = sql(
            "select competition_mode, array(select account_id from competition_entry \
                where member_id = $2) as competing from account where id = $1",
            [basic.into(), member_id.into()],
        );
        let row = self.db.query_one_raw(read).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("account".to_owned()))?;
        if row.try_get("", "competition_mode")?
            && let Some(current) = self.competition_mode(member_id).await?
        {
            return Ok(ListScope::Account(current.account_id));
        }
        let competing: Vec<i64> = row.try_get("", "competing")?;
        let competing = competing.into_iter().map(AccountId).collect();
        Ok(ListScope::Without(competing))
    }

    /// Whether an account is one of a competition.
    pub(crate) async fn competes(&self, account: AccountId) -> Result<bool, DbErr> {
        let read = sql(
            "select from competition_entry where account_id = $1",
            [account.into()],
        );
        Ok(self.db.query_one_raw(read).await?.is_some())
    }

    /// The named account, or without one the accounts of the present mode.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's, or of the database.
    pub(crate) async fn scope_of(
        &self,
        member_id: MemberId,
        account: Option<&AccountChoice>,
    ) -> Result<ListScope, TradingError> {
        match account {
            Some(choice) => Ok(ListScope::Account(self.resolve(member_id, choice).await?)),
            None => self.list_scope(member_id).await,
        }
    }

    /// Joins the practice league of this month, once.
    async fn join_practice(&self, member_id: MemberId) -> Result<AccountNo, TradingError> {
        let id = seeds::practice(&self.db, self.market_time()?, self.clock.now()).await?;
        self.join_at_once(member_id, id).await
    }
}

async fn is_on(connection: &impl ConnectionTrait, basic: AccountId) -> Result<bool, DbErr> {
    let read = sql(
        "select competition_mode from account where id = $1",
        [basic.into()],
    );
    let row = connection.query_one_raw(read).await?;
    row.map_or(Ok(false), |row| row.try_get("", "competition_mode"))
}
