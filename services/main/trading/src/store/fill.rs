//! Storing what a batch of ticks did: fills, ledger, holdings, order states and messages, in one
//! transaction with the offset. Of a large batch each slice of accounts is such a transaction, and
//! the offset moves with the last.

mod receipt;
mod states;

use std::collections::{BTreeMap, BTreeSet};

use bootstrap::database;
use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, OrderId};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement, TransactionTrait,
};

use super::Store;
use super::lock::{self, Accounts, Holdings};
use crate::error::{TradingError, is_lock_timeout};
use crate::events;
use crate::ledger::{self, Journal};
use crate::matching::balances::{LockedBalances, Settlement};
use crate::matching::checkpoint::{self, InstrumentStates, ShardCheckpoint};
use crate::matching::effect::Effect;
use crate::matching::pass::MatchingPass;
use crate::orders::order::Order;
use crate::store::write_set::WriteSet;
use crate::tick_log::Batch;
use receipt::{Filled, ReceiptIds, write_split};
use states::{hold_changes, write_states};

/// How often a row that stays locked is waited for, two seconds each, before the shard is loaded
/// anew.
const LOCK_WAITS: u32 = 30;

/// A pass of a batch, or of a slice of its accounts, that is to be stored.
pub struct BatchSlice<'a> {
    /// The orders that the batch changes, before it.
    pub pass: &'a MatchingPass,
    /// The batch.
    pub batch: &'a Batch,
    /// Accounts whose holdings, and orders that no boundary has taken, a split of the batch
    /// divides.
    pub holders: &'a BTreeSet<AccountId>,
    /// Orders about which something was learned that is not stored.
    pub queue_positions: &'a [Order],
    /// New orders that count from the next batch on; of the last slice alone.
    pub admitted: &'a [OrderId],
    /// New orders that count too, as soon as a split of the batch has divided them.
    pub awaiting_split: &'a BTreeMap<OrderId, Order>,
    /// Where the shard is.
    pub from: &'a ShardCheckpoint,
    /// Where it will be.
    pub to: &'a ShardCheckpoint,
    /// What is known of instruments, when it is time to store that.
    pub state: Option<&'a InstrumentStates>,
}

/// How a turn has left the orders.
#[derive(Default)]
pub struct BatchResult {
    /// Orders that the batch changed, as they stand.
    pub pass: MatchingPass,
    /// Orders of the matcher's that are not open any more: what another transaction ended
    /// meanwhile, and what a split ended.
    pub closed: Vec<OrderId>,
    /// New orders that a split has divided.
    pub split_orders: BTreeMap<OrderId, Order>,
}

/// Orders of one account in one instrument share a tick's volume, so they pass together.
type Groups = BTreeSet<(AccountId, String)>;

struct LockedRows {
    accounts: Accounts,
    holdings: Holdings,
}

impl Store {
    /// Lets the batch pass over the locked orders and stores what it does. A row that another
    /// transaction holds for longer than the lock timeout is waited for again.
    ///
    /// # Errors
    /// [`TradingError`]: nothing was stored, the same turn may be tried again.
    pub async fn settle(&self, slice: &BatchSlice<'_>) -> Result<BatchResult, TradingError> {
        waiting_for_locks(|| self.settle_once(slice)).await
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
        if !splits.is_empty() {
            let codes: Vec<String> = splits.keys().cloned().collect();
            let members = locked.accounts.values().map(|row| row.member_id).collect();
            let all = lock::open_orders_in(&transaction, &members, &codes).await?;
            for (id, order) in all {
                if slice.holders.contains(&order.account_id) && !pass.orders.contains_key(&id) {
                    pass.new_orders.insert(id);
                    pass.orders.insert(id, order);
                }
            }
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
        let mut stored = BatchResult {
            closed: order_ids.difference(&open).copied().collect(),
            ..BatchResult::default()
        };
        for id in std::mem::take(&mut pass.new_orders) {
            match pass.orders.get(&id).filter(|order| order.status.is_open()) {
                None => stored.closed.push(id),
                Some(order) if slice.awaiting_split.contains_key(&id) => {
                    stored.split_orders.insert(id, order.clone());
                }
                Some(_) => {}
            }
        }
        let admitted = slice.admitted(&stored);
        if !admitted.is_empty() {
            writes.admitted(&admitted, slice.to);
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
        Ok(BatchResult { pass, ..stored })
    }

    /// Divides orders that no boundary has taken yet and that the newest split of their instrument
    /// has missed: whoever placed them had not read of it. Answers those that are open, as they
    /// stand then; dividing again changes nothing.
    ///
    /// # Errors
    /// [`TradingError`] of the database: nothing was divided.
    pub async fn split_late_orders(
        &self,
        late: &BTreeMap<OrderId, Order>,
        instruments: &InstrumentStates,
        now: DateTime<Utc>,
    ) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        waiting_for_locks(|| self.split_late_orders_once(late, instruments, now)).await
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

    async fn write_pass(
        &self,
        transaction: &DatabaseTransaction,
        passed: &SettledPass<'_>,
        mut writes: WriteSet,
    ) -> Result<(), TradingError> {
        let journals = self.write_effects(transaction, passed, &mut writes).await?;
        write_states(passed, &mut writes)?;
        writes.write(transaction).await?;
        ledger::post(transaction, &journals, &hold_changes(passed)).await?;
        Ok(())
    }

    /// Writes what happened; answers the journals of it.
    async fn write_effects(
        &self,
        transaction: &DatabaseTransaction,
        passed: &SettledPass<'_>,
        writes: &mut WriteSet,
    ) -> Result<Vec<Journal>, TradingError> {
        let SettledPass {
            locked, effects, ..
        } = *passed;
        let members: BTreeSet<MemberId> = effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Filled { order, .. } => Some(order.member_id),
                Effect::Changed { .. } | Effect::Split { .. } => None,
            })
            .collect();
        let mut sequences = lock::member_sequences(transaction, &members).await?;
        let rows = effects
            .iter()
            .filter(|effect| !matches!(effect, Effect::Changed { .. }));
        let mut drawn = draw_numbers(transaction, rows.count()).await?.into_iter();
        let mut next = || {
            drawn
                .next()
                .ok_or_else(|| DbErr::Custom("too few numbers were drawn".to_owned()))
        };
        let mut journals = Vec::new();
        for effect in effects {
            match effect {
                Effect::Filled {
                    order,
                    from,
                    execution,
                    payment,
                } => {
                    let Some(payment) = payment else {
                        continue;
                    };
                    let seq = sequences.entry(order.member_id).or_insert(0);
                    *seq += 1;
                    let filled = Filled {
                        numbers: next()?,
                        member_seq: *seq,
                        account_no: locked.account_no(order.account_id),
                        order,
                        execution,
                        payment,
                    };
                    journals.push(self.write_fill(&filled, writes));
                    writes.order_event(order, Some(from.as_str()), "FILL", execution.time);
                }
                Effect::Changed {
                    order,
                    from,
                    reason,
                    time,
                } => {
                    if passed.only_ended.contains(&order.id) {
                        writes.ended(order, from.as_str(), *time, passed.closed_at);
                    } else {
                        writes.order_event(order, Some(from.as_str()), reason, *time);
                    }
                    let wire = self.order_view(order, locked.account_no(order.account_id));
                    let clock = self.clock.as_ref();
                    writes.event(&events::order_changed(order.member_id, wire, clock));
                }
                Effect::Split { .. } => journals.extend(write_split(next()?, effect, writes)),
            }
        }
        Ok(journals)
    }
}

