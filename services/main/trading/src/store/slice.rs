//! Slices of work that shrink when the database cuts them off, and grow again when it does not.

use bootstrap::database::sql_state;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use crate::error::TradingError;

/// The SQLSTATE query_canceled: a statement timeout has passed.
pub(crate) const QUERY_CANCELED: &str = "57014";

/// How many rows the next slice takes: few where some of them have a long history.
pub(crate) struct SliceSize {
    most: i64,
    now: i64,
}

impl SliceSize {
    pub(crate) fn new(most: i64) -> Self {
        Self { most, now: most }
    }

    pub(crate) fn rows(&self) -> i64 {
        self.now
    }

    pub(crate) fn grow(&mut self) {
        self.now = self.now.saturating_mul(2).min(self.most);
    }

    /// Takes a quarter of the rows that were too many, as each try costs a timeout; `false` when it
    /// was a single one.
    pub(crate) fn shrink(&mut self, taken: i64) -> bool {
        self.now = (taken / 4).max(1);
        taken > 1
    }

    /// What a slice of [`SliceSize::rows`] did; `None` when it was cut off and a smaller one is next.
    pub(crate) fn after<T>(
        &mut self,
        slice: Result<T, TradingError>,
    ) -> Result<Option<T>, TradingError> {
        let Err(TradingError::Database(error)) = &slice else {
            self.grow();
            return slice.map(Some);
        };
        if sql_state(error).as_deref() == Some(QUERY_CANCELED) && self.shrink(self.now) {
            return Ok(None);
        }
        slice.map(Some)
    }
}

/// Gives a slice of a single row the time that it needs: nothing can make it smaller.
pub(crate) async fn take_time(transaction: &DatabaseTransaction, rows: i64) -> Result<(), DbErr> {
    if rows == 1 {
        let longer = "set local statement_timeout = '40s'";
        transaction.execute_unprepared(longer).await?;
    }
    Ok(())
}
