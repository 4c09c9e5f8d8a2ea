//! Deletes old rows in slices, so that no lock is held for long. Stored replies cannot live in
//! monthly partitions, because their key must stay unique over all of them.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{ConnectionTrait, DbErr};

use super::{Store, sql};
use crate::error::TradingError;

/// Rows of one transaction.
const SLICE: i64 = 5_000;
/// Redriven dead letters are never older.
const EVENTS_KEPT: TimeDelta = TimeDelta::days(90);

impl Store {
    /// Deletes the replies that are older than `replies_kept`, and the inbox entries of old events, slice
    /// after slice. What fails is logged, and is deleted by a later call.
    pub async fn clean_up(&self, replies_kept: TimeDelta) {
        let now = match self.retention_now().await {
            Ok(now) => now,
            Err(error) => {
                tracing::warn!(%error, "Old rows could not be deleted");
                return;
            }
        };
        let requests = now - replies_kept;
        delete_old("requests", || self.delete_requests_before(requests)).await;
        let events = now - EVENTS_KEPT;
        delete_old("events", || self.delete_events_before(events)).await;
    }

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

/// Deletes slice after slice until nothing old is left.
async fn delete_old<F>(what: &'static str, mut slice: impl FnMut() -> F)
where
    F: Future<Output = Result<u64, TradingError>>,
{
    loop {
        match slice().await {
            Ok(0) => return,
            Ok(_more) => {}
            Err(error) => {
                tracing::warn!(what, %error, "Deleting old rows failed");
                return;
            }
        }
    }
}
