//! Settles a batch, or a slice of its accounts, in one transaction: locks the rows, runs the pass from
//! their balances, and writes fills, journals, holdings, order states, messages and the checkpoint.

mod earlier_slices;
mod effects;
mod locked_rows;
mod receipt;
mod states;

use std::collections::{BTreeMap, BTreeSet};

use bootstrap::database;
use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, OrderId};
use sea_orm::{DatabaseTransaction, TransactionTrait};

use crate::error::{TradingError, is_lock_timeout};
use crate::matching::balances::Settlement;
use crate::matching::checkpoint::{self, InstrumentStates, ShardCheckpoint};
use crate::matching::pass::MatchingPass;
use crate::orders::order::Order;
use crate::store::Store;
use crate::store::lock;
use crate::store::write_set::WriteSet;
use crate::tick_log::Batch;
pub(super) use earlier_slices::sharing_members;
use effects::{SettledPass, only_ended};
use locked_rows::{Groups, LockedRows};

/// Lock timeouts, of two seconds each, before the error is returned and the shard is loaded again.
const LOCK_WAITS: u32 = 30;

/// A batch, or a slice of its accounts, to settle.
pub struct BatchSlice<'a> {
    /// The orders that the batch changes, as they are before it.
    pub pass: &'a MatchingPass,
    pub batch: &'a Batch,
    /// Accounts whose holdings and new orders a split of the batch applies to.
    pub holders: &'a BTreeSet<AccountId>,
    /// Members with accounts in several slices.
    pub sharing: &'a BTreeSet<MemberId>,
    /// Orders whose queue position has changed since it was stored.
    pub queue_positions: &'a [Order],
    /// New orders to admit; only the last slice admits them.
    pub admitted: &'a [OrderId],
    /// New orders to admit once the split of the batch is applied to them.
    pub awaiting_split: &'a BTreeMap<OrderId, Order>,
    pub from: &'a ShardCheckpoint,
    pub to: &'a ShardCheckpoint,
    /// Instrument states, when they are to be stored.
    pub state: Option<&'a InstrumentStates>,
}

/// The orders after a slice was settled.
#[derive(Default)]
pub struct BatchResult {
    /// The orders that the batch changed, as stored.
    pub pass: MatchingPass,
    /// Orders that are no longer open: ended by another transaction meanwhile, or by a split.
    pub closed: Vec<OrderId>,
    /// New orders that the split was applied to.
    pub split_orders: BTreeMap<OrderId, Order>,
}

impl BatchResult {
    /// Adds the result of the next slice.
    pub(super) fn add(&mut self, next: Self) {
        self.split_orders.extend(next.split_orders);
        self.closed.extend(next.closed);
        self.pass.instruments = next.pass.instruments;
        self.pass.orders.extend(next.pass.orders);
    }
}

impl Store {
    /// Settles a slice. A lock timeout is retried [`LOCK_WAITS`] times.
    ///
    /// # Errors
    /// [`TradingError`]: nothing was stored, and the same slice may be tried again.
    pub async fn settle(&self, slice: &BatchSlice<'_>) -> Result<BatchResult, TradingError> {
        retry_locked(|| self.settle_once(slice)).await
    }

    async fn settle_once(&self, slice: &BatchSlice<'_>) -> Result<BatchResult, TradingError> {
        let splits = slice.pass.splits(slice.batch);
        let orders = slice.pass.orders.values();
        let mut keys: Groups = orders
            .map(|order| (order.account_id, order.instrument_code.clone()))
            .collect();
        for code in splits.keys() {
            keys.extend(slice.holders.iter().map(|account| (*account, code.clone())));
        }
        let transaction = self.db.begin().await?;
        let locked = LockedRows::of(&transaction, &keys).await?;
        let mut pass = slice.pass.clone();
        let order_ids: BTreeSet<OrderId> = pass.orders.keys().copied().collect();
        let open = lock::open_ids(&transaction, &order_ids).await?;
        pass.orders.retain(|id, _| open.contains(id));
        let mut balances = locked.balances()?;
        balances.filled_before = earlier_slices::stored_fills(&transaction, slice).await?;
        if !splits.is_empty() {
            let codes: Vec<String> = splits.keys().cloned().collect();
            add_holders_orders(&transaction, slice, &codes, &locked, &mut pass).await?;
            let accounts = locked.accounts.keys().copied().collect();
            balances.already_split = lock::already_split(&transaction, &accounts, &splits).await?;
        }

        let effects = pass.run(
            slice.batch,
            Settlement::Balances(&mut balances, &self.costs),
        )?;
        let mut writes = WriteSet::default();
        for order in slice.queue_positions {
            writes.queue_position(order);
        }
        let mut result = BatchResult {
            closed: order_ids.difference(&open).copied().collect(),
            ..BatchResult::default()
        };
        for id in std::mem::take(&mut pass.new_orders) {
            match pass.orders.get(&id).filter(|order| order.status.is_open()) {
                None => result.closed.push(id),
                Some(order) if slice.awaiting_split.contains_key(&id) => {
                    result.split_orders.insert(id, order.clone());
                }
                Some(_) => {}
            }
        }
        let admitted = slice.admitted(&result);
        if !admitted.is_empty() {
            writes.admission(slice.to.admission(admitted));
        }
        let passed = SettledPass {
            locked: &locked,
            balances: &balances,
            only_ended: only_ended(&slice.pass.orders, &effects),
            pass: &pass,
            effects: &effects,
            closed_at: slice.batch.closed_at,
        };
        self.write_pass(&transaction, &passed, writes).await?;
        checkpoint::advance(&transaction, slice.from, slice.to, slice.state).await?;
        transaction.commit().await?;
        pass.orders.retain(|id, _| order_ids.contains(id));
        Ok(BatchResult { pass, ..result })
    }

