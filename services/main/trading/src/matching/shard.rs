//! One shard at work, whoever reads the log for it: boundary, batch, boundary, batch.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use kernel::OrderId;
use tokio::time::Instant;

use super::CONSUMER;
use super::learned::{inherit, learned};
use super::partition::ShardOf;
use crate::domain::matching::book::Book;
use crate::domain::matching::desk::Desk;
use crate::domain::matching::effect::Effect;
use crate::domain::matching::record::Batch;
use crate::domain::matching::vault::Till;
use crate::domain::order::Order;
use crate::error::TradingError;
use crate::store::{Instruments, Position, Store, Turn};

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
    /// Those among them that took over a place, and with it what was learned there.
    inherited: Vec<Order>,
}

/// The waiting orders of a shard and how far it has come.
pub struct Shard {
    store: Store,
    shard: ShardOf,
    book: Book,
    position: Position,
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
        let mut orders = store.taken_orders().await?;
        orders.extend(store.replaced_orders().await?);
        let orders = orders.into_values();
        let own = orders.filter(|order| shard.has(&order.instrument_code));
        Ok(Self {
            store: store.clone(),
            shard,
            book: Book::new(instruments, own),
            position,
            unstored: BTreeSet::new(),
            stored_at: Instant::now(),
            state_stored_at: Instant::now(),
        })
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
        let batch = self.shard.own_part(batch);
        if self.is_behind(&batch) {
            // Its effects are stored; only what is known of instruments catches up.
            let mut seen = Desk {
                instruments: std::mem::take(&mut self.book.instruments),
                orders: BTreeMap::new(),
            };
            seen.pass(&batch, Till::Rehearsal)?;
            self.book.instruments = seen.instruments;
            return Ok(());
        }
        self.run(&batch).await
    }

    /// Whether a log whose newest batch is `head` (epoch, offset) is another one than this shard
    /// has read: made anew, and shorter.
    #[must_use]
    pub fn is_ahead_of(&self, head: (i64, i64)) -> bool {
        let (epoch, newest) = head;
        epoch > self.position.epoch && newest < self.position.next_offset
    }

    /// Forgets its place: the log was made anew.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn start_over(&mut self, epoch: i64) -> Result<(), TradingError> {
        let to = Position {
            epoch,
            next_offset: 0,
            state_offset: 0,
            ..self.position.clone()
        };
        let state = Some(&self.book.instruments);
        self.store
            .checkpoint(&self.position, &to, state, &[], &[])
            .await?;
        self.moved(to, true);
        Ok(())
    }

    fn is_behind(&self, batch: &Batch) -> bool {
        batch.epoch <= self.position.epoch && batch.offset < self.position.next_offset
    }

    /// Lets a batch pass over the orders; with effects, in a transaction.
    async fn run(&mut self, batch: &Batch) -> Result<(), TradingError> {
        let mut passed = self.book.excerpt(batch);
        let effects = passed.pass(batch, Till::Rehearsal)?;
        let mut new = self.store.new_orders(|code| self.shard.has(code)).await?;
        let taken: Vec<OrderId> = new.keys().copied().collect();
        self.note_learned(&passed);
        let inherited = inherit(&mut new, &passed, &self.book);
        // A shard that never stored its knowledge has no earlier offset to read it again from.
        let unknown = self.position.state_offset < 0 || self.position.epoch != batch.epoch;
        let next = Boundary {
            to: self.position_after(batch, unknown),
            with_state: unknown,
            taken,
            inherited,
        };
        if effects.is_empty() && Desk::split_codes(batch).is_empty() {
            self.book.adopt(passed);
            if unknown || self.stored_at.elapsed() >= CHECKPOINT || !next.taken.is_empty() {
                self.checkpoint(next).await?;
            }
        } else {
            self.fill(batch, passed, &effects, next).await?;
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

    /// Stores what a batch did, and goes on with the orders as they were stored.
    async fn fill(
        &mut self,
        batch: &Batch,
        passed: Desk,
        effects: &[Effect],
        next: Boundary,
    ) -> Result<(), TradingError> {
        let mut progress = self.learned_of(&passed);
        progress.extend(next.inherited);
        let touched = self.book.excerpt(batch);
        let state = next.with_state.then(|| self.instruments_with(&passed));
        let turn = Turn {
            desk: &touched,
            batch,
            rehearsed: effects,
            progress: &progress,
            taken: &next.taken,
            from: &self.position,
            to: &next.to,
            state: state.as_ref(),
        };
        let (stored, gone) = self.store.fill(&turn).await?;
        self.book.adopt(passed);
        for id in gone {
            self.book.remove(id);
        }
        // The rehearsal may have ended orders that the accounts kept alive, or the other way
        // round: what was stored is what counts.
        self.book.adopt(stored);
        self.moved(next.to, next.with_state);
        Ok(())
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
        self.unstored.clear();
        self.stored_at = Instant::now();
        if state_stored {
            self.state_stored_at = self.stored_at;
        }
    }
}
