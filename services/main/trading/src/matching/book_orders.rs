//! Rows that a shard loads: admitted orders, replaced orders, queue positions and newest fills.

use std::collections::BTreeMap;

use kernel::{OrderId, Won};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, QueryFilter, Statement,
};

use crate::entity::trade_order;
use crate::error::TradingError;
use crate::orders::order::{Order, Status};
use crate::store::queue_positions::read_queue_positions;
use crate::store::{Store, lock};

/// Rows of one page.
const PAGE: usize = 5_000;
/// Instrument states are stored every five seconds; this is many times the fills of that time.
const LAST_FILLS: i64 = 200_000;

impl Store {
    /// Open orders that are admitted, in `wanted` instruments. Reads page by page.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn book_orders(
        &self,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let mut orders = BTreeMap::new();
        let mut after = OrderId(0);
        loop {
            let page = self.book_order_ids(after).await?;
            let Some((last, ..)) = page.last() else {
                return Ok(orders);
            };
            after = *last;
            let own = page.into_iter().filter(|(_, code, _)| wanted(code));
            let held: BTreeMap<OrderId, Won> = own.map(|(id, _, held)| (id, held)).collect();
            let rows = trade_order::Entity::find()
                .filter(trade_order::Column::Id.eq_any(held.keys().map(|id| id.0)))
                .filter(trade_order::is_open())
                .all(&self.db)
                .await?;
            let mut page = lock::orders_holding(&held, &rows)?;
            read_queue_positions(&self.db, &mut page).await?;
            orders.extend(page);
        }
    }

    /// A page of admitted orders with their instrument and held won. Every open order has a hold.
    async fn book_order_ids(&self, after: OrderId) -> Result<Vec<(OrderId, String, Won)>, DbErr> {
        let read = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "select h.order_id, h.instrument_code, h.amount_won from hold h where h.order_id > $1 \
             and not exists (select 1 from new_order n where n.order_id = h.order_id) \
             order by h.order_id limit $2",
            [after.into(), i64::try_from(PAGE).unwrap_or(i64::MAX).into()],
        );
        let rows = self.db.query_all_raw(read).await?;
        let rows = rows.iter();
        rows.map(|row| {
            Ok((
                row.try_get("", "order_id")?,
                row.try_get("", "instrument_code")?,
                row.try_get("", "amount_won")?,
            ))
        })
        .collect()
    }

    /// Sequence number of the newest tick by instrument, over more fills than can have happened since
    /// instrument states were stored.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn newest_filled_ticks(&self) -> Result<Vec<(String, i64)>, TradingError> {
        let read = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "select instrument_code, max(tick_seq) as tick_seq \
             from (select instrument_code, tick_seq from fill order by id desc limit $1) f \
             group by instrument_code",
            [LAST_FILLS.into()],
        );
        let rows = self.db.query_all_raw(read).await?;
        let ticks = rows.iter().map(|row| {
            Ok((
                row.try_get("", "instrument_code")?,
                row.try_get("", "tick_seq")?,
            ))
        });
        Ok(ticks.collect::<Result<_, DbErr>>()?)
    }

    /// Orders replaced by new orders that keep their priority. They count as open until the new order
    /// is admitted, because they carry the queue position until then.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn replaced_orders(&self) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let successors = trade_order::Entity::find()
            .filter(Expr::cust("id in (select order_id from new_order)"))
            .filter(trade_order::Column::PriorityId.is_not_null())
            .all(&self.db)
            .await?;
        let ids = successors
            .iter()
            .flat_map(|row| [row.orig_order_id, row.priority_id]);
        let rows = trade_order::Entity::find()
            .filter(trade_order::Column::Id.eq_any(ids.flatten().map(|id| id.0)))
            .filter(trade_order::Column::Status.eq(Status::Replaced.as_str()))
            .all(&self.db)
            .await?;
        let mut orders = lock::with_holds(&self.db, rows).await?;
        for order in orders.values_mut() {
            order.status = Status::Accepted;
        }
        Ok(orders)
    }
}
