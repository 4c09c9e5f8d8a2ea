use std::collections::HashMap;

use bootstrap::redis::{self, AsyncCommands, Redis, RedisError};
use chrono::TimeDelta;
use kernel::{Clock, MemberId};
use proto::common::v1::Market;
use proto::market::v1 as wire;
use sqlx::PgPool;

use crate::world::{Setup, World};

const TRADES: [(&str, i64, i64, i64); 6] = [
    ("005930", 100_000, 100_000, 60),
    ("000660", 100_000, 100_000, 50),
    ("402340", 100_000, 100_000, 40),
    ("009150", 100_000, 100_000, 30),
    ("005380", 100_000, 100_000, 20),
    ("373220", 100_000, 100_000, 10),
];

async fn popular(world: &mut World) -> Vec<String> {
    popular_of(world, &[Market::Kospi]).await
}

async fn popular_of(world: &mut World, markets: &[Market]) -> Vec<String> {
    let request = wire::ListPopularRequest {
        markets: markets.iter().map(|market| (*market).into()).collect(),
    };
    let page = world
        .client
        .list_popular(request)
        .await
        .unwrap()
        .into_inner();
    let items = page.items.into_iter();
    items.map(|item| item.instrument.unwrap().code).collect()
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn lists_are_computed_without_redis(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.trade(&TRADES);
    let traded: Vec<&str> = TRADES.iter().map(|(code, ..)| *code).collect();
    assert_eq!(popular(&mut world).await, traded);
}

/// Three members open an item, each of them twice.
async fn open(world: &mut World, code: &str) {
    for member in 1..=3 {
        for _ in 0..2 {
            let opened = wire::NoteItemOpenedRequest {
                member_id: member,
                code: code.to_owned(),
            };
            world.client.note_item_opened(opened).await.unwrap();
        }
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_opening_counts_once_a_member_item_and_day(pool: PgPool) {
    let mut world = World::new(pool).await;
    open(&mut world, "373220").await;
    let weights = world.store.opening_weights(world.clock.now()).await;
    let expected = HashMap::from([("373220".to_owned(), 3_000_000)]);
    assert_eq!(weights.unwrap(), expected);
    world.trade(&TRADES);
    assert_eq!(popular(&mut world).await[..2], ["373220", "005930"]);

    world.clock.advance(TimeDelta::days(3));
    let store = &world.store;
    store
        .note_opening(MemberId(1), "005930", &world.clock)
        .await
        .unwrap();
    assert_eq!(
        store
            .delete_old_openings(TimeDelta::days(2), &world.clock)
            .await
            .unwrap(),
        3
    );
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn the_weight_of_an_opening_halves_in_six_hours(pool: PgPool) {
    let world = World::new(pool).await;
    let (store, clock) = (&world.store, &world.clock);
    let open = async |member| {
        let member = MemberId(member);
        store.note_opening(member, "005930", clock).await.unwrap();
    };
    let weight = async || {
        let weights = store.opening_weights(clock.now()).await.unwrap();
        weights.get("005930").copied()
    };
    open(1).await;
    for (seconds, expected) in [
        (0, 1_000_000),
        (1, 999_977),
        (10_799, 750_000),
        (10_800, 500_000),
        (21_600, 250_000),
    ] {
        clock.advance(TimeDelta::seconds(seconds));
        assert_eq!(weight().await, Some(expected));
    }
    // In Korea the next day has begun. The newest opening of a member counts.
    open(1).await;
    assert_eq!(weight().await, Some(1_000_000));
    open(2).await;
    assert_eq!(weight().await, Some(2_000_000));
    clock.advance(TimeDelta::hours(24));
    assert_eq!(weight().await, None);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn lists_of_the_same_minute_read_the_openings_once(pool: PgPool) {
    let mut world = World::new(pool.clone()).await;
    open(&mut world, "373220").await;
    world.trade(&TRADES);
    assert_eq!(popular(&mut world).await[..2], ["373220", "005930"]);
    sqlx::query("delete from item_opening")
        .execute(&pool)
        .await
        .unwrap();
    let domestic = popular_of(&mut world, &[Market::Kospi, Market::Kosdaq]).await;
    assert_eq!(domestic[..2], ["373220", "005930"]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn replicas_share_a_list_through_redis(pool: PgPool) {
    let redis = redis::connect(&testkit::redis_url()).with_timeout(testkit::PATIENCE);
    let prefix = testkit::unique("pop");
    let setup = |redis: &Redis| Setup {
        redis: redis.clone(),
        popular_prefix: prefix.clone(),
        ..Setup::default()
    };
    let mut first = World::with(pool.clone(), setup(&redis)).await;
    first.trade(&TRADES);
    let list = popular(&mut first).await;
    assert_eq!(list.len(), 6);
    // The second replica has no trades: its answer is the first one's list.
    let mut second = World::with(pool, setup(&redis)).await;
    assert_eq!(popular(&mut second).await, list);
    let name = format!("{prefix}KOSPI");
    let left_s = redis.run(|mut connection| async move {
        let left: Result<i64, RedisError> = connection.ttl(&name).await;
        let _gone: i64 = connection.del(&name).await?;
        left
    });
    assert!((1..=60).contains(&left_s.await.unwrap()));
}
