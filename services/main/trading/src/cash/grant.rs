//! The operator's command that gives a member cash.

use std::collections::BTreeSet;

use kernel::{AccountCode, AccountId, Clock, MemberId, Won};
use sea_orm::{
    ColumnTrait, DatabaseConnection, DbErr, EntityTrait, PaginatorTrait, QueryFilter,
    TransactionTrait,
};

use super::change::{CashChangeKind, NewChange};
use crate::entity::{account, cash_change};
use crate::error::TradingError;
use crate::ledger::{self, Asset, Journal, JournalKind, Source};
use crate::store::lock;

/// More than anybody is granted at once: a larger number is a slip of the hand.
const MOST_CASH: i64 = 1_000_000;

#[derive(Clone, Debug)]
pub struct CashGrant {
    pub member_id: MemberId,
    /// 1 to 1,000,000.
    pub amount: i64,
    /// Why, for whoever reads the books.
    pub reason: String,
    /// Grants once, however often the command is run; `None` grants each time.
    pub key: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    #[error("an amount is 1 to {MOST_CASH}")]
    Amount,
    #[error("a reason is 1 to 200 characters")]
    Reason,
    #[error("member {0} has no account")]
    NoAccount(MemberId),
    #[error("key {0} was granted to this member before")]
    Repeated(String),
    #[error(transparent)]
    Trading(#[from] TradingError),
}

impl From<DbErr> for GrantError {
    fn from(error: DbErr) -> Self {
        Self::Trading(error.into())
    }
}

/// Grants cash of the book of issue, and returns the member's cash afterwards.
///
/// # Errors
/// [`GrantError`]: nothing was granted.
pub async fn grant(
    db: &DatabaseConnection,
    clock: &dyn Clock,
    grant: &CashGrant,
) -> Result<i64, GrantError> {
    if !(1..=MOST_CASH).contains(&grant.amount) {
        return Err(GrantError::Amount);
    }
    if !(1..=200).contains(&grant.reason.trim().chars().count()) {
        return Err(GrantError::Reason);
    }
    let transaction = db.begin().await?;
    let basic = account::Entity::find()
        .filter(account::Column::MemberId.eq(grant.member_id))
        .filter(account::Column::Code.eq(AccountCode::Basic.as_str()));
    let basic = basic.one(&transaction).await?;
    let account: AccountId = basic.ok_or(GrantError::NoAccount(grant.member_id))?.id;
    lock::accounts(&transaction, &BTreeSet::from([account])).await?;
    if let Some(key) = &grant.key {
        let same = cash_change::Entity::find()
            .filter(cash_change::Column::AccountId.eq(account))
            .filter(cash_change::Column::Kind.eq(CashChangeKind::Granted.as_str()))
            .filter(cash_change::Column::SourceKey.eq(key.as_str()));
        if same.count(&transaction).await? > 0 {
            return Err(GrantError::Repeated(key.clone()));
        }
    }
    ledger::open_balance(&transaction, account, Asset::Cash).await?;
    let change = NewChange {
        account,
        kind: CashChangeKind::Granted,
        cash: grant.amount,
        source_key: grant.key.as_deref(),
        reason: grant.reason.trim(),
        won: Won::ZERO,
        occurred_at: clock.now(),
    };
    let source = Source::CashChange(change.write(&transaction).await?);
    let numbers = ledger::draw_ids(&transaction, 1).await?.into_iter();
    let journals: Vec<Journal> = numbers
        .map(|id| Journal {
            id,
            kind: JournalKind::CashGranted,
            source,
            occurred_at: change.occurred_at,
            postings: change.postings(),
        })
        .collect();
    let posted = ledger::post(&transaction, &journals, &[]).await;
    posted.map_err(TradingError::from)?;
    let cash = ledger::amount_of(&transaction, account, Asset::Cash).await?;
    transaction.commit().await?;
    Ok(cash)
}
