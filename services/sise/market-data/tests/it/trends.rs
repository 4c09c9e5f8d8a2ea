use chrono::TimeDelta;
use market_data::feed::rates::Rate;
use proto::market::v1 as wire;
use rust_decimal_macros::dec;
use sqlx::PgPool;
use tonic::Code;

use crate::world::{World, noon, reason};

fn codes(items: &[wire::Item]) -> Vec<&str> {
    let items = items.iter();
    items
        .map(|item| item.instrument.as_ref().unwrap().code.as_str())
        .collect()
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_trend_has_gainers_and_losers(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.trade(&[
        ("005930", 100_000, 103_000, 60),
        ("000660", 100_000, 99_000, 50),
        ("402340", 100_000, 101_000, 40),
        ("005380", 100_000, 100_000, 20),
    ]);
    let index = Rate {
        code: "0001".to_owned(),
        korean_name: "코스피".to_owned(),
        value: dec!(5800.126),
        previous: dec!(5781.2),
        at_midnight: None,
        as_of_us: noon().timestamp_micros(),
    };
    world.rates.set(vec![], vec![index]);
    let request = wire::GetTrendRequest {
        kind: wire::TrendKind::Kospi.into(),
    };
    let trend = world.trends.get_trend(request).await.unwrap().into_inner();
    assert_eq!(codes(&trend.gainers), ["005930", "402340"]);
    assert_eq!(codes(&trend.losers), ["000660"]);
    assert_eq!(codes(&trend.most_value)[..2], ["005930", "000660"]);
    assert_eq!(codes(&trend.most_volume)[..2], ["005930", "000660"]);
    assert_eq!((trend.up, trend.down), (2, 1));
    assert!(trend.flat > 100);
    let index = trend.index.unwrap();
    assert_eq!(index.name, "코스피");
    assert_eq!(index.value.unwrap().value, "5800.13");
    assert!(!trend.sectors.is_empty());
    assert_eq!(trend.as_of_us, noon().timestamp_micros());
    // Cached for a minute.
    world.trade(&[("005380", 100_000, 120_000, 20)]);
    let again = world.trends.get_trend(request).await.unwrap().into_inner();
    assert_eq!(codes(&again.gainers), ["005930", "402340"]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn old_values_of_an_open_market_are_marked_delayed(pool: PgPool) {
    let mut world = World::new(pool).await;
    let index = |code: &str, age_s: i64| Rate {
        code: code.to_owned(),
        korean_name: code.to_owned(),
        value: dec!(5800),
        previous: dec!(5700),
        at_midnight: None,
        as_of_us: (noon() - TimeDelta::seconds(age_s)).timestamp_micros(),
    };
    let indices = vec![index("0001", 60), index("1001", 61), index("2001", 61)];
    world.rates.set(vec![], indices);
    let is_delayed = async |world: &mut World, kind: wire::TrendKind| {
        let request = wire::GetTrendRequest { kind: kind.into() };
        let trend = world.trends.get_trend(request).await.unwrap().into_inner();
        trend.index.unwrap().delayed
    };
    // No venue has opened yet.
    assert!(!is_delayed(&mut world, wire::TrendKind::Etf).await);
    world.trade(&[
        ("KRW-BTC", 100_000_000, 100_000_000, 1),
        ("04020000", 187_500, 193_260, 60),
    ]);
    assert!(!is_delayed(&mut world, wire::TrendKind::Kospi).await);
    assert!(is_delayed(&mut world, wire::TrendKind::Kosdaq).await);
    // A price instead of an index: 31 s are too old for a coin but not for gold.
    world.clock.advance(TimeDelta::seconds(31));
    assert!(is_delayed(&mut world, wire::TrendKind::Coin).await);
    let gold = wire::GetGoldTrendRequest {};
    let gold = world.trends.get_gold_trend(gold).await.unwrap();
    assert!(!gold.into_inner().index.unwrap().delayed);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn every_kind_has_a_response_before_the_first_tick(pool: PgPool) {
    let mut world = World::new(pool).await;
    for kind in [
        wire::TrendKind::Kospi,
        wire::TrendKind::Kosdaq,
        wire::TrendKind::Global,
        wire::TrendKind::Etf,
        wire::TrendKind::Coin,
    ] {
        let request = wire::GetTrendRequest { kind: kind.into() };
        let trend = world.trends.get_trend(request).await.unwrap().into_inner();
        assert!(
            trend.gainers.is_empty() && trend.index.is_none(),
            "{kind:?}"
        );
        assert!(trend.flat > 0);
    }
    let gold = world
        .trends
        .get_gold_trend(wire::GetGoldTrendRequest {})
        .await;
    let gold = gold.unwrap().into_inner();
    assert_eq!(
        (gold.items.len(), gold.index, gold.premium),
        (9, None, None)
    );
    let unknown = wire::GetTrendRequest { kind: 0 };
    let refused = world.trends.get_trend(unknown).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn domestic_gold_is_compared_with_the_world_price(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.trade(&[
        ("04020000", 187_500, 193_260, 60),
        ("XAUUSD", 397_000, 397_000, 1),
    ]);
    let mut price = async |code: &str| {
        let code = code.to_owned();
        let request = wire::GetCommodityPriceRequest { code };
        world.trends.get_commodity_price(request).await
    };
    let here = price("04020000").await.unwrap().into_inner();
    let premium = here.premium.unwrap();
    assert_eq!(premium.rate.unwrap().value, "3");
    assert_eq!(premium.world_price.unwrap().value, "187628.54");
    assert_eq!(premium.dollar_won.unwrap().value, "1470");
    assert!(here.item.unwrap().quote.is_some());
    assert!(
        price("XAUUSD")
            .await
            .unwrap()
            .into_inner()
            .premium
            .is_none()
    );
    for code in ["005930", "999999"] {
        let refused = price(code).await.unwrap_err();
        assert_eq!(reason(&refused), "INSTRUMENT_NOT_FOUND");
    }
    let trend = world
        .trends
        .get_gold_trend(wire::GetGoldTrendRequest {})
        .await;
    let trend = trend.unwrap().into_inner();
    assert_eq!(trend.index.unwrap().value.unwrap().value, "193260");
    assert_eq!(trend.premium.unwrap().rate.unwrap().value, "3");
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_fund_lists_the_largest_constituents_of_its_index(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut members = async |code: &str| {
        let code = code.to_owned();
        let request = wire::ListIndexConstituentsRequest { code };
        let answer = world.trends.list_index_constituents(request).await;
        answer.map(tonic::Response::into_inner)
    };
    // Before the first tick nothing has a price.
    assert_eq!(members("229200").await.unwrap().total, 0);
    let refused = members("999999").await.unwrap_err();
    assert_eq!(reason(&refused), "INSTRUMENT_NOT_FOUND");
    world.trade(&[
        ("005930", 259_000, 259_000, 60),
        ("005935", 181_000, 181_000, 60),
        ("000660", 1_836_000, 3_672_000, 50),
    ]);
    let mut members = async |code: &str| {
        let code = code.to_owned();
        let request = wire::ListIndexConstituentsRequest { code };
        let answer = world.trends.list_index_constituents(request).await;
        answer.map(tonic::Response::into_inner)
    };
    let index = members("069500").await.unwrap();
    let told: Vec<_> = index
        .constituents
        .iter()
        .map(|member| {
            let item = member.item.as_ref().unwrap();
            let code = item.instrument.as_ref().unwrap().code.as_str();
            (code, member.weight.as_ref().unwrap().value.as_str())
        })
        .collect();
    // 712,702,000 × 3,672,000 and 5,846,278,000 × 259,000; indices exclude preferred shares.
    assert_eq!(told, [("000660", "63.35"), ("005930", "36.65")]);
    assert_eq!(index.total, 2);
    assert!(members("114800").await.unwrap().constituents.is_empty());
    assert!(members("005930").await.unwrap().constituents.is_empty());
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn constituents_are_computed_once_a_minute(pool: PgPool) {
    let world = World::new(pool).await;
    world.trade(&[("005930", 259_000, 259_000, 60)]);
    let asked = |code: &str| {
        let mut trends = world.trends.clone();
        let code = code.to_owned();
        async move {
            let request = wire::ListIndexConstituentsRequest { code };
            trends.list_index_constituents(request).await
        }
    };
    let first = asked("069500").await.unwrap().into_inner();
    assert_eq!(first.total, 1);
    world.trade(&[("000660", 1_836_000, 3_672_000, 50)]);
    // Also for another fund of the same index.
    for code in ["069500", "102110"] {
        assert_eq!(asked(code).await.unwrap().into_inner(), first);
    }
}
