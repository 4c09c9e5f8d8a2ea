//! When a shard stores its checkpoint, instrument states and queue positions.

use std::collections::BTreeMap;
use std::time::Duration;

use kernel::OrderId;
use tokio::time::Instant;

use super::Shard;
use crate::error::TradingError;
use crate::matching::checkpoint::ShardCheckpoint;
use crate::matching::pass::MatchingPass;
use crate::matching::queue_position::queue_position;
use crate::orders::order::Order;
use crate::tick_log::Batch;

/// How often queue positions and the offset are stored while batches have no effects.
pub(super) const INTERVAL: Duration = Duration::from_secs(1);
/// How often instrument states are stored: a megabyte for thousands of instruments. A restart reads
/// the log again from there, which takes a fraction of this time.
const STATE_INTERVAL: Duration = Duration::from_secs(5);

/// What is stored at the end of a batch besides its effects.
pub(super) struct BatchBoundary {
    /// The checkpoint after the batch.
    pub(super) to: ShardCheckpoint,
    /// Whether instrument states are stored too.
    pub(super) with_state: bool,
    /// New orders that later batches match.
    pub(super) admitted: Vec<OrderId>,
    /// New orders that are admitted once the split of the batch is applied to them.
    pub(super) awaiting_split: BTreeMap<OrderId, Order>,
    /// Admitted orders that inherited the queue position of the order they replace.
    pub(super) inherited: Vec<Order>,
}

impl Shard {
    /// Stores the checkpoint after a batch without effects.
    pub(super) async fn store_checkpoint(
        &mut self,
        next: BatchBoundary,
    ) -> Result<(), TradingError> {
        let mut queue_positions = self.changed_positions();
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

    /// Stores the checkpoint at the start of a batch; `applied_through` of its slices refers to it.
    pub(super) async fn store_batch_start(
        &mut self,
        batch: &Batch,
        passed: &MatchingPass,
    ) -> Result<(), TradingError> {
        if self.is_resumed(batch) {
            return Ok(());
        }
        let is_first = self.checkpoint.state_offset < 0 || self.checkpoint.epoch != batch.epoch;
        let to = ShardCheckpoint {
            epoch: batch.epoch,
            next_offset: batch.offset,
            state_offset: if is_first {
                batch.offset
            } else {
                self.checkpoint.state_offset
            },
            // Session records of this batch are not part of the stored state.
            session_seq: self.seq_before,
            applied_through: None,
            ..self.checkpoint.clone()
        };
        let state = is_first.then_some(&self.book.instruments);
        let queue_positions = self.changed_positions();
        let read = self.checkpoint.session_seq;
        self.store
            .store_checkpoint(&self.checkpoint, &to, state, &queue_positions, &[])
            .await?;
        self.set_checkpoint(to, is_first);
        self.checkpoint.session_seq = read;
        self.mark_changed_positions(passed);
        Ok(())
    }

    /// Stores instrument states when their interval has passed. It follows the batch, so that no fill
    /// waits for the large write.
    pub(super) async fn store_state_when_due(&mut self, batch: &Batch) -> Result<(), TradingError> {
        if self.state_stored_at.elapsed() < STATE_INTERVAL {
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

    pub(super) fn checkpoint_after(&self, batch: &Batch, with_state: bool) -> ShardCheckpoint {
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

    /// Marks orders whose queue position the pass has changed.
    pub(super) fn mark_changed_positions(&mut self, passed: &MatchingPass) {
        for (id, after) in &passed.orders {
            let before = self.book.get(*id);
            if before.is_some_and(|before| queue_position(before) != queue_position(after)) {
                self.unstored_positions.insert(*id);
            }
        }
    }

    fn changed_positions(&self) -> Vec<Order> {
        let orders = self.unstored_positions.iter();
        orders
            .filter_map(|id| self.book.get(*id).cloned())
            .collect()
    }

    /// The same, as the pass leaves them; without orders that it ends.
    pub(super) fn positions_after(&self, passed: &MatchingPass) -> Vec<Order> {
        let orders = self.unstored_positions.iter();
        orders
            .filter_map(|id| passed.orders.get(id).or_else(|| self.book.get(*id)))
            .filter(|order| order.status.is_open())
            .cloned()
            .collect()
    }

    pub(super) fn set_checkpoint(&mut self, to: ShardCheckpoint, state_stored: bool) {
        self.checkpoint = to;
        self.applied.clear();
        self.unstored_positions.clear();
        self.stored_at = Instant::now();
        if state_stored {
            self.state_stored_at = self.stored_at;
        }
    }
}
