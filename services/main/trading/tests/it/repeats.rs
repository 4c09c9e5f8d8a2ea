//! The same request again, at once, and a hundred times.

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
async fn the_same_request_a_hundred_times_has_one_effect_and_one_answer(pool: PgPool) {
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
async fn the_answer_stays_what_it_was_after_the_order_has_moved_on(pool: PgPool) {
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
async fn a_refusal_is_repeated_too(pool: PgPool) {
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
    let told = |status| bootstrap::problem::of(status).unwrap();
    let replayed = Problem {
        replayed: true,
        ..told(&first)
    };
    assert!(!told(&first).replayed);
    assert_eq!(told(&again), replayed);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_key_used_for_something_else_is_refused_and_another_members_key_is_another(pool: PgPool) {
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
async fn a_canceled_order_is_canceled_once_however_often_it_is_asked_for(pool: PgPool) {
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
async fn fifty_purchases_for_the_last_won_end_with_what_fits(pool: PgPool) {
    let world = World::new(pool).await;
    // 700,000 and a fee of 105: seven fit into 5,000,000.
    let asked = join_all((0..50).map(|_| world.place(buy(ME, SAMSUNG, "70000", "10")))).await;
    let accepted = asked.iter().filter(|reply| reply.is_ok()).count();
    assert_eq!(accepted, 7);
    let refused = asked.iter().filter_map(|reply| reply.as_ref().err());
    assert!(
        refused
            .clone()
            .all(|status| reason(status) == "INSUFFICIENT_CASH")
    );
    let problem = bootstrap::problem::of(refused.clone().next().unwrap()).unwrap();
    assert_eq!(problem.facts["need"], "700105");
    assert_eq!(problem.facts["have"], "99265");
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_sales_of_the_same_shares_at_once_are_one_sale(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let sales = join_all((0..20).map(|_| world.place(sell(ME, SAMSUNG, "80000", "10")))).await;
    assert_eq!(sales.iter().filter(|reply| reply.is_ok()).count(), 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_is_opened_once_by_any_number_of_calls_and_events(pool: PgPool) {
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
    let told = "select count(*) from outbox where event_type = 'trading.account.opened.v1'";
    assert_eq!(world.count(told).await, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_processes_answer_one_request_once(pool: PgPool) {
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
