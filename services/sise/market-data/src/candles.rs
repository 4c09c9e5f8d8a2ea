//! Candles: stored per minute and per day, read in five periods.
//!
//! Ten-minute and weekly candles are aggregated when they are read, and prices are adjusted for
//! splits. The log reader keeps the running candles in memory and writes the changed ones every
//! three seconds, together with its log offset.

pub mod book;
mod closing;
pub mod copy;
pub mod dividend;
pub mod history;
pub mod reader;
pub mod retention;
pub mod split;
pub mod state;
pub mod thinned;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use market_rules::Venue;
use proto::convert::decimal;
use proto::market::v1 as wire;
use rust_decimal::Decimal;
use sqlx::PgPool;

use crate::model::session::yyyymmdd;
use crate::sessions::date_of;

pub use closing::PriceAt;

#[derive(Clone, Debug, PartialEq)]
pub struct Candle {
    /// Start; of a day or week, midnight of its first day at the venue.
    pub start: DateTime<Utc>,
    /// Trading day as yyyymmdd; of a week, its first one.
    pub trading_day: i32,
    pub open: Decimal,
    pub high: Decimal,
    pub low: Decimal,
    pub close: Decimal,
    pub volume: Decimal,
}

impl From<Candle> for wire::Candle {
    fn from(candle: Candle) -> Self {
        Self {
            start_us: candle.start.timestamp_micros(),
            open: Some(decimal(candle.open)),
            high: Some(decimal(candle.high)),
            low: Some(decimal(candle.low)),
            close: Some(decimal(candle.close)),
            volume: Some(decimal(candle.volume)),
            trading_day: candle.trading_day,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Period {
    /// Minutes of the current or last trading day.
    Day,
    /// Ten minutes over seven days.
    Weekly,
    /// Days over three months.
    ThreeMonth,
    /// Days over a year.
    Year,
    /// Weeks over five years.
    FiveYear,
}

impl Period {
    /// `None` when it is unspecified.
    #[must_use]
    pub fn from_wire(period: wire::CandlePeriod) -> Option<Self> {
        match period {
            wire::CandlePeriod::Unspecified => None,
            wire::CandlePeriod::Day => Some(Self::Day),
            wire::CandlePeriod::Weekly => Some(Self::Weekly),
            wire::CandlePeriod::ThreeMonth => Some(Self::ThreeMonth),
            wire::CandlePeriod::Year => Some(Self::Year),
            wire::CandlePeriod::FiveYear => Some(Self::FiveYear),
        }
    }
}

// A split ratio may not be a finite decimal; values are rounded far below a tick.
const MINUTES_OF_A_DAY: &str = "
    with newest as (
        select trading_day, start_at from candle_minute
        where code = $1 and start_at < $2 order by start_at desc limit 1
    )
    select m.start_at, m.trading_day, round(m.open * ratio, 8), round(m.high * ratio, 8), round(m.low * ratio, 8), round(m.close * ratio, 8),
        round(m.volume / ratio, 8)
    from newest, candle_minute m
    join unnest($3::integer[], $4::integer[], $5::numeric[]) as span (from_day, until_day, ratio)
        on m.trading_day >= span.from_day and m.trading_day < span.until_day
    where m.code = $1 and m.trading_day = newest.trading_day
        and m.start_at <= newest.start_at and m.start_at > newest.start_at - interval '36 hours'
    order by m.start_at";

// A page begins with a whole candle, because the one before it ends where that starts.
const TEN_MINUTES_OF_A_WEEK: &str = "
    with newest as (
        select start_at from candle_minute
        where code = $1 and start_at < $2 order by start_at desc limit 1
    )
    select date_bin('10 minutes', m.start_at, 'epoch') as bin, min(m.trading_day),
        (array_agg(round(m.open * ratio, 8) order by m.start_at))[1], max(round(m.high * ratio, 8)), min(round(m.low * ratio, 8)),
        (array_agg(round(m.close * ratio, 8) order by m.start_at desc))[1],
        sum(round(m.volume / ratio, 8))
    from newest, candle_minute m
    join unnest($3::integer[], $4::integer[], $5::numeric[]) as span (from_day, until_day, ratio)
        on m.trading_day >= span.from_day and m.trading_day < span.until_day
    where m.code = $1
        and m.start_at <= newest.start_at
        and m.start_at >= date_bin('10 minutes', newest.start_at - interval '7 days', 'epoch') + interval '10 minutes'
    group by bin order by bin";

const DAYS: &str = "
    with newest as (
        select to_date(max(trading_day)::text, 'YYYYMMDD') as day from candle_day
        where code = $1 and trading_day < $2
    )
    select d.trading_day, round(d.open * ratio, 8), round(d.high * ratio, 8), round(d.low * ratio, 8), round(d.close * ratio, 8),
        round(d.volume / ratio, 8)
    from newest, candle_day d
    join unnest($4::integer[], $5::integer[], $6::numeric[]) as span (from_day, until_day, ratio)
        on d.trading_day >= span.from_day and d.trading_day < span.until_day
    where d.code = $1 and d.trading_day < $2
        and d.trading_day > to_char(newest.day - make_interval(months => $3), 'YYYYMMDD')::integer
    order by d.trading_day";

// As with ten minutes, from the first whole week on.
const WEEKS: &str = "
    with newest as (
        select to_date(max(trading_day)::text, 'YYYYMMDD') as day from candle_day
        where code = $1 and trading_day < $2
    )
    select min(d.trading_day),
        (array_agg(round(d.open * ratio, 8) order by d.trading_day))[1], max(round(d.high * ratio, 8)), min(round(d.low * ratio, 8)),
        (array_agg(round(d.close * ratio, 8) order by d.trading_day desc))[1],
        sum(round(d.volume / ratio, 8))
    from newest, candle_day d
    join unnest($4::integer[], $5::integer[], $6::numeric[]) as span (from_day, until_day, ratio)
        on d.trading_day >= span.from_day and d.trading_day < span.until_day
    where d.code = $1 and d.trading_day < $2
        and d.trading_day >= to_char(
            date_trunc('week', newest.day - make_interval(months => $3)) + interval '7 days', 'YYYYMMDD')::integer
    group by date_trunc('week', to_date(d.trading_day::text, 'YYYYMMDD'))
    order by 1";

type MinuteColumns = (
    DateTime<Utc>,
    i32,
    Decimal,
    Decimal,
    Decimal,
    Decimal,
    Decimal,
);
type DayColumns = (i32, Decimal, Decimal, Decimal, Decimal, Decimal);

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct CandleStore {
    pool: PgPool,
}

impl CandleStore {
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        Self { pool }
    }

    /// The candles of a period that start before `before` (`None` = the newest), oldest first. The
    /// period ends with the newest candle, so a closed market shows its last days. The start of its
    /// oldest candle as `before` of the next call continues without a gap. One query, and one for
    /// the splits.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn candles(
        &self,
        code: &str,
        venue: Venue,
        period: Period,
        before: Option<DateTime<Utc>>,
    ) -> Result<Vec<Candle>, sqlx::Error> {
        match period {
            Period::Day => self.minutes(MINUTES_OF_A_DAY, code, before).await,
            Period::Weekly => self.minutes(TEN_MINUTES_OF_A_WEEK, code, before).await,
            Period::ThreeMonth => self.days(DAYS, code, venue, before, 3).await,
            Period::Year => self.days(DAYS, code, venue, before, 12).await,
            Period::FiveYear => self.days(WEEKS, code, venue, before, 60).await,
        }
    }

    /// What was traded of each instrument on the last trading day before the given one: code, day, and
    /// volume as traded.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn volumes_before(
        &self,
        codes: &[String],
        days: &[i32],
    ) -> Result<Vec<(String, i32, Decimal)>, sqlx::Error> {
        closing::volumes_before(&self.pool, codes, days).await
    }

