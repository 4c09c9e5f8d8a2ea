//! The day's prices of many instruments at once.

use chrono::TimeDelta;
use proto::market::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::world::{World, noon, reason};

const TODAY: i32 = 20_261_120;
const YESTERDAY: i32 = 20_261_119;

/// Candles that end so many minutes before noon with these prices.
async fn write(pool: &PgPool, code: &str, trading_day: i32, candles: &[(i64, i64)]) {
    for (minutes_ago, close) in candles {
        sqlx::query(
            "insert into candle_minute (code, start_at, trading_day, open, high, low, close, volume)
             values ($1, $2, $3, $4, $4, $4, $4, 1)",
        )
        .bind(code)
        .bind(noon() - TimeDelta::minutes(*minutes_ago))
        .bind(trading_day)
        .bind(close)
        .execute(pool)
        .await
        .unwrap();
    }
}

async fn list(world: &mut World, codes: &[&str]) -> Result<Vec<wire::Sparkline>, Status> {
    let codes = codes.iter().map(|code| (*code).to_owned()).collect();
    let request = wire::ListSparklinesRequest { codes };
    let answer = world.trends.list_sparklines(request).await?;
    Ok(answer.into_inner().sparklines)
}

fn prices(line: &wire::Sparkline) -> Vec<i64> {
    let prices = line.prices.iter();
    prices.map(|price| price.value.parse().unwrap()).collect()
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_short_day_is_told_minute_by_minute(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    world.trade(&[("005930", 100, 130, 1), ("000660", 200, 190, 1)]);
    write(&pool, "005930", YESTERDAY, &[(900, 1), (6, 2)]).await;
    // Nothing was traded in the minutes between.
    write(&pool, "005930", TODAY, &[(5, 110), (2, 120), (0, 130)]).await;
    write(&pool, "000660", TODAY, &[(0, 190)]).await;
    let lines = list(&mut world, &["000660", "005930", "035720"]).await;
    let lines = lines.unwrap();
    let codes: Vec<&str> = lines.iter().map(|line| line.code.as_str()).collect();
    assert_eq!(codes, ["000660", "005930", "035720"]);
    assert_eq!(prices(&lines[0]), [190]);
    assert_eq!(prices(&lines[1]), [110, 110, 110, 120, 120, 130]);
    assert_eq!(lines[1].prev_close.as_ref().unwrap().value, "100");
    // It has not been heard of.
    assert_eq!((prices(&lines[2]), &lines[2].prev_close), (vec![], &None));
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_long_day_is_thinned_evenly_to_sixty_prices(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    world.trade(&[("KRW-BTC", 100, 599, 1), ("KRW-ETH", 100, 61, 1)]);
    let minutes: Vec<(i64, i64)> = (0..600).map(|minute| (599 - minute, minute)).collect();
    write(&pool, "KRW-BTC", TODAY, &minutes).await;
    let minutes: Vec<(i64, i64)> = (0..=60).map(|minute| (60 - minute, minute)).collect();
    write(&pool, "KRW-ETH", TODAY, &minutes).await;
    let lines = list(&mut world, &["KRW-BTC", "KRW-ETH"]).await.unwrap();
    let last_of_ten: Vec<i64> = (0..60).map(|part| part * 10 + 9).collect();
    assert_eq!(prices(&lines[0]), last_of_ten);
    let (thinned, first) = (prices(&lines[1]), prices(&lines[1])[0]);
    assert_eq!(thinned.len(), 60);
    assert_eq!((first, thinned[59]), (1, 60));
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_line_is_read_once_a_minute_and_others_beside_it(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    world.trade(&[("005930", 100, 130, 1), ("000660", 200, 190, 1)]);
    write(&pool, "005930", TODAY, &[(1, 110)]).await;
    let lines = list(&mut world, &["005930"]).await.unwrap();
    assert_eq!(prices(&lines[0]), [110]);
    write(&pool, "005930", TODAY, &[(0, 130)]).await;
    write(&pool, "000660", TODAY, &[(0, 190)]).await;
    let lines = list(&mut world, &["005930", "000660"]).await.unwrap();
    assert_eq!(prices(&lines[0]), [110]);
    assert_eq!(prices(&lines[1]), [190]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn what_cannot_be_listed_is_refused(pool: PgPool) {
    let mut world = World::new(pool).await;
    let unknown = list(&mut world, &["005930", "999999"]).await.unwrap_err();
    assert_eq!(unknown.code(), Code::NotFound);
    assert_eq!(reason(&unknown), "INSTRUMENT_NOT_FOUND");
    let many: Vec<String> = (0..101).map(|number| number.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for codes in [&[][..], &["005930", "005930"], &many] {
        let refused = list(&mut world, codes).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
}
