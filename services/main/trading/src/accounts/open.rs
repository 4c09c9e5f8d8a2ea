//! Opens accounts and resolves the account that a request names.

use std::collections::BTreeSet;

use kernel::{AccountCode, AccountId, AccountNo, MemberId, Won};
use sea_orm::ColumnTrait;
use sea_orm::{
    Condition, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, QueryFilter,
    Statement, TransactionTrait,
};
use uuid::Uuid;

use super::account::opening_postings;
use crate::entity::account;
use crate::error::TradingError;
use crate::events;
use crate::ledger::{self, Asset, Journal, JournalKind, Source};
use crate::orders::validation::OrderRejection;
use crate::store::Store;
use crate::store::write_set::WriteSet;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountChoice {
    Basic,
    /// The account of the member's current competition.
    Competition,
    Number(AccountNo),
}

impl AccountChoice {
    /// Parses "00" or an empty text (basic), "99" (competition) or a number.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() || text == AccountCode::Basic.as_str() {
            Some(Self::Basic)
        } else if text == AccountCode::Competition.as_str() {
            Some(Self::Competition)
        } else {
            AccountNo::parse(text).ok().map(Self::Number)
        }
    }

    /// The kind of the account.
    #[must_use]
    pub fn code(&self) -> AccountCode {
        match self {
            Self::Basic => AccountCode::Basic,
            Self::Competition => AccountCode::Competition,
            Self::Number(number) => number.code(),
        }
    }
}

/// An account to be opened.
pub(crate) struct NewAccount<'a> {
    pub(crate) member_id: MemberId,
    pub(crate) code: AccountCode,
    pub(crate) initial_deposit: Won,
    /// The contract's product or the competition; `None` where the code names the account.
    pub(crate) name: Option<&'a str>,
}

impl NewAccount<'_> {
    /// An account without money or a name of its own.
    pub(crate) fn new(member_id: MemberId, code: AccountCode) -> Self {
        Self {
            member_id,
            code,
            initial_deposit: Won::ZERO,
            name: None,
        }
    }
}

/// Inbox consumer of `auth.member.joined.v1`.
const JOINED_CONSUMER: &str = "trading.accounts";

