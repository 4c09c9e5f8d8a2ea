//! Members who left for good: what they have goes slice by slice, each slice in one transaction.

use chrono::TimeDelta;
use kernel::{Clock, MemberId};
use sqlx::AssertSqlSafe;

use super::Store;
use crate::error::MarketError;

/// Rows of a table that go in one transaction.
const ROWS_AT_ONCE: i64 = 200;
/// Members that are looked at before the next are asked for.
const MEMBERS_AT_ONCE: i64 = 100;
/// Longer than a token is good for and a request takes, which may still write for who left.
const LAST_WRITES_WITHIN: TimeDelta = TimeDelta::hours(1);
/// What is of members besides alerts, each table with an index that begins with the member.
const OF_MEMBERS: [&str; 7] = [
    "search_history",
    "item_like",
    "product_like",
    "item_holder",
    "item_opening",
    "request",
    "sise_member",
];

impl Store {
    /// Notes that a member left for good. A repeat changes nothing.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn note_erasure(
        &self,
        member: MemberId,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        sqlx::query(
            "insert into erasure (member_id, noted_at) values ($1, $2) on conflict do nothing",
        )
        .bind(member.0)
        .bind(clock.now())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Deletes a slice of each table, and tells whether more may be left. Alerts are deleted by
    /// [`Store::delete_alert`].
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn erase_slices(&self, member: MemberId) -> Result<bool, MarketError> {
        let mut deleted = 0;
        for table in OF_MEMBERS {
            deleted += self.erase_slice(table, member).await?;
        }
        Ok(deleted > 0)
    }

    async fn erase_slice(&self, table: &'static str, member: MemberId) -> Result<u64, MarketError> {
        let delete = AssertSqlSafe(format!(
            "delete from {table} where ctid = any(array( \
             select ctid from {table} where member_id = $1 limit $2))"
        ));
        let mut transaction = self.pool.begin().await?;
        // One after another: each counts followers down, of many items and in no certain order.
        sqlx::query("select pg_advisory_xact_lock(hashtextextended('erasure', 0))")
            .execute(&mut *transaction)
            .await?;
        let deleted = sqlx::query(delete)
            .bind(member.0)
            .bind(ROWS_AT_ONCE)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(deleted.rows_affected())
    }

    /// Some of the members of whom something may be left, and for whom nothing is written any more.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn erasures_to_finish(
        &self,
        clock: &dyn Clock,
    ) -> Result<Vec<MemberId>, MarketError> {
        let members: Vec<i64> = sqlx::query_scalar(
            "select member_id from erasure where finished_at is null and noted_at <= $1 \
             order by noted_at limit $2",
        )
        .bind(clock.now() - LAST_WRITES_WITHIN)
        .bind(MEMBERS_AT_ONCE)
        .fetch_all(&self.pool)
        .await?;
        Ok(members.into_iter().map(MemberId).collect())
    }

    /// Finishes an erasure of which nothing is left, and tells whether it did.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn finish_erasure(
        &self,
        member: MemberId,
        clock: &dyn Clock,
    ) -> Result<bool, MarketError> {
        let is_gone: String = OF_MEMBERS
            .iter()
            .map(|table| format!(" and not exists (select from {table} where member_id = $1)"))
            .collect();
        // Alerts of both kinds, each along its own index.
        let finish = AssertSqlSafe(format!(
            "update erasure set finished_at = $2 where member_id = $1 and finished_at is null \
             and not exists (select from price_alert where member_id = $1 and fired_at is null) \
             and not exists (select from price_alert where member_id = $1 \
             and fired_at is not null){is_gone}"
        ));
        let finished = sqlx::query(finish)
            .bind(member.0)
            .bind(clock.now())
            .execute(&self.pool)
            .await?;
        Ok(finished.rows_affected() > 0)
    }
}
