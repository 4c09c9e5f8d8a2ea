//! Recorded days end to end: feed, log, reader, tables.

use std::collections::HashMap;
use std::time::Duration;

use chrono::NaiveDate;
use market_data::MIGRATOR;
use market_data::candles::{CandleStore, Period};
use market_data::config::MarketFeed;
use market_data::feed::replay::RecordedPrices;
use market_data::model::session::yyyymmdd;
use market_rules::Venue;
use messaging::ticks::{ReadFrom, Reader};
use proto::market::v1::SessionRecord;
use proto::market::v1::session_record::Kind;
use proto::market::v1::tick_record::Record as LogRecord;
use rust_decimal::Decimal;
use sqlx::PgPool;

use crate::flow::{Ground, Process};

type Figures = (Decimal, Decimal, Decimal, Decimal, Decimal);

const AROUND_A_SPLIT: [&str; 10] = [
    "--replay-from",
    "2000-06-12",
    "--replay-until",
    "2000-07-07",
    "--replay-seconds-per-day",
    "0",
    "--replay-ticks-per-day",
    "150",
    "--replay-at-end",
    "stop",
];

fn recorded(ground: &Ground, from: &str, until: &str) -> HashMap<(String, i32), Figures> {
    let (from, until): (NaiveDate, NaiveDate) = (from.parse().unwrap(), until.parse().unwrap());
    let record = RecordedPrices::read(None, &ground.catalogue).unwrap();
    let days = record.days().iter();
    let days = days.filter(|day| from <= day.date && day.date <= until);
    let price = |units: i64| Decimal::new(units, 4);
    days.flat_map(|day| {
        day.rows.iter().map(|(code, row)| {
            let figures = (
                price(row.open_units),
                price(row.high_units),
                price(row.low_units),
                price(row.close_units),
                Decimal::from(row.volume_units),
            );
            ((code.to_string(), yyyymmdd(day.date)), figures)
        })
    })
    .collect()
}

async fn stored(pool: &PgPool, query: &'static str) -> HashMap<(String, i32), Figures> {
    type Columns = (String, i32, Decimal, Decimal, Decimal, Decimal, Decimal);
    let rows: Vec<Columns> = sqlx::query_as(query).fetch_all(pool).await.unwrap();
    rows.into_iter()
        .map(|(code, day, open, high, low, close, volume)| {
            ((code, day), (open, high, low, close, volume))
        })
        .collect()
}

const DAYS: &str = "select code, trading_day, open, high, low, close, volume from candle_day
    where trading_day >= 20000612";
const DAYS_OF_MINUTES: &str = "select code, trading_day,
    (array_agg(open order by start_at))[1], max(high), min(low),
    (array_agg(close order by start_at desc))[1], sum(volume)
    from candle_minute where trading_day >= 20000612 group by code, trading_day";

