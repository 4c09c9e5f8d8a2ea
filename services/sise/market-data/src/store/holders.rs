//! Holdings as counted from fill events.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, MemberId};
use messaging::inbox;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::Store;
use crate::candles::retention::clear;
use crate::error::MarketError;

/// Consumer name in the inbox.
const CONSUMER: &str = "market.holders";
/// A transaction that started before a split was stored may still insert a row in old shares. No
/// transaction lasts this long.
const MAX_TRANSACTION_S: f64 = 60.0;

/// What a member owns more or less of an instrument.
#[derive(Clone, Debug)]
pub struct HoldingChange {
    pub member: MemberId,
    pub code: String,
    /// In shares of the instant.
    pub quantity: Decimal,
    /// Market time.
    pub at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
struct SplitRow {
    trading_day: i32,
    new_shares: i64,
    old_shares: i64,
    at: Option<DateTime<Utc>>,
    /// Whether rows may still have to be converted.
    is_due: bool,
}

impl Store {
    /// Changes a member's holding, in today's shares. A repeated event has no effect, and one of a member
    /// who left for good adds no row.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn record_holding_change(
        &self,
        event_id: Uuid,
        change: &HoldingChange,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        let HoldingChange { member, code, .. } = change;
        let mut transaction = self.pool.begin().await?;
        if !inbox::first_time_in(&mut transaction, CONSUMER, event_id, clock).await? {
            return Ok(());
        }
        sqlx::query(
            "insert into item_holder (member_id, code, quantity) select $1, $2, 0 \
             where not exists (select from erasure where member_id = $1) on conflict do nothing",
        )
        .bind(member.0)
        .bind(code)
        .execute(&mut *transaction)
        .await?;
        let holding: Option<(Decimal, i32)> = sqlx::query_as(
            "select quantity, split_day from item_holder where member_id = $1 and code = $2 \
             for update",
        )
        .bind(member.0)
        .bind(code)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some((held, split_day)) = holding else {
            transaction.commit().await?;
            return Ok(());
        };
        // Read after the row is locked: whoever converts this row later sees which splits it
        // includes.
        let splits: Vec<SplitRow> = sqlx::query_as(
            "select trading_day, new_shares, old_shares, at, sweeps < 2 as is_due from instrument_split \
             where code = $1 order by trading_day",
        )
        .bind(code)
        .fetch_all(&mut *transaction)
        .await?;
        let divided = |quantity: Decimal, split: &SplitRow| {
            (quantity * Decimal::from(split.new_shares) / Decimal::from(split.old_shares)).trunc()
        };
        let due = |split: &&SplitRow| split.is_due && split.trading_day > split_day;
        let held = splits.iter().filter(due).fold(held, divided);
        let since = |split: &&SplitRow| split.at.is_some_and(|at| at > change.at);
        let change = splits.iter().filter(since).fold(change.quantity, divided);
        let newest = splits.last().map_or(0, |split| split.trading_day);
        sqlx::query(
            "update item_holder set quantity = $3, split_day = $4 \
             where member_id = $1 and code = $2",
        )
        .bind(member.0)
        .bind(code)
        .bind(held + change)
        .bind(newest)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Applies splits to holdings, `at_once` rows per transaction, until all rows are in today's
    /// shares. Can be interrupted and repeated.
    ///
    /// # Errors
    /// [`MarketError::Database`]; committed rows stay converted.
    pub async fn apply_splits_to_holders(&self, at_once: i64) -> Result<u64, MarketError> {
        let due: Vec<(String, i32, i64, i64, bool)> = sqlx::query_as(
            "select code, trading_day, new_shares, old_shares, is_final from ( \
                 select distinct on (code) code, trading_day, new_shares, old_shares, sweeps, \
                     noted_at < now() - make_interval(secs => $1) as is_final \
                 from instrument_split where sweeps < 2 order by code, trading_day \
             ) oldest where sweeps = 0 or is_final",
        )
        .bind(MAX_TRANSACTION_S)
        .fetch_all(&self.pool)
        .await?;
        let mut rows = 0;
        for (code, day, new, old, is_final) in due {
            let mut after = 0;
            // Only whole shares are converted; the remainder is paid out.
            while let (Some(last), divided) = sqlx::query_as::<_, (Option<i64>, i64)>(
                "with page as ( \
                     select member_id from item_holder where code = $1 and member_id > $2 \
                     order by member_id limit $3 \
                 ), divided as ( \
                     update item_holder h \
                     set quantity = trunc(h.quantity * $4 / $5), split_day = $6 \
                     where h.code = $1 and h.member_id > $2 \
                         and h.member_id <= (select max(member_id) from page) \
                         and h.split_day < $6 \
                     returning 1 \
                 ) \
                 select (select max(member_id) from page), (select count(*) from divided)",
            )
            .bind(&code)
            .bind(after)
            .bind(at_once)
            .bind(new)
            .bind(old)
            .bind(day)
            .fetch_one(&self.pool)
            .await?
            {
                after = last;
                rows += u64::try_from(divided).unwrap_or(0);
            }
            sqlx::query(
                "update instrument_split set sweeps = case when $3 then 2 else 1 end \
                 where code = $1 and trading_day = $2",
            )
            .bind(&code)
            .bind(day)
            .bind(is_final)
            .execute(&self.pool)
            .await?;
        }
        Ok(rows)
    }

    /// Deletes inbox rows of events that no broker redelivers.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn delete_old_events(
        &self,
        older_than: TimeDelta,
        clock: &dyn Clock,
    ) -> Result<u64, MarketError> {
        let events = "delete from inbox where ctid = any(array( \
             select ctid from inbox where received_at < $1 order by received_at limit $2))";
        Ok(clear(&self.pool, events, clock.now() - older_than).await?)
    }
}
