//! The system clock five minutes ahead, five minutes behind, and set back while orders are placed.
//! Orders use market time from the tick log; the system clock dates and rate-limits them, also when
//! several machines disagree.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use trading::orders::validation::OrderLimits;
use uuid::Uuid;

use crate::transfers::transfer;
use crate::world::{BITCOIN, SAMSUNG, World, buy, member, number};

const ME: i64 = 100_001;
const FIVE: TimeDelta = TimeDelta::minutes(5);

async fn history(world: &World) -> Vec<i64> {
    let request = wire::ListOrderHistoryRequest {
        member_id: ME,
        category: wire::OrderCategory::Stock.into(),
        kind: wire::OrderHistoryKind::All.into(),
        size: 100,
        ..wire::ListOrderHistoryRequest::default()
    };
    let page = world.orders.clone().list_order_history(request).await;
    let orders = page.unwrap().into_inner().orders;
    orders.into_iter().map(|order| order.order_id).collect()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn ids_rise_and_replies_stay_when_the_clock_jumps(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut placed = Vec::new();
    for (index, jump) in [FIVE, -FIVE, -FIVE, FIVE, TimeDelta::zero()]
        .into_iter()
        .enumerate()
    {
        let mut request = buy(ME, SAMSUNG, "60000", "1");
        request.request_id = format!("clock-jump-{index}");
        let order = world.placed(request.clone()).await;
        world.clock.advance(jump);
        // Asked again after the jump, it is the same order.
        let again = world.place(request).await.unwrap();
        assert!(again.replayed);
        assert_eq!(again.order.unwrap().order_id, order.order_id);
        let filled = world.placed(buy(ME, SAMSUNG, "", "1")).await;
        world.trade(SAMSUNG, "71300", 1_000).await;
        assert_eq!(world.state(ME, &filled).await, wire::OrderStatus::Filled);
        placed.extend([order.order_id, filled.order_id]);
    }
    assert!(
        placed.is_sorted_by(|older, newer| older < newer),
        "{placed:?}"
    );
    placed.reverse();
    assert_eq!(history(&world).await, placed);
    assert_eq!(number(&world.holdings(ME).await[0].quantity), 5.into());
    // Nothing has grown old by the machine's clock.
    world.clock.advance(TimeDelta::days(120));
    let coin = world.placed(buy(ME, BITCOIN, "100000000", "0.001")).await;
    world.clock.advance(-TimeDelta::days(120));
    world.log(Vec::new()).await;
    assert_eq!(world.state(ME, &coin).await, wire::OrderStatus::Accepted);
    assert_eq!(world.waiting(ME).await.len(), 6);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_clock_set_back_does_not_extend_rate_limits(pool: PgPool) {
    let limits = OrderLimits {
        open_orders: 1_000,
        per_second: 2,
        per_minute: 3,
    };
    let world = World::with(pool, limits).await;
    // As many as a second allows, then as many as are left of the minute.
    let fill_up = async || {
        let mut accepted = 0;
        while world.place(buy(ME, SAMSUNG, "60000", "1")).await.is_ok() {
            accepted += 1;
            assert!(accepted < 10, "nobody stops the member");
        }
        accepted
    };
    assert_eq!(fill_up().await, 2);
    world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(fill_up().await, 1);
    for jump in [-FIVE, FIVE, FIVE] {
        world.clock.advance(jump);
        assert_eq!(fill_up().await, 2);
        world.clock.advance(TimeDelta::seconds(1));
        assert_eq!(fill_up().await, 1);
    }
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn processes_with_different_clocks_share_one_rate_limit(pool: PgPool) {
    let limits = |per_second, per_minute| OrderLimits {
        open_orders: 1_000,
        per_second,
        per_minute,
    };
    let mut member = ME;
    for (paces, accepted) in [(limits(5, 1_000), 5), (limits(1_000, 7), 7)] {
        let one = World::with(pool.clone(), paces).await;
        let other = World::with(pool.clone(), paces).await;
        // The seconds differ, and the minutes too.
        for skew_s in [1, 5, 50] {
            other
                .clock
                .set(one.clock.now() - TimeDelta::seconds(skew_s));
            let mut placed = 0;
            for _ in 0..10 {
                // The one that is ahead begins, so there is one second to count in.
                for world in [&one, &other] {
                    let order = world.place(buy(member, SAMSUNG, "60000", "1")).await;
                    placed += i32::from(order.is_ok());
                }
            }
            assert_eq!(placed, accepted, "{skew_s} s apart");
            member += 1;
        }
        one.audit().await;
    }
}

async fn database_now(world: &World) -> DateTime<Utc> {
    let now = sqlx::query_scalar("select now()");
    now.fetch_one(&world.pool).await.unwrap()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_clock_that_is_ahead_deletes_no_reply_early(pool: PgPool) {
    let world = World::new(pool).await;
    world.clock.set(database_now(&world).await);
    let stored = async || {
        let requests = "select count(*) from request";
        let events = "select count(*) from inbox";
        (world.count(requests).await, world.count(events).await)
    };
    let request = wire::TransferRequest {
        request_id: "transfer-ahead".to_owned(),
        ..transfer("00", "01", 1_000)
    };
    world.transfer(request.clone()).await.unwrap();
    let joined = world.store.open_for_joined(Uuid::new_v4(), member(ME + 1));
    joined.await.unwrap();
    let kept = TimeDelta::days(30);
    let ten_years = TimeDelta::days(3_650);
    world.clock.advance(ten_years);
    world.store.clean_up(kept).await;
    assert_eq!(stored().await, (1, 1));
    assert!(world.transfer(request).await.unwrap().replayed);
    // By a clock that is behind they grow old later.
    world.clock.advance(-ten_years * 2);
    let now = world.store.retention_now().await.unwrap();
    assert_eq!(now, world.clock.now());

    // What is old by both times is deleted.
    world.clock.set(database_now(&world).await);
    let age = "update request set created_at = now() - interval '31 days'; \
               update inbox set received_at = now() - interval '91 days'";
    sqlx::raw_sql(age).execute(&world.pool).await.unwrap();
    world.store.clean_up(kept).await;
    assert_eq!(stored().await, (0, 0));
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_reply_that_a_slow_clock_dates_is_kept_as_long_as_others(pool: PgPool) {
    let world = World::new(pool).await;
    let now = database_now(&world).await;
    world.clock.set(now - TimeDelta::days(40));
    let request = wire::TransferRequest {
        request_id: "transfer-behind".to_owned(),
        ..transfer("00", "01", 1_000)
    };
    let first = world.transfer(request.clone()).await.unwrap();
    // Another process, whose clock is right, deletes what is a month old.
    world.clock.set(now);
    let before = world.store.retention_now().await.unwrap() - TimeDelta::days(30);
    let deleted = world.store.delete_requests_before(before).await.unwrap();
    assert_eq!(deleted, 0);
    let again = world.transfer(request).await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.transfer_id, first.transfer_id);
    let moved = "select count(*) from journal where kind = 'TRANSFERRED'";
    assert_eq!(world.count(moved).await, 1);
    world.audit().await;
}
