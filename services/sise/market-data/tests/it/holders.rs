use std::sync::Arc;

use bytes::Bytes;
use market_data::candles::split::{self, Split, Splits};
use market_data::holders;
use messaging::event::Event;
use prost::Message;
use proto::trading::v1::{Fill, FillNotice, Order, OrderFilled, OrderSide};
use rust_decimal::Decimal;
use sqlx::PgPool;
use uuid::Uuid;

use crate::world::World;

fn fill(event_id: u128, member_id: i64, side: OrderSide, quantity: &str) -> Event {
    fill_at(event_id, member_id, side, quantity, 1_000)
}

fn fill_at(
    event_id: u128,
    member_id: i64,
    side: OrderSide,
    quantity: &str,
    event_time_us: i64,
) -> Event {
    let body = OrderFilled {
        notice: Some(FillNotice {
            seq: 1,
            member_id,
            order: Some(Order {
                instrument_code: "005930".to_owned(),
                side: side.into(),
                ..Order::default()
            }),
            fill: Some(Fill {
                quantity: Some(proto::common::v1::Decimal {
                    value: quantity.to_owned(),
                }),
                event_time_us,
                ..Fill::default()
            }),
        }),
    };
    Event {
        event_id: Uuid::from_u128(event_id),
        event_type: "trading.order.filled.v1".to_owned(),
        aggregate_id: "1".to_owned(),
        occurred_at: crate::world::noon(),
        body: Bytes::from(body.encode_to_vec()),
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn fills_tell_who_holds_an_item(pool: PgPool) {
    let world = World::new(pool).await;
    let followers = async || world.store.followers_of_items().await.unwrap();
    for event in [
        fill(1, 7, OrderSide::Buy, "3"),
        fill(2, 8, OrderSide::Buy, "1.5"),
        // Delivered twice, counted once.
        fill(2, 8, OrderSide::Buy, "1.5"),
        // Sold without having been heard of.
        fill(3, 9, OrderSide::Sell, "1"),
    ] {
        holders::note(&world.store, &world.clock, event)
            .await
            .unwrap();
    }
    assert_eq!(followers().await, [("005930".to_owned(), 2)]);
    let sold = fill(4, 8, OrderSide::Sell, "1.5");
    holders::note(&world.store, &world.clock, sold)
        .await
        .unwrap();
    assert_eq!(followers().await, [("005930".to_owned(), 1)]);
    let broken = Event {
        body: Bytes::from_static(b"\xff"),
        ..fill(5, 7, OrderSide::Buy, "1")
    };
    assert!(
        holders::note(&world.store, &world.clock, broken)
            .await
            .is_err()
    );
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn divided_shares_are_counted_in_new_ones(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    let note = async |event| {
        holders::note(&world.store, &world.clock, event)
            .await
            .unwrap();
    };
    let held = async || -> Vec<(i64, Decimal)> {
        sqlx::query_as("select member_id, quantity from item_holder order by member_id")
            .fetch_all(&pool)
            .await
            .unwrap()
    };
    note(fill_at(1, 7, OrderSide::Buy, "10", 1_000)).await;
    let split = Split {
        new_shares: 5,
        old_shares: 1,
        at_us: 2_000,
    };
    let splits = Splits::from([((Arc::from("005930"), 20_261_122), split)]);
    for _ in 0..2 {
        let mut connection = pool.acquire().await.unwrap();
        split::save(&mut connection, &splits).await.unwrap();
    }
    // Heard of late: traded before the split.
    note(fill_at(2, 8, OrderSide::Buy, "3", 1_500)).await;
    note(fill_at(3, 7, OrderSide::Sell, "20", 3_000)).await;
    let expected = [(7, Decimal::from(30)), (8, Decimal::from(15))];
    assert_eq!(held().await, expected);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_fill_in_words_of_a_newer_version_waits_for_whoever_knows_them(pool: PgPool) {
    let world = World::new(pool).await;
    let newer = |side: i32| {
        let event = fill(1, 7, OrderSide::Buy, "3");
        let mut filled = OrderFilled::decode(event.body.clone()).unwrap();
        let notice = filled.notice.as_mut().unwrap();
        notice.order.as_mut().unwrap().side = side;
        let body = Bytes::from(testkit::newer::message(&filled));
        Event { body, ..event }
    };
    let note = async |event| holders::note(&world.store, &world.clock, event).await;
    note(newer(4_711)).await.unwrap_err();
    // It was not taken for done: when its word is known it counts. Unknown fields matter nothing.
    note(newer(OrderSide::Buy.into())).await.unwrap();
    let followers = world.store.followers_of_items().await.unwrap();
    assert_eq!(followers, [("005930".to_owned(), 1)]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn fills_may_be_heard_of_in_any_order(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    // Bought and sold in turn, more bought than sold; each run is heard of in another order.
    let of_member = |member: i64| {
        let turns = [
            (OrderSide::Buy, "10"),
            (OrderSide::Sell, "4"),
            (OrderSide::Buy, "0.5"),
            (OrderSide::Sell, "6"),
            (OrderSide::Buy, "3"),
        ];
        (0_u128..)
            .zip(turns)
            .map(move |(turn, (side, quantity))| {
                let event_id = u128::from(member.unsigned_abs()) * 100 + turn;
                fill(event_id, member, side, quantity)
            })
            .collect::<Vec<Event>>()
    };
    for member in 1..=5 {
        let mut events = of_member(member);
        events.rotate_left(usize::try_from(member - 1).unwrap());
        if member % 2 == 0 {
            events.reverse();
        }
        // The first one comes again behind the others.
        let again = events[0].clone();
        for event in events.into_iter().chain([again]) {
            holders::note(&world.store, &world.clock, event)
                .await
                .unwrap();
        }
    }
    let held: Vec<(i64, Decimal)> =
        sqlx::query_as("select member_id, quantity from item_holder order by member_id")
            .fetch_all(&pool)
            .await
            .unwrap();
    let expected = (1..=5).map(|member| (member, Decimal::new(35, 1)));
    assert_eq!(held, expected.collect::<Vec<_>>());
}
