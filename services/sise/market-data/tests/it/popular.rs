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
    let request = wire::ListPopularRequest {
        markets: vec![Market::Kospi.into()],
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

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_opening_counts_once_a_member_item_and_day(pool: PgPool) {
    let mut world = World::new(pool).await;
    for member in 1..=3 {
        for _ in 0..2 {
            let opened = wire::NoteItemOpenedRequest {
                member_id: member,
                code: "373220".to_owned(),
            };
            world.client.note_item_opened(opened).await.unwrap();
        }
    }
    let since = world.clock.now() - TimeDelta::hours(1);
    assert_eq!(world.store.openings_since(since).await.unwrap().len(), 3);
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
