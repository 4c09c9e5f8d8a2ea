//! Orders that are accepted and not yet admitted to the book.

use std::collections::BTreeMap;

use kernel::OrderId;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, QueryFilter, Statement,
};

use crate::entity::trade_order;
use crate::error::TradingError;
use crate::orders::order::Order;
use crate::store::{Store, lock};

/// Most new orders that one batch boundary admits.
const ADMITTED_AT_ONCE: usize = 5_000;

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