    /// Applies the newest split to new orders that were priced before it, and returns those that are
    /// open afterwards. Repeating it changes nothing.
    ///
    /// # Errors
    /// [`TradingError`] of the database: nothing was changed.
    pub async fn split_late_orders(
        &self,
        late: &BTreeMap<OrderId, Order>,
        instruments: &InstrumentStates,
        now: DateTime<Utc>,
    ) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        retry_locked(|| self.split_late_orders_once(late, instruments, now)).await
    }

    async fn split_late_orders_once(
        &self,
        late: &BTreeMap<OrderId, Order>,
        instruments: &InstrumentStates,
        now: DateTime<Utc>,
    ) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let keys: Groups = late
            .values()
            .map(|order| (order.account_id, order.instrument_code.clone()))
            .collect();
        let transaction = self.db.begin().await?;
        let locked = LockedRows::of(&transaction, &keys).await?;
        let ids = late.keys().copied().collect();
        let mut pass = MatchingPass {
            instruments: keys
                .iter()
                .filter_map(|(_, code)| instruments.get_key_value(code))
                .map(|(code, state)| (code.clone(), state.clone()))
                .collect(),
            orders: lock::open_orders(&transaction, &ids).await?,
            new_orders: ids,
        };
        let mut balances = locked.balances()?;
        let effects =
            pass.split_new_orders(now, Settlement::Balances(&mut balances, &self.costs))?;
        let passed = SettledPass {
            locked: &locked,
            balances: &balances,
            only_ended: BTreeSet::new(),
            pass: &pass,
            effects: &effects,
            closed_at: now,
        };
        self.write_pass(&transaction, &passed, WriteSet::default())
            .await?;
        transaction.commit().await?;
        pass.orders.retain(|_, order| order.status.is_open());
        Ok(pass.orders)
    }
}

impl BatchSlice<'_> {
    /// The new orders to admit: none before the last slice.
    fn admitted(&self, result: &BatchResult) -> Vec<OrderId> {
        if self.to.applied_through.is_some() {
            return Vec::new();
        }
        let split_orders = result.split_orders.keys();
        self.admitted.iter().chain(split_orders).copied().collect()
    }
}

/// Adds the waiting orders in split instruments to the pass, of those whose holdings this slice splits.
async fn add_holders_orders(
    transaction: &DatabaseTransaction,
    slice: &BatchSlice<'_>,
    codes: &[String],
    locked: &LockedRows,
    pass: &mut MatchingPass,
) -> Result<(), TradingError> {
    let rows = locked.accounts.values();
    let members = rows.map(|row| row.account.member_id).collect();
    for (id, order) in lock::open_orders_in(transaction, &members, codes).await? {
        if slice.holders.contains(&order.account_id) && !pass.orders.contains_key(&id) {
            pass.new_orders.insert(id);
            pass.orders.insert(id, order);
        }
    }
    Ok(())
}

/// Retries a transaction after a serialization failure or a lock timeout.
async fn retry_locked<T, F>(mut transaction: impl FnMut() -> F) -> Result<T, TradingError>
where
    F: Future<Output = Result<T, TradingError>>,
{
    let mut waited = 0;
    loop {
        match database::retry_serialization(&mut transaction).await {
            Err(TradingError::Database(error))
                if is_lock_timeout(&error) && waited < LOCK_WAITS =>
            {
                waited += 1;
                metrics::counter!("trading_matcher_lock_waits_total").increment(1);
            }
            outcome => return outcome,
        }
    }
}
