//! Orders that are accepted and not yet admitted to the book.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use kernel::OrderId;
use parking_lot::Mutex;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, QueryFilter, Statement,
};

use crate::entity::trade_order;
use crate::error::TradingError;
use crate::orders::order::Order;
use crate::store::{Store, lock};

/// Most new orders that one batch boundary admits.
const ADMITTED_AT_ONCE: usize = 5_000;
/// Most cached orders. Nobody removes them where another process owns the shards.
const CACHED: usize = 20_000;

/// Orders that this process has placed, so that its matcher need not read them back. Whether an
/// order is new is always read from the database.
#[derive(Clone, Default)]
pub(crate) struct NewOrderCache(Arc<Mutex<HashMap<OrderId, Order>>>);

impl NewOrderCache {
    /// Caches committed orders.
    pub(crate) fn insert(&self, orders: impl IntoIterator<Item = Order>) {
        let mut cached = self.0.lock();
        if cached.len() >= CACHED {
            cached.clear();
        }
        cached.extend(orders.into_iter().map(|order| (order.id, order)));
    }

    /// Removes the cached orders among `ids` in `wanted` instruments, and returns them with the ids
    /// that are not cached. Orders of other shards stay.
    fn take(
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

impl Store {
    /// Open orders that are not admitted yet, in `wanted` instruments.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn new_orders(
        &self,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let mut orders = BTreeMap::new();
        let mut after = OrderId(0);
        // Orders of shards that nobody owns stay new; they must not hide the orders behind them.
        loop {
            let ids = self.new_order_ids(after).await?;
            let full = ids.len() == ADMITTED_AT_ONCE;
            let last = ids.last().copied();
            orders.extend(self.wanted_of(ids, &wanted).await?);
            match last {
                Some(last) if full && orders.len() < ADMITTED_AT_ONCE => after = last,
                Some(_) | None => return Ok(orders),
            }
        }
    }

    async fn wanted_of(
        &self,
        ids: Vec<OrderId>,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<BTreeMap<OrderId, Order>, DbErr> {
        let (mut orders, uncached) = self.new_order_cache.take(ids, &wanted);
        if !uncached.is_empty() {
            let rows = trade_order::Entity::find()
                .filter(trade_order::Column::Id.eq_any(uncached.into_iter().map(|id| id.0)))
                .filter(trade_order::is_open())
                .all(&self.db)
                .await?;
            let read = lock::with_holds(&self.db, rows).await?.into_iter();
            orders.extend(read.filter(|(_, order)| wanted(&order.instrument_code)));
        }
        Ok(orders)
    }

    async fn new_order_ids(&self, after: OrderId) -> Result<Vec<OrderId>, DbErr> {
        let read = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "select order_id from new_order where order_id > $1 order by order_id limit $2",
            [
                after.into(),
                i64::try_from(ADMITTED_AT_ONCE).unwrap_or(i64::MAX).into(),
            ],
        );
        let rows = self.db.query_all_raw(read).await?;
        rows.iter().map(|row| row.try_get("", "order_id")).collect()
    }
}
