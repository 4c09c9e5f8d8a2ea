//! How far the matcher has read, stored with what it did.

use chrono::{DateTime, Utc};
use kernel::OrderId;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect, Statement, TransactionTrait,
};
use std::collections::BTreeMap;

use super::{Store, lock};
use crate::domain::matching::desk::Instrument;
use crate::domain::order::{Order, Status};
use crate::entity::trade_order;
use crate::error::TradingError;
use crate::store::write_set::WriteSet;

/// Most new orders that are taken at one boundary.
const TAKEN_AT_ONCE: u64 = 5_000;

/// What the matcher knows of instruments.
pub type Instruments = BTreeMap<String, Instrument>;

/// A shard's place in the tick log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Which reader.
    pub consumer: &'static str,
    /// Which part of the instruments.
    pub shard: i32,
    /// Epoch of the log that the offsets belong to.
    pub epoch: i64,
    /// The next batch whose effects are not stored.
    pub next_offset: i64,
    /// The next batch that the stored state does not know.
    pub state_offset: i64,
}

/// Another process has moved the offset: this one no longer owns the shard.
const NOT_OWNED: &str = "the shard's offset was moved by another process";

/// Whether an error says that another process works on the shard.
#[must_use]
pub fn is_not_owned(error: &TradingError) -> bool {
    matches!(error, TradingError::Database(DbErr::Custom(text)) if text == NOT_OWNED)
}

impl Store {
    /// The stored position of a shard and what was known there; made at the first call.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn position(
        &self,
        consumer: &'static str,
        shard: i32,
    ) -> Result<(Position, Instruments), TradingError> {
        let make = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "insert into matcher_offset values ($1, $2, 0, -1, -1, '{}') on conflict do nothing",
            [consumer.into(), shard.into()],
        );
        self.db.execute_raw(make).await?;
        let read = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "select epoch, next_offset, state_offset, state from matcher_offset \
             where consumer = $1 and shard = $2",
            [consumer.into(), shard.into()],
        );
        let row = self.db.query_one_raw(read).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("matcher_offset".to_owned()))?;
        let state: serde_json::Value = row.try_get("", "state")?;
        let known =
            serde_json::from_value(state).map_err(|error| DbErr::Json(error.to_string()))?;
        let position = Position {
            consumer,
            shard,
            epoch: row.try_get("", "epoch")?,
            next_offset: row.try_get("", "next_offset")?,
            state_offset: row.try_get("", "state_offset")?,
        };
        Ok((position, known))
    }

    /// Open orders that the matcher has taken in an earlier batch.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn taken_orders(&self) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        use sea_orm::ColumnTrait;
        let rows = trade_order::Entity::find()
            .filter(trade_order::is_open())
            .filter(trade_order::Column::EligibleFrom.is_not_null())
            .all(&self.db)
            .await?;
        Ok(lock::with_holds(&self.db, rows).await?)
    }

    /// Orders that were replaced by ones no batch has taken yet and that keep their place: as open
    /// as they were, because what the log teaches about the place is learned by them until then.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn replaced_orders(&self) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        use sea_orm::ColumnTrait;
        let heirs = trade_order::Entity::find()
            .filter(trade_order::is_not_taken())
            .filter(trade_order::Column::PriorityId.is_not_null())
            .all(&self.db)
            .await?;
        if heirs.is_empty() {
            return Ok(BTreeMap::new());
        }
        let ids = heirs
            .iter()
            .flat_map(|row| [row.orig_order_id, row.priority_id]);
        let rows = trade_order::Entity::find()
            .filter(trade_order::Column::Id.is_in(ids.flatten()))
            .filter(trade_order::Column::Status.eq(Status::Replaced.as_str()))
            .filter(trade_order::Column::EligibleFrom.is_not_null())
            .all(&self.db)
            .await?;
        let mut orders = lock::with_holds(&self.db, rows).await?;
        for order in orders.values_mut() {
            order.status = Status::Accepted;
        }
        Ok(orders)
    }

    /// Open orders that no batch has taken yet, oldest first.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn new_orders(&self) -> Result<BTreeMap<OrderId, Order>, TradingError> {
        let rows = trade_order::Entity::find()
            .filter(trade_order::is_not_taken())
            .order_by_asc(trade_order::Column::Id)
            .limit(TAKEN_AT_ONCE)
            .all(&self.db)
            .await?;
        if rows.is_empty() {
            return Ok(BTreeMap::new());
        }
        Ok(lock::with_holds(&self.db, rows).await?)
    }

    /// Stores a position whose batches changed nothing, what was learned on the way, and which
    /// new orders count from there on.
    ///
    /// # Errors
    /// [`TradingError`] of the database, or that the shard is another's: [`is_not_owned`].
    pub async fn checkpoint(
        &self,
        from: &Position,
        to: &Position,
        state: Option<&Instruments>,
        progress: &[Order],
        taken: &[OrderId],
    ) -> Result<(), TradingError> {
        let transaction = self.db.begin().await?;
        let mut writes = WriteSet::default();
        for order in progress {
            writes.progress(order);
        }
        if !taken.is_empty() {
            writes.taken(taken.iter().copied(), to.next_offset);
        }
        writes.write(&transaction).await?;
        advance(&transaction, from, to, state).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes request answers older than `before`, a bounded number at a time; answers how many.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn forget_requests(&self, before: DateTime<Utc>) -> Result<u64, TradingError> {
        let delete = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "delete from request where ctid = any(array( \
             select ctid from request where created_at < $1 limit 5000))",
            [before.into()],
        );
        Ok(self.db.execute_raw(delete).await?.rows_affected())
    }
}

/// Moves the offset from where this process knows it to be.
pub(super) async fn advance(
    transaction: &DatabaseTransaction,
    from: &Position,
    to: &Position,
    state: Option<&Instruments>,
) -> Result<(), DbErr> {
    let state = state
        .map(serde_json::to_value)
        .transpose()
        .map_err(|error| DbErr::Json(error.to_string()))?;
    let update = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "update matcher_offset set epoch = $3, next_offset = $4, state_offset = $5, \
         state = coalesce($6::json, state) \
         where consumer = $1 and shard = $2 and epoch = $7 and next_offset = $8",
        [
            from.consumer.into(),
            from.shard.into(),
            to.epoch.into(),
            to.next_offset.into(),
            to.state_offset.into(),
            state.into(),
            from.epoch.into(),
            from.next_offset.into(),
        ],
    );
    if transaction.execute_raw(update).await?.rows_affected() == 1 {
        Ok(())
    } else {
        Err(DbErr::Custom(NOT_OWNED.to_owned()))
    }
}
