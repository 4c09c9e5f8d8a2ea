//! A database that answers, but each statement late.

use std::ops::Range;
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use fault_proxy::{Faults, Way};
use futures_util::FutureExt;
use kernel::{MemberId, Price, Quantity, RequestId};
use sqlx::PgPool;
use trading::committer::Committer;
use trading::domain::order::Side;
use trading::domain::validation::{Category, Wish};
use trading::error::TradingError;
use trading::store::{AccountChoice, PlaceOrder};

use crate::front::{Front, PATIENCE, behind_a_proxy};
use crate::world::{SAMSUNG, World};

const MEMBERS: Range<i64> = 100_001..100_041;
const FEW: Range<i64> = 100_001..100_011;

/// Every answer of the database is this late.
fn late(latency_ms: u64) -> Faults {
    Faults {
        to_client: Way::slow(Duration::from_millis(latency_ms)),
        ..Faults::default()
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_go_on_as_long_as_they_can_and_are_refused_in_time_when_not(pool: PgPool) {
    let (proxy, through) = behind_a_proxy(&pool).await;
    let mut world = World::new(through.clone()).await;
    let front = Front::before(&world).await;
    for verdict in front.orders(FEW, "calm").await {
        assert!(verdict.is_done(), "{verdict:?}");
    }

    // Slow: they go together, and come through.
    proxy.set(late(200));
    let mut wave = 0;
    testkit::eventually(PATIENCE, async || {
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
    for verdict in front.orders(MEMBERS, "tardy").await {
        verdict.is_done();
    }
    // After a while nobody is made to wait for it any more.
    testkit::eventually(PATIENCE, async || {
        wave += 1;
        for verdict in front.orders(FEW, &format!("later-{wave}")).await {
            verdict.is_done();
        }
        front.breaker_refusals() > refused
    })
    .await;

    // Well again: whoever was told to come back does, and has ordered once.
    proxy.heal();
    for member in MEMBERS {
        let again = async || front.order(member, "tardy").await.is_done();
        testkit::eventually(PATIENCE, again).await;
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

fn some_order() -> PlaceOrder {
    PlaceOrder {
        member_id: MemberId(100_001),
        account: AccountChoice::Basic,
        request_id: RequestId::parse(&testkit::unique("queue")).unwrap(),
        body_hash: Vec::new(),
        instrument_code: SAMSUNG.to_owned(),
        wish: Wish {
            side: Side::Buy,
            category: Category::Stock,
            price: Some(Price(70_000.into())),
            quantity: Quantity(1.into()),
            seen_price: None,
            risk_acknowledged: false,
        },
        trace: None,
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn no_more_orders_wait_for_the_database_than_fit_the_queue(pool: PgPool) {
    let world = World::new(pool).await;
    let committer = Committer::start(&world.store);
    // Nobody commits while this does not wait, and nobody needs to afterwards.
    let hand_in = || {
        let placing = committer.place(some_order());
        deadline::scope(Deadline::within(Duration::ZERO), placing).now_or_never()
    };
    for _ in 0..2_000 {
        assert!(hand_in().is_none(), "it waits");
    }
    assert!(matches!(hand_in(), Some(Err(TradingError::Busy))));
    // Late orders make room without a transaction.
    testkit::eventually(PATIENCE, async || hand_in().is_none()).await;
    assert_eq!(world.count("select count(*) from trade_order").await, 0);
}
