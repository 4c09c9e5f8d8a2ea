//! The prices of a time span, downsampled to at most [`PRICES_MAX`] at equal distances.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::{CandleStore, shown};

/// Per instrument.
pub const PRICES_MAX: i64 = 60;

/// At most 36 hours of an instrument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedSpan {
    pub code: String,
    /// The price at the start of the span, if known.
    pub before: Option<Decimal>,
    pub from: DateTime<Utc>,
    /// Inclusive.
    pub until: DateTime<Utc>,
}

impl WantedSpan {
    /// The number of equal parts; a short span is divided into its minutes.
    fn parts(&self) -> usize {
        let minute = |instant: DateTime<Utc>| instant.timestamp().div_euclid(60);
        let minutes = minute(self.until) - minute(self.from) + 1;
        usize::try_from(minutes.clamp(1, PRICES_MAX)).unwrap_or(1)
    }
}

// No span crosses a split: splits come before the open, and coins do not split. The limit, the
// minutes of 36 hours, makes PostgreSQL look up each instrument on its own in index order.
const PRICES: &str = "
    with wanted as (
        select code, from_at, until_at, floor(extract(epoch from from_at) / 60)::bigint as first,
            floor(extract(epoch from until_at) / 60)::bigint as last
        from unnest($1::text[], $2::timestamptz[], $3::timestamptz[])
            as span (code, from_at, until_at)
    ), binned as (
        select wanted.code, traded.minute, traded.close,
            ((traded.minute - first) * least($4::bigint, last - first + 1) / (last - first + 1))::integer as bin
        from wanted
        cross join lateral (
            select floor(extract(epoch from m.start_at) / 60)::bigint as minute, m.close
            from candle_minute m
            where m.code = wanted.code
                and m.start_at >= wanted.from_at and m.start_at <= wanted.until_at
            order by m.start_at desc limit 2160
        ) traded
    )
    select distinct on (code, bin) code, bin, close from binned order by code, bin, minute desc";

impl CandleStore {
    /// The prices of each span, oldest first: one for each of [`PRICES_MAX`] equal parts, or for
    /// each minute of a shorter span, so that spans of the same time align. A part without a trade
    /// repeats the previous price. Spans without any known price are left out.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn thinned(
        &self,
        wanted: &[WantedSpan],
    ) -> Result<HashMap<String, Vec<Decimal>>, sqlx::Error> {
        let codes: Vec<&str> = wanted.iter().map(|span| span.code.as_str()).collect();
        let from: Vec<DateTime<Utc>> = wanted.iter().map(|span| span.from).collect();
        let until: Vec<DateTime<Utc>> = wanted.iter().map(|span| span.until).collect();
        let rows: Vec<(String, i32, Decimal)> = sqlx::query_as(PRICES)
            .bind(codes)
            .bind(from)
            .bind(until)
            .bind(PRICES_MAX)
            .fetch_all(&self.pool)
            .await?;
        let mut traded: HashMap<String, Vec<(usize, Decimal)>> = HashMap::new();
        for (code, bin, price) in rows {
            let bin = usize::try_from(bin).unwrap_or(0);
            traded.entry(code).or_default().push((bin, shown(price)));
        }
        let filled = wanted.iter().filter_map(|span| {
            let traded = traded.remove(&span.code).unwrap_or_default();
            Some((span.code.clone(), filled(span, &traded)?))
        });
        Ok(filled.collect())
    }
}

/// A price for each part of `span`, given those of the parts that traded.
fn filled(span: &WantedSpan, traded: &[(usize, Decimal)]) -> Option<Vec<Decimal>> {
    let first = traded.first().map(|(_, price)| *price);
    let mut last = span.before.or(first)?;
    let mut prices = Vec::with_capacity(span.parts());
    for (bin, price) in traded {
        prices.resize(*bin, last);
        prices.push(*price);
        last = *price;
    }
    prices.resize(span.parts(), last);
    Some(prices)
}
