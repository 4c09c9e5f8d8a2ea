//! The newest orders of this process, in memory.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use kernel::OrderId;
use parking_lot::Mutex;

use crate::orders::order::Order;

/// Most cached orders. Nobody removes them where another process owns the shards.
const CACHED: usize = 20_000;

/// Orders that this process has placed, so that its matcher need not read them back. Whether an
/// order is new is always read from the database.
#[derive(Clone, Default)]
pub(crate) struct NewOrderCache(Arc<Mutex<HashMap<OrderId, Order>>>);

impl NewOrderCache {
    pub(crate) fn insert(&self, orders: impl IntoIterator<Item = Order>) {
        let mut cached = self.0.lock();
        if cached.len() >= CACHED {
            cached.clear();
        }
        cached.extend(orders.into_iter().map(|order| (order.id, order)));
    }

    /// Removes the cached orders among `ids` in `wanted` instruments, and returns them with the ids
    /// that are not cached. Orders of other shards stay.
    pub(crate) fn take(
        &self,
        ids: Vec<OrderId>,
        wanted: impl Fn(&str) -> bool,
    ) -> (BTreeMap<OrderId, Order>, Vec<OrderId>) {
        let mut cached = self.0.lock();
        let mut orders = BTreeMap::new();
        let mut uncached = Vec::new();
        for id in ids {
            match cached.entry(id) {
                Entry::Occupied(order) if wanted(&order.get().instrument_code) => {
                    orders.insert(id, order.remove());
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(_) => uncached.push(id),
            }
        }
        (orders, uncached)
    }
}
