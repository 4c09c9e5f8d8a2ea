//! What a member who left for good has here goes, also what is written while it goes.

use chrono::TimeDelta;
use kernel::{Clock, MemberId};
use market_data::erasure;
use market_data::store::HoldingChange;
use proto::market::v1 as wire;
use rust_decimal::Decimal;
use sqlx::{AssertSqlSafe, PgPool};
use uuid::Uuid;

use crate::alert_watch::{create, world};
use crate::alerts::above;
use crate::world::World;

const MEMBER: MemberId = MemberId(100_000);
const OTHER: MemberId = MemberId(100_016);
/// In the order of their names.
const OF_MEMBERS: [&str; 8] = [
    "item_holder",
    "item_like",
    "item_opening",
    "price_alert",
    "product_like",
    "request",
    "search_history",
    "sise_member",
];

/// Writes as requests of the member do, and more than goes at once.
async fn plant(world: &World, pool: &PgPool, member: MemberId, event: u128) {
    let (store, clock) = (&world.store, &world.clock);
    let alert = wire::CreateAlertRequest {
        member_id: member.0,
        ..above(&event.to_string(), "71000")
    };
    create(world, alert).await;
    store.register_member(member, clock).await.unwrap();
    store.note_opening(member, "005930", clock).await.unwrap();
    store.like_product(member, 1, true, clock).await.unwrap();
    let change = HoldingChange {
        member,
        code: "005930".to_owned(),
        quantity: Decimal::ONE,
        at: clock.now(),
    };
    store
        .record_holding_change(Uuid::from_u128(event), &change, clock)
        .await
        .unwrap();
    for many in [
        "insert into search_history select $1, 'STOCK', n::text, $2 from generate_series(1, 450) n",
        "insert into item_like select $1, code, $2 from instrument order by code limit 300",
    ] {
        sqlx::query(many)
            .bind(member.0)
            .bind(clock.now())
            .execute(pool)
            .await
            .unwrap();
    }
}

/// Numbers of rows in the order of [`OF_MEMBERS`].
async fn rows_of(pool: &PgPool, member: MemberId) -> Vec<i64> {
    let mut rows = Vec::new();
    for table in OF_MEMBERS {
        let count = AssertSqlSafe(format!("select count(*) from {table} where member_id = $1"));
        let count: i64 = sqlx::query_scalar(count)
            .bind(member.0)
            .fetch_one(pool)
            .await
            .unwrap();
        rows.push(count);
    }
    rows
}

async fn erase(world: &World) {
    erasure::erase(&world.store, &world.clock, MEMBER)
        .await
        .unwrap();
}

async fn finish(world: &World) -> u64 {
    erasure::finish(&world.store, &world.clock).await.unwrap()
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn every_table_of_members_is_looked_at(pool: PgPool) {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.columns \
         where table_schema = 'public' and column_name = 'member_id' and table_name <> 'erasure'",
    )
    .fetch_all(&pool)
    .await
    .unwrap();
    let mut tables: Vec<&str> = tables.iter().map(String::as_str).collect();
    tables.sort_unstable();
    assert_eq!(tables, OF_MEMBERS);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn nothing_of_a_member_who_left_stays(pool: PgPool) {
    let world = world(&pool).await;
    plant(&world, &pool, MEMBER, 1).await;
    plant(&world, &pool, OTHER, 2).await;
    let others = rows_of(&pool, OTHER).await;
    assert_eq!(others, [1, 300, 1, 1, 1, 1, 450, 1]);
    // Of two redeliveries at once one comes too late for each.
    tokio::join!(erase(&world), erase(&world));
    assert_eq!(rows_of(&pool, MEMBER).await, [0; 8]);
    assert_eq!(rows_of(&pool, OTHER).await, others);
    let followers = "select sum(followers)::bigint from item_followers";
    let followers: i64 = sqlx::query_scalar(followers)
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(followers, 301);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn what_is_written_after_a_member_left_goes_within_two_hours(pool: PgPool) {
    let world = world(&pool).await;
    plant(&world, &pool, OTHER, 1).await;
    let others = rows_of(&pool, OTHER).await;
    erase(&world).await;
    plant(&world, &pool, MEMBER, 2).await;
    // A late fill counts no more.
    let late = [0, 300, 1, 1, 1, 1, 450, 1];
    assert_eq!(rows_of(&pool, MEMBER).await, late);
    world
        .clock
        .advance(TimeDelta::hours(1) - TimeDelta::seconds(1));
    assert_eq!(finish(&world).await, 0);
    assert_eq!(rows_of(&pool, MEMBER).await, late);
    world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(finish(&world).await, 1);
    assert_eq!(rows_of(&pool, MEMBER).await, [0; 8]);
    assert_eq!(rows_of(&pool, OTHER).await, others);
    // A redelivery changes nothing.
    erase(&world).await;
    assert_eq!(finish(&world).await, 0);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_erasure_that_was_interrupted_is_finished(pool: PgPool) {
    let world = world(&pool).await;
    plant(&world, &pool, MEMBER, 1).await;
    let (store, clock) = (&world.store, &world.clock);
    store.note_erasure(MEMBER, clock).await.unwrap();
    assert!(store.erase_slices(MEMBER).await.unwrap());
    assert_eq!(rows_of(&pool, MEMBER).await, [0, 100, 0, 1, 0, 0, 250, 0]);
    // Not while anything is left.
    clock.advance(TimeDelta::hours(1));
    assert!(!store.finish_erasure(MEMBER, clock).await.unwrap());
    assert_eq!(finish(&world).await, 1);
    assert_eq!(rows_of(&pool, MEMBER).await, [0; 8]);
}
