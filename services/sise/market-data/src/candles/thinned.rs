//! The prices of a trading day so far, thinned to a few at equal distances in time.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::{CandleStore, shown};

/// Prices of one instrument at most.
pub const MOST_PRICES: i32 = 60;

/// Which day of which instrument is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedDay {
    /// The instrument.
    pub code: String,
    /// The day its trades count for, as yyyymmdd.
    pub trading_day: i32,
    /// When it traded last.
    pub newest: DateTime<Utc>,
}

// All minutes of a day are in the same shares: a split comes before the open. The limit is the
// minutes of 36 hours; with it every instrument is looked up on its own, in the order of the index.
const PRICES: &str = "
    with minutes as (
        select day.code, day.minute, day.close,
            min(day.minute) over of_code as first, max(day.minute) over of_code as last
        from unnest($1::text[], $2::integer[], $3::timestamptz[])
            as wanted (code, trading_day, newest)
        cross join lateral (
            select m.code, floor(extract(epoch from m.start_at) / 60)::bigint as minute, m.close
            from candle_minute m
            where m.code = wanted.code and m.trading_day = wanted.trading_day
                and m.start_at <= wanted.newest
                and m.start_at > wanted.newest - interval '36 hours'
            order by m.start_at desc limit 2160
        ) day
        window of_code as (partition by day.code)
    ), binned as (
        select code, minute, close,
            ((minute - first) * least($4::integer, last - first + 1) / (last - first + 1))::integer as bin
        from minutes
    )
    select distinct on (code, bin) code, bin, close from binned order by code, bin, minute desc";

impl CandleStore {
    /// The prices of each day, oldest first: one for each of [`MOST_PRICES`] equal parts of the
    /// time from its first trade to its last, or for each minute of a shorter one. A part without
    /// a trade repeats the price before it. Days without a trade are left out.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn thinned(
        &self,
        wanted: &[WantedDay],
    ) -> Result<HashMap<String, Vec<Decimal>>, sqlx::Error> {
        let codes: Vec<&str> = wanted.iter().map(|day| day.code.as_str()).collect();
        let days: Vec<i32> = wanted.iter().map(|day| day.trading_day).collect();
        let newest: Vec<DateTime<Utc>> = wanted.iter().map(|day| day.newest).collect();
        let rows: Vec<(String, i32, Decimal)> = sqlx::query_as(PRICES)
            .bind(codes)
            .bind(days)
            .bind(newest)
            .bind(MOST_PRICES)
            .fetch_all(&self.pool)
            .await?;
        let mut found: HashMap<String, Vec<Decimal>> = HashMap::new();
        for (code, bin, price) in rows {
            let prices = found.entry(code).or_default();
            let price = shown(price);
            let before = prices.last().copied().unwrap_or(price);
            prices.resize(usize::try_from(bin).unwrap_or(0), before);
            prices.push(price);
        }
        Ok(found)
    }
}
