//! Settlement of a batch that has effects.
//!
//! Within a batch accounts do not depend on each other, so a large batch is settled in slices of
//! accounts, each in a transaction of its own. The offset advances with the last slice; a shard
//! that is loaded in between resumes after the accounts that are settled.

use std::collections::BTreeMap;

use kernel::{AccountId, OrderId};
use tokio::time::Instant;

use super::Shard;
use super::checkpoints::BatchBoundary;
use crate::error::TradingError;
use crate::matching::checkpoint::{InstrumentStates, ShardCheckpoint};
use crate::matching::effect::Effect;
use crate::matching::pass::MatchingPass;
use crate::matching::settle::{BatchResult, BatchSlice, sharing_members};
use crate::matching::slices::{Slices, by_account, split_off_through};
use crate::orders::order::Order;
use crate::tick_log::Batch;

impl Shard {
    /// Settles the effects of a batch, updates the book from the stored orders, and returns the new
    /// orders that its split was applied to.
    pub(super) async fn settle(
        &mut self,
        batch: &Batch,
        passed: MatchingPass,
        effects: &[Effect],
        mut next: BatchBoundary,
    ) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let before = self.affected_by(batch);
        let splits: Vec<String> = before.splits(batch).into_keys().collect();
        let after = self
            .checkpoint
            .applied_through
            .filter(|_| self.is_resumed(batch));
        let mut slices = self.slices_of(effects, splits, &next, after);
        let mut range = slices.next(&self.store).await?;
        if range.through.is_some() {
            self.store_batch_start(batch, &passed).await?;
        }
        let sharing = sharing_members(effects, after.is_some());
        let mut queue_positions = self.positions_after(&passed);
        queue_positions.extend(next.inherited);
        let mut queue_positions = by_account(queue_positions);
        let state = next.with_state.then(|| self.instruments_with(&passed));
        let mut changed = slices.changed(before);
        let mut all = BatchResult::default();
        loop {
            let started = Instant::now();
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
                sharing: &sharing,
                queue_positions: &of_range,
                admitted: &next.admitted,
                awaiting_split: &next.awaiting_split,
                from: &self.checkpoint,
                to: &to,
                state: state.as_ref().filter(|_| is_last),
            };
            let result = self.store.settle(&slice).await?;
            next.admitted.extend(result.split_orders.keys());
            all.add(result);
            if is_last {
                break;
            }
            self.checkpoint = to;
            tokio::time::sleep(slices.pause_after(started.elapsed())).await;
            range = slices.next(&self.store).await?;
        }
        self.book.apply(passed);
        for id in all.closed {
            self.book.remove(id);
        }
        // The dry run may end orders that the balances keep open, and the reverse; the stored
        // result decides.
        self.book.apply(all.pass);
        self.set_checkpoint(next.to, next.with_state);
        Ok(all.split_orders)
    }

    /// The accounts of a batch above `after`, in one slice or many, at the pace of this shard.
    fn slices_of(
        &self,
        effects: &[Effect],
        splits: Vec<String>,
        next: &BatchBoundary,
        after: Option<AccountId>,
    ) -> Slices {
        let new_orders = next.awaiting_split.values().map(|order| order.account_id);
        let sizes = if splits.is_empty() && effects.len() <= self.whole {
            self.whole..=self.whole
        } else {
            self.slices.clone()
        };
        // A close reaches every shard at once; a split concerns one instrument, so one shard.
        let shards = if splits.is_empty() {
            u32::try_from(self.partition.count).unwrap_or(1)
        } else {
            1
        };
        Slices::new(effects, splits, new_orders, after, sizes).sharing_rate_with(shards)
    }

    fn instruments_with(&self, passed: &MatchingPass) -> InstrumentStates {
        let mut instruments = self.book.instruments.clone();
        instruments.extend(passed.instruments.clone());
        instruments
    }
}
