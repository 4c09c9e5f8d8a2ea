//! The checkpoint of a shard, stored with the effects of its batches (`matcher_offset`).

use kernel::{AccountId, OrderId};
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement, TransactionTrait,
};
use std::collections::BTreeMap;

use crate::error::TradingError;
use crate::matching::instrument_state::InstrumentState;
use crate::orders::order::Order;
use crate::store::Store;
use crate::store::write_set::{AdmissionRow, WriteSet};

/// By instrument code.
pub type InstrumentStates = BTreeMap<String, InstrumentState>;

/// How far a shard has processed the tick log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardCheckpoint {
    pub consumer: &'static str,
    pub shard: i32,
    /// Epoch of the log that the offsets refer to.
    pub epoch: i64,
    /// The first batch whose effects are not stored.
    pub next_offset: i64,
    /// The first batch that is not part of the stored instrument states; -1 before they are stored.
    pub state_offset: i64,
    /// Newest session record that was read; records up to it are repetitions.
    pub session_seq: i64,
    /// Accounts up to this one have the effects of the batch at `next_offset`, which is settled in
    /// slices.
    pub applied_through: Option<AccountId>,
}

impl ShardCheckpoint {
    /// Admits new orders from this checkpoint on.
    pub(crate) fn admission(&self, order_ids: Vec<OrderId>) -> AdmissionRow {
        AdmissionRow {
            shard: self.shard,
            epoch: self.epoch,
            eligible_from: self.next_offset,
            order_ids,
        }
    }
}

const NOT_OWNED: &str = "the shard's offset was moved by another process";

/// Whether the error says that another process owns the shard.
#[must_use]
pub fn is_not_owned(error: &TradingError) -> bool {
    matches!(error, TradingError::Database(DbErr::Custom(text)) if text == NOT_OWNED)
}

impl Store {
    /// The checkpoint of a shard and its instrument states. The first call creates it.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn load_checkpoint(
        &self,
        consumer: &'static str,
        shard: i32,
    ) -> Result<(ShardCheckpoint, InstrumentStates), TradingError> {
        let make = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "insert into matcher_offset values ($1, $2, 0, -1, -1, '{}') on conflict do nothing",
            [consumer.into(), shard.into()],
        );
        self.db.execute_raw(make).await?;
        let read = Statement::from_sql_and_values(
            DbBackend::Postgres,
            "select epoch, next_offset, state_offset, state, session_seq, \
             case when applied_epoch = epoch and applied_offset = next_offset \
             then applied_through end as applied_through \
             from matcher_offset where consumer = $1 and shard = $2",
            [consumer.into(), shard.into()],
        );
        let row = self.db.query_one_raw(read).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("matcher_offset".to_owned()))?;
        let state: serde_json::Value = row.try_get("", "state")?;
        let known =
            serde_json::from_value(state).map_err(|error| DbErr::Json(error.to_string()))?;
        let checkpoint = ShardCheckpoint {
            consumer,
            shard,
            epoch: row.try_get("", "epoch")?,
            next_offset: row.try_get("", "next_offset")?,
            state_offset: row.try_get("", "state_offset")?,
            session_seq: row.try_get("", "session_seq")?,
            applied_through: row.try_get("", "applied_through")?,
        };
        Ok((checkpoint, known))
    }

    /// Stores a checkpoint after batches without effects, with changed queue positions and the new
    /// orders that later batches match.
    ///
    /// # Errors
    /// [`TradingError`] of the database, or [`is_not_owned`].
    pub async fn store_checkpoint(
        &self,
        from: &ShardCheckpoint,
        to: &ShardCheckpoint,
        state: Option<&InstrumentStates>,
        queue_positions: &[Order],
        admitted: &[OrderId],
    ) -> Result<(), TradingError> {
        let transaction = self.db.begin().await?;
        let mut writes = WriteSet::default();
        for order in queue_positions {
            writes.queue_position(order);
        }
        if !admitted.is_empty() {
            writes.admission(to.admission(admitted.to_vec()));
        }
        writes.write(&transaction).await?;
        advance(&transaction, from, to, state).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Replaces checkpoint `from` by `to`; fails when another process has replaced it.
pub(crate) async fn advance(
    transaction: &DatabaseTransaction,
    from: &ShardCheckpoint,
    to: &ShardCheckpoint,
    state: Option<&InstrumentStates>,
) -> Result<(), DbErr> {
    // As text: a JSON tree of every instrument would be built only to be serialised.
    let state = state
        .map(serde_json::to_string)
        .transpose()
        .map_err(|error| DbErr::Json(error.to_string()))?;
    let update = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "update matcher_offset set epoch = $3, next_offset = $4, state_offset = $5, \
         state = coalesce($6::text::json, state), \
         session_seq = case when $6 is null then session_seq else $9 end, \
         applied_epoch = case when $10::bigint is null then applied_epoch else $3 end, \
         applied_offset = case when $10::bigint is null then applied_offset else $4 end, \
         applied_through = case when $10::bigint is null then applied_through else $10 end \
         where consumer = $1 and shard = $2 and epoch = $7 and next_offset = $8 \
         and case when applied_epoch = epoch and applied_offset = next_offset \
         then applied_through end is not distinct from $11::bigint",
        [
            from.consumer.into(),
            from.shard.into(),
            to.epoch.into(),
            to.next_offset.into(),
            to.state_offset.into(),
            state.into(),
            from.epoch.into(),
            from.next_offset.into(),
            to.session_seq.into(),
            to.applied_through.into(),
            from.applied_through.into(),
        ],
    );
    if transaction.execute_raw(update).await?.rows_affected() == 1 {
        Ok(())
    } else {
        Err(DbErr::Custom(NOT_OWNED.to_owned()))
    }
}
