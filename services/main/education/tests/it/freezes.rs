//! Streak freezes that trading sold: delivered once, two at most, and told back.

use std::time::Duration;

use education::MIGRATOR;
use education::trading_events::{self, PURCHASED};
use messaging::outbox::{self, Relay};
use messaging::{Amqp, NewEvent};
use prost::Message;
use proto::education::v1::FreezesChanged;
use proto::trading::v1::ItemPurchased;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::world::{MEMBER, World};

const TIMEOUT: Duration = Duration::from_secs(60);

fn bought(purchase_id: i64, quantity: i32) -> ItemPurchased {
    ItemPurchased {
        purchase_id,
        member_id: MEMBER,
        category: "STREAK_FREEZE".to_owned(),
        quantity,
        ..ItemPurchased::default()
    }
}

async fn deliver(world: &World, item: &ItemPurchased) {
    trading_events::deliver(&world.store, item).await.unwrap();
}

async fn held(world: &World) -> i32 {
    world.progress(MEMBER).await.streak.unwrap().freezes
}

/// What trading will hear, oldest first: held, version, purchase, whether it was refused.
async fn told(world: &World) -> Vec<(i32, i64, i64, bool)> {
    let bodies: Vec<Vec<u8>> = sqlx::query_scalar(
        "select body from outbox where event_type = 'education.freezes.changed.v1' order by id",
    )
    .fetch_all(&world.pool)
    .await
    .unwrap();
    let read = |body: Vec<u8>| {
        let event = FreezesChanged::decode(body.as_slice()).unwrap();
        assert_eq!(event.member_id, MEMBER);
        (
            event.held,
            event.version,
            event.purchase_id,
            event.is_refused,
        )
    };
    bodies.into_iter().map(read).collect()
}

async fn reasons(world: &World) -> Vec<String> {
    sqlx::query_scalar("select reason from streak_change order by id")
        .fetch_all(&world.pool)
        .await
        .unwrap()
}

