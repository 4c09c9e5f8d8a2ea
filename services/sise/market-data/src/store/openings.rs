//! Openings of items, for the popular lists.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, MemberId};

use super::Store;
use crate::candles::retention::clear;
use crate::error::MarketError;

impl Store {
    /// Counted once per member, item and Korean day.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn note_opening(
        &self,
        member: MemberId,
        code: &str,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        let mut transaction = self.pool.begin().await?;
        // A crash may lose the last openings, which is better than waiting for the disk.
        sqlx::query("set local synchronous_commit = off")
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "insert into item_opening (code, opened_on, member_id, first_opened_at) \
             values ($1, $2, $3, $4) on conflict do nothing",
        )
        .bind(code)
        .bind(clock.today_kst())
        .bind(member.0)
        .bind(clock.now())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Item and time of each opening since `since`.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn openings_since(
        &self,
        since: DateTime<Utc>,
    ) -> Result<Vec<(String, DateTime<Utc>)>, MarketError> {
        let rows = sqlx::query_as(
            "select code, max(first_opened_at) from item_opening \
             where first_opened_at > $1 group by code, member_id",
        )
        .bind(since)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// Deletes openings that no list counts any more.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn delete_old_openings(
        &self,
        older_than: TimeDelta,
        clock: &dyn Clock,
    ) -> Result<u64, MarketError> {
        let openings = "delete from item_opening where ctid = any(array( \
             select ctid from item_opening where first_opened_at < $1 \
             order by first_opened_at limit $2))";
        Ok(clear(&self.pool, openings, clock.now() - older_than).await?)
    }
}
