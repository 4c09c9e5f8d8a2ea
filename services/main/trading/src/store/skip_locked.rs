//! Locks accounts without waiting, and retries those that are locked. A request must not wait for a
//! row lock: it would occupy a connection and delay the orders that share its transaction.

use std::collections::BTreeSet;
use std::time::Duration;

use kernel::AccountId;
use messaging::backoff::Backoff;
use sea_orm::sea_query::{LockBehavior, LockType};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, FromQueryResult, IdenStatic,
    QuerySelect, QueryTrait, SelectA, SelectB, SelectTwoRequired,
};
use tokio::time::Instant;

use super::lock::{self, Accounts};
use super::request::{Key, StoredReplies};
use crate::entity::{account, balance};
use crate::error::TradingError;

/// How long the lock of an account is retried.
const TIMEOUT: Duration = Duration::from_secs(2);
/// About as long as a transaction lasts.
const FIRST_DELAY: Duration = Duration::from_millis(10);
const LONGEST_DELAY: Duration = Duration::from_millis(100);

/// Locks those of `ids` that no other transaction has locked (SKIP LOCKED). A foreign key check on
/// the account (a dividend share, an order) does not count as a lock.
pub(crate) async fn accounts(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<AccountId>,
) -> Result<Accounts, DbErr> {
    if ids.is_empty() {
        return Ok(Accounts::new());
    }
    Ok(lock::by_id(select(ids).all(transaction).await?))
}

/// As [`accounts`], with the stored reply of a request, in one round trip. A reply that was stored just
/// before the lock is not seen: a transaction that then stores another one fails on the key.
pub(crate) async fn accounts_and_reply(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<AccountId>,
    key: &Key,
) -> Result<(Accounts, StoredReplies), DbErr> {
    let select = select(ids).expr_as(StoredReplies::subquery(key), "stored");
    let rows = transaction
        .query_all_raw(select.build(DbBackend::Postgres))
        .await?;
    let Some(first) = rows.first() else {
        // Without a locked account there is no row that says it.
        let stored = StoredReplies::load(transaction, [key], 0).await?;
        return Ok((Accounts::new(), stored));
    };
    let stored = StoredReplies::decode(first.try_get("", "stored")?)?;
    let rows: Result<Vec<(account::Model, balance::Model)>, DbErr> = rows
        .iter()
        .map(|row| {
            let account = account::Model::from_query_result(row, SelectA.as_str())?;
            let won = balance::Model::from_query_result(row, SelectB.as_str())?;
            Ok((account, won))
        })
        .collect();
    Ok((lock::by_id(rows?), stored))
}

fn select(ids: &BTreeSet<AccountId>) -> SelectTwoRequired<account::Entity, balance::Entity> {
    lock::in_order(ids).lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked)
}

/// Runs a transaction again while another one has locked its account, as long as the policy allows.
pub(crate) async fn until_locked<T, F>(run: impl Fn() -> F) -> Result<T, TradingError>
where
    F: Future<Output = Result<T, TradingError>>,
{
    let mut retry = LockRetry::default();
    loop {
        match run().await {
            Err(TradingError::AccountLocked) => {}
            other => return other,
        }
        match retry.next_delay() {
            Some(delay) => tokio::time::sleep(delay).await,
            None => return Err(TradingError::AccountLocked),
        }
    }
}

/// Retry policy for an account that another transaction has locked.
pub(crate) struct LockRetry {
    until: Instant,
    backoff: Backoff,
}

impl Default for LockRetry {
    fn default() -> Self {
        Self {
            until: Instant::now() + TIMEOUT,
            backoff: Backoff::new(FIRST_DELAY, LONGEST_DELAY),
        }
    }
}

impl LockRetry {
    /// Delay before the next try; `None` after the timeout.
    pub(crate) fn next_delay(&mut self) -> Option<Duration> {
        let delay = self.backoff.next_delay();
        (Instant::now() + delay < self.until).then_some(delay)
    }
}