async fn study(world: &World, times: &[&str]) {
    for time in times {
        world.set_time(time);
        let set = world.random_set(MEMBER).await;
        world.complete(MEMBER, &set).await;
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_purchase_is_delivered_once_and_one_too_many_is_refused_whole(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    for _ in 0..3 {
        deliver(&world, &bought(11, 1)).await;
    }
    assert_eq!(held(&world).await, 1);
    for _ in 0..2 {
        deliver(&world, &bought(12, 2)).await;
    }
    assert_eq!(held(&world).await, 1, "three are too many");
    deliver(&world, &bought(13, 1)).await;
    deliver(&world, &bought(14, 1)).await;
    // A purchase that was refused stays refused, whatever is held later.
    deliver(&world, &bought(12, 2)).await;
    assert_eq!(held(&world).await, 2);
    let expected = [
        (1, 1, 11, false),
        (1, 2, 12, true),
        (2, 3, 13, false),
        (2, 4, 14, true),
    ];
    assert_eq!(told(&world).await, expected);
    assert_eq!(reasons(&world).await, ["FREEZE_BOUGHT", "FREEZE_BOUGHT"]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn of_purchases_that_arrive_together_two_are_delivered(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let deliveries = (0..40).map(|n| {
        let store = world.store.clone();
        tokio::spawn(async move { trading_events::deliver(&store, &bought(n % 10 + 1, 1)).await })
    });
    for delivery in deliveries.collect::<Vec<_>>() {
        delivery.await.unwrap().unwrap();
    }
    assert_eq!(held(&world).await, 2);
    let told = told(&world).await;
    assert_eq!(told.len(), 10, "one answer for each");
    assert_eq!(told.iter().filter(|(.., refused)| !refused).count(), 2);
    assert!(told.iter().map(|(_, version, ..)| *version).eq(1..=10));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_no_purchase_of_freezes_changes_nothing(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let frame = ItemPurchased {
        category: "COLLECTIBLE".to_owned(),
        ..bought(1, 1)
    };
    deliver(&world, &frame).await;
    let stranger = ItemPurchased {
        member_id: 0,
        ..bought(1, 1)
    };
    let wrong = [0, -1, i32::MIN, i32::MAX].map(|quantity| bought(1, quantity));
    for item in wrong.into_iter().chain([bought(0, 1), stranger]) {
        let refused = trading_events::deliver(&world.store, &item).await;
        refused.unwrap_err();
    }
    assert_eq!(held(&world).await, 0);
    assert!(told(&world).await.is_empty());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_bought_freeze_covers_the_next_missed_day_and_none_before(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    study(&world, &["2026-11-23T20:00"]).await;
    // Tuesday was missed and is judged on Wednesday at noon, before what is bought afterwards.
    world.set_time("2026-11-25T12:30");
    deliver(&world, &bought(21, 1)).await;
    assert_eq!(reasons(&world).await, ["DONE", "MISSED", "FREEZE_BOUGHT"]);
    assert_eq!(held(&world).await, 1);
    study(&world, &["2026-11-25T20:00"]).await;
    world.set_time("2026-11-27T12:00");
    world.work().await;
    let now = world.progress(MEMBER).await.streak.unwrap();
    assert_eq!((now.current, now.freezes), (1, 0), "Thursday was covered");
    assert_eq!(told(&world).await, [(1, 1, 21, false), (0, 2, 0, false)]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn trading_hears_of_an_earned_freeze_and_a_purchase_beside_it(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let days = [23, 24, 25, 26, 27, 28, 29].map(|day| format!("2026-11-{day}T20:00"));
    let days: Vec<&str> = days.iter().map(String::as_str).collect();
    study(&world, &days).await;
    world.set_time("2026-11-30T12:00");
    for _ in 0..2 {
        world.work().await;
    }
    assert_eq!(told(&world).await, [(1, 1, 0, false)]);
    deliver(&world, &bought(31, 2)).await;
    deliver(&world, &bought(32, 1)).await;
    let told = told(&world).await;
    assert_eq!(told[1..], [(1, 2, 31, true), (2, 3, 32, false)]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn purchases_arrive_over_the_broker(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let stop = CancellationToken::new();
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    // The broker is not this test's alone.
    let purchase_id = 7_300_000_000_021;
    let item = bought(purchase_id, 2);
    let tell = async |body: &ItemPurchased| {
        let mut connection = world.pool.acquire().await.unwrap();
        let event = NewEvent::new(PURCHASED, format!("member-{MEMBER}"), body, &world.clock);
        outbox::append_all(&mut connection, [event]).await.unwrap();
    };
    let relay = Relay::new(world.pool.clone(), amqp.clone(), "education");
    tokio::spawn(relay.run(stop.clone()));
    let queue: &'static str = testkit::unique("test.education-purchases").leak();
    let follow = trading_events::follow(world.store.clone(), amqp.clone(), queue, stop.clone());
    tokio::spawn(follow);
    // Queues of other tests take what this one does not yet: it is bound when something arrives.
    testkit::eventually(TIMEOUT, async || {
        tell(&item).await;
        held(&world).await == 2
    })
    .await;
    // Nonsense delays nothing, and what comes again is decided already.
    for body in [&bought(purchase_id, 0), &item, &bought(purchase_id + 1, 1)] {
        tell(body).await;
    }
    let decided = async || {
        let decided = "select is_refused from freeze_purchase where member_id = $1 order by 1";
        let query = sqlx::query_scalar::<_, bool>(decided).bind(MEMBER);
        query.fetch_all(&world.pool).await.unwrap()
    };
    testkit::eventually(TIMEOUT, async || decided().await.len() == 2).await;
    assert_eq!(decided().await, [false, true]);
    assert_eq!(held(&world).await, 2);
    stop.cancel();
    let link = amqp.channel().await;
    let _gone = link.queue_delete(queue.into(), Default::default()).await;
}