async fn played_to_the_end(ground: &Ground, process: &Process) {
    let last: i64 = "2000-07-07T20:00:00Z"
        .parse::<chrono::DateTime<chrono::Utc>>()
        .unwrap()
        .timestamp_micros();
    testkit::eventually(Duration::from_secs(60), async || {
        process.board.progress().market_time_us >= last
    })
    .await;
    ground.written(process).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn every_recorded_day_is_stored_unchanged(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Replay, &AROUND_A_SPLIT);
    let process = ground.start().await;
    played_to_the_end(&ground, &process).await;
    let expected = recorded(&ground, "2000-06-12", "2000-07-07");
    assert_eq!(expected.len(), 57);
    assert_eq!(stored(&ground.pool, DAYS).await, expected);
    assert_eq!(stored(&ground.pool, DAYS_OF_MINUTES).await, expected);
    let history = "select code, trading_day, open, high, low, close, volume from candle_day
        where trading_day < 20000612";
    let before = recorded(&ground, "2000-03-01", "2000-06-11");
    assert_eq!(stored(&ground.pool, history).await, before);

    let session = session_record(&ground, |session| session.kind() == Kind::Split).await;
    assert_eq!(
        (session.code.as_str(), session.trading_day),
        ("AAPL", 20_000_621)
    );
    assert_eq!((session.split_numerator, session.split_denominator), (2, 1));
    let open = session_record(&ground, |session| {
        session.kind() == Kind::Open && session.trading_day == 20_000_621
    })
    .await;
    assert!(session.session_seq < open.session_seq);
    let apple = open.bases.iter().find(|base| base.code == "AAPL").unwrap();
    let close = expected[&("AAPL".to_owned(), 20_000_620)].3;
    assert_eq!(
        Decimal::new(apple.base_units, 4),
        (close / Decimal::TWO).trunc_with_scale(4)
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn kills_leave_no_gap_and_no_duplicate(pool: PgPool) {
    let mut settings = AROUND_A_SPLIT.to_vec();
    settings[5] = "1";
    let ground = Ground::new(pool, MarketFeed::Replay, &settings);
    for run in 1..=4 {
        let process = ground.start().await;
        // Kills hit before, at and after writes.
        tokio::time::sleep(Duration::from_millis(700 + 430 * run)).await;
        process.kill();
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    let process = ground.start().await;
    played_to_the_end(&ground, &process).await;
    let expected = recorded(&ground, "2000-06-12", "2000-07-07");
    assert_eq!(stored(&ground.pool, DAYS).await, expected);
    assert_eq!(stored(&ground.pool, DAYS_OF_MINUTES).await, expected);
}

async fn session_record(ground: &Ground, wanted: impl Fn(&SessionRecord) -> bool) -> SessionRecord {
    let spec = ground.stream.spec.clone();
    let mut reader = Reader::open(ground.stream.amqp.clone(), spec, ReadFrom::First, 16);
    let find = async {
        loop {
            let records = reader.next().await.batch.records;
            let found = records.into_iter().find_map(|record| match record.record {
                Some(LogRecord::Session(session)) if wanted(&session) => Some(session),
                Some(LogRecord::Session(_) | LogRecord::Tick(_)) | None => None,
            });
            if let Some(found) = found {
                return found;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(10), find)
        .await
        .unwrap()
}

const AFTER_A_SPLIT: [&str; 8] = [
    "--replay-from",
    "2000-07-03",
    "--replay-until",
    "2000-07-07",
    "--replay-seconds-per-day",
    "0",
    "--replay-at-end",
    "stop",
];

/// Compares Apple's daily candles with the recorded ones: half the price and twice the volume
/// before 2000-06-21.
async fn assert_adjusted(ground: &Ground, from: &str) {
    let expected = recorded(ground, from, "2000-07-07");
    let store = CandleStore::new(ground.pool.clone());
    let chart = store
        .candles("AAPL", Venue::Us, Period::ThreeMonth, None)
        .await
        .unwrap();
    let two = Decimal::TWO;
    let (mut before, mut after) = (0, 0);
    for candle in &chart {
        let key = ("AAPL".to_owned(), candle.trading_day);
        let Some((open, _, _, close, volume)) = expected.get(&key) else {
            continue;
        };
        if candle.trading_day < 20_000_621 {
            before += 1;
            assert_eq!((candle.open * two, candle.close * two), (*open, *close));
            assert_eq!(candle.volume, volume * two);
        } else {
            after += 1;
            assert_eq!((candle.open, candle.close), (*open, *close));
            assert_eq!(candle.volume, *volume);
        }
    }
    assert!(before > 5 && after > 2, "{before} {after}");
    let weeks = store
        .candles("AAPL", Venue::Us, Period::FiveYear, None)
        .await
        .unwrap();
    let split_week = weeks
        .iter()
        .find(|week| week.trading_day == 20_000_619)
        .unwrap();
    assert!(
        split_week.high < split_week.low * Decimal::new(13, 1),
        "{split_week:?}"
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn charts_are_in_todays_shares(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Replay, &AROUND_A_SPLIT);
    let process = ground.start().await;
    played_to_the_end(&ground, &process).await;
    assert_adjusted(&ground, "2000-06-01").await;
    let store = CandleStore::new(ground.pool.clone());
    let minutes = store.candles(
        "AAPL",
        Venue::Us,
        Period::Weekly,
        "2000-06-23T00:00:00Z".parse().ok(),
    );
    let minutes = minutes.await.unwrap();
    let highest = minutes.iter().map(|candle| candle.high).max().unwrap();
    let lowest = minutes.iter().map(|candle| candle.low).min().unwrap();
    assert!(highest < lowest * Decimal::new(13, 1), "{highest} {lowest}");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn history_from_before_a_split_is_in_todays_shares_too(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Replay, &AFTER_A_SPLIT);
    let process = ground.start().await;
    played_to_the_end(&ground, &process).await;
    assert_adjusted(&ground, "2000-05-01").await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn charts_from_before_three_new_shares_for_two_are_read(pool: PgPool) {
    // Two thirds of a price is not a finite decimal.
    let fill = "
        insert into candle_day select 'AAPL', 20261116 + n, 100, 101, 99, 100, 7
            from generate_series(0, 4) n;
        insert into candle_minute (code, start_at, trading_day, open, high, low, close, volume)
            select 'AAPL', timestamptz '2026-11-20 15:00Z' + n * interval '1 minute', 20261120,
                100, 101, 99, 100, 7
            from generate_series(0, 4) n;
        insert into instrument_split (code, trading_day, new_shares, old_shares)
            values ('AAPL', 20261123, 3, 2)";
    sqlx::raw_sql(fill).execute(&pool).await.unwrap();
    let store = CandleStore::new(pool);
    for period in [
        Period::Day,
        Period::Weekly,
        Period::ThreeMonth,
        Period::FiveYear,
    ] {
        let chart = store
            .candles("AAPL", Venue::Us, period, None)
            .await
            .unwrap();
        let first = chart.first().unwrap();
        assert_eq!(first.close, Decimal::new(6_666_666_667, 8), "{period:?}");
    }
}
