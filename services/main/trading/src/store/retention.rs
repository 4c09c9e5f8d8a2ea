//! Deletes old rows in slices, so that no lock is held for long. Stored replies cannot live in
//! monthly partitions, because their key must stay unique over all of them.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DbErr};

use super::{Store, sql};
use crate::error::TradingError;

/// Rows of one transaction.
const SLICE: i64 = 5_000;

impl Store {
    /// The time by which rows grow old: of the process, but not later than that of the database. Without
    /// its reply a repeated request would be executed again, so a clock that is ahead deletes nothing
    /// early.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn retention_now(&self) -> Result<DateTime<Utc>, TradingError> {
        let read = sql("select least($1, now()) as now", [self.clock.now().into()]);
        let row = self.db.query_one_raw(read).await?;
        let row = row.ok_or_else(|| DbErr::RecordNotFound("now".to_owned()))?;
        Ok(row.try_get("", "now")?)
    }

    /// Deletes a slice of the replies stored before `before`; returns how many.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn delete_requests_before(&self, before: DateTime<Utc>) -> Result<u64, TradingError> {
        let delete = sql(
            "delete from request where ctid = any(array( \
             select ctid from request where created_at < $1 order by created_at limit $2))",
            [before.into(), SLICE.into()],
        );
        Ok(self.db.execute_raw(delete).await?.rows_affected())
    }

    /// Deletes a slice of the inbox entries of events handled before `before`; returns how many.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn delete_events_before(&self, before: DateTime<Utc>) -> Result<u64, TradingError> {
        Ok(messaging::inbox::forget(&self.db, before, SLICE).await?)
    }
}
