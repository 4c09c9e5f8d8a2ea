//! Modifying an order: terms, hold, time priority and concurrency.

use futures_util::future::join_all;
use prost::Message;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::world::{SAMSUNG, World, buy, dec, number, reason, sell};

const ME: i64 = 100_001;

pub(crate) async fn modify(
    world: &World,
    order: &wire::Order,
    price: &str,
    quantity: &str,
    key: &str,
) -> Result<wire::OrderReply, Status> {
    let request = wire::ModifyOrderRequest {
        member_id: ME,
        request_id: key.to_owned(),
        order_id: order.order_id,
        side: order.side,
        category: order.category,
        price: dec(price).filter(|price| !price.value.is_empty()),
        quantity: dec(quantity).filter(|quantity| !quantity.value.is_empty()),
        ..wire::ModifyOrderRequest::default()
    };
    let answer = world.orders.clone().modify_order(request).await;
    answer.map(tonic::Response::into_inner)
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_modification_replaces_the_remainder_and_adjusts_the_hold(pool: PgPool) {
    let mut world = World::new(pool).await;
    let old = world.placed(buy(ME, SAMSUNG, "71000", "10")).await;
    // A quarter of the volume: two of ten fill through the limit.
    world.trade(SAMSUNG, "71300", 8).await;
    world.trade(SAMSUNG, "70900", 8).await;
    let reply = modify(&world, &old, "70500", "5", "").await.unwrap();
    let new = reply.order.unwrap();
    assert_eq!(new.orig_order_id, old.order_id);
    assert_eq!(new.status(), wire::OrderStatus::Accepted);
    assert_eq!(number(&new.quantity), number(&dec("5")));
    // 352,500 and a fee of 52.875, up.
    assert_eq!(new.held_won, 352_553);
    assert_eq!(world.basic(ME).await.held_won, 352_553);
    assert_eq!(reply.message, "삼성전자 구매 정정 완료");
    let gone = world.detail(ME, old.order_id).await.order.unwrap();
    assert_eq!(gone.status(), wire::OrderStatus::Replaced);
    assert_eq!(number(&gone.filled_quantity), number(&dec("2")));
    assert_eq!(world.waiting(ME).await.len(), 1);
    world.audit().await;

    // The new price counts, the old one no more.
    world.trade(SAMSUNG, "70800", 1_000).await;
    world.trade(SAMSUNG, "70400", 1_000).await;
    let filled = world.detail(ME, new.order_id).await.order.unwrap();
    assert_eq!(filled.status(), wire::OrderStatus::Filled);
    let rejected = modify(&world, &new, "70000", "", "").await.unwrap_err();
    assert_eq!(rejected.code(), Code::Aborted);
    assert_eq!(reason(&rejected), "ORDER_ALREADY_FILLED");
    let rejected = modify(&world, &old, "70000", "", "").await.unwrap_err();
    assert_eq!(reason(&rejected), "ORDER_STATE");
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_quantity_filled_meanwhile_is_not_ordered_again(pool: PgPool) {
    let mut world = World::new(pool).await;
    let order = world.placed(buy(ME, SAMSUNG, "71000", "10")).await;
    world.trade(SAMSUNG, "71300", 16).await;
    let seen = |quantity: &str, price: &str, remaining: &str, key: &str| wire::ModifyOrderRequest {
        member_id: ME,
        request_id: key.to_owned(),
        order_id: order.order_id,
        side: order.side,
        category: order.category,
        price: dec(price).filter(|price| !price.value.is_empty()),
        quantity: dec(quantity).filter(|quantity| !quantity.value.is_empty()),
        seen_remaining_quantity: dec(remaining),
        ..wire::ModifyOrderRequest::default()
    };
    // Of ten four fill while the member looks at ten.
    world.trade(SAMSUNG, "70900", 16).await;
    let mut orders = world.orders.clone();
    for (quantity, price) in [("8", ""), ("", "70500"), ("8", "70500")] {
        let asked = seen(quantity, price, "10", "");
        let rejected = orders.modify_order(asked).await.unwrap_err();
        assert_eq!(rejected.code(), Code::Aborted);
        let problem = bootstrap::problem::of(&rejected).unwrap();
        assert_eq!(problem.reason, "ORDER_CHANGED");
        let current = wire::Order::decode(problem.subject.as_slice()).unwrap();
        assert_eq!(number(&current.remaining_quantity), number(&dec("6")));
        assert_eq!(Some(current), world.detail(ME, order.order_id).await.order);
    }
    assert_eq!(world.waiting(ME).await.len(), 1);
    // The refusal is the answer to its request, however the order stands by then.
    let late = seen("8", "", "10", "seen-too-early");
    orders.modify_order(late.clone()).await.unwrap_err();
    let again = orders.modify_order(late).await.unwrap_err();
    assert!(bootstrap::problem::of(&again).unwrap().replayed);

    let asked = seen("8", "70500", "6.0", "");
    let new = orders.modify_order(asked).await.unwrap().into_inner();
    assert_eq!(number(&new.order.unwrap().quantity), number(&dec("8")));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_rejected_modification_leaves_the_order_unchanged(pool: PgPool) {
    let mut world = World::new(pool).await;
    let old = world.placed(buy(ME, SAMSUNG, "70000", "70")).await;
    let market = world.placed(buy(ME, SAMSUNG, "", "1")).await;
    for (order, price, quantity, expected) in [
        (&old, "70000", "72", "INSUFFICIENT_CASH"),
        (&old, "70050", "", "INVALID_TICK"),
        (&old, "10000", "", "PRICE_LIMIT"),
        (&old, "", "0", "INVALID_QUANTITY"),
        (&old, "70000", "70", "MODIFY_NOTHING"),
        (&market, "70000", "", "MODIFY_NOTHING"),
    ] {
        let rejected = modify(&world, order, price, quantity, "")
            .await
            .unwrap_err();
        assert_eq!(reason(&rejected), expected, "{price} {quantity}");
    }
    let mut wrong_side = old.clone();
    wrong_side.set_side(wire::OrderSide::Sell);
    let rejected = modify(&world, &wrong_side, "69000", "", "")
        .await
        .unwrap_err();
    assert_eq!(reason(&rejected), "ORDER_NOT_FOUND");
    let now = world.detail(ME, old.order_id).await.order.unwrap();
    assert_eq!((now.status(), now.held_won), (old.status(), old.held_won));
    world.audit().await;
    // What is held for the order itself counts as available: seventy-one would not fit beside it.
    world.cancel(&market, ME).await.unwrap();
    modify(&world, &old, "70000", "71", "").await.unwrap();
    world.trade(SAMSUNG, "70500", 100).await;
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_modified_sale_holds_the_new_quantity(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let old = world.placed(sell(ME, SAMSUNG, "72000", "4")).await;
    let new = modify(&world, &old, "", "10", "")
        .await
        .unwrap()
        .order
        .unwrap();
    assert_eq!(
        number(&world.holdings(ME).await[0].held_quantity),
        number(&dec("10"))
    );
    let rejected = modify(&world, &new, "", "11", "").await.unwrap_err();
    assert_eq!(reason(&rejected), "INSUFFICIENT_QTY");
    let new = modify(&world, &new, "", "3", "")
        .await
        .unwrap()
        .order
        .unwrap();
    assert_eq!(
        number(&world.holdings(ME).await[0].held_quantity),
        number(&dec("3"))
    );
    world.cancel(&new, ME).await.unwrap();
    assert_eq!(
        number(&world.holdings(ME).await[0].held_quantity),
        number(&dec("0"))
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn only_a_smaller_quantity_at_the_same_price_keeps_the_queue_position(pool: PgPool) {
    let mut world = World::new(pool).await;
    let smaller = world.placed(buy(ME, SAMSUNG, "71000", "10")).await;
    let larger = world.placed(buy(ME, SAMSUNG, "71000", "10")).await;
    let last = world.placed(buy(ME, SAMSUNG, "71000", "1")).await;
    world.trade(SAMSUNG, "71300", 100).await;
    // The first hundred at the price were queued before them.
    world.trade(SAMSUNG, "71000", 100).await;
    let smaller = modify(&world, &smaller, "", "2", "")
        .await
        .unwrap()
        .order
        .unwrap();
    let larger = modify(&world, &larger, "", "11", "")
        .await
        .unwrap()
        .order
        .unwrap();
    // Eight of thirty-two: two, then one; the larger one has everything queued before it again.
    world.trade(SAMSUNG, "71000", 32).await;
    let status = async |order: &wire::Order| {
        world
            .detail(ME, order.order_id)
            .await
            .order
            .unwrap()
            .status()
    };
    assert_eq!(status(&smaller).await, wire::OrderStatus::Filled);
    assert_eq!(status(&last).await, wire::OrderStatus::Filled);
    assert_eq!(status(&larger).await, wire::OrderStatus::Accepted);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_same_log_and_orders_fill_the_same_after_a_crash(pool: PgPool) {
    let mut world = World::new(pool).await;
    let old = world.placed(buy(ME, SAMSUNG, "71000", "10")).await;
    world.trade(SAMSUNG, "71300", 100).await;
    world.trade(SAMSUNG, "71000", 60).await;
    let new = modify(&world, &old, "", "4", "")
        .await
        .unwrap()
        .order
        .unwrap();
    world.log(Vec::new()).await;
    // The boundary is stored with what the order took over; a crash forgets nothing of it.
    world.restart_matcher(0).await;
    world.trade(SAMSUNG, "71000", 8).await;
    let detail = world.detail(ME, new.order_id).await;
    assert_eq!(detail.fills.len(), 1);
    assert_eq!(detail.fills[0].rule, "LIMIT_AT_PRICE");
    assert_eq!(number(&detail.fills[0].quantity), number(&dec("2")));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_same_modification_many_times_has_one_effect(pool: PgPool) {
    let world = World::new(pool).await;
    let old = world.placed(buy(ME, SAMSUNG, "70000", "10")).await;
    let asked = join_all((0..30).map(|_| modify(&world, &old, "69000", "", "modify-once"))).await;
    let replies: Vec<_> = asked.into_iter().map(Result::unwrap).collect();
    assert_eq!(replies.iter().filter(|reply| !reply.replayed).count(), 1);
    assert!(replies.iter().all(|reply| reply.order == replies[0].order));
    let other = modify(&world, &old, "68000", "", "modify-once")
        .await
        .unwrap_err();
    assert_eq!(reason(&other), "REQ_SID_REUSED");
    assert_eq!(world.waiting(ME).await.len(), 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn concurrent_modification_cancellation_and_fill_have_one_outcome(pool: PgPool) {
    let mut world = World::new(pool).await;
    for _ in 0..15 {
        let order = world.placed(buy(ME, SAMSUNG, "71000", "1")).await;
        world.log(Vec::new()).await;
        let tick = world.tick(SAMSUNG, "70900".parse().unwrap(), 1_000);
        let batch = world.batch(vec![tick]);
        world.market_cache.apply(&batch);
        let other = world.connected();
        let orders = world.orders.clone();
        let request = |price: &str| wire::ModifyOrderRequest {
            member_id: ME,
            order_id: order.order_id,
            side: order.side,
            category: order.category,
            price: dec(price),
            ..wire::ModifyOrderRequest::default()
        };
        let ask = |price| {
            let (mut orders, request) = (orders.clone(), request(price));
            async move { orders.modify_order(request).await }
        };
        let (filled, canceled, one, two) = tokio::join!(
            world.shard.process(batch),
            other.cancel(&order, ME),
            ask("60000"),
            ask("60100"),
        );
        filled.unwrap();
        let winners = [canceled.is_ok(), one.is_ok(), two.is_ok()];
        let end = world
            .detail(ME, order.order_id)
            .await
            .order
            .unwrap()
            .status();
        let won = winners.iter().filter(|won| **won).count();
        assert_eq!(
            won,
            usize::from(end != wire::OrderStatus::Filled),
            "{end:?}"
        );
        for reply in [one, two].into_iter().flatten() {
            let order = reply.into_inner().order.unwrap();
            world.cancel(&order, ME).await.unwrap();
        }
        world.audit().await;
    }
}
