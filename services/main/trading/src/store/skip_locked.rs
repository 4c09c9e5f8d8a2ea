//! Locks accounts without waiting, and retries those that are locked. A request must not wait for a
//! row lock: it would occupy a connection and delay the orders that share its transaction.

use std::collections::BTreeSet;
use std::time::Duration;

use kernel::AccountId;
use messaging::backoff::Backoff;
use sea_orm::sea_query::{LockBehavior, LockType};
use sea_orm::{DatabaseTransaction, DbErr, QuerySelect};
use tokio::time::Instant;

use super::lock::{self, Accounts};
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
    let rows = lock::in_order(ids)
        .lock_with_behavior(LockType::NoKeyUpdate, LockBehavior::SkipLocked)
        .all(transaction)
        .await?;
    Ok(lock::by_id(rows))
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
