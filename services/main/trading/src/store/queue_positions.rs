//! Queue positions of orders, which are stored beside their rows.

use std::collections::BTreeMap;

use kernel::{OrderId, Price, Quantity};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, QueryResult, Statement};

use crate::orders::order::Order;

/// Sets the stored queue positions, which are newer than the orders' rows.
pub(crate) async fn read_queue_positions(
    connection: &impl ConnectionTrait,
    orders: &mut BTreeMap<OrderId, Order>,
) -> Result<(), DbErr> {
    let ids: Vec<OrderId> = orders.keys().copied().collect();
    for chunk in ids.chunks(10_000) {
        let ids: Vec<String> = chunk.iter().map(ToString::to_string).collect();
        let read = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "select order_id, resting, queue_ahead, reference_price from order_place \
             where order_id = any(string_to_array($1, ',')::bigint[])",
            [ids.join(",").into()],
        );
        for row in connection.query_all_raw(read).await? {
            set_queue_position(orders, &row)?;
        }
    }
    Ok(())
}

fn set_queue_position(
    orders: &mut BTreeMap<OrderId, Order>,
    row: &QueryResult,
) -> Result<(), DbErr> {
    let id: OrderId = row.try_get("", "order_id")?;
    let queue_ahead: Option<Quantity> = row.try_get("", "queue_ahead")?;
    let reference_price: Option<Price> = row.try_get("", "reference_price")?;
    if let Some(order) = orders.get_mut(&id) {
        order.resting = row.try_get("", "resting")?;
        order.queue_ahead = queue_ahead;
        order.reference_price = reference_price;
    }
    Ok(())
}
