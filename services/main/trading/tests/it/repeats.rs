use futures_util::future::join_all;
use proto::common::v1::Problem;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::Code;

use crate::world::{SAMSUNG, World, buy, reason, sell};

const ME: i64 = 100_001;

fn keyed(mut request: wire::PlaceOrderRequest, key: &str) -> wire::PlaceOrderRequest {
    key.clone_into(&mut request.request_id);
    request
}

/// The reply as a client sees its body: all but the mark of a replay.
fn body(reply: &wire::OrderReply) -> wire::OrderReply {
    wire::OrderReply {
        replayed: false,
        ..reply.clone()
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_same_request_a_hundred_times_has_one_effect_and_one_reply(pool: PgPool) {
    let world = World::new(pool).await;
    let request = keyed(buy(ME, SAMSUNG, "70000", "1"), "hundred-times");
    let replies = join_all((0..100).map(|_| world.place(request.clone()))).await;
    let replies: Vec<_> = replies.into_iter().map(Result::unwrap).collect();
    assert!(replies.iter().all(|reply| body(reply) == body(&replies[0])));
    assert_eq!(replies.iter().filter(|reply| !reply.replayed).count(), 1);
    assert_eq!(world.count("select count(*) from trade_order").await, 1);
    assert_eq!(world.basic(ME).await.held_won, 70_011);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_stored_reply_does_not_follow_the_order(pool: PgPool) {
    let mut world = World::new(pool).await;
    let request = keyed(buy(ME, SAMSUNG, "", "1"), "moved-on-key");
    let first = world.place(request.clone()).await.unwrap();
    world.trade(SAMSUNG, "71300", 1_000).await;
    let again = world.place(request).await.unwrap();
    assert!(again.replayed);
    assert_eq!(body(&again), body(&first));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_rejection_is_replayed_too(pool: PgPool) {
    let mut world = World::new(pool).await;
    let request = keyed(sell(ME, SAMSUNG, "", "1"), "refused-key");
    let first = world.place(request.clone()).await.unwrap_err();
    assert_eq!(reason(&first), "INSUFFICIENT_QTY");
    world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let again = world.place(request).await.unwrap_err();
    assert_eq!(
        (again.code(), again.message()),
        (first.code(), first.message())
    );
    let problem = |status| bootstrap::problem::of(status).unwrap();
    let replayed = Problem {
        replayed: true,
        ..problem(&first)
    };
    assert!(!problem(&first).replayed);
    assert_eq!(problem(&again), replayed);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_key_with_another_body_is_rejected_and_keys_belong_to_members(pool: PgPool) {
    let world = World::new(pool).await;
    let key = "one-key-1";
    world
        .placed(keyed(buy(ME, SAMSUNG, "70000", "1"), key))
        .await;
    let other = world
        .place(keyed(buy(ME, SAMSUNG, "70000", "2"), key))
        .await
        .unwrap_err();
    assert_eq!(
        (other.code(), reason(&other)),
        (Code::AlreadyExists, "REQ_SID_REUSED".to_owned())
    );
    world
        .placed(keyed(buy(ME + 1, SAMSUNG, "70000", "2"), key))
        .await;
    assert_eq!(world.count("select count(*) from trade_order").await, 2);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn repeated_cancellations_cancel_once(pool: PgPool) {
    let world = World::new(pool).await;
    let order = world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    let request = wire::CancelOrderRequest {
        member_id: ME,
        request_id: "cancel-key".to_owned(),
        order_id: order.order_id,
        side: order.side,
        category: order.category,
    };
    let asked = join_all((0..30).map(|_| {
        let mut client = world.client.clone();
        let request = request.clone();
        async move { client.cancel_order(request).await }
    }));
    let replies: Vec<_> = asked
        .await
        .into_iter()
        .map(|reply| reply.unwrap().into_inner())
        .collect();
    assert_eq!(replies.iter().filter(|reply| !reply.replayed).count(), 1);
    let fresh = world.cancel(&order, ME).await.unwrap_err();
    assert_eq!(
        (fresh.code(), reason(&fresh)),
        (Code::Aborted, "ORDER_STATE".to_owned())
    );
    assert_eq!(world.basic(ME).await.held_won, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn concurrent_buys_never_exceed_the_cash(pool: PgPool) {
    let world = World::new(pool).await;
    // 700,000 and a fee of 105: seven fit into 5,000,000.
    let asked = join_all((0..50).map(|_| world.place(buy(ME, SAMSUNG, "70000", "10")))).await;
    let accepted = asked.iter().filter(|reply| reply.is_ok()).count();
    assert_eq!(accepted, 7);
    let rejected = asked.iter().filter_map(|reply| reply.as_ref().err());
    assert!(
        rejected
            .clone()
            .all(|status| reason(status) == "INSUFFICIENT_CASH")
    );
    let problem = bootstrap::problem::of(rejected.clone().next().unwrap()).unwrap();
    assert_eq!(problem.facts["need"], "700105");
    assert_eq!(problem.facts["have"], "99265");
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn of_two_concurrent_sales_of_the_same_shares_one_is_accepted(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let sales = join_all((0..20).map(|_| world.place(sell(ME, SAMSUNG, "80000", "10")))).await;
    assert_eq!(sales.iter().filter(|reply| reply.is_ok()).count(), 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn calls_and_events_open_an_account_once(pool: PgPool) {
    let world = World::new(pool).await;
    let event = uuid::Uuid::new_v4();
    let joined = join_all((0..10).map(|_| {
        let member = crate::world::member(ME);
        world.store.open_for_joined(event, member)
    }));
    let called = join_all((0..20).map(|_| world.basic(ME)));
    let (joined, called) = tokio::join!(joined, called);
    assert!(joined.into_iter().all(|opened| opened.is_ok()));
    assert!(
        called
            .iter()
            .all(|account| account.deposit_won == 5_000_000)
    );
    assert_eq!(world.count("select count(*) from account").await, 1);
    let issued = "select sum(amount)::bigint from entry where book = 'ISSUE'";
    assert_eq!(world.count(issued).await, -5_000_000);
    let problem = "select count(*) from outbox where event_type = 'trading.account.opened.v1'";
    assert_eq!(world.count(problem).await, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_request_to_two_processes_has_one_effect(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    // A second process has its own committer and caches, and the same database.
    let other = World::new(pool).await;
    for round in 0..20 {
        let key = format!("two-processes-{round}");
        let request = keyed(buy(ME, SAMSUNG, "70000", "1"), &key);
        let (one, two) = tokio::join!(world.place(request.clone()), other.place(request));
        assert_eq!(body(&one.unwrap()), body(&two.unwrap()));
    }
    assert_eq!(world.count("select count(*) from trade_order").await, 20);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn another_process_finds_an_account_without_drawing_a_number(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    let member = crate::world::member(ME);
    let opened = world.store.open_basic_account(member).await.unwrap();
    let drawn = world.count("select last_value from account_id_seq").await;
    let other = World::new(pool).await;
    let found = other.store.open_basic_account(member).await.unwrap();
    assert_eq!(found, opened);
    let now = world.count("select last_value from account_id_seq").await;
    assert_eq!(now, drawn);
    world.audit().await;
}