/// What a pass over locked rows came to.
struct SettledPass<'a> {
    locked: &'a LockedRows,
    balances: &'a LockedBalances,
    /// Orders of which the batch changed nothing but that it ended them.
    only_ended: BTreeSet<OrderId>,
    pass: &'a MatchingPass,
    effects: &'a [Effect],
    closed_at: DateTime<Utc>,
}

impl BatchSlice<'_> {
    /// The new orders that count from the next batch on: none before the last slice.
    fn admitted(&self, stored: &BatchResult) -> Vec<OrderId> {
        if self.to.applied_through.is_some() {
            return Vec::new();
        }
        let split_orders = stored.split_orders.keys();
        self.admitted.iter().chain(split_orders).copied().collect()
    }
}

impl LockedRows {
    /// Locks the accounts and holdings of these groups.
    async fn of(transaction: &DatabaseTransaction, keys: &Groups) -> Result<Self, DbErr> {
        let ids: BTreeSet<AccountId> = keys.iter().map(|(account, _)| *account).collect();
        Ok(Self {
            accounts: lock::accounts(transaction, &ids).await?,
            holdings: lock::holdings(transaction, keys).await?,
        })
    }

    fn account_no(&self, id: AccountId) -> &str {
        self.accounts
            .get(&id)
            .map_or("", |row| row.account_no.as_str())
    }

    fn balances(&self) -> Result<LockedBalances, DbErr> {
        let accounts = self.accounts.iter();
        let holdings = self.holdings.iter();
        Ok(LockedBalances {
            cash: accounts
                .map(|(id, row)| Ok((*id, row.to_cash()?)))
                .collect::<Result<_, DbErr>>()?,
            holdings: holdings
                .map(|(key, row)| (key.clone(), row.to_holding()))
                .collect(),
            already_split: BTreeSet::new(),
        })
    }
}

/// Runs a transaction again that lost to another one or whose rows stayed locked.
async fn waiting_for_locks<T, F>(mut transaction: impl FnMut() -> F) -> Result<T, TradingError>
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

/// The orders of which all that the effects changed is that they have ended.
fn only_ended(before: &BTreeMap<OrderId, Order>, effects: &[Effect]) -> BTreeSet<OrderId> {
    let ended = effects.iter().filter_map(|effect| match effect {
        Effect::Changed { order, from, .. } => {
            let was = before.get(&order.id)?;
            (was.status == *from && order.only_ended_since(was)).then_some(order.id)
        }
        Effect::Filled { .. } | Effect::Split { .. } => None,
    });
    ended.collect()
}

/// Fresh numbers of receipts and of their journals.
async fn draw_numbers(
    transaction: &DatabaseTransaction,
    count: usize,
) -> Result<Vec<ReceiptIds>, DbErr> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let draw = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "select nextval('fill_id_seq') as fill, nextval('journal_id_seq') as journal \
         from generate_series(1, $1)",
        [i64::try_from(count).unwrap_or(i64::MAX).into()],
    );
    let rows = transaction.query_all_raw(draw).await?;
    let numbers = rows.iter().map(|row| {
        Ok(ReceiptIds {
            receipt: row.try_get("", "fill")?,
            journal: row.try_get("", "journal")?,
        })
    });
    numbers.collect()
}
