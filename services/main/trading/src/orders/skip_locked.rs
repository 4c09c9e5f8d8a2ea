//! Accounts that nobody else has locked, and the patience with those that somebody has. An order
//! or a change never waits for a row lock: it would keep a connection, and whoever shares its
//! transaction, from their work.

use std::collections::BTreeSet;
use std::time::Duration;

use kernel::AccountId;
use messaging::backoff::Backoff;
use sea_orm::sea_query::{LockBehavior, LockType};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
};
use tokio::time::Instant;

use crate::entity::account;
use crate::store::lock::Accounts;

/// How long a locked account is waited for: then nothing is known of when it will be free.
const TIMEOUT: Duration = Duration::from_secs(2);
/// About as long as a transaction lasts.
const FIRST_DELAY: Duration = Duration::from_millis(10);
const LONGEST_DELAY: Duration = Duration::from_millis(100);

/// Locks those of `ids` that nobody else has locked. A key that refers to an account (a claim to a
/// dividend, an order) does not count as a lock of it.
pub(crate) async fn accounts(
    transaction: &DatabaseTransaction,
    ids: &BTreeSet<AccountId>,
) -> Result<Accounts, DbErr> {
    if ids.is_empty() {
        return Ok(Accounts::new());
    }
    let rows = account::Entity::find()
        .filter(account::Column::Id.eq_any(ids.iter().map(|id| id.0)))
        .order_by_asc(account::Column::Id)
        .lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked)
        .all(transaction)
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// The wait for an account that somebody else has locked.
pub struct LockRetry {
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
    /// How long to rest before the next try; `None` when it has been waited for long enough.
    pub fn next_delay(&mut self) -> Option<Duration> {
        let rest = self.backoff.next_delay();
        (Instant::now() + rest < self.until).then_some(rest)
    }
}
