//! The transaction of a group, and the fallback that commits its orders one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream;
use tokio::sync::Semaphore;

use super::{OrderResult, QueuedOrder};
use crate::error::TradingError;
use crate::orders::place::PlaceOrder;
use crate::store::Store;

/// Orders of failed groups that are committed individually at a time.
pub(super) const CONCURRENT_SINGLES: usize = 2;

/// Longer than the database and all callers wait.
const GROUP_TIMEOUT: Duration = Duration::from_secs(7);

pub(super) enum TaskResult {
    /// The group is done but for these orders, which are retried after a delay.
    Retry(Vec<QueuedOrder>),
    /// The transaction failed; its orders are committed individually, so that one cannot fail all.
    Failed(Vec<QueuedOrder>),
    /// The delay of a retry is over.
    RetryDue(Box<QueuedOrder>),
}

/// Commits a group in one transaction.
pub(super) async fn commit(store: Store, group: Vec<QueuedOrder>) -> TaskResult {
    let (orders, askers): (Vec<_>, Vec<_>) =
        group.into_iter().map(|one| (one.order, one.caller)).unzip();
    #[expect(
        clippy::cast_precision_loss,
        clippy::as_conversions,
        reason = "at most fifty, and only shown on a dashboard"
    )]
    metrics::histogram!("trading_orders_per_commit").record(orders.len() as f64);
    let placed = place_in_time(&store, &orders).await;
    let group = orders.into_iter().zip(askers);
    let group = group.map(|(order, caller)| QueuedOrder { order, caller });
    match placed {
        Ok(outcomes) => TaskResult::Retry(send_replies(group.zip(outcomes))),
        // No order is at fault, and each would time out waiting for a connection.
        Err(failed) if failed.is_without_connection() => {
            group.for_each(|waiting| waiting.caller.reply(Err(TradingError::Busy)));
            TaskResult::Retry(Vec::new())
        }
        // It may have committed all the same: the callers ask again.
        Err(TradingError::DeadlinePassed) => {
            group.for_each(|waiting| waiting.caller.reply(Err(TradingError::DeadlinePassed)));
            TaskResult::Retry(Vec::new())
        }
        Err(error) => {
            tracing::warn!(%error, "Group commit failed; its orders are committed one by one");
            TaskResult::Failed(group.collect())
        }
    }
}

/// As [`Store::place_orders`], but for a connection that is half open and never answers.
async fn place_in_time(
    store: &Store,
    orders: &[PlaceOrder],
) -> Result<Vec<OrderResult>, TradingError> {
    let placed = tokio::time::timeout(GROUP_TIMEOUT, store.place_orders(orders));
    placed.await.unwrap_or_else(|_elapsed| {
        tracing::warn!(orders = orders.len(), "Orders took too long to commit");
        Err(TradingError::DeadlinePassed)
    })
}

/// Sends the outcomes to their callers; returns the orders to retry, because another transaction has
/// locked their accounts.
fn send_replies(outcomes: impl Iterator<Item = (QueuedOrder, OrderResult)>) -> Vec<QueuedOrder> {
    let mut retries = Vec::new();
    for (mut waiting, outcome) in outcomes {
        let is_locked = matches!(outcome, Err(TradingError::AccountLocked));
        if is_locked && waiting.caller.schedule_retry() {
            metrics::counter!("trading_orders_left_out_total").increment(1);
            retries.push(waiting);
        } else {
            waiting.caller.reply(outcome);
        }
    }
    retries
}

/// Commits the orders of a failed group in transactions of their own, a few at a time.
pub(super) async fn commit_individually(
    store: Store,
    singles: Arc<Semaphore>,
    group: Vec<QueuedOrder>,
) -> TaskResult {
    let is_pool_exhausted = AtomicBool::new(false);
    let tried = stream::iter(group)
        .map(|waiting| commit_one(&store, &singles, &is_pool_exhausted, waiting));
    let retries = tried
        .buffer_unordered(CONCURRENT_SINGLES)
        .filter_map(std::future::ready);
    TaskResult::Retry(retries.collect().await)
}

async fn commit_one(
    store: &Store,
    singles: &Semaphore,
    is_pool_exhausted: &AtomicBool,
    waiting: QueuedOrder,
) -> Option<QueuedOrder> {
    let _permit = singles.acquire().await;
    if waiting.order.is_late() {
        waiting.caller.reply(Err(TradingError::DeadlinePassed));
        return None;
    }
    if is_pool_exhausted.load(Ordering::Relaxed) {
        waiting.caller.reply(Err(TradingError::Busy));
        return None;
    }
    let placed = place_in_time(store, std::slice::from_ref(&waiting.order)).await;
    if placed
        .as_ref()
        .is_err_and(TradingError::is_without_connection)
    {
        is_pool_exhausted.store(true, Ordering::Relaxed);
    }
    let outcome = placed.and_then(|mut outcomes| match outcomes.pop() {
        Some(outcome) => outcome,
        None => Err(TradingError::Busy),
    });
    send_replies(std::iter::once((waiting, outcome))).pop()
}
