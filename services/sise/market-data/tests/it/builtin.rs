//! The built-in market end to end, over midnight, kills and long downtime: the tables hold exactly
//! the candles of the model.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use kernel::{Clock, Price};
use market_data::MIGRATOR;
use market_data::candles::{CandleStore, Period, state};
use market_data::closes::Closes;
use market_data::config::MarketFeed;
use market_data::model::simulation::MarketParameters;
use market_data::model::{MarketHours, ModelCandle, Simulation};
use market_rules::calendar::practice_hours;
use market_rules::{Calendar, Venue};
use proto::market::v1::{Interruption, ListDividendsRequest, SessionState};
use rust_decimal::Decimal;
use sqlx::PgPool;

use crate::flow::{Ground, SEED};

pub(crate) const SMALL: [&str; 8] = [
    "--history-years",
    "1",
    "--history-minute-days",
    "2",
    "--catch-up-limit-minutes",
    "30",
    "--market-trades-per-second",
    "9",
];

type Minute = (Decimal, Decimal, Decimal, Decimal, Decimal);

/// A second instance of the running market's model.
pub(crate) fn model(ground: &Ground) -> Simulation {
    let first: NaiveDate = "2026-11-21".parse().unwrap();
    let parameters = MarketParameters {
        seed: SEED.to_vec(),
        hours: MarketHours::Practice { from: first },
        history_from: "2025-11-11".parse().unwrap(),
        first_live_day: first,
        trades_per_second: 9.0,
        ordered: Arc::default(),
    };
    let calendar = Arc::new(Calendar::embedded().unwrap());
    let until = "2026-11-26".parse().unwrap();
    Simulation::new(parameters, calendar, &ground.catalogue, until)
}

