//! Queue positions of orders that ended while theirs was stored. They are found by looking at those of all
//! waiting orders, slice by slice, so that no statement grows with the orders that wait.

use kernel::OrderId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, TransactionTrait};

use crate::error::TradingError;
use crate::store::{Store, once, sql};

/// Rows of one transaction.
const SLICE: i64 = 5_000;
/// One process at a time deletes; "queu" in ASCII.
const DELETING: i64 = 0x7175_6575;

/// Deletes them in the order of their orders, and goes on where it stopped.
#[derive(Debug, Default)]
pub struct StaleQueuePositions {
    after: Option<OrderId>,
}

enum Slice {
    Through(OrderId),
    Last,
    /// Another process deletes.
    NotMine,
}

impl StaleQueuePositions {
    /// Looks at all that are left, unless another process does.
    ///
    /// # Errors
    /// [`TradingError`] of the database: the next call goes on from the slice that failed.
    pub async fn delete(&mut self, store: &Store) -> Result<(), TradingError> {
        loop {
            match store.delete_stale_queue_positions(self.after).await? {
                Slice::Through(last) => self.after = Some(last),
                Slice::Last => {
                    self.after = None;
                    return Ok(());
                }
                Slice::NotMine => return Ok(()),
            }
        }
    }
}

impl Store {
    async fn delete_stale_queue_positions(
        &self,
        after: Option<OrderId>,
    ) -> Result<Slice, TradingError> {
        let transaction = self.db.begin().await?;
        let deleted = delete_slice(&transaction, after).await;
        once::end(transaction, deleted.map_err(TradingError::from)).await
    }
}

async fn delete_slice(
    transaction: &DatabaseTransaction,
    after: Option<OrderId>,
) -> Result<Slice, DbErr> {
    let mine = sql(
        "select pg_try_advisory_xact_lock($1) as mine",
        [DELETING.into()],
    );
    let row = transaction.query_one_raw(mine).await?;
    if !row.map_or(Ok(false), |row| row.try_get("", "mine"))? {
        return Ok(Slice::NotMine);
    }
    // Every open order has a hold.
    let delete = sql(
        "with slice as materialized ( \
            select order_id from order_place where order_id > $1 order by order_id limit $2 \
         ), gone as (delete from order_place p using slice s where p.order_id = s.order_id \
            and not exists (select from hold h where h.order_id = s.order_id)) \
         select max(order_id) as last, count(*) as looked_at from slice",
        [after.unwrap_or(OrderId(0)).into(), SLICE.into()],
    );
    let Some(row) = transaction.query_one_raw(delete).await? else {
        return Ok(Slice::Last);
    };
    let looked_at: i64 = row.try_get("", "looked_at")?;
    let last: Option<OrderId> = row.try_get("", "last")?;
    Ok(match last {
        Some(last) if looked_at == SLICE => Slice::Through(last),
        Some(_) | None => Slice::Last,
    })
}
