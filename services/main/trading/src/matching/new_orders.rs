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

/// Most new orders that are taken at one boundary.
const ADMITTED_AT_ONCE: usize = 5_000;
/// Most orders that are remembered for the matcher; where another process owns the shards nobody
/// asks for them.
const REMEMBERED: usize = 20_000;

/// Orders that this process has just placed, so that the matcher beside it need not read them back.
/// Only an aid: whether an order is new is always asked of the database.
#[derive(Clone, Default)]
pub(crate) struct NewOrderCache(Arc<Mutex<HashMap<OrderId, Order>>>);

impl NewOrderCache {
    /// Remembers orders that are committed.
    pub(crate) fn remember(&self, orders: impl IntoIterator<Item = Order>) {
        let mut known = self.0.lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.extend(orders.into_iter().map(|order| (order.id, order)));
    }

    /// Splits `ids` into remembered orders that are `wanted` and ids that must be read. The orders
    /// of other shards stay for them.
    fn take(
        &self,
        ids: Vec<OrderId>,
        wanted: impl Fn(&str) -> bool,
    ) -> (BTreeMap<OrderId, Order>, Vec<OrderId>) {
        let mut known = self.0.lock();
        let mut orders = BTreeMap::new();
        let mut unknown = Vec::new();
        for id in ids {
            match known.entry(id) {
                Entry::Occupied(order) if wanted(&order.get().instrument_code) => {
                    orders.insert(id, order.remove());
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(_) => unknown.push(id),
            }
        }
        (orders, unknown)
    }
}

impl Store {
    /// Open orders that no batch has taken yet, in the instruments that are `wanted`.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn new_orders(
        &self,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let mut orders = BTreeMap::new();
        let mut after = OrderId(0);
        // Orders of shards that nobody works on stay new; they must not hide those behind them.
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
        let (mut orders, unknown) = self.new_order_cache.take(ids, &wanted);
        if !unknown.is_empty() {
            let rows = trade_order::Entity::find()
                .filter(trade_order::Column::Id.eq_any(unknown.into_iter().map(|id| id.0)))
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
