//! One shard: matches each batch of the log against its order book and stores the effects. It does
//! not read the log itself, so tests feed it batches.

mod checkpoints;
mod log_filter;
mod settle;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use kernel::OrderId;
use tokio::time::Instant;

use self::checkpoints::BatchBoundary;
use super::checkpoint::ShardCheckpoint;
use super::partition::Partition;
use super::queue_position::inherit_queue_positions;
use super::slices::{SLICE, WHOLE};
use super::{CONSUMER, OpenSplit};
use crate::error::TradingError;
use crate::matching::balances::Settlement;
use crate::matching::book::OrderBook;
use crate::matching::pass::MatchingPass;
use crate::orders::order::Order;
use crate::store::Store;
use crate::tick_log::Batch;

/// The order book and checkpoint of one shard.
pub struct Shard {
    store: Store,
    partition: Partition,
    book: OrderBook,
    checkpoint: ShardCheckpoint,
    /// Orders that the batch at the stored offset is applied to already, because the process stopped
    /// between two of its slices.
    applied: BTreeSet<OrderId>,
    /// Most effects of a batch that is settled in one transaction.
    whole: usize,
    /// Effects of one slice of a larger batch, at least and at most.
    slices: RangeInclusive<usize>,
    /// Newest session record before the current batch.
    seq_before: i64,
    /// Splits announced by market-data that may not be applied yet.
    open_splits: Vec<OpenSplit>,
    /// Orders whose queue position has changed since it was stored.
    unstored_positions: BTreeSet<OrderId>,
    stored_at: Instant,
    state_stored_at: Instant,
}

impl Shard {
    /// Loads order book, instrument states and checkpoint.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn load(store: &Store, partition: Partition) -> Result<Self, TradingError> {
        let (checkpoint, instruments) = store.load_checkpoint(CONSUMER, partition.index).await?;
        let mut orders = store.book_orders(|code| partition.contains(code)).await?;
        orders.extend(store.replaced_orders().await?);
        let applied = checkpoint.applied_through.map(|through| {
            let applied = orders.values().filter(|order| order.account_id <= through);
            applied.map(|order| order.id).collect()
        });
        let orders = orders.into_values();
        let own = orders.filter(|order| partition.contains(&order.instrument_code));
        Ok(Self {
            store: store.clone(),
            partition,
            book: OrderBook::new(instruments, own),
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

    /// Settles at most `effects` effects a transaction, of at least one account.
    #[must_use]
    pub fn in_slices_of(mut self, effects: usize) -> Self {
        (self.whole, self.slices) = (effects, effects..=effects);
        self
    }

    /// Sets the splits that may not be applied yet; those of other shards are ignored.
    pub fn set_open_splits(&mut self, splits: Vec<OpenSplit>) {
        let own = |split: &OpenSplit| self.partition.contains(&split.instrument_code);
        self.open_splits = splits.into_iter().filter(own).collect();
    }

    /// Offset of the first batch to read after a load: instrument states are stored less often than
    /// effects, so batches before `next_offset` are read again. Negative before the first checkpoint.
    #[must_use]
    pub fn replay_from(&self) -> i64 {
        self.checkpoint.state_offset
    }

    /// Matches one batch and stores its effects. After an error the shard must be loaded again.
    ///
    /// # Errors
    /// [`TradingError`]; the effects of the batch are not stored.
    pub async fn process(&mut self, batch: Batch) -> Result<(), TradingError> {
        let batch = self.without_repeated_records(self.partition.filter(batch));
        if self.is_behind(&batch) {
            // Its effects are stored; only the instrument states catch up.
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

    /// The epoch of the log that [`Self::replay_from`] belongs to.
    #[must_use]
    pub fn epoch(&self) -> i64 {
        self.checkpoint.epoch
    }

    fn is_behind(&self, batch: &Batch) -> bool {
        batch.epoch <= self.checkpoint.epoch && batch.offset < self.checkpoint.next_offset
    }

    async fn run_batch(&mut self, batch: &Batch) -> Result<(), TradingError> {
        let mut passed = self.affected_by(batch);
        let splits = passed.splits(batch);
        let effects = passed.run(batch, Settlement::DryRun)?;
        let mut new = self.new_orders(batch).await?;
        let awaiting_split: BTreeMap<OrderId, Order> = new
            .extract_if(.., |_, order| {
                let state = passed.instruments.get(&order.instrument_code);
                state.is_some_and(|state| state.split_applies_to(order))
            })
            .collect();
        let admitted: Vec<OrderId> = new.keys().copied().collect();
        self.mark_changed_positions(&passed);
        let inherited = inherit_queue_positions(&mut new, &passed, &self.book);
        // Without a stored state there is no earlier offset to rebuild it from.
        let is_first = self.checkpoint.state_offset < 0 || self.checkpoint.epoch != batch.epoch;
        // A split inserted into this batch would not be inserted again when it is read again.
        let with_state = is_first || !splits.is_empty();
        let next = BatchBoundary {
            to: self.checkpoint_after(batch, with_state),
            with_state,
            admitted,
            awaiting_split,
            inherited,
        };
        if effects.is_empty() && splits.is_empty() {
            self.book.apply(passed);
            if is_first
                || self.stored_at.elapsed() >= checkpoints::INTERVAL
                || !next.admitted.is_empty()
            {
                self.store_checkpoint(next).await?;
            }
        } else {
            new.extend(self.settle(batch, passed, &effects, next).await?);
        }
        self.admit(new);
        self.store_state_when_due(batch).await
    }

    /// Whether the batch is the one at the stored offset.
    fn is_resumed(&self, batch: &Batch) -> bool {
        self.checkpoint.epoch == batch.epoch && self.checkpoint.next_offset == batch.offset
    }

    /// The orders that the batch may affect, without those it is applied to already.
    fn affected_by(&self, batch: &Batch) -> MatchingPass {
        let mut pass = self.book.affected_by(batch);
        if !self.applied.is_empty() && self.is_resumed(batch) {
            pass.orders.retain(|id, _| !self.applied.contains(id));
        }
        pass
    }

    /// New orders, in the units after the newest split.
    async fn new_orders(&self, batch: &Batch) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let mut new = self
            .store
            .new_orders(|code| self.partition.contains(code))
            .await?;
        let instruments = &self.book.instruments;
        let late: BTreeMap<OrderId, Order> = new
            .extract_if(.., |_, order| {
                let state = instruments.get(&order.instrument_code);
                state.is_some_and(|state| state.split_applies_to(order))
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

    /// Moves new orders into the book; orders that they replaced leave it.
    fn admit(&mut self, new: BTreeMap<OrderId, Order>) {
        for replaced in new.values().filter_map(|order| order.orig_id) {
            self.book.remove(replaced);
        }
        for order in new.into_values() {
            self.book.insert(order);
        }
    }
}
