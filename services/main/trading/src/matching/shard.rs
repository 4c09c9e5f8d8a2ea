//! One shard at work, whoever reads the log for it: boundary, batch, boundary, batch.

mod heard;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Duration;

use kernel::OrderId;
use tokio::time::Instant;

use super::CONSUMER;
use super::learned::{inherit, learned};
use super::partition::ShardOf;
use super::slices::{SLICE, Slices, WHOLE, by_account, split_off_through};
use crate::domain::matching::book::Book;
use crate::domain::matching::desk::Desk;
use crate::domain::matching::effect::Effect;
use crate::domain::matching::record::Batch;
use crate::domain::matching::vault::Till;
use crate::domain::order::Order;
use crate::error::TradingError;
use crate::store::{Instruments, OpenSplit, Position, Store, Stored, Turn};

/// How often what was learned of orders is stored, with the offset.
const CHECKPOINT: Duration = Duration::from_secs(1);
/// How often what is known of instruments is stored: a megabyte where thousands are traded. A
/// restart reads the log again from there, which takes a fraction of that time.
const STATE: Duration = Duration::from_secs(5);

/// What is stored at the end of a batch besides what it did.
struct Boundary {
    /// Where the shard is then.
    to: Position,
    /// Whether what is known of instruments goes with it.
    with_state: bool,
    /// New orders that count from there on.
    taken: Vec<OrderId>,
    /// New orders that do once the batch's split has divided them.
    undivided: BTreeMap<OrderId, Order>,
    /// Those among them that took over a place, and with it what was learned there.
    inherited: Vec<Order>,
}

/// The waiting orders of a shard and how far it has come.
pub struct Shard {
    store: Store,
    shard: ShardOf,
    book: Book,
    position: Position,
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
    known_splits: Vec<OpenSplit>,
    /// Orders about which something was learned that is not stored.
    unstored: BTreeSet<OrderId>,
    stored_at: Instant,
    state_stored_at: Instant,
}