/// The minutes that end by `until`, by code and start.
fn minutes_of_model(
    market: &Simulation,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> BTreeMap<(String, i64), Minute> {
    let mut minutes = BTreeMap::new();
    for spec in market.specs() {
        market.walk(spec, "2026-11-26".parse().unwrap(), |day| {
            let session = day.path.session;
            if session.close_us < from.timestamp_micros() {
                return;
            }
            let drawn = day.draw(market.factors());
            let candles = (0..session.minutes()).filter_map(|minute| drawn.minute_candle(minute));
            for candle in candles.chain(drawn.auction_candle()) {
                let whole = candle.start_us >= from.timestamp_micros()
                    && candle.start_us + 60_000_000 <= until.timestamp_micros();
                if whole {
                    let key = (spec.instrument.code.clone(), candle.start_us);
                    minutes.insert(key, figures(&candle, spec.grid.scale(), spec.volume_scale));
                }
            }
        });
    }
    minutes
}

fn figures(candle: &ModelCandle, scale: u32, volume_scale: u32) -> Minute {
    let price = |units: i64| Decimal::new(units, scale).normalize();
    (
        price(candle.open_units),
        price(candle.high_units),
        price(candle.low_units),
        price(candle.close_units),
        Decimal::new(candle.volume_units, volume_scale).normalize(),
    )
}

async fn minutes_of_tables(
    pool: &PgPool,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> BTreeMap<(String, i64), Minute> {
    type Columns = (
        String,
        DateTime<Utc>,
        Decimal,
        Decimal,
        Decimal,
        Decimal,
        Decimal,
    );
    let rows: Vec<Columns> = sqlx::query_as(
        "select code, start_at, open, high, low, close, volume from candle_minute
         where start_at >= $1 and start_at + interval '1 minute' <= $2",
    )
    .bind(from)
    .bind(until)
    .fetch_all(pool)
    .await
    .unwrap();
    let row = |(code, start, open, high, low, close, volume): Columns| {
        let [open, high, low, close, volume] =
            [open, high, low, close, volume].map(|value| value.normalize());
        (
            (code, start.timestamp_micros()),
            (open, high, low, close, volume),
        )
    };
    rows.into_iter().map(row).collect()
}

pub(crate) async fn assert_matches_model(ground: &Ground, market: &Simulation) {
    let from = ground.began_at - TimeDelta::days(1);
    let until = ground.clock.now();
    let expected = minutes_of_model(market, from, until);
    let found = minutes_of_tables(&ground.pool, from, until).await;
    assert!(expected.len() > 5_000, "{}", expected.len());
    for (key, minute) in &expected {
        assert_eq!(found.get(key), Some(minute), "{key:?} by {until}");
    }
    assert_eq!(found.len(), expected.len());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn candles_match_the_model_after_midnight_kills_and_downtime(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let market = model(&ground);
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(70)).await;
    // The last moments are not written yet.
    process.kill();
    ground.clock.advance(TimeDelta::seconds(45));
    let process = ground.start().await;
    // Over Korean midnight a new trading day starts.
    ground.advance(&process, TimeDelta::minutes(3)).await;
    let quote = process.board.quote("005930").unwrap();
    assert_eq!(quote.trading_day, 20_261_122);
    ground.written(&process).await;
    assert_matches_model(&ground, &market).await;
    process.kill();
    // Five hours, of which only the last 30 minutes arrive as ticks.
    ground.clock.advance(TimeDelta::hours(5));
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(30)).await;
    ground.written(&process).await;
    assert_matches_model(&ground, &market).await;
    let days: Vec<(Decimal, Decimal)> = sqlx::query_as(
        "select a.close, b.open from candle_day a join candle_day b on a.code = b.code
         where a.trading_day = 20261121 and b.trading_day = 20261122",
    )
    .fetch_all(&ground.pool)
    .await
    .unwrap();
    assert_eq!(days.len(), 9);
    for (close, open) in days {
        assert_eq!(
            close, open,
            "a practice day begins where the last one ended"
        );
    }
    // After the session the base price is its close.
    let base = process.board.base("005930").unwrap();
    let instrument = ground.catalogue.get("005930").unwrap();
    let band = instrument
        .daily_limits(Price(Decimal::from(base.base_units)))
        .unwrap();
    assert_eq!(Decimal::from(base.upper_limit_units), band.upper.0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn values_of_days_that_nobody_noted_are_those_of_the_model(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let market = model(&ground);
    let process = ground.start().await;
    assert_values_until(&ground, &market, "2026-11-20").await;
    process.kill();
    ground.clock.advance(TimeDelta::days(2));
    let process = ground.start().await;
    assert_values_until(&ground, &market, "2026-11-22").await;
    process.kill();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_day_that_ends_in_a_downtime_has_the_values_of_its_end(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let market = model(&ground);
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(30)).await;
    process.kill();
    // All of it arrives as ticks, in moments.
    ground.clock.advance(TimeDelta::minutes(20));
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(30)).await;
    let closes = Closes::new(ground.pool.clone());
    let next: NaiveDate = "2026-11-22".parse().unwrap();
    testkit::eventually(Duration::from_secs(60), async || {
        closes.newest_day().await.unwrap() == Some(next)
    })
    .await;
    assert_values_until(&ground, &market, "2026-11-21").await;
    process.kill();
}

/// Every day up to `last` has a value of every index and rate.
async fn assert_values_until(ground: &Ground, market: &Simulation, last: &str) {
    let last: NaiveDate = last.parse().unwrap();
    let catalogue = &ground.catalogue;
    let count = i64::try_from(catalogue.indices().len() + catalogue.currencies().len()).unwrap();
    let days: Vec<(NaiveDate, i64)> = sqlx::query_as(
        "select day, count(*) from day_close where day <= $1 group by day order by day",
    )
    .bind(last)
    .fetch_all(&ground.pool)
    .await
    .unwrap();
    let known: Vec<NaiveDate> = days.iter().map(|(day, _)| *day).collect();
    let first = *known.first().unwrap();
    let expected: Vec<NaiveDate> = first.iter_days().take_while(|day| *day <= last).collect();
    assert_eq!(known, expected);
    assert!(known.len() > 300);
    assert!(days.iter().all(|(_, values)| *values == count), "{days:?}");
    let kospi = catalogue.indices().first().unwrap();
    let ended = practice_hours(last.succ_opt().unwrap()).open;
    let expected = market.index_value(&kospi.code, kospi.base_value, ended.timestamp_micros());
    let value: Decimal =
        sqlx::query_scalar("select value from day_close where code = $1 and day = $2")
            .bind(&kospi.code)
            .bind(last)
            .fetch_one(&ground.pool)
            .await
            .unwrap();
    assert_eq!(value, expected);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn all_periods_exist_after_the_first_start(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let _process = ground.start().await;
    let store = CandleStore::new(ground.pool.clone());
    let read = async |period, before| {
        let candles = store
            .candles("005930", Venue::Krx, period, before)
            .await
            .unwrap();
        for pair in candles.windows(2) {
            assert!(pair[0].start < pair[1].start);
        }
        for candle in &candles {
            assert!(candle.low <= candle.open && candle.open <= candle.high);
            assert!(candle.low <= candle.close && candle.close <= candle.high);
        }
        candles
    };
    let day = read(Period::Day, None).await;
    // From Korean midnight until three minutes before the next one.
    assert_eq!(day.len(), 1_437);
    assert!(day.iter().all(|candle| candle.trading_day == 20_261_121));
    let week = read(Period::Weekly, None).await;
    assert!(
        week.iter()
            .all(|candle| candle.start.timestamp() % 600 == 0)
    );
    let volume = |candles: &[market_data::candles::Candle], from: DateTime<Utc>| -> Decimal {
        let later = candles.iter().filter(|candle| candle.start >= from);
        later.map(|candle| candle.volume).sum()
    };
    assert_eq!(volume(&week, day[0].start), volume(&day, day[0].start));
    let quarter = read(Period::ThreeMonth, None).await;
    assert!((55..=70).contains(&quarter.len()), "{}", quarter.len());
    let year = read(Period::Year, None).await;
    assert!((235..=262).contains(&year.len()), "{}", year.len());
    let weeks = read(Period::FiveYear, None).await;
    assert!((52..=55).contains(&weeks.len()), "{}", weeks.len());
    // `before` is exclusive.
    let before = day[100].start;
    assert_eq!(read(Period::Day, Some(before)).await, day[..100]);
    let before = quarter[20].start;
    let earlier = read(Period::ThreeMonth, Some(before)).await;
    assert_eq!(earlier.last(), Some(&quarter[19]));
    assert_eq!(read(Period::Day, Some(DateTime::UNIX_EPOCH)).await, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn splits_interruptions_and_dividends_reach_log_and_tables(pool: PgPool) {
    let mut settings = SMALL.to_vec();
    settings.extend([
        "--market-events",
        "split 005930 2026-11-22 5/1; vi 005930 2026-11-22T00:01:00; \
         dividend 005930 2026-11-25 361 2026-11-27",
    ]);
    let ground = Ground::new(pool, MarketFeed::Builtin, &settings);
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(60)).await;
    let before = process.board.tick("005930").unwrap().price_units;
    process.kill();
    let process = ground.start().await;
    // Until 90 seconds after midnight.
    ground.advance(&process, TimeDelta::minutes(3)).await;
    let quote = process.board.quote("005930").unwrap();
    assert_eq!(quote.session(), SessionState::Auction);
    assert_eq!(quote.interruption(), Interruption::Static);
    let base = process.board.base("005930").unwrap().base_units;
    assert!(
        (base * 5 - before).abs() < before / 50,
        "{base} of {before}"
    );
    let seen = quote.tick_seq;
    ground.advance(&process, TimeDelta::minutes(3)).await;
    let quote = process.board.quote("005930").unwrap();
    assert_eq!(quote.session(), SessionState::Open);
    assert_eq!(quote.interruption(), Interruption::Unspecified);
    assert!(quote.tick_seq > seen);
    ground.written(&process).await;
    assert_eq!(process.board.in_todays_shares("005930", 100), 500);
    let stored = state::load(&ground.pool).await.unwrap().unwrap();
    let division = ("005930".to_owned(), 20_261_122, 5, 1);
    assert!(stored.splits.contains(&division), "{:?}", stored.splits);

    let split: (i64, i64) = sqlx::query_as(
        "select new_shares, old_shares from instrument_split
         where code = '005930' and trading_day = 20261122",
    )
    .fetch_one(&ground.pool)
    .await
    .unwrap();
    assert_eq!(split, (5, 1));
    let store = CandleStore::new(ground.pool.clone());
    let days = store
        .candles("005930", Venue::Krx, Period::ThreeMonth, None)
        .await
        .unwrap();
    let closes: Vec<Decimal> = days.iter().rev().take(2).map(|day| day.close).collect();
    let apart = (closes[0] - closes[1]).abs();
    assert!(apart * Decimal::from(20) < closes[1], "{closes:?}");
    let wanted = ListDividendsRequest {
        code: "005930".to_owned(),
        ..ListDividendsRequest::default()
    };
    let told = store.dividends(&wanted).await.unwrap();
    let told: Vec<(i32, i32)> = told.iter().map(|one| (one.ex_day, one.pay_day)).collect();
    // Announced at every start and stored once.
    assert_eq!(
        told.iter()
            .filter(|one| **one == (20_261_125, 20_261_127))
            .count(),
        1
    );
}
