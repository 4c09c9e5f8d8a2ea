//! The pace of a member's orders and rejections, and what a request beyond it leaves behind.

use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::Code;
use trading::orders::validation::OrderLimits;

use crate::world::{SAMSUNG, World, buy, dec};

const ME: i64 = 100_001;

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_order_rate_is_limited(pool: PgPool) {
    let world = World::with(pool, OrderLimits::default()).await;
    for _ in 0..5 {
        world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    }
    let mut sixth = buy(ME, SAMSUNG, "70000", "1");
    sixth.request_id = "the-sixth-order".to_owned();
    let rejected = world.place(sixth.clone()).await.unwrap_err();
    let problem = bootstrap::problem::of(&rejected).unwrap();
    assert_eq!(rejected.code(), Code::ResourceExhausted);
    assert_eq!(
        (problem.reason.as_str(), problem.replayed),
        ("ORDER_RATE", false)
    );
    assert_eq!(problem.facts["retryAfterS"], "1");
    // Nothing is left of it, so the same request works as soon as its retry delay is over.
    assert_eq!(world.count("select count(*) from trade_order").await, 5);
    assert_eq!(world.count("select count(*) from request").await, 5);
    world.clock.advance(chrono::TimeDelta::seconds(1));
    assert!(!world.place(sixth).await.unwrap().replayed);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_limit_per_minute_refills_and_names_the_retry_delay(pool: PgPool) {
    let world = World::with(
        pool,
        OrderLimits {
            per_minute: 2,
            ..OrderLimits::default()
        },
    )
    .await;
    // Another minute of the clock begins four seconds later, and changes nothing.
    world.clock.advance(chrono::TimeDelta::seconds(58));
    let first = world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    world.clock.advance(chrono::TimeDelta::seconds(4));
    let mut third = buy(ME, SAMSUNG, "70000", "1");
    third.request_id = "the-third-order".to_owned();
    let rejected = world.place(third.clone()).await.unwrap_err();
    let modify = wire::ModifyOrderRequest {
        member_id: ME,
        request_id: "a-modification".to_owned(),
        order_id: first.order_id,
        side: first.side,
        category: first.category,
        price: dec("69000"),
        ..wire::ModifyOrderRequest::default()
    };
    let mut orders = world.orders.clone();
    let modified = orders.modify_order(modify.clone()).await.unwrap_err();
    for rejected in [rejected, modified] {
        let problem = bootstrap::problem::of(&rejected).unwrap();
        assert_eq!(problem.reason, "ORDER_RATE");
        assert_eq!(problem.facts["retryAfterS"], "26");
    }
    world.clock.advance(chrono::TimeDelta::milliseconds(25_500));
    let early = world.place(third.clone()).await.unwrap_err();
    let problem = bootstrap::problem::of(&early).unwrap();
    assert_eq!(problem.facts["retryAfterS"], "1");
    world.clock.advance(chrono::TimeDelta::milliseconds(500));
    orders.modify_order(modify).await.unwrap();
    // It took the place of one; the next is free when another half of the minute is over.
    world.place(third.clone()).await.unwrap_err();
    world.clock.advance(chrono::TimeDelta::seconds(30));
    world.place(third).await.unwrap();
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn rejections_beyond_the_rate_are_not_stored(pool: PgPool) {
    let limits = OrderLimits {
        per_minute: 3,
        ..OrderLimits::default()
    };
    let world = World::with(pool, limits).await;
    let off_tick = || buy(ME, SAMSUNG, "70050", "1");
    let mut first = off_tick();
    first.request_id = "the-first-order".to_owned();
    for request in [first.clone(), off_tick(), off_tick()] {
        assert_eq!(world.rejected(request).await.1, "INVALID_TICK");
    }
    let rows = "select (select count(*) from trade_order) + (select count(*) from order_event) \
                + (select count(*) from outbox) + (select count(*) from request)";
    let stored = world.count(rows).await;
    let foreign = wire::AccountRef {
        account_no: "990000000000".to_owned(),
    };
    let forbidden = wire::PlaceOrderRequest {
        account: Some(foreign),
        ..buy(ME, SAMSUNG, "70000", "1")
    };
    let mut orders = world.orders.clone();
    let cancel = wire::CancelOrderRequest {
        member_id: ME,
        request_id: "a-cancellation".to_owned(),
        order_id: 1,
        side: wire::OrderSide::Buy.into(),
        category: wire::OrderCategory::Stock.into(),
    };
    let close = wire::CloseRequestRequest {
        member_id: ME,
        request_id: "never-arrived".to_owned(),
    };
    for rejected in [
        world.place(off_tick()).await.unwrap_err(),
        world.place(forbidden).await.unwrap_err(),
        world.client.clone().cancel_order(cancel).await.unwrap_err(),
        orders.close_request(close).await.unwrap_err(),
    ] {
        let problem = bootstrap::problem::of(&rejected).unwrap();
        assert_eq!(problem.reason, "ORDER_RATE");
        let wait: i64 = problem.facts["retryAfterS"].parse().unwrap();
        assert!((1..=20).contains(&wait), "{wait}");
    }
    assert_eq!(world.count(rows).await, stored);
    // What is stored already is repeated; others, and orders that are accepted, are not concerned.
    let again = world.place(first).await.unwrap_err();
    assert!(bootstrap::problem::of(&again).unwrap().replayed);
    world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    let other = buy(ME + 1, SAMSUNG, "70050", "1");
    assert_eq!(world.rejected(other).await.1, "INVALID_TICK");
    world.audit().await;
}
