//! Slices of a large batch: ascending ranges of accounts that are settled together.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Duration;

use kernel::{AccountId, OrderId};

use crate::error::TradingError;
use crate::matching::effect::Effect;
use crate::matching::pass::MatchingPass;
use crate::orders::order::Order;
use crate::store::Store;

/// Most effects of a batch that is settled in one transaction; a batch with a split never is.
pub(super) const WHOLE: usize = 1_000;
/// Effects of one slice, whose transaction locks their accounts. Small slices delay other orders
/// less and take longer in all, so they start at the minimum and grow while [`PACE`] is not reached
/// (`make bench ONLY=largeBatches`).
pub(super) const SLICE: RangeInclusive<usize> = 50..=400;
/// Effects a second, of all shards together: 300,000 orders end within 40 s, and the database has
/// time for other orders. Each shard is limited to its part even while the others are idle.
const PACE: u32 = 8_000;

/// The part of a batch that is not settled yet.
pub(super) struct Slices {
    /// Number of effects by account, of accounts above `after`.
    effects: BTreeMap<AccountId, usize>,
    /// Accounts with new orders that a split applies to.
    new_orders: BTreeSet<AccountId>,
    /// Account and instrument of the orders that the batch changes.
    groups: BTreeSet<(AccountId, String)>,
    /// Instruments that the batch splits. Their holders are read slice by slice.
    split_codes: Vec<String>,
    after: Option<AccountId>,
    sizes: RangeInclusive<usize>,
    size: usize,
    /// Effects and holders of the previous slice.
    weight: usize,
    /// Effects a second.
    pace: u32,
}

/// Accounts that are settled together.
pub(super) struct AccountRange {
    /// The last account; `None` for the last range, which has all remaining accounts.
    pub(super) through: Option<AccountId>,
    /// Accounts whose holdings or new orders a split applies to.
    pub(super) holders: BTreeSet<AccountId>,
}

pub(super) type ByAccount = BTreeMap<AccountId, Vec<Order>>;

/// Orders that a batch changes, by account, as they are before it.
pub(super) struct Changed {
    pass: MatchingPass,
    by_account: ByAccount,
}

impl Slices {
    /// Slices of the accounts above `after`, of about `sizes` effects each.
    pub(super) fn new(
        effects: &[Effect],
        split_codes: Vec<String>,
        new_orders: impl IntoIterator<Item = AccountId>,
        after: Option<AccountId>,
        sizes: RangeInclusive<usize>,
    ) -> Self {
        let is_after = |account: &AccountId| Some(*account) > after;
        let mut slices = Self {
            effects: BTreeMap::new(),
            new_orders: new_orders.into_iter().filter(is_after).collect(),
            groups: BTreeSet::new(),
            split_codes,
            after,
            size: *sizes.start(),
            sizes,
            weight: 0,
            pace: PACE,
        };
        let orders = effects.iter().filter_map(Effect::order);
        for account in &slices.new_orders {
            *slices.effects.entry(*account).or_default() += 1;
        }
        for order in orders.filter(|order| is_after(&order.account_id)) {
            *slices.effects.entry(order.account_id).or_default() += 1;
            let group = (order.account_id, order.instrument_code.clone());
            slices.groups.insert(group);
        }
        slices
    }

    /// Divides the pace by the number of shards that settle at the same time.
    pub(super) fn sharing_rate_with(self, shards: u32) -> Self {
        Self {
            pace: (PACE / shards.max(1)).max(1),
            ..self
        }
    }

    /// The orders of `before` that the batch changes.
    pub(super) fn changed(&self, before: MatchingPass) -> Changed {
        let orders = before.orders.into_values().filter(|order| {
            let group = (order.account_id, order.instrument_code.clone());
            self.groups.contains(&group)
        });
        Changed {
            by_account: by_account(orders),
            pass: MatchingPass {
                orders: BTreeMap::new(),
                ..before
            },
        }
    }

    /// The pause after a slice that took `time`: the remainder of the time its effects have at the
    /// pace. A slice that took longer doubles the next.
    pub(super) fn pause_after(&mut self, time: Duration) -> Duration {
        let due =
            Duration::from_secs(1) * u32::try_from(self.weight).unwrap_or(u32::MAX) / self.pace;
        let size = if time > due {
            self.size * 2
        } else if time < due * 4 / 5 {
            self.size / 2
        } else {
            self.size
        };
        self.size = size.clamp(*self.sizes.start(), *self.sizes.end());
        due.saturating_sub(time)
    }

