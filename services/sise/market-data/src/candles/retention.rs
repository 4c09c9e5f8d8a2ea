//! Deletes minute candles and refused ticks past their retention.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::feed::FeedConfig;
use crate::quotes::QuoteBoard;

const INTERVAL: Duration = Duration::from_secs(600);
/// Rows per statement, so that none takes long.
const ROWS_PER_STATEMENT: i64 = 20_000;

// Through the primary key, at whose start for each instrument its oldest minutes are: a look-up an
// instrument. The BRIN index over time says nothing any more once new minutes have taken the places
// of deleted ones, and a tree over time would have to be written with every minute.
const EXPIRED_MINUTES: &str = "
    delete from candle_minute where ctid = any(array(
        select expired.place from instrument
        cross join lateral (
            select m.ctid as place from candle_minute m
            where m.code = instrument.code and m.start_at < $1
            order by m.start_at limit $2
        ) expired
        limit $2))";
const EXPIRED_REFUSALS: &str = "
    delete from refused_tick where ctid = any(array(
        select ctid from refused_tick where refused_at < $1 order by refused_at limit $2))";

#[derive(Clone, Copy, Debug)]
pub struct Retention {
    /// In market time.
    pub minute_candles: TimeDelta,
    pub refused_ticks: TimeDelta,
}

impl Retention {
    #[must_use]
    pub fn of(config: &FeedConfig) -> Self {
        let days = |days: u32| TimeDelta::days(i64::from(days));
        Self {
            minute_candles: days(config.minute_candle_retention_days),
            refused_ticks: days(config.refused_tick_retention_days),
        }
    }

    /// Deletes expired rows and returns their number.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn enforce(
        &self,
        pool: &PgPool,
        market_time: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<u64, sqlx::Error> {
        let removed = clear(pool, EXPIRED_MINUTES, market_time - self.minute_candles).await?;
        Ok(removed + clear(pool, EXPIRED_REFUSALS, now - self.refused_ticks).await?)
    }
}

/// Runs every ten minutes until shutdown.
pub async fn run(
    retention: Retention,
    pool: PgPool,
    board: QuoteBoard,
    clock: Arc<dyn Clock>,
    shutdown: CancellationToken,
) {
    let mut every = tokio::time::interval(INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        let market_time = DateTime::from_timestamp_micros(board.progress().market_time_us);
        let Some(market_time) = market_time else {
            continue;
        };
        match retention.enforce(&pool, market_time, clock.now()).await {
            Ok(0) => {}
            Ok(rows) => tracing::info!(rows, "Deleted expired candles and refused ticks"),
            Err(error) => tracing::warn!(%error, "Expired rows could not be deleted"),
        }
    }
}

/// Repeats a delete statement, which takes a time and a number of rows, until it deletes fewer.
pub(crate) async fn clear(
    pool: &PgPool,
    statement: &'static str,
    before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    let mut removed = 0;
    loop {
        let done = sqlx::query(statement)
            .bind(before)
            .bind(ROWS_PER_STATEMENT)
            .execute(pool)
            .await?;
        removed += done.rows_affected();
        if done.rows_affected() < u64::try_from(ROWS_PER_STATEMENT).unwrap_or(0) {
            return Ok(removed);
        }
    }
}
