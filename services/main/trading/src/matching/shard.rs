//! One shard at work, whoever reads the log for it: boundary, batch, boundary, batch.

mod log_filter;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Duration;

use kernel::OrderId;
use tokio::time::Instant;

use super::CONSUMER;
use super::OpenSplit;
use super::checkpoint::{InstrumentStates, ShardCheckpoint};
use super::partition::Partition;
use super::queue_position::{inherit_queue_positions, queue_position};
use super::slices::{SLICE, Slices, WHOLE, by_account, split_off_through};
use crate::error::TradingError;
use crate::matching::balances::Settlement;
use crate::matching::book::Book;
use crate::matching::effect::Effect;
use crate::matching::pass::MatchingPass;
use crate::orders::order::Order;
use crate::store::{BatchResult, BatchSlice, Store};
use crate::tick_log::Batch;

/// How often what was learned of orders is stored, with the offset.
const CHECKPOINT: Duration = Duration::from_secs(1);
/// How often what is known of instruments is stored: a megabyte where thousands are traded. A
/// restart reads the log again from there, which takes a fraction of that time.
const STATE: Duration = Duration::from_secs(5);

/// What is stored at the end of a batch besides what it did.
struct BatchBoundary {
    /// Where the shard is then.
    to: ShardCheckpoint,
    /// Whether what is known of instruments goes with it.
    with_state: bool,
    /// New orders that count from there on.
    admitted: Vec<OrderId>,
    /// New orders that do once the batch's split has divided them.
    awaiting_split: BTreeMap<OrderId, Order>,
    /// Those among them that took over a place, and with it what was learned there.
    inherited: Vec<Order>,
}

/// The waiting orders of a shard and how far it has come.
pub struct Shard {
    store: Store,
    shard: Partition,
    book: Book,
    checkpoint: ShardCheckpoint,
    /// Orders whose rows already show the batch at the stored offset: of a large batch that was
    /// broken off between two slices.
    applied: BTreeSet<OrderId>,
    /// Most effects that are stored at once.
    whole: usize,
    /// Most effects that are stored at a time where a batch has more.
    slices: RangeInclusive<usize>,
    /// Newest session record that had been read before the batch under way.
    seq_before: i64,
    /// Splits that market-data has told of and that may not have been divided by.
    open_splits: Vec<OpenSplit>,
    /// Orders about which something was learned that is not stored.
    unstored_positions: BTreeSet<OrderId>,
    stored_at: Instant,
    state_stored_at: Instant,
}

