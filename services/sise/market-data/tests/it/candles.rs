//! Charts that are read page by page.

use chrono::{DateTime, Utc};
use market_data::candles::{Candle, CandleStore, Period};
use market_rules::Venue;
use rust_decimal::Decimal;
use sqlx::PgPool;

const CODE: &str = "KRW-BTC";

// The newest minute is neither the first nor the last of its ten.
const MINUTES: &str = "
    insert into candle_minute (code, start_at, trading_day, open, high, low, close, volume)
    select 'KRW-BTC', timestamptz '2026-11-20 03:04Z' - make_interval(mins => n), 20261120,
        n + 2, n + 3, n + 1, n + 1, 1
    from generate_series(0, 16 * 1440) n";
const ALL_TEN_MINUTES: &str = "
    select date_bin('10 minutes', start_at, 'epoch'), (array_agg(open order by start_at))[1],
        (array_agg(close order by start_at desc))[1], sum(volume)
    from candle_minute where start_at >= $1 group by 1 order by 1";
// From a Friday on; five years before it was a Saturday.
const DAYS: &str = "
    insert into candle_day (code, trading_day, open, high, low, close, volume)
    select 'KRW-BTC', to_char(date '2026-11-20' - n, 'YYYYMMDD')::integer, n + 2, n + 3, n + 1, n + 1, 1
    from generate_series(0, 11 * 366) n";
const ALL_WEEKS: &str = "
    select min(trading_day), (array_agg(open order by trading_day))[1],
        (array_agg(close order by trading_day desc))[1], sum(volume)
    from candle_day where trading_day >= $1
    group by date_trunc('week', to_date(trading_day::text, 'YYYYMMDD')) order by 1";

/// The newest candles and, as the client asks for them, those before the oldest of these.
async fn two_pages(pool: &PgPool, period: Period) -> Vec<Candle> {
    let store = CandleStore::new(pool.clone());
    let page = async |before| {
        let candles = store.candles(CODE, Venue::Coin, period, before).await;
        candles.unwrap()
    };
    let newest = page(None).await;
    let older = page(newest.first().map(|oldest| oldest.start)).await;
    assert!(newest.len() > 250 && older.len() > 250);
    [older, newest].concat()
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn no_minute_is_missing_between_two_pages(pool: PgPool) {
    sqlx::query(MINUTES).execute(&pool).await.unwrap();
    let pages = two_pages(&pool, Period::Weekly).await;
    let expected: Vec<(DateTime<Utc>, Decimal, Decimal, Decimal)> = sqlx::query_as(ALL_TEN_MINUTES)
        .bind(pages[0].start)
        .fetch_all(&pool)
        .await
        .unwrap();
    let shown = pages.iter();
    let shown = shown.map(|candle| (candle.start, candle.open, candle.close, candle.volume));
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    assert_eq!(pages[0].volume, Decimal::TEN);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn no_day_is_missing_between_two_pages_of_weeks(pool: PgPool) {
    sqlx::query(DAYS).execute(&pool).await.unwrap();
    let pages = two_pages(&pool, Period::FiveYear).await;
    let expected: Vec<(i32, Decimal, Decimal, Decimal)> = sqlx::query_as(ALL_WEEKS)
        .bind(pages[0].trading_day)
        .fetch_all(&pool)
        .await
        .unwrap();
    let shown = pages.iter();
    let shown = shown.map(|candle| (candle.trading_day, candle.open, candle.close, candle.volume));
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    assert_eq!(pages[0].volume, Decimal::from(7));
}