    /// The next range of accounts.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(super) async fn next(&mut self, store: &Store) -> Result<AccountRange, TradingError> {
        let mut holders = Vec::new();
        if !self.split_codes.is_empty() {
            let read = store.split_holders(&self.split_codes, self.after, self.size);
            holders = read.await?;
        }
        // A full page of holders may have more beyond its last account.
        let known = (holders.len() >= self.size).then(|| holders.last().copied());
        let mut through = known.flatten();
        let mut weight = 0;
        let mut holder = holders.iter().copied().peekable();
        for (account, effects) in &self.effects {
            if through.is_some_and(|through| *account > through) {
                break;
            }
            let before = std::iter::from_fn(|| holder.next_if(|one| one <= account)).count();
            weight += effects + before;
            let is_last = self.effects.keys().next_back() == Some(account)
                && known.is_none()
                && holder.peek().is_none();
            if weight >= self.size && !is_last {
                through = Some(*account);
                break;
            }
        }
        let mut new_orders = std::mem::take(&mut self.new_orders);
        let mut stored = std::mem::take(&mut self.effects);
        if let Some(through) = through {
            self.effects = stored.split_off(&AccountId(through.0 + 1));
            self.new_orders = new_orders.split_off(&AccountId(through.0 + 1));
        }
        self.after = through.or(self.after);
        let is_within = |account: &AccountId| through.is_none_or(|through| *account <= through);
        holders.retain(is_within);
        self.weight = holders.len() + stored.values().sum::<usize>();
        new_orders.extend(holders);
        Ok(AccountRange {
            through,
            holders: new_orders,
        })
    }
}

impl Changed {
    /// Removes and returns the orders of accounts up to `through`, or all.
    pub(super) fn split_off_through(&mut self, through: Option<AccountId>) -> MatchingPass {
        let orders = split_off_through(&mut self.by_account, through);
        MatchingPass {
            orders: orders
                .into_iter()
                .map(|order| (order.id, order))
                .collect::<BTreeMap<OrderId, Order>>(),
            ..self.pass.clone()
        }
    }
}

pub(super) fn by_account(orders: impl IntoIterator<Item = Order>) -> ByAccount {
    let mut grouped = ByAccount::new();
    for order in orders {
        grouped.entry(order.account_id).or_default().push(order);
    }
    grouped
}

/// Removes and returns the orders of accounts up to `through`, or all.
pub(super) fn split_off_through(orders: &mut ByAccount, through: Option<AccountId>) -> Vec<Order> {
    let later = match through {
        None => ByAccount::new(),
        Some(through) => orders.split_off(&AccountId(through.0 + 1)),
    };
    let admitted = std::mem::replace(orders, later);
    admitted.into_values().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes of the next slice when each effect took `micros`.
    fn sizes(sizes: RangeInclusive<usize>, micros: &[u64]) -> Vec<usize> {
        let mut slices = Slices::new(&[], Vec::new(), [], None, sizes);
        let after = |micros: &u64| {
            slices.weight = slices.size;
            let effects = u32::try_from(slices.weight).unwrap();
            slices.pause_after(Duration::from_micros(*micros) * effects);
            slices.size
        };
        micros.iter().map(after).collect()
    }

    #[test]
    fn slices_grow_where_they_are_slow_and_shrink_where_there_is_time() {
        assert_eq!(sizes(50..=400, &[50, 50]), [50, 50]);
        assert_eq!(sizes(50..=400, &[1_000; 4]), [100, 200, 400, 400]);
        assert_eq!(sizes(50..=400, &[1_000, 120, 90]), [100, 100, 50]);
        assert_eq!(sizes(2..=2, &[9_000, 10]), [2, 2]);
    }

    #[test]
    fn the_unused_time_of_a_slice_is_a_pause() {
        let mut slices = Slices::new(&[], Vec::new(), [], None, SLICE);
        assert_eq!(slices.pause_after(Duration::ZERO), Duration::ZERO);
        slices.weight = 80;
        assert_eq!(
            slices.pause_after(Duration::from_millis(4)),
            Duration::from_millis(6)
        );
        assert_eq!(
            slices.pause_after(Duration::from_millis(14)),
            Duration::ZERO
        );
    }

    #[test]
    fn shards_share_one_pace() {
        let mut slices = Slices::new(&[], Vec::new(), [], None, SLICE).sharing_rate_with(4);
        slices.weight = 80;
        let rest = slices.pause_after(Duration::from_millis(14));
        assert_eq!(rest, Duration::from_millis(40 - 14));
        assert_eq!(slices.size, *SLICE.start());
    }
}
