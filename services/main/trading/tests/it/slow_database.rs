//! A database that answers, but each statement late.

use std::ops::Range;
use std::time::Duration;

use fault_proxy::{DirectionFaults, Faults};
use sqlx::{Executor, PgPool};

use crate::front::{Front, TIMEOUT, behind_a_proxy};
use crate::world::World;

const MEMBERS: Range<i64> = 100_001..100_041;
const FEW: Range<i64> = 100_001..100_011;

/// Every answer of the database is this late.
fn late(latency_ms: u64) -> Faults {
    Faults {
        to_client: DirectionFaults::slow(Duration::from_millis(latency_ms)),
        ..Faults::default()
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_go_on_as_long_as_they_can_and_are_refused_in_time_when_not(pool: PgPool) {
    let (proxy, through) = behind_a_proxy(&pool).await;
    let mut world = World::new(through.clone()).await;
    let front = Front::before(&world).await;
    for response in front.orders(FEW, "calm").await {
        assert!(response.is_done(), "{response:?}");
    }

    // Slow: they go together, and come through.
    proxy.set(late(200));
    let mut wave = 0;
    testkit::eventually(TIMEOUT, async || {
        wave += 1;
        let answers = front.orders(FEW, &format!("slow-{wave}")).await;
        answers
            .into_iter()
            .filter(|answer| answer.is_done())
            .count()
            > 0
    })
    .await;

    // So slow that most cannot be in time: each is answered all the same.
    proxy.set(late(700));
    let refused = front.breaker_refusals();
    for response in front.orders(MEMBERS, "tardy").await {
        response.is_done();
    }
    // After a while nobody is made to wait for it any more.
    testkit::eventually(TIMEOUT, async || {
        wave += 1;
        for response in front.orders(FEW, &format!("later-{wave}")).await {
            response.is_done();
        }
        front.breaker_refusals() > refused
    })
    .await;

    // Well again: whoever was told to come back does, and has ordered once.
    proxy.clear();
    for member in MEMBERS {
        let again = async || front.order(member, "tardy").await.is_done();
        testkit::eventually(TIMEOUT, again).await;
    }
    // What was cut off on its way may still be under way: it ends before it is counted.
    through.close().await;
    world.pool = pool;
    let orders = world.count("select count(*) from trade_order").await;
    let requests = world.count("select count(*) from request").await;
    assert_eq!(orders, requests, "one order for each request");
    let tardy = "select count(*) from request where request_id like 'tardy-1%'";
    assert_eq!(world.count(tardy).await, MEMBERS.end - MEMBERS.start);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn connections_that_are_half_open_stop_no_later_orders(pool: PgPool) {
    let (proxy, through) = behind_a_proxy(&pool).await;
    let mut world = World::new(through.clone()).await;
    let front = Front::before(&world).await;
    for response in front.orders(FEW, "calm").await {
        assert!(response.is_done(), "{response:?}");
    }
    // Every commit that may be under way waits for the lock, and the answers get lost.
    let mut holder = pool.begin().await.unwrap();
    holder
        .execute("lock table request in exclusive mode")
        .await
        .unwrap();
    let lost = front.orders(FEW, "lost");
    let cut = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        proxy.abandon();
        holder.rollback().await.unwrap();
    };
    let (lost, ()) = tokio::join!(lost, cut);
    assert!(lost.into_iter().all(|response| !response.is_done()));
    for key in ["later", "lost"] {
        for member in FEW {
            let again = async || front.order(member, key).await.is_done();
            testkit::eventually(TIMEOUT, again).await;
        }
    }
    through.close().await;
    world.pool = pool;
    let orders = world.count("select count(*) from trade_order").await;
    assert_eq!(orders, 3 * (FEW.end - FEW.start));
    world.audit().await;
}
