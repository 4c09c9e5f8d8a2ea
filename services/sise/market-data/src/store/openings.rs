//! Openings of items, for the popular lists.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, MemberId};

use super::Store;
use crate::candles::retention::clear;
use crate::error::MarketError;

const WINDOW: TimeDelta = TimeDelta::hours(24);
const HALF_LIFE_S: i64 = 6 * 3_600;
const NEW_OPENING_WEIGHT: i64 = 1_000_000;

// Summed here, because members times items are millions of rows. Whole numbers: two processes that
// read the same openings agree on every weight.
const OPENING_WEIGHTS: &str = "
    select code, sum(weight - weight / 2 * (age_s % $3::bigint) / $3::bigint)::bigint
    from (
        select code,
            greatest(floor(extract(epoch from $1::timestamptz - max(first_opened_at))), 0)::bigint as age_s
        from item_opening where first_opened_at > $2 group by code, member_id
    ) newest
    cross join lateral (
        select $4::bigint >> (age_s / $3::bigint)::integer as weight
    ) halved
    group by code";

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

    /// The weight of each item's openings within a day: a new one weighs a million, and half of it
    /// six hours later, linearly interpolated. Of a member's openings of an item only the newest
    /// counts.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn opening_weights(
        &self,
        now: DateTime<Utc>,
    ) -> Result<HashMap<String, i64>, MarketError> {
        let weights: Vec<(String, i64)> = sqlx::query_as(OPENING_WEIGHTS)
            .bind(now)
            .bind(now - WINDOW)
            .bind(HALF_LIFE_S)
            .bind(NEW_OPENING_WEIGHT)
            .fetch_all(&self.pool)
            .await?;
        Ok(weights.into_iter().collect())
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
