//! A member's newest orders as far as cards are made from them.

use kernel::MemberId;
use messaging::inbox;
use sqlx::PgConnection;
use uuid::Uuid;

use super::Store;
use crate::domain::trade_cards::{TradedOrder, outdated};
use crate::error::StudyError;

/// Consumer name in the inbox.
const CONSUMER: &str = "education.order-events";

impl Store {
    /// Adds a fill to its order and removes orders that are no longer needed. A repeated event has
    /// no effect.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn note_fill(
        &self,
        event_id: Uuid,
        member: MemberId,
        fill: TradedOrder,
    ) -> Result<(), StudyError> {
        let mut transaction = self.pool.begin().await?;
        let clock = self.clock.as_ref();
        if !inbox::first_time_in(&mut transaction, CONSUMER, event_id, clock).await? {
            return Ok(());
        }
        lock_trader(&mut transaction, member, 1).await?;
        let mut orders = orders_of(&mut transaction, member).await?;
        let known = orders
            .iter()
            .position(|order| order.order_id == fill.order_id);
        let order = match known {
            Some(index) => orders.swap_remove(index).with(fill),
            None => fill,
        };
        orders.push(order.clone());
        let outdated = outdated(&orders);
        if !outdated.contains(&order.order_id) {
            save(&mut transaction, member, &order).await?;
        }
        if !outdated.is_empty() {
            sqlx::query("delete from traded_order where member_id = $1 and order_id = any($2)")
                .bind(member.0)
                .bind(outdated)
                .execute(&mut *transaction)
                .await?;
        }
        Ok(transaction.commit().await?)
    }
}

pub(super) async fn orders_of(
    connection: &mut PgConnection,
    member: MemberId,
) -> Result<Vec<TradedOrder>, sqlx::Error> {
    sqlx::query_as("select * from traded_order where member_id = $1")
        .bind(member.0)
        .fetch_all(connection)
        .await
}

/// Locks the rows that cards of the member are made from, and counts the fills that were heard of.
pub(super) async fn lock_trader(
    connection: &mut PgConnection,
    member: MemberId,
    fills: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into trader (member_id, fills) values ($1, $2) \
         on conflict (member_id) do update set fills = trader.fills + $2",
    )
    .bind(member.0)
    .bind(fills)
    .execute(connection)
    .await?;
    Ok(())
}

async fn save(
    connection: &mut PgConnection,
    member: MemberId,
    order: &TradedOrder,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into traded_order (member_id, order_id, traded_at, instrument_name, category, \
         currency, is_sale, limit_price, filled_quantity, amount_won, fee_won, tax_won, \
         heard_quantity, fills, has_waited, slippage_ticks, slippage_won, exchange_won) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) \
         on conflict (member_id, order_id) do update set traded_at = excluded.traded_at, \
         limit_price = excluded.limit_price, filled_quantity = excluded.filled_quantity, \
         amount_won = excluded.amount_won, fee_won = excluded.fee_won, \
         tax_won = excluded.tax_won, heard_quantity = excluded.heard_quantity, \
         fills = excluded.fills, has_waited = excluded.has_waited, \
         slippage_ticks = excluded.slippage_ticks, slippage_won = excluded.slippage_won, \
         exchange_won = excluded.exchange_won",
    )
    .bind(member.0)
    .bind(order.order_id)
    .bind(order.traded_at)
    .bind(&order.instrument_name)
    .bind(&order.category)
    .bind(&order.currency)
    .bind(order.is_sale)
    .bind(order.limit_price)
    .bind(order.filled_quantity)
    .bind(order.amount_won)
    .bind(order.fee_won)
    .bind(order.tax_won)
    .bind(order.heard_quantity)
    .bind(order.fills)
    .bind(order.has_waited)
    .bind(order.slippage_ticks)
    .bind(order.slippage_won)
    .bind(order.exchange_won)
    .execute(connection)
    .await?;
    Ok(())
}
