use std::sync::Arc;

use bytes::Bytes;
use market_data::candles::book::Changes;
use market_data::candles::split::{self, Split, Splits};
use market_data::candles::state::{self, NewestMinutes};
use market_data::holders;
use market_data::quotes::LogProgress;
use messaging::event::Event;
use messaging::ticks::LogOffset;
use prost::Message;
use proto::market::v1::Snapshot;
use proto::trading::v1::{Fill, FillNotice, HoldingEnded, Order, OrderFilled, OrderSide};
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

/// What a member owned when they began again.
fn ended(event_id: u128, member_id: i64, quantity: &str) -> Event {
    let body = HoldingEnded {
        member_id,
        instrument_code: "005930".to_owned(),
        quantity: Some(proto::common::v1::Decimal {
            value: quantity.to_owned(),
        }),
        ended_at_us: 1_000,
    };
    Event {
        event_type: "trading.holding.ended.v1".to_owned(),
        body: Bytes::from(body.encode_to_vec()),
        ..fill(event_id, member_id, OrderSide::Sell, quantity)
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn fills_update_the_holders_of_an_item(pool: PgPool) {
    let world = World::new(pool).await;
    let followers = async || world.store.followers_of_items().await.unwrap();
    for event in [
        fill(1, 7, OrderSide::Buy, "3"),
        fill(2, 8, OrderSide::Buy, "1.5"),
        // Delivered twice, counted once.
        fill(2, 8, OrderSide::Buy, "1.5"),
        // A sale without a known purchase.
        fill(3, 9, OrderSide::Sell, "1"),
    ] {
        holders::record(&world.store, &world.clock, event)
            .await
            .unwrap();
    }
    assert_eq!(followers().await, [("005930".to_owned(), 2)]);
    let sold = fill(4, 8, OrderSide::Sell, "1.5");
    holders::record(&world.store, &world.clock, sold)
        .await
        .unwrap();
    assert_eq!(followers().await, [("005930".to_owned(), 1)]);
    for _ in 0..2 {
        holders::record(&world.store, &world.clock, ended(5, 7, "3"))
            .await
            .unwrap();
    }
    assert_eq!(followers().await, Vec::new());
    let broken = Event {
        body: Bytes::from_static(b"\xff"),
        ..fill(6, 7, OrderSide::Buy, "1")
    };
    assert!(
        holders::record(&world.store, &world.clock, broken)
            .await
            .is_err()
    );
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn holdings_are_counted_in_todays_shares(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    let note = async |event| {
        holders::record(&world.store, &world.clock, event)
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
        world.store.apply_splits_to_holders(1_000).await.unwrap();
    }
    // Delivered late: traded before the split.
    note(fill_at(2, 8, OrderSide::Buy, "3", 1_500)).await;
    note(fill_at(3, 7, OrderSide::Sell, "20", 3_000)).await;
    let expected = [(7, Decimal::from(30)), (8, Decimal::from(15))];
    assert_eq!(held().await, expected);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_fill_with_values_of_a_newer_version_is_not_processed(pool: PgPool) {
    let world = World::new(pool).await;
    let newer = |side: i32| {
        let event = fill(1, 7, OrderSide::Buy, "3");
        let mut filled = OrderFilled::decode(event.body.clone()).unwrap();
        let notice = filled.notice.as_mut().unwrap();
        notice.order.as_mut().unwrap().side = side;
        let body = Bytes::from(testkit::newer::message(&filled));
        Event { body, ..event }
    };
    let note = async |event| holders::record(&world.store, &world.clock, event).await;
    note(newer(4_711)).await.unwrap_err();
    // It is not marked as processed: a version that knows the value counts it. Unknown fields are
    // ignored.
    note(newer(OrderSide::Buy.into())).await.unwrap();
    let followers = world.store.followers_of_items().await.unwrap();
    assert_eq!(followers, [("005930".to_owned(), 1)]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn fills_may_arrive_in_any_order(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    // Purchases and sales in turn, more bought than sold; each run delivers them in another order.
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
        // The first event is delivered again after the others.
        let again = events[0].clone();
        for event in events.into_iter().chain([again]) {
            holders::record(&world.store, &world.clock, event)
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

/// The total of a widely held share; each member holds one more than the one before.
const MANY: i64 = 20_000;

async fn widely_held(pool: &PgPool) {
    sqlx::query(
        "insert into item_holder (member_id, code, quantity) \
         select member, '005930', member from generate_series(1, $1) as member",
    )
    .bind(MANY)
    .execute(pool)
    .await
    .unwrap();
}

fn split_on(day: i32, new_shares: i64, at_us: i64) -> Splits {
    let split = Split {
        new_shares,
        old_shares: 1,
        at_us,
    };
    Splits::from([((Arc::from("005930"), day), split)])
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn candles_do_not_wait_for_holdings_of_a_split_share(pool: PgPool) {
    let _world = World::new(pool.clone()).await;
    widely_held(&pool).await;
    // A transaction that keeps the row of one holder locked.
    let mut other = pool.begin().await.unwrap();
    sqlx::query("select from item_holder where member_id = 10000 for update")
        .execute(&mut *other)
        .await
        .unwrap();
    let changes = Changes {
        splits: split_on(20_261_122, 10, 2_000),
        ..Changes::default()
    };
    let (stored, sessions) = (NewestMinutes::new(), Snapshot::default());
    let progress = LogProgress {
        offset: LogOffset { epoch: 1, next: 0 },
        ..LogProgress::default()
    };
    let saving = state::save(&pool, &changes, &stored, &[], progress, &sessions);
    let saved = tokio::time::timeout(testkit::PATIENCE, saving).await;
    saved.expect("no candle waits for a holder").unwrap();
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn holdings_are_converted_once_despite_interruptions(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    widely_held(&pool).await;
    let save = async |splits: &Splits| {
        let mut connection = pool.acquire().await.unwrap();
        split::save(&mut connection, splits).await.unwrap();
    };
    save(&split_on(20_261_122, 10, 2_000)).await;
    let divided = "select count(*) from item_holder where split_day = 20261122";
    let divided = async || -> i64 { sqlx::query_scalar(divided).fetch_one(&pool).await.unwrap() };
    // Interrupted repeatedly.
    let mut cuts = 0;
    while divided().await < MANY / 2 {
        let working = world.store.apply_splits_to_holders(500);
        let _cut = tokio::time::timeout(std::time::Duration::from_millis(20 + cuts), working).await;
        cuts += 5;
    }
    assert!(cuts > 0 && divided().await < MANY);
    // Fills before and after the split, for holdings that are converted and not; and a second split
    // before the first is finished.
    let mut event = 100;
    let mut note = async |member, quantity: &str, at_us| {
        event += 1;
        let event = fill_at(event, member, OrderSide::Buy, quantity, at_us);
        holders::record(&world.store, &world.clock, event)
            .await
            .unwrap();
    };
    for member in [1, MANY, MANY + 1] {
        note(member, "3", 1_500).await;
        note(member, "7", 2_500).await;
    }
    save(&split_on(20_261_123, 2, 3_000)).await;
    note(2, "1", 3_500).await;
    note(MANY - 1, "1", 2_500).await;
    for _ in 0..2 {
        world.store.apply_splits_to_holders(1_000).await.unwrap();
        // Every transaction that did not see the splits has ended.
        sqlx::query("update instrument_split set noted_at = noted_at - interval '2 minutes'")
            .execute(&pool)
            .await
            .unwrap();
        world.store.apply_splits_to_holders(1_000).await.unwrap();
    }
    assert_eq!(world.store.apply_splits_to_holders(1_000).await.unwrap(), 0);
    let held: Vec<(i64, Decimal)> =
        sqlx::query_as("select member_id, quantity from item_holder order by member_id")
            .fetch_all(&pool)
            .await
            .unwrap();
    let expected = (1..=MANY + 1).map(|member| {
        let bought = if member > MANY { 0 } else { member };
        let more = match member {
            1 => 37 * 2,
            2 => 1,
            member if member == MANY - 1 => 2,
            member if member >= MANY => 37 * 2,
            _ => 0,
        };
        (member, Decimal::from(bought * 20 + more))
    });
    assert_eq!(held, expected.collect::<Vec<_>>());
    let due = "select count(*) from instrument_split where sweeps < 2";
    let due: i64 = sqlx::query_scalar(due).fetch_one(&pool).await.unwrap();
    assert_eq!(due, 0);
}