impl Shard {
    /// Loads the waiting orders and what was known where the shard was left.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn load(store: &Store, shard: ShardOf) -> Result<Self, TradingError> {
        let (position, instruments) = store.position(CONSUMER, shard.index).await?;
        let mut orders = store.taken_orders(|code| shard.has(code)).await?;
        orders.extend(store.replaced_orders().await?);
        let applied = position.applied_through.map(|through| {
            let applied = orders.values().filter(|order| order.account_id <= through);
            applied.map(|order| order.id).collect()
        });
        let orders = orders.into_values();
        let own = orders.filter(|order| shard.has(&order.instrument_code));
        Ok(Self {
            store: store.clone(),
            shard,
            book: Book::new(instruments, own),
            position,
            applied: applied.unwrap_or_default(),
            whole: WHOLE,
            slices: SLICE,
            seq_before: 0,
            known_splits: Vec::new(),
            unstored: BTreeSet::new(),
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
    pub fn know_splits(&mut self, splits: Vec<OpenSplit>) {
        let own = |split: &OpenSplit| self.shard.has(&split.instrument_code);
        self.known_splits = splits.into_iter().filter(own).collect();
    }

    /// The first batch it needs: a little before the first whose effects are not stored. Negative
    /// while nothing was ever stored.
    #[must_use]
    pub fn reads_from(&self) -> i64 {
        self.position.state_offset
    }

    /// Lets one batch pass and stores what it does. After an error the shard must be loaded anew.
    ///
    /// # Errors
    /// [`TradingError`]; what the batch did is not stored.
    pub async fn take(&mut self, batch: Batch) -> Result<(), TradingError> {
        let batch = self.without_repeated(self.shard.own_part(batch));
        if self.is_behind(&batch) {
            // Its effects are stored; only what is known of instruments catches up.
            let mut seen = Desk {
                instruments: std::mem::take(&mut self.book.instruments),
                ..Desk::default()
            };
            seen.pass(&batch, Till::Rehearsal)?;
            self.book.instruments = seen.instruments;
            return Ok(());
        }
        if batch.epoch > self.position.epoch {
            self.pass_over_filled_ticks().await?;
        }
        let batch = self.with_untold_splits(batch);
        self.run(&batch).await
    }

    /// The epoch of the log that [`Self::reads_from`] counts in.
    #[must_use]
    pub fn epoch(&self) -> i64 {
        self.position.epoch
    }

    fn is_behind(&self, batch: &Batch) -> bool {
        batch.epoch <= self.position.epoch && batch.offset < self.position.next_offset
    }

    /// Lets a batch pass over the orders; with effects, in a transaction.
    async fn run(&mut self, batch: &Batch) -> Result<(), TradingError> {
        let mut passed = self.excerpt(batch);
        let splits = passed.splits(batch);
        let effects = passed.pass(batch, Till::Rehearsal)?;
        let mut new = self.new_orders(batch).await?;
        let undivided: BTreeMap<OrderId, Order> = new
            .extract_if(.., |_, order| {
                let state = passed.instruments.get(&order.instrument_code);
                state.is_some_and(|state| state.divides(order))
            })
            .collect();
        let taken: Vec<OrderId> = new.keys().copied().collect();
        self.note_learned(&passed);
        let inherited = inherit(&mut new, &passed, &self.book);
        // A shard that never stored its knowledge has no earlier offset to read it again from.
        let unknown = self.position.state_offset < 0 || self.position.epoch != batch.epoch;
        // A split that no batch told would not be put in again when this one is read once more.
        let with_state = unknown || !splits.is_empty();
        let next = Boundary {
            to: self.position_after(batch, with_state),
            with_state,
            taken,
            undivided,
            inherited,
        };
        if effects.is_empty() && splits.is_empty() {
            self.book.adopt(passed);
            if unknown || self.stored_at.elapsed() >= CHECKPOINT || !next.taken.is_empty() {
                self.checkpoint(next).await?;
            }
        } else {
            new.extend(self.fill(batch, passed, &effects, next).await?);
        }
        self.take_in(new);
        self.store_state(batch).await
    }

    /// Stores how far it has come where a batch changed nothing.
    async fn checkpoint(&mut self, next: Boundary) -> Result<(), TradingError> {
        let mut progress = self.learned();
        progress.extend(next.inherited);
        let state = next.with_state.then_some(&self.book.instruments);
        self.store
            .checkpoint(&self.position, &next.to, state, &progress, &next.taken)
            .await?;
        self.moved(next.to, next.with_state);
        Ok(())
    }

    /// Stores what a batch did, and goes on with the orders as they were stored. Answers the new
    /// orders that its split divided.
    ///
    /// Accounts do not depend on each other within a batch, so a large one is stored in slices of
    /// accounts, each in a transaction of its own; the offset moves with the last. A shard that
    /// is loaded in between goes on after the accounts that have it.
    async fn fill(
        &mut self,
        batch: &Batch,
        passed: Desk,
        effects: &[Effect],
        mut next: Boundary,
    ) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let touched = self.excerpt(batch);
        let splits: Vec<String> = touched.splits(batch).into_keys().collect();
        let arriving = next.undivided.values().map(|order| order.account_id);
        let sizes = if splits.is_empty() && effects.len() <= self.whole {
            self.whole..=self.whole
        } else {
            self.slices.clone()
        };
        let after = self
            .position
            .applied_through
            .filter(|_| self.is_resumed(batch));
        // A venue closes in every shard at once; a split is of one instrument, so of one shard.
        let shards = if splits.is_empty() {
            u32::try_from(self.shard.count).unwrap_or(1)
        } else {
            1
        };
        let slices = Slices::new(effects, splits, arriving, after, sizes);
        let mut slices = slices.in_one_of(shards);
        let mut slice = slices.next(&self.store).await?;
        if slice.through.is_some() {
            self.reach(batch, &passed).await?;
        }
        let mut progress = self.learned_of(&passed);
        progress.extend(next.inherited);
        let mut progress = by_account(progress);
        let state = next.with_state.then(|| self.instruments_with(&passed));
        let mut changed = slices.changed(touched);
        let mut all = Stored::default();
        loop {
            let begun = Instant::now();
            let is_last = slice.through.is_none();
            let to = match slice.through {
                None => next.to.clone(),
                through => Position {
                    applied_through: through,
                    ..self.position.clone()
                },
            };
            let desk = changed.split_off_through(slice.through);
            let of_slice = split_off_through(&mut progress, slice.through);
            let turn = Turn {
                desk: &desk,
                batch,
                holders: &slice.holders,
                progress: &of_slice,
                taken: &next.taken,
                undivided: &next.undivided,
                from: &self.position,
                to: &to,
                state: state.as_ref().filter(|_| is_last),
            };
            let stored = self.store.fill(&turn).await?;
            next.taken.extend(stored.divided.keys());
            all.divided.extend(stored.divided);
            all.gone.extend(stored.gone);
            all.desk.instruments = stored.desk.instruments;
            all.desk.orders.extend(stored.desk.orders);
            if is_last {
                break;
            }
            self.position = to;
            tokio::time::sleep(slices.took(begun.elapsed())).await;
            slice = slices.next(&self.store).await?;
        }
        self.book.adopt(passed);
        for id in all.gone {
            self.book.remove(id);
        }
        // The rehearsal may have ended orders that the accounts kept alive, or the other way
        // round: what was stored is what counts.
        self.book.adopt(all.desk);
        self.moved(next.to, next.with_state);
        Ok(all.divided)
    }

    /// Stores that the shard has come to the beginning of this batch, to which the marks of its
    /// slices refer.
    async fn reach(&mut self, batch: &Batch, passed: &Desk) -> Result<(), TradingError> {
        if self.is_resumed(batch) {
            return Ok(());
        }
        let unknown = self.position.state_offset < 0 || self.position.epoch != batch.epoch;
        let to = Position {
            epoch: batch.epoch,
            next_offset: batch.offset,
            state_offset: if unknown {
                batch.offset
            } else {
                self.position.state_offset
            },
            // The records of this batch are not part of what is stored.
            session_seq: self.seq_before,
            applied_through: None,
            ..self.position.clone()
        };
        let state = unknown.then_some(&self.book.instruments);
        let progress = self.learned();
        let read = self.position.session_seq;
        self.store
            .checkpoint(&self.position, &to, state, &progress, &[])
            .await?;
        self.moved(to, unknown);
        self.position.session_seq = read;
        self.note_learned(passed);
        Ok(())
    }

    /// Whether the stored offset is this very batch.
    fn is_resumed(&self, batch: &Batch) -> bool {
        self.position.epoch == batch.epoch && self.position.next_offset == batch.offset
    }

    /// What the batch could touch and has not touched yet.
    fn excerpt(&self, batch: &Batch) -> Desk {
        let mut desk = self.book.excerpt(batch);
        if !self.applied.is_empty() && self.is_resumed(batch) {
            desk.orders.retain(|id, _| !self.applied.contains(id));
        }
        desk
    }

    /// Orders that no boundary has taken yet, in the units of today.
    async fn new_orders(&self, batch: &Batch) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let mut new = self.store.new_orders(|code| self.shard.has(code)).await?;
        let instruments = &self.book.instruments;
        let late: BTreeMap<OrderId, Order> = new
            .extract_if(.., |_, order| {
                let state = instruments.get(&order.instrument_code);
                state.is_some_and(|state| state.divides(order))
            })
            .collect();
        if !late.is_empty() {
            let divided = self.store.divide_late(&late, instruments, batch.closed_at);
            new.extend(divided.await?);
        }
        Ok(new)
    }