    /// The last prices before an instant by code, in the shares of then. `None` while trades before it
    /// may still come. `us_day_is_korean`: the trading day of US shares is the Korean day.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn prices_at(
        &self,
        at: DateTime<Utc>,
        us_day_is_korean: bool,
    ) -> Result<Option<Vec<PriceAt>>, sqlx::Error> {
        let day = closing::ending_day(at);
        let us_day = if us_day_is_korean {
            day
        } else {
            day.pred_opt().unwrap_or(day)
        };
        closing::prices_at(&self.pool, at, (yyyymmdd(day), yyyymmdd(us_day))).await
    }

    /// In the order of their announcement.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn dividends(
        &self,
        request: &wire::ListDividendsRequest,
    ) -> Result<Vec<wire::Dividend>, sqlx::Error> {
        dividend::list(&self.pool, request).await
    }

    /// In the order in which they were recorded.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn splits(
        &self,
        request: &wire::ListSplitsRequest,
    ) -> Result<Vec<wire::Split>, sqlx::Error> {
        split::list(&self.pool, request).await
    }

    async fn minutes(
        &self,
        query: &'static str,
        code: &str,
        before: Option<DateTime<Utc>>,
    ) -> Result<Vec<Candle>, sqlx::Error> {
        let spans = split::spans(&self.pool, code).await?;
        let rows: Vec<MinuteColumns> = sqlx::query_as(query)
            .bind(code)
            .bind(before.unwrap_or_else(far_future))
            .bind(&spans.from_days)
            .bind(&spans.until_days)
            .bind(&spans.price_ratios)
            .fetch_all(&self.pool)
            .await?;
        let candles = rows.into_iter();
        Ok(candles
            .map(|(start, day, open, high, low, close, volume)| {
                candle(start, day, [open, high, low, close, volume])
            })
            .collect())
    }

    async fn days(
        &self,
        query: &'static str,
        code: &str,
        venue: Venue,
        before: Option<DateTime<Utc>>,
        months: i32,
    ) -> Result<Vec<Candle>, sqlx::Error> {
        let spans = split::spans(&self.pool, code).await?;
        let rows: Vec<DayColumns> = sqlx::query_as(query)
            .bind(code)
            .bind(before.map_or(i32::MAX, |before| first_day_not_before(venue, before)))
            .bind(months)
            .bind(&spans.from_days)
            .bind(&spans.until_days)
            .bind(&spans.price_ratios)
            .fetch_all(&self.pool)
            .await?;
        let candles = rows.into_iter();
        Ok(candles
            .map(|(day, open, high, low, close, volume)| {
                candle(midnight(venue, day), day, [open, high, low, close, volume])
            })
            .collect())
    }
}

