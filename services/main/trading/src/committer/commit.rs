//! One group's transaction, and what becomes of its orders when they cannot go together.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::StreamExt;
use futures_util::stream;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::{Outcome, Waiting};
use crate::error::TradingError;
use crate::store::Store;

/// Orders of failed groups that are tried by themselves at a time.
pub(super) const ALONE: usize = 2;

/// How a task ended.
pub(super) enum Ended {
    /// These orders are tried again after a rest.
    LeftOut(Vec<Waiting>),
    /// The transaction failed; one order must not spoil the others.
    Failed(Vec<Waiting>),
    /// It has rested enough.
    Rested(Box<Waiting>),
}

/// Commits a group in one transaction.
pub(super) async fn commit(store: Store, group: Vec<Waiting>) -> Ended {
    let (orders, askers): (Vec<_>, Vec<_>) =
        group.into_iter().map(|one| (one.order, one.asker)).unzip();
    #[expect(
        clippy::cast_precision_loss,
        clippy::as_conversions,
        reason = "at most fifty, and only shown on a dashboard"
    )]
    metrics::histogram!("trading_orders_per_commit").record(orders.len() as f64);
    let placed = store.place_orders(&orders).await;
    let group = orders.into_iter().zip(askers);
    let group = group.map(|(order, asker)| Waiting { order, asker });
    match placed {
        Ok(outcomes) => Ended::LeftOut(answer(group.zip(outcomes))),
        // No order is at fault, and each would wait for a connection as long as the group did.
        Err(failed) if failed.is_without_connection() => {
            group.for_each(|waiting| waiting.asker.tell(Err(TradingError::Busy)));
            Ended::LeftOut(Vec::new())
        }
        Err(error) => {
            tracing::warn!(%error, "A group of orders is tried one by one");
            Ended::Failed(group.collect())
        }
    }
}

/// Tells the outcomes; answers the orders that are to be tried again, because somebody else has
/// locked their accounts.
fn answer(outcomes: impl Iterator<Item = (Waiting, Outcome)>) -> Vec<Waiting> {
    let mut left_out = Vec::new();
    for (mut waiting, outcome) in outcomes {
        let is_locked = matches!(outcome, Err(TradingError::AccountLocked));
        if is_locked && waiting.asker.waits_on() {
            metrics::counter!("trading_orders_left_out_total").increment(1);
            left_out.push(waiting);
        } else {
            waiting.asker.tell(outcome);
        }
    }
    left_out
}

/// Tries the orders of a group that failed each by itself, a few at a time.
pub(super) async fn one_by_one(store: Store, alone: Arc<Semaphore>, group: Vec<Waiting>) -> Ended {
    let is_in_vain = AtomicBool::new(false);
    let tried = stream::iter(group).map(|waiting| by_itself(&store, &alone, &is_in_vain, waiting));
    let left_out = tried.buffer_unordered(ALONE).filter_map(std::future::ready);
    Ended::LeftOut(left_out.collect().await)
}

async fn by_itself(
    store: &Store,
    alone: &Semaphore,
    is_in_vain: &AtomicBool,
    waiting: Waiting,
) -> Option<Waiting> {
    let _turn = alone.acquire().await;
    if waiting.asker.is_late(Instant::now()) {
        waiting.asker.tell(Err(TradingError::DeadlinePassed));
        return None;
    }
    if is_in_vain.load(Ordering::Relaxed) {
        waiting.asker.tell(Err(TradingError::Busy));
        return None;
    }
    let placed = store
        .place_orders(std::slice::from_ref(&waiting.order))
        .await;
    if placed
        .as_ref()
        .is_err_and(TradingError::is_without_connection)
    {
        is_in_vain.store(true, Ordering::Relaxed);
    }
    let outcome = placed.and_then(|mut outcomes| match outcomes.pop() {
        Some(outcome) => outcome,
        None => Err(TradingError::Busy),
    });
    answer(std::iter::once((waiting, outcome))).pop()
}
