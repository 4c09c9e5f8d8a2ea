//! Closing a request whose reply was lost.

use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::world::{SAMSUNG, World, buy, number, reason, sell};

const ME: i64 = 100_001;
const KEY: &str = "an-answer-that-was-lost";

async fn close(world: &World, member_id: i64, key: &str) -> Result<wire::OrderReply, Status> {
    let request = wire::CloseRequestRequest {
        member_id,
        request_id: key.to_owned(),
    };
    let answer = world.orders.clone().close_request(request).await;
    answer.map(tonic::Response::into_inner)
}

fn keyed(request: wire::PlaceOrderRequest) -> wire::PlaceOrderRequest {
    wire::PlaceOrderRequest {
        request_id: KEY.to_owned(),
        ..request
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn closing_a_placed_order_returns_its_present_state(pool: PgPool) {
    let mut world = World::new(pool).await;
    let order = world.placed(keyed(buy(ME, SAMSUNG, "", "3"))).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let closed = close(&world, ME, KEY).await.unwrap();
    assert!(closed.replayed);
    assert_eq!(closed.message, "삼성전자 구매 주문 완료");
    let current = closed.order.unwrap();
    assert_eq!(current.order_id, order.order_id);
    assert_eq!(current.status(), wire::OrderStatus::Filled);
    assert_eq!(closed.fills.len(), 1);
    assert_eq!(number(&closed.fills[0].quantity), number(&current.quantity));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn closing_returns_stored_cancellations_and_rejections(pool: PgPool) {
    let world = World::new(pool).await;
    let order = world.placed(buy(ME, SAMSUNG, "70000", "3")).await;
    let cancel = wire::CancelOrderRequest {
        member_id: ME,
        request_id: KEY.to_owned(),
        order_id: order.order_id,
        side: order.side,
        category: order.category,
    };
    world.client.clone().cancel_order(cancel).await.unwrap();
    let closed = close(&world, ME, KEY).await.unwrap().order.unwrap();
    assert_eq!(closed.order_id, order.order_id);
    assert_eq!(closed.status(), wire::OrderStatus::Canceled);

    let mut refused = sell(ME, SAMSUNG, "", "1");
    refused.request_id = "refused-and-lost".to_owned();
    world.place(refused).await.unwrap_err();
    let closed = close(&world, ME, "refused-and-lost").await.unwrap_err();
    assert_eq!(reason(&closed), "INSUFFICIENT_QTY");
    assert!(bootstrap::problem::of(&closed).unwrap().replayed);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_request_that_never_arrived_has_no_effect_when_it_arrives_late(pool: PgPool) {
    let world = World::new(pool).await;
    let waiting = world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    let closed = close(&world, ME, KEY).await.unwrap_err();
    assert_eq!(closed.code(), Code::FailedPrecondition);
    assert_eq!(reason(&closed), "ORDER_NOT_RECEIVED");
    for late in [buy(ME, SAMSUNG, "", "3"), sell(ME, SAMSUNG, "", "1")] {
        let refused = world.place(keyed(late)).await.unwrap_err();
        assert_eq!(reason(&refused), "ORDER_NOT_RECEIVED");
        assert!(bootstrap::problem::of(&refused).unwrap().replayed);
    }
    let cancel = wire::CancelOrderRequest {
        member_id: ME,
        request_id: KEY.to_owned(),
        order_id: waiting.order_id,
        side: waiting.side,
        category: waiting.category,
    };
    let refused = world.client.clone().cancel_order(cancel).await.unwrap_err();
    assert_eq!(reason(&refused), "ORDER_NOT_RECEIVED");
    assert_eq!(
        reason(&close(&world, ME, KEY).await.unwrap_err()),
        "ORDER_NOT_RECEIVED"
    );
    assert_eq!(world.count("select count(*) from trade_order").await, 1);
    // Another member's request of the same name is another request.
    world
        .placed(keyed(buy(ME + 1, SAMSUNG, "70000", "1")))
        .await;
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_concurrent_order_and_close_agree_on_the_outcome(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    // A second process knows nothing of what is under way in the first.
    let other = World::new(pool).await;
    for round in 0..40 {
        let mut order = buy(ME, SAMSUNG, "70000", "1");
        order.request_id = format!("{KEY}-{round}");
        let asker = if round % 2 == 0 { &world } else { &other };
        let key = order.request_id.clone();
        let (placed, closed) = tokio::join!(world.place(order), close(asker, ME, &key));
        match (placed, closed) {
            (Ok(placed), Ok(closed)) => {
                let (placed, closed) = (placed.order.unwrap(), closed.order.unwrap());
                assert_eq!(placed.order_id, closed.order_id);
                world.cancel(&placed, ME).await.unwrap();
            }
            (Err(placed), Err(closed)) => {
                assert_eq!(reason(&placed), "ORDER_NOT_RECEIVED");
                assert_eq!(reason(&closed), "ORDER_NOT_RECEIVED");
            }
            (placed, closed) => panic!("{placed:?} against {closed:?}"),
        }
    }
    assert_eq!(world.waiting(ME).await.len(), 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn closing_without_a_request_id_is_malformed(pool: PgPool) {
    let world = World::new(pool).await;
    for (member, key) in [(ME, ""), (ME, "short"), (0, KEY), (ME, "with space!")] {
        let refused = close(&world, member, key).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{member} {key}");
    }
    assert_eq!(world.count("select count(*) from request").await, 0);
}
