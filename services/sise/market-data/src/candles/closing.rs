//! The last prices before an instant.

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use sqlx::PgPool;

/// The price of an instrument at an instant.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct PriceAt {
    pub code: String,
    pub price: Decimal,
    /// Of the trade; `None` where it is the close of a day, or of a minute without ticks, or was divided since.
    pub tick_seq: Option<i64>,
}

/// Prices in the shares of the instant, by code: splits after the last trade have divided it, rounded up.
/// `None` while trades before the instant may still be read from the log. `last_day` is the last Korean day
/// before it, `last_us_day` that of US shares; the closes of these days stand for minutes that are no longer
/// kept.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub(super) async fn prices_at(
    pool: &PgPool,
    at: DateTime<Utc>,
    (last_day, last_us_day): (i32, i32),
) -> Result<Option<Vec<PriceAt>>, sqlx::Error> {
    let read_up_to: Option<i64> = sqlx::query_scalar("select min(market_time_us) from tick_reader")
        .fetch_one(pool)
        .await?;
    if read_up_to.is_none_or(|read| read < at.timestamp_micros()) {
        return Ok(None);
    }
    let prices = sqlx::query_as(
        "select i.code,
             case when s.ratio = 1 then c.close
                 else (ceil(c.close * 100000000 / s.ratio) / 100000000)::numeric(28, 8) end as price,
             case when s.ratio = 1 then m.close_seq end as tick_seq
         from instrument i
         left join lateral (select close, close_seq, trading_day from candle_minute
            where code = i.code and start_at < $1 order by start_at desc limit 1) m on true
         left join lateral (select close, trading_day from candle_day
            where m.close is null and code = i.code
                and trading_day <= case i.market when 'stocks' then $3 else $2 end
            order by trading_day desc limit 1) d on true
         cross join lateral (select coalesce(m.close, d.close) as close,
            coalesce(m.trading_day, d.trading_day) as trading_day) c
         cross join lateral (select coalesce(round(exp(sum(
                ln(new_shares::numeric / old_shares))), 12), 1) as ratio
            from instrument_split where code = i.code
                and trading_day > c.trading_day and trading_day <= $2) s
         where c.close is not null",
    )
    .bind(at)
    .bind(last_day)
    .bind(last_us_day)
    .fetch_all(pool)
    .await?;
    Ok(Some(prices))
}

/// What was traded of each instrument on the last trading day before the given one, in the shares of
/// that one: a split since then multiplies it.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub(super) async fn volumes_before(
    pool: &PgPool,
    codes: &[String],
    days: &[i32],
) -> Result<Vec<(String, i32, Decimal)>, sqlx::Error> {
    sqlx::query_as(
        "select i.code, i.day, trunc(d.volume * s.ratio, 8)
         from unnest($1::text[], $2::integer[]) as i (code, day)
         cross join lateral (select trading_day, volume from candle_day
            where code = i.code and trading_day < i.day order by trading_day desc limit 1) d
         cross join lateral (select coalesce(round(exp(sum(
                ln(new_shares::numeric / old_shares))), 12), 1) as ratio
            from instrument_split where code = i.code
                and trading_day > d.trading_day and trading_day <= i.day) s",
    )
    .bind(codes)
    .bind(days)
    .fetch_all(pool)
    .await
}

/// The Korean day that an instant ends, or is in.
pub(super) fn ending_day(at: DateTime<Utc>) -> NaiveDate {
    let just_before = at - chrono::TimeDelta::microseconds(1);
    just_before.with_timezone(&kernel::clock::KST).date_naive()
}
