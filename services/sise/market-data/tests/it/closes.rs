//! Prices, index values and exchange rates at the end of past days.

use chrono::{DateTime, NaiveDate, Utc};
use market_data::closes::{self, Closes, DayClose};
use market_data::config::MarketClock;
use market_data::feed::rates::Rate;
use proto::market::v1 as wire;
use rust_decimal::Decimal;
use rust_decimal_macros::dec;
use sqlx::PgPool;
use tonic::Status;

use crate::world::{Setup, World, reason};

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// In Korea the 20th ends.
fn midnight() -> DateTime<Utc> {
    "2026-11-20T15:00:00Z".parse().unwrap()
}

async fn candle_of_minute(pool: &PgPool, code: &str, start_at: &str, close: Decimal) {
    sqlx::query(
        "insert into candle_minute (code, start_at, trading_day, open, high, low, close, volume) \
         values ($1, $2, 20261120, $3, $3, $3, $3, 1)",
    )
    .bind(code)
    .bind(start_at.parse::<DateTime<Utc>>().unwrap())
    .bind(close)
    .execute(pool)
    .await
    .unwrap();
}

async fn candle_of_day(pool: &PgPool, code: &str, trading_day: i32, close: Decimal) {
    sqlx::query(
        "insert into candle_day (code, trading_day, open, high, low, close, volume) \
         values ($1, $2, $3, $3, $3, $3, 1)",
    )
    .bind(code)
    .bind(trading_day)
    .bind(close)
    .execute(pool)
    .await
    .unwrap();
}

async fn read_up_to(pool: &PgPool, instant: DateTime<Utc>) {
    sqlx::query("delete from tick_reader")
        .execute(pool)
        .await
        .unwrap();
    sqlx::query("insert into tick_reader values ('candles', 1, 1, 1, 1, $1, '')")
        .bind(instant.timestamp_micros())
        .execute(pool)
        .await
        .unwrap();
}

impl World {
    async fn prices_at(&self, instant: DateTime<Utc>) -> Result<wire::PricesAt, Status> {
        let at_us = instant.timestamp_micros();
        let request = wire::ListPricesAtRequest { at_us };
        let told = self.closes.clone().list_prices_at(request).await;
        told.map(tonic::Response::into_inner)
    }