impl Shard {
    /// Loads the waiting orders and what was known where the shard was left.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn load(store: &Store, shard: Partition) -> Result<Self, TradingError> {
        let (checkpoint, instruments) = store.load_checkpoint(CONSUMER, shard.index).await?;
        let mut orders = store.book_orders(|code| shard.has(code)).await?;
        orders.extend(store.replaced_orders().await?);
        let applied = checkpoint.applied_through.map(|through| {
            let applied = orders.values().filter(|order| order.account_id <= through);
            applied.map(|order| order.id).collect()
        });
        let orders = orders.into_values();
        let own = orders.filter(|order| shard.has(&order.instrument_code));
        Ok(Self {
            store: store.clone(),
            shard,
            book: Book::new(instruments, own),
            checkpoint,
            applied: applied.unwrap_or_default(),
            whole: WHOLE,
            slices: SLICE,
            seq_before: 0,
            open_splits: Vec::new(),
            unstored_positions: BTreeSet::new(),
            stored_at: Instant::now(),
            state_stored_at: Instant::now(),
        })
    }

    /// Stores at most so many effects at a time, of at least one account.
    #[must_use]
    pub fn in_slices_of(mut self, effects: usize) -> Self {
        (self.whole, self.slices) = (effects, effects..=effects);
        self
    }

    /// Tells which splits there are, whether the log has told them or not.
    pub fn set_open_splits(&mut self, splits: Vec<OpenSplit>) {
        let own = |split: &OpenSplit| self.shard.has(&split.instrument_code);
        self.open_splits = splits.into_iter().filter(own).collect();
    }

    /// The first batch it needs: a little before the first whose effects are not stored. Negative
    /// while nothing was ever stored.
    #[must_use]
    pub fn replay_from(&self) -> i64 {
        self.checkpoint.state_offset
    }

    /// Lets one batch pass and stores what it does. After an error the shard must be loaded anew.
    ///
    /// # Errors
    /// [`TradingError`]; what the batch did is not stored.
    pub async fn take(&mut self, batch: Batch) -> Result<(), TradingError> {
        let batch = self.without_repeated_records(self.shard.own_part(batch));
        if self.is_behind(&batch) {
            // Its effects are stored; only what is known of instruments catches up.
            let mut catch_up = MatchingPass {
                instruments: std::mem::take(&mut self.book.instruments),
                ..MatchingPass::default()
            };
            catch_up.run(&batch, Settlement::DryRun)?;
            self.book.instruments = catch_up.instruments;
            return Ok(());
        }
        if batch.epoch > self.checkpoint.epoch {
            self.skip_filled_ticks().await?;
        }
        let batch = self.with_missing_splits(batch);
        self.run_batch(&batch).await
    }

    /// The epoch of the log that [`Self::reads_from`] counts in.
    #[must_use]
    pub fn epoch(&self) -> i64 {
        self.checkpoint.epoch
    }

    fn is_behind(&self, batch: &Batch) -> bool {
        batch.epoch <= self.checkpoint.epoch && batch.offset < self.checkpoint.next_offset
    }

    /// Lets a batch pass over the orders; with effects, in a transaction.
    async fn run_batch(&mut self, batch: &Batch) -> Result<(), TradingError> {
        let mut passed = self.affected_by(batch);
        let splits = passed.splits(batch);
        let effects = passed.run(batch, Settlement::DryRun)?;
        let mut new = self.new_orders(batch).await?;
        let awaiting_split: BTreeMap<OrderId, Order> = new
            .extract_if(.., |_, order| {
                let state = passed.instruments.get(&order.instrument_code);
                state.is_some_and(|state| state.applies_to(order))
            })
            .collect();
        let admitted: Vec<OrderId> = new.keys().copied().collect();
        self.mark_changed_positions(&passed);
        let inherited = inherit_queue_positions(&mut new, &passed, &self.book);
        // A shard that never stored its knowledge has no earlier offset to read it again from.
        let unknown = self.checkpoint.state_offset < 0 || self.checkpoint.epoch != batch.epoch;
        // A split that no batch told would not be put in again when this one is read once more.
        let with_state = unknown || !splits.is_empty();
        let next = BatchBoundary {
            to: self.checkpoint_after(batch, with_state),
            with_state,
            admitted,
            awaiting_split,
            inherited,
        };
        if effects.is_empty() && splits.is_empty() {
            self.book.apply(passed);
            if unknown || self.stored_at.elapsed() >= CHECKPOINT || !next.admitted.is_empty() {
                self.store_checkpoint(next).await?;
            }
        } else {
            new.extend(self.settle(batch, passed, &effects, next).await?);
        }
        self.admit(new);
        self.store_state_when_due(batch).await
    }

    /// Stores how far it has come where a batch changed nothing.
    async fn store_checkpoint(&mut self, next: BatchBoundary) -> Result<(), TradingError> {
        let mut queue_positions = self.queue_position();
        queue_positions.extend(next.inherited);
        let state = next.with_state.then_some(&self.book.instruments);
        self.store
            .store_checkpoint(
                &self.checkpoint,
                &next.to,
                state,
                &queue_positions,
                &next.admitted,
            )
            .await?;
        self.set_checkpoint(next.to, next.with_state);
        Ok(())
    }

    /// Stores what a batch did, and goes on with the orders as they were stored. Answers the new
    /// orders that its split divided.
    ///
    /// Accounts do not depend on each other within a batch, so a large one is stored in slices of
    /// accounts, each in a transaction of its own; the offset moves with the last. A shard that
    /// is loaded in between goes on after the accounts that have it.
    async fn settle(
        &mut self,
        batch: &Batch,
        passed: MatchingPass,
        effects: &[Effect],
        mut next: BatchBoundary,
    ) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let touched = self.affected_by(batch);
        let splits: Vec<String> = touched.splits(batch).into_keys().collect();
        let new_orders = next.awaiting_split.values().map(|order| order.account_id);
        let sizes = if splits.is_empty() && effects.len() <= self.whole {
            self.whole..=self.whole
        } else {
            self.slices.clone()
        };
        let after = self
            .checkpoint
            .applied_through
            .filter(|_| self.is_resumed(batch));
        // A venue closes in every shard at once; a split is of one instrument, so of one shard.
        let shards = if splits.is_empty() {
            u32::try_from(self.shard.count).unwrap_or(1)
        } else {
            1
        };
        let slices = Slices::new(effects, splits, new_orders, after, sizes);
        let mut slices = slices.in_one_of(shards);
        let mut range = slices.next(&self.store).await?;
        if range.through.is_some() {
            self.store_batch_start(batch, &passed).await?;
        }
        let mut queue_positions = self.positions_after(&passed);
        queue_positions.extend(next.inherited);
        let mut queue_positions = by_account(queue_positions);
        let state = next.with_state.then(|| self.instruments_with(&passed));
        let mut changed = slices.changed(touched);
        let mut all = BatchResult::default();
        loop {
            let begun = Instant::now();
            let is_last = range.through.is_none();
            let to = match range.through {
                None => next.to.clone(),
                through => ShardCheckpoint {
                    applied_through: through,
                    ..self.checkpoint.clone()
                },
            };
            let pass = changed.split_off_through(range.through);
            let of_range = split_off_through(&mut queue_positions, range.through);
            let slice = BatchSlice {
                pass: &pass,
                batch,
                holders: &range.holders,
                queue_positions: &of_range,
                admitted: &next.admitted,
                awaiting_split: &next.awaiting_split,
                from: &self.checkpoint,
                to: &to,
                state: state.as_ref().filter(|_| is_last),
            };
            let result = self.store.settle(&slice).await?;
            next.admitted.extend(result.split_orders.keys());
            all.split_orders.extend(result.split_orders);
            all.closed.extend(result.closed);
            all.pass.instruments = result.pass.instruments;
            all.pass.orders.extend(result.pass.orders);
            if is_last {
                break;
            }
            self.checkpoint = to;
            tokio::time::sleep(slices.pause_after(begun.elapsed())).await;
            range = slices.next(&self.store).await?;
        }
        self.book.apply(passed);
        for id in all.closed {
            self.book.remove(id);
        }
        // The rehearsal may have ended orders that the accounts kept alive, or the other way
        // round: what was stored is what counts.
        self.book.apply(all.pass);
        self.set_checkpoint(next.to, next.with_state);
        Ok(all.split_orders)
    }

    /// Stores that the shard has come to the beginning of this batch, to which the marks of its
    /// slices refer.
    async fn store_batch_start(
        &mut self,
        batch: &Batch,
        passed: &MatchingPass,
    ) -> Result<(), TradingError> {
        if self.is_resumed(batch) {
            return Ok(());
        }
        let unknown = self.checkpoint.state_offset < 0 || self.checkpoint.epoch != batch.epoch;
        let to = ShardCheckpoint {
            epoch: batch.epoch,
            next_offset: batch.offset,
            state_offset: if unknown {
                batch.offset
            } else {
                self.checkpoint.state_offset
            },
            // The records of this batch are not part of what is stored.
            session_seq: self.seq_before,
            applied_through: None,
            ..self.checkpoint.clone()
        };
        let state = unknown.then_some(&self.book.instruments);
        let queue_positions = self.queue_position();
        let read = self.checkpoint.session_seq;
        self.store
            .store_checkpoint(&self.checkpoint, &to, state, &queue_positions, &[])
            .await?;
        self.set_checkpoint(to, unknown);
        self.checkpoint.session_seq = read;
        self.mark_changed_positions(passed);
        Ok(())
    }

    /// Whether the stored offset is this very batch.
    fn is_resumed(&self, batch: &Batch) -> bool {
        self.checkpoint.epoch == batch.epoch && self.checkpoint.next_offset == batch.offset
    }

    /// What the batch could touch and has not touched yet.
    fn affected_by(&self, batch: &Batch) -> MatchingPass {
        let mut pass = self.book.affected_by(batch);
        if !self.applied.is_empty() && self.is_resumed(batch) {
            pass.orders.retain(|id, _| !self.applied.contains(id));
        }
        pass
    }

    /// Orders that no boundary has taken yet, in the units of today.
    async fn new_orders(&self, batch: &Batch) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let mut new = self.store.new_orders(|code| self.shard.has(code)).await?;
        let instruments = &self.book.instruments;
        let late: BTreeMap<OrderId, Order> = new
            .extract_if(.., |_, order| {
                let state = instruments.get(&order.instrument_code);
                state.is_some_and(|state| state.applies_to(order))
            })
            .collect();
        if !late.is_empty() {
            let split_orders = self
                .store
                .split_late_orders(&late, instruments, batch.closed_at);
            new.extend(split_orders.await?);
        }
        Ok(new)
    }

    /// Lets new orders into the book, in the place of those that they replaced.
    fn admit(&mut self, new: BTreeMap<OrderId, Order>) {
        for replaced in new.values().filter_map(|order| order.orig_id) {
            self.book.remove(replaced);
        }
        for order in new.into_values() {
            self.book.insert(order);
        }
    }

    /// Stores what is known of instruments when it is time. No fill waits for it: it is large, and
    /// goes after the batch.
    async fn store_state_when_due(&mut self, batch: &Batch) -> Result<(), TradingError> {
        if self.state_stored_at.elapsed() < STATE {
            return Ok(());
        }
        self.store_checkpoint(BatchBoundary {
            to: self.checkpoint_after(batch, true),
            with_state: true,
            admitted: Vec::new(),
            awaiting_split: BTreeMap::new(),
            inherited: Vec::new(),
        })
        .await
    }

    fn checkpoint_after(&self, batch: &Batch, with_state: bool) -> ShardCheckpoint {
        let next_offset = batch.offset.saturating_add(1);
        ShardCheckpoint {
            epoch: batch.epoch,
            next_offset,
            state_offset: if with_state {
                next_offset
            } else {
                self.checkpoint.state_offset
            },
            applied_through: None,
            ..self.checkpoint.clone()
        }
    }

    fn instruments_with(&self, passed: &MatchingPass) -> InstrumentStates {
        let mut instruments = self.book.instruments.clone();
        instruments.extend(passed.instruments.clone());
        instruments
    }

    /// Remembers which orders learned something in this pass.
    fn mark_changed_positions(&mut self, passed: &MatchingPass) {
        for (id, after) in &passed.orders {
            let known = self.book.get(*id);
            if known.is_some_and(|before| queue_position(before) != queue_position(after)) {
                self.unstored_positions.insert(*id);
            }
        }
    }

    fn queue_position(&self) -> Vec<Order> {
        let orders = self.unstored_positions.iter();
        orders
            .filter_map(|id| self.book.get(*id).cloned())
            .collect()
    }

    fn positions_after(&self, passed: &MatchingPass) -> Vec<Order> {
        let orders = self.unstored_positions.iter();
        orders
            .filter_map(|id| passed.orders.get(id).or_else(|| self.book.get(*id)))
            .filter(|order| order.status.is_open())
            .cloned()
            .collect()
    }

    fn set_checkpoint(&mut self, to: ShardCheckpoint, state_stored: bool) {
        self.checkpoint = to;
        self.applied.clear();
        self.unstored_positions.clear();
        self.stored_at = Instant::now();
        if state_stored {
            self.state_stored_at = self.stored_at;
        }
    }
}
