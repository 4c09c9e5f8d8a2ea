//! Index values and exchange rates at the end of Korean days; of the present day the latest.

use std::time::Duration;

use chrono::{DateTime, NaiveDate};
use kernel::clock::KST;
use rust_decimal::Decimal;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::feed::LatestRates;
use crate::feed::rates::Rate;

/// Where the feed does not know how a day ended, its value is at most this much older.
const INTERVAL: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct DayClose {
    /// An index, or the unit of a currency.
    pub code: String,
    pub day: NaiveDate,
    pub value: Decimal,
}

/// Their table. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Closes {
    pool: PgPool,
}

impl Closes {
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        Self { pool }
    }

    /// Stores values; a later one of the same day replaces an earlier one.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn save(&self, closes: &[DayClose]) -> Result<(), sqlx::Error> {
        let codes: Vec<&str> = closes.iter().map(|close| close.code.as_str()).collect();
        let days: Vec<NaiveDate> = closes.iter().map(|close| close.day).collect();
        let values: Vec<Decimal> = closes.iter().map(|close| close.value).collect();
        sqlx::query(
            "insert into day_close (code, day, value)
             select * from unnest($1::text[], $2::date[], $3::numeric[])
             on conflict (code, day) do update set value = excluded.value
             where day_close.value <> excluded.value",
        )
        .bind(&codes)
        .bind(&days)
        .bind(&values)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The newest day that has a value.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn newest_day(&self) -> Result<Option<NaiveDate>, sqlx::Error> {
        sqlx::query_scalar("select max(day) from day_close")
            .fetch_one(&self.pool)
            .await
    }

    /// Values from `from` to `to`, by code and day; where there is none of `from`, with the last one before.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn list(
        &self,
        codes: &[&str],
        (from, to): (NaiveDate, NaiveDate),
    ) -> Result<Vec<DayClose>, sqlx::Error> {
        sqlx::query_as(
            "select c.code, c.day, c.value from unnest($1::text[]) as wanted (code)
             join day_close c on c.code = wanted.code and c.day <= $3
                and c.day >= coalesce((select max(day) from day_close
                    where code = wanted.code and day <= $2), $2)
             order by c.code, c.day",
        )
        .bind(codes)
        .bind(from)
        .bind(to)
        .fetch_all(&self.pool)
        .await
    }

    /// The value of a day, or the last one before it.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn last_until(
        &self,
        code: &str,
        day: NaiveDate,
    ) -> Result<Option<Decimal>, sqlx::Error> {
        sqlx::query_scalar(
            "select value from day_close where code = $1 and day <= $2 order by day desc limit 1",
        )
        .bind(code)
        .bind(day)
        .fetch_optional(&self.pool)
        .await
    }
}

/// Stores the latest values of the feed, until shutdown.
pub async fn run(closes: Closes, rates: LatestRates, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        if let Err(error) = closes.save(&latest(&rates)).await {
            tracing::warn!(%error, "Values of the day could not be stored");
        }
    }
}

/// The latest values of the feed, each of the Korean day that it has, and those with which the day
/// before ended: a feed that catches up goes far over midnight between two writes.
#[must_use]
pub fn latest(rates: &LatestRates) -> Vec<DayClose> {
    let values = rates.currencies().into_iter().chain(rates.indices());
    values.flat_map(closes_of).collect()
}

fn closes_of(rate: Rate) -> impl Iterator<Item = DayClose> {
    let day = korean_day(rate.as_of_us);
    let ended = day.and_then(|day| day.pred_opt()).zip(rate.at_midnight);
    let of_days = ended.into_iter().chain(day.zip(Some(rate.value)));
    of_days.map(move |(day, value)| DayClose {
        code: rate.code.clone(),
        day,
        value,
    })
}

/// The exchange rate with which `day` ended, where it is the last that has: it may not be stored
/// yet.
#[must_use]
pub fn ended(rates: &LatestRates, unit: &str, day: NaiveDate) -> Option<Decimal> {
    let mut told = rates.currencies().into_iter();
    let rate = told.find(|rate| rate.code == unit)?;
    let before = korean_day(rate.as_of_us)?.pred_opt()?;
    rate.at_midnight.filter(|_| before == day)
}

/// The Korean day of an instant.
#[must_use]
pub fn korean_day(time_us: i64) -> Option<NaiveDate> {
    let instant = DateTime::from_timestamp_micros(time_us)?;
    Some(instant.with_timezone(&KST).date_naive())
}