    /// Lets new orders into the book, in the place of those that they replaced.
    fn take_in(&mut self, new: BTreeMap<OrderId, Order>) {
        for replaced in new.values().filter_map(|order| order.orig_id) {
            self.book.remove(replaced);
        }
        for order in new.into_values() {
            self.book.insert(order);
        }
    }

    /// Stores what is known of instruments when it is time. No fill waits for it: it is large, and
    /// goes after the batch.
    async fn store_state(&mut self, batch: &Batch) -> Result<(), TradingError> {
        if self.state_stored_at.elapsed() < STATE {
            return Ok(());
        }
        self.checkpoint(Boundary {
            to: self.position_after(batch, true),
            with_state: true,
            taken: Vec::new(),
            undivided: BTreeMap::new(),
            inherited: Vec::new(),
        })
        .await
    }

    fn position_after(&self, batch: &Batch, with_state: bool) -> Position {
        let next_offset = batch.offset.saturating_add(1);
        Position {
            epoch: batch.epoch,
            next_offset,
            state_offset: if with_state {
                next_offset
            } else {
                self.position.state_offset
            },
            applied_through: None,
            ..self.position.clone()
        }
    }

    fn instruments_with(&self, passed: &Desk) -> Instruments {
        let mut instruments = self.book.instruments.clone();
        instruments.extend(passed.instruments.clone());
        instruments
    }

    /// Remembers which orders learned something in this pass.
    fn note_learned(&mut self, passed: &Desk) {
        for (id, after) in &passed.orders {
            let known = self.book.get(*id);
            if known.is_some_and(|before| learned(before) != learned(after)) {
                self.unstored.insert(*id);
            }
        }
    }

    fn learned(&self) -> Vec<Order> {
        let orders = self.unstored.iter();
        orders
            .filter_map(|id| self.book.get(*id).cloned())
            .collect()
    }

    fn learned_of(&self, passed: &Desk) -> Vec<Order> {
        let orders = self.unstored.iter();
        orders
            .filter_map(|id| passed.orders.get(id).or_else(|| self.book.get(*id)))
            .filter(|order| order.status.is_open())
            .cloned()
            .collect()
    }

    fn moved(&mut self, to: Position, state_stored: bool) {
        self.position = to;
        self.applied.clear();
        self.unstored.clear();
        self.stored_at = Instant::now();
        if state_stored {
            self.state_stored_at = self.stored_at;
        }
    }
}
