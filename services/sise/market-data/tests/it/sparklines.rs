//! The day's prices of many instruments at once.

use chrono::TimeDelta;
use market_data::config::MarketClock;
use proto::market::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::world::{Setup, World, noon, reason};

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
async fn lines_of_a_market_cover_its_day_from_the_open_until_now(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    world.trade(&[("005930", 100, 130, 1), ("000660", 200, 190, 1)]);
    write(&pool, "005930", YESTERDAY, &[(900, 1), (721, 2)]).await;
    // Traded from the first minute on, and for the first time 55 minutes ago: noon is 720 minutes
    // after midnight, and each of the 60 parts lasts twelve of them.
    write(&pool, "005930", TODAY, &[(720, 110), (719, 120), (0, 130)]).await;
    write(&pool, "000660", TODAY, &[(55, 190)]).await;
    let lines = list(&mut world, &["000660", "005930"]).await.unwrap();
    let codes: Vec<&str> = lines.iter().map(|line| line.code.as_str()).collect();
    assert_eq!(codes, ["000660", "005930"]);
    assert_eq!(
        prices(&lines[0]),
        [[200; 55].as_slice(), &[190; 5]].concat()
    );
    assert_eq!(prices(&lines[1]), [[120; 59].as_slice(), &[130]].concat());
    assert_eq!(lines[1].prev_close.as_ref().unwrap().value, "100");
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_young_day_is_told_minute_by_minute(pool: PgPool) {
    let setup = Setup {
        clock: MarketClock::Exchange,
        ..Setup::default()
    };
    let mut world = World::with(pool.clone(), setup).await;
    // Gold opens at nine, three hours before noon; New York's day of this date has not begun.
    world.trade(&[("04020000", 100, 130, 1), ("AAPL", 200, 200, 1)]);
    write(&pool, "04020000", TODAY, &[(180, 110), (0, 130)]).await;
    let lines = list(&mut world, &["04020000", "AAPL"]).await.unwrap();
    assert_eq!(prices(&lines[0]), [[110; 59].as_slice(), &[130]].concat());
    assert_eq!(lines[1].prices.len(), 1);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn coins_are_told_of_24_hours(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    world.trade(&[("KRW-BTC", 100, 599, 1), ("KRW-ETH", 100, 100, 1)]);
    // Those of the day before, and before that what nobody asks for.
    let yesterday = [(1_500, 7), (1_440, 10), (1_070, 20)];
    write(&pool, "KRW-BTC", YESTERDAY, &yesterday).await;
    write(&pool, "KRW-BTC", TODAY, &[(700, 30), (0, 599)]).await;
    let lines = list(&mut world, &["KRW-BTC", "KRW-ETH"]).await.unwrap();
    let line = prices(&lines[0]);
    assert_eq!(line.len(), 60);
    assert_eq!((line[0], line[14], line[15], line[59]), (10, 10, 20, 599));
    // Without a trade it stands where it stood.
    assert_eq!(prices(&lines[1]), [100; 60]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn nothing_is_told_of_what_was_never_heard_of(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    world.trade(&[("005930", 100, 130, 1)]);
    let lines = list(&mut world, &["035720"]).await.unwrap();
    assert_eq!((prices(&lines[0]), &lines[0].prev_close), (vec![], &None));
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_line_is_read_once_a_minute_and_others_beside_it(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    world.trade(&[("005930", 100, 130, 1), ("000660", 200, 190, 1)]);
    write(&pool, "005930", TODAY, &[(1, 110)]).await;
    let lines = list(&mut world, &["005930"]).await.unwrap();
    assert_eq!(prices(&lines[0]).last(), Some(&110));
    write(&pool, "005930", TODAY, &[(0, 130)]).await;
    write(&pool, "000660", TODAY, &[(0, 190)]).await;
    let lines = list(&mut world, &["005930", "000660"]).await.unwrap();
    assert_eq!(prices(&lines[0]).last(), Some(&110));
    assert_eq!(prices(&lines[1]).last(), Some(&190));
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