fn candle(start: DateTime<Utc>, trading_day: i32, columns: [Decimal; 5]) -> Candle {
    let [open, high, low, close, volume] = columns.map(shown);
    Candle {
        start,
        trading_day,
        open,
        high,
        low,
        close,
        volume,
    }
}

/// Rounded to the stored decimals.
fn shown(value: Decimal) -> Decimal {
    value.round_dp(8).normalize()
}

/// Rows of an answer: 500 unless `size` says otherwise, at most 1,000.
fn most_rows(size: i32) -> i64 {
    match size {
        ..=0 => 500,
        size => i64::from(size.min(1_000)),
    }
}

/// A timestamp within PostgreSQL's range and after all candles.
fn far_future() -> DateTime<Utc> {
    let year_9999 = NaiveDate::from_ymd_opt(9999, 1, 1).unwrap_or(NaiveDate::MAX);
    year_9999.and_time(NaiveTime::MIN).and_utc()
}

/// The first trading day that starts at or after an instant, as yyyymmdd.
fn first_day_not_before(venue: Venue, before: DateTime<Utc>) -> i32 {
    let local = before.with_timezone(&venue.time_zone());
    let day = local.date_naive();
    let begun = if local.time() == NaiveTime::MIN {
        day
    } else {
        day.checked_add_signed(TimeDelta::days(1)).unwrap_or(day)
    };
    yyyymmdd(begun)
}

/// Midnight of a trading day at its venue.
fn midnight(venue: Venue, trading_day: i32) -> DateTime<Utc> {
    let day = date_of(trading_day).unwrap_or_default();
    let local = venue
        .time_zone()
        .from_local_datetime(&day.and_time(NaiveTime::MIN))
        .earliest();
    local.map_or(DateTime::UNIX_EPOCH, |midnight| {
        midnight.with_timezone(&Utc)
    })
}