impl Store {
    /// Opens the BASIC account with its initial deposit, or returns the one that exists.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn open_basic_account(
        &self,
        member_id: MemberId,
    ) -> Result<(AccountId, AccountNo), TradingError> {
        if let Some(known) = self.basics.get(&member_id).await {
            return Ok(known);
        }
        // Opening draws a sequence number even when the account exists, which is nearly always.
        if let Some(found) = self.find_basic(&self.db, member_id).await? {
            self.basics.insert(member_id, found.clone()).await;
            return Ok(found);
        }
        let opened = bootstrap::database::retry_serialization(|| async {
            let transaction = self.db.begin().await?;
            let account = self.open_in(&transaction, member_id).await?;
            transaction.commit().await?;
            Ok::<_, TradingError>(account)
        })
        .await?;
        self.basics.insert(member_id, opened.clone()).await;
        Ok(opened)
    }

    /// Opens the BASIC account of a member who joined, once per event.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn open_for_joined(
        &self,
        event_id: Uuid,
        member_id: MemberId,
    ) -> Result<(), TradingError> {
        let transaction = self.db.begin().await?;
        let clock = self.clock.as_ref();
        if messaging::inbox::first_time(&transaction, JOINED_CONSUMER, event_id, clock).await? {
            self.open_in(&transaction, member_id).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn open_in(
        &self,
        transaction: &DatabaseTransaction,
        member_id: MemberId,
    ) -> Result<(AccountId, AccountNo), TradingError> {
        let mut basic = NewAccount::new(member_id, AccountCode::Basic);
        basic.initial_deposit = self.policy.initial_deposit;
        if let Some(opened) = self.open_account(transaction, &basic).await? {
            return Ok(opened);
        }
        let found = self.find_basic(transaction, member_id).await?;
        Ok(
            found
                .ok_or_else(|| DbErr::Custom("the account that exists is not there".to_owned()))?,
        )
    }

    /// Opens an account with its balance of won, its initial deposit and its event. `None` when the
    /// member has an open one of this code, of which there is at most one.
    pub(crate) async fn open_account(
        &self,
        transaction: &DatabaseTransaction,
        new: &NewAccount<'_>,
    ) -> Result<Option<(AccountId, AccountNo)>, TradingError> {
        let now = self.clock.now();
        let id = AccountId(next_value(transaction, "account_id_seq").await?);
        let number =
            AccountNo::number(id.0, new.code).map_err(|error| DbErr::Custom(error.to_string()))?;
        let insert = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "insert into account (id, member_id, code, account_no, opened_at, \
             initial_deposit_won, name) values ($1, $2, $3, $4, $5, $6, $7) \
             on conflict do nothing",
            [
                id.into(),
                new.member_id.into(),
                new.code.as_str().into(),
                number.as_str().into(),
                now.into(),
                new.initial_deposit.into(),
                new.name.into(),
            ],
        );
        if transaction.execute_raw(insert).await?.rows_affected() == 0 {
            return Ok(None);
        }
        ledger::open_balance(transaction, id, Asset::Krw).await?;
        if new.initial_deposit > Won::ZERO {
            let journal = Journal {
                id: next_value(transaction, "journal_id_seq").await?,
                kind: JournalKind::AccountOpened,
                source: Source::Account(id),
                occurred_at: now,
                postings: opening_postings(id, new.initial_deposit),
            };
            ledger::post(transaction, &[journal], &[]).await?;
        }
        let mut writes = WriteSet::default();
        writes.event(&events::account_opened(
            new.member_id,
            &number,
            new.initial_deposit,
            self.clock.as_ref(),
        ));
        writes.write(transaction).await?;
        Ok(Some((id, number)))
    }

    /// The BASIC account of a member who has one.
    pub(crate) async fn known_basic(
        &self,
        member_id: MemberId,
    ) -> Result<Option<AccountId>, DbErr> {
        if let Some((id, _)) = self.basics.get(&member_id).await {
            return Ok(Some(id));
        }
        let found = self.find_basic(&self.db, member_id).await?;
        Ok(found.map(|(id, _)| id))
    }

    async fn find_basic(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
    ) -> Result<Option<(AccountId, AccountNo)>, DbErr> {
        let row = account::Entity::find()
            .filter(account::Column::MemberId.eq(member_id))
            .filter(account::Column::Code.eq(AccountCode::Basic.as_str()))
            .one(connection)
            .await?;
        let read = |row: account::Model| match AccountNo::parse(&row.account_no) {
            Ok(number) => Ok((row.id, number)),
            Err(error) => Err(DbErr::Custom(error.to_string())),
        };
        row.map(read).transpose()
    }

    /// The account that a choice names; `None` when the member has no such account.
    pub(crate) async fn own_account(
        &self,
        member_id: MemberId,
        choice: &AccountChoice,
    ) -> Result<Option<AccountId>, TradingError> {
        match self.resolve(member_id, choice).await {
            Err(TradingError::Rejected(OrderRejection::AccountForbidden)) => Ok(None),
            found => found.map(Some),
        }
    }

    /// # Errors
    /// [`OrderRejection::AccountForbidden`] when the account belongs to somebody else or does not
    /// exist: a caller cannot tell which.
    pub async fn resolve(
        &self,
        member_id: MemberId,
        choice: &AccountChoice,
    ) -> Result<AccountId, TradingError> {
        let (basic, basic_number) = self.open_basic_account(member_id).await?;
        let mine = account::Entity::find().filter(account::Column::MemberId.eq(member_id));
        let found = match choice {
            AccountChoice::Basic => return Ok(basic),
            AccountChoice::Number(number) if *number == basic_number => return Ok(basic),
            AccountChoice::Number(number) => {
                mine.filter(account::Column::AccountNo.eq(number.as_str()))
            }
            AccountChoice::Competition => return self.current_account(member_id).await,
        };
        // What an account of a competition did stays readable.
        let readable = Condition::any()
            .add(account::Column::ClosedAt.is_null())
            .add(account::Column::Code.eq(AccountCode::Competition.as_str()));
        let open = found.filter(readable);
        match open.one(&self.db).await? {
            Some(row) => Ok(row.id),
            None => Err(OrderRejection::AccountForbidden.into()),
        }
    }
}

/// The next value of a sequence.
pub(crate) async fn next_value(
    connection: &impl ConnectionTrait,
    sequence: &'static str,
) -> Result<i64, DbErr> {
    let next = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "select nextval($1::text::regclass) as value",
        [sequence.into()],
    );
    let row = connection.query_one_raw(next).await?;
    row.ok_or_else(|| DbErr::RecordNotFound(sequence.to_owned()))?
        .try_get("", "value")
}

/// The member's open accounts, without those of competitions.
pub(crate) async fn open_accounts(
    connection: &impl ConnectionTrait,
    member_id: MemberId,
) -> Result<BTreeSet<AccountId>, DbErr> {
    let rows = account::Entity::find()
        .filter(account::Column::MemberId.eq(member_id))
        .filter(account::Column::ClosedAt.is_null())
        .filter(account::Column::Code.ne(AccountCode::Competition.as_str()))
        .all(connection)
        .await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}