    async fn price_at_midnight(&self, code: &str) -> Option<String> {
        let told = self.prices_at(midnight()).await.unwrap().prices;
        let found = told.into_iter().find(|price| price.code == code);
        found.map(|price| price.price.unwrap().value)
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn the_last_prices_of_a_day_are_told_once_nothing_can_change_them(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    candle_of_minute(&pool, "005930", "2026-11-20T10:00:00Z", dec!(71000)).await;
    candle_of_minute(&pool, "005930", "2026-11-20T14:59:00Z", dec!(71300)).await;
    candle_of_minute(&pool, "005930", "2026-11-20T15:00:00Z", dec!(72000)).await;
    candle_of_day(&pool, "005930", 20_261_120, dec!(1)).await;
    read_up_to(&pool, midnight() - chrono::TimeDelta::microseconds(1)).await;
    let early = world.prices_at(midnight()).await.unwrap_err();
    assert_eq!(reason(&early), "DAY_NOT_OVER");
    read_up_to(&pool, midnight()).await;
    assert_eq!(world.price_at_midnight("005930").await.unwrap(), "71300");
    assert_eq!(
        world.price_at_midnight("000660").await,
        None,
        "it never traded"
    );
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_price_names_its_tick_where_that_is_kept(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    candle_of_minute(&pool, "005930", "2026-11-20T14:59:00Z", dec!(71300)).await;
    candle_of_minute(&pool, "000660", "2026-11-20T14:58:00Z", dec!(180000)).await;
    candle_of_day(&pool, "035720", 20_261_120, dec!(1)).await;
    sqlx::query("update candle_minute set close_seq = 77 where code = '005930'")
        .execute(&pool)
        .await
        .unwrap();
    read_up_to(&pool, midnight()).await;
    let told = world.prices_at(midnight()).await.unwrap().prices;
    let tick = |code: &str| {
        let found = told.iter().find(|price| price.code == code);
        found.unwrap().tick_seq
    };
    assert_eq!(tick("005930"), Some(77));
    assert_eq!((tick("000660"), tick("035720")), (None, None));
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn the_close_of_a_day_stands_for_minutes_that_are_no_longer_kept(pool: PgPool) {
    for (clock, of_us) in [(MarketClock::Practice, "20"), (MarketClock::Exchange, "19")] {
        let setup = Setup {
            clock,
            ..Setup::default()
        };
        let world = World::with(pool.clone(), setup).await;
        sqlx::query("delete from candle_day")
            .execute(&pool)
            .await
            .unwrap();
        for number in 19..=21 {
            candle_of_day(&pool, "005930", 20_261_100 + number, Decimal::from(number)).await;
            candle_of_day(&pool, "AAPL", 20_261_100 + number, Decimal::from(number)).await;
        }
        read_up_to(&pool, midnight()).await;
        assert_eq!(world.price_at_midnight("005930").await.unwrap(), "20");
        // At the exchanges, the 20th goes on in New York.
        assert_eq!(world.price_at_midnight("AAPL").await.unwrap(), of_us);
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_split_divides_the_price_of_what_has_not_traded_since(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    candle_of_day(&pool, "005930", 20_261_119, dec!(70000)).await;
    candle_of_minute(&pool, "000660", "2026-11-20T14:58:00Z", dec!(180000)).await;
    candle_of_day(&pool, "035720", 20_261_118, dec!(50000)).await;
    for (code, trading_day, new_shares) in [
        ("005930", 20_261_119, 5),
        ("005930", 20_261_120, 3),
        ("005930", 20_261_121, 7),
        ("000660", 20_261_120, 2),
        ("035720", 20_261_119, 2),
        ("035720", 20_261_120, 10),
    ] {
        sqlx::query("insert into instrument_split values ($1, $2, $3, 1)")
            .bind(code)
            .bind(trading_day)
            .bind(new_shares)
            .execute(&pool)
            .await
            .unwrap();
    }
    read_up_to(&pool, midnight()).await;
    let price = async |code: &str| world.price_at_midnight(code).await.unwrap();
    assert_eq!(price("005930").await, "23333.33333334");
    assert_eq!(price("000660").await, "180000", "it traded on the day");
    assert_eq!(price("035720").await, "2500");
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn the_exchange_rate_is_the_last_of_the_day(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    read_up_to(&pool, midnight()).await;
    let rate = async || {
        world
            .prices_at(midnight())
            .await
            .unwrap()
            .dollar_won
            .unwrap()
            .value
    };
    assert_eq!(rate().await, "1470", "that of the seed while none is known");
    let told = |time: &str, value| Rate {
        code: "USD".to_owned(),
        korean_name: "미국 달러".to_owned(),
        value,
        previous: dec!(1470),
        at_midnight: None,
        as_of_us: time.parse::<DateTime<Utc>>().unwrap().timestamp_micros(),
    };
    for (time, value) in [
        ("2026-11-20T14:59:50Z", dec!(1480)),
        ("2026-11-20T14:59:59Z", dec!(1481.5)),
        ("2026-11-20T15:00:01Z", dec!(1490)),
    ] {
        world.rates.set(vec![told(time, value)], vec![]);
        Closes::new(pool.clone())
            .save(&closes::latest(&world.rates))
            .await
            .unwrap();
    }
    assert_eq!(rate().await, "1481.5");
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_day_ends_with_what_the_feed_knows_of_its_end(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    read_up_to(&pool, midnight()).await;
    let table = Closes::new(pool);
    let told = |time: &str, value, at_midnight| Rate {
        code: "USD".to_owned(),
        korean_name: "미국 달러".to_owned(),
        value,
        previous: at_midnight,
        at_midnight: Some(at_midnight),
        as_of_us: time.parse::<DateTime<Utc>>().unwrap().timestamp_micros(),
    };
    let before = told("2026-11-20T14:00:00Z", dec!(1480), dec!(1470));
    world.rates.set(vec![before], vec![]);
    table.save(&closes::latest(&world.rates)).await.unwrap();
    // The feed has caught up with an hour and a half since.
    let after = told("2026-11-20T15:30:00Z", dec!(1500), dec!(1490));
    world.rates.set(vec![after], vec![]);
    let at_midnight = world.prices_at(midnight()).await.unwrap().dollar_won;
    assert_eq!(at_midnight.unwrap().value, "1490");
    table.save(&closes::latest(&world.rates)).await.unwrap();
    let days = (day("2026-11-19"), day("2026-11-21"));
    let stored = table.list(&["USD"], days).await.unwrap();
    let values: Vec<(NaiveDate, Decimal)> = stored
        .into_iter()
        .map(|close| (close.day, close.value))
        .collect();
    let expected = [
        (day("2026-11-19"), dec!(1470)),
        (day("2026-11-20"), dec!(1490)),
        (day("2026-11-21"), dec!(1500)),
    ];
    assert_eq!(values, expected);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn index_values_begin_with_what_was_known_on_the_first_day(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    let close = |code: &str, on: &str, value| DayClose {
        code: code.to_owned(),
        day: day(on),
        value,
    };
    let known = [
        close("0001", "2026-11-12", dec!(3900)),
        close("0001", "2026-11-13", dec!(4000)),
        close("0001", "2026-11-16", dec!(4100)),
        close("0001", "2026-11-17", dec!(4200)),
        close("SPX", "2026-11-16", dec!(6700)),
        close("1001", "2026-11-16", dec!(900)),
    ];
    let stored = Closes::new(pool.clone());
    stored.save(&known).await.unwrap();
    assert_eq!(stored.newest_day().await.unwrap(), Some(day("2026-11-17")));
    let told = async |from_day, to_day| {
        let request = wire::ListIndexClosesRequest { from_day, to_day };
        world.closes.clone().list_index_closes(request).await
    };
    let got = told(20_261_115, 20_261_116).await.unwrap().into_inner();
    let shown: Vec<(String, Vec<i32>)> = got
        .indices
        .into_iter()
        .map(|index| {
            (
                index.name,
                index.closes.iter().map(|close| close.day).collect(),
            )
        })
        .collect();
    let kospi = ("코스피".to_owned(), vec![20_261_113, 20_261_116]);
    assert_eq!(shown, [kospi, ("S&P 500".to_owned(), vec![20_261_116])]);
    let got = told(20_261_116, 20_261_117).await.unwrap().into_inner();
    let kospi: Vec<i32> = got.indices[0]
        .closes
        .iter()
        .map(|close| close.day)
        .collect();
    assert_eq!(kospi, [20_261_116, 20_261_117]);
    assert!(told(20_261_301, 20_261_116).await.is_err());
    let before = told(20_250_101, 20_250_102).await.unwrap().into_inner();
    assert!(before.indices.is_empty());
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn the_volume_is_that_of_the_last_trading_day_before_the_present_one(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    world.trade(&[("005930", 70_000, 71_000, 10)]);
    let traded = world.board.snapshot(&["005930".to_owned()]).ticks;
    let present = traded[0].trading_day;
    for (trading_day, volume) in [(20_200_101, 5), (present - 1, 777), (present, 9)] {
        candle_of_day(&pool, "005930", trading_day, dec!(71000)).await;
        sqlx::query("update candle_day set volume = $1 where trading_day = $2")
            .bind(Decimal::from(volume))
            .bind(trading_day)
            .execute(&pool)
            .await
            .unwrap();
    }
    candle_of_day(&pool, "NEVER", 20_200_101, dec!(1)).await;
    let request = wire::ListDayVolumesRequest {};
    let told = world.closes.clone().list_day_volumes(request).await;
    let told = told.unwrap().into_inner().volumes;
    let [only] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!((only.code.as_str(), only.trading_day), ("005930", present));
    assert_eq!(only.volume_before.as_ref().unwrap().value, "777");

    // Ten new shares for one on the present day, and an older split that is in the volume.
    let split = "insert into instrument_split (code, trading_day, new_shares, old_shares) \
        values ('005930', $1, 10, 1), ('005930', $2, 3, 1)";
    let split = sqlx::query(split).bind(present).bind(present - 1);
    split.execute(&pool).await.unwrap();
    let told = world.closes.clone().list_day_volumes(request).await;
    let told = told.unwrap().into_inner().volumes;
    assert_eq!(told[0].volume_before.as_ref().unwrap().value, "7770");
}
