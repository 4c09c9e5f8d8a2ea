//! Queue positions whose orders have ended are deleted slice by slice, by one process at a time.

use sqlx::PgPool;
use trading::matching::StaleQueuePositions;

use crate::world::{SAMSUNG, World, buy};

const ME: i64 = 100_001;
const POSITIONS: &str = "select count(*) from order_place";
/// Two slices and a part of one, of orders that are no more.
const STALE: &str = "insert into order_place (order_id, resting) \
    select 9000000 + n, false from generate_series(1, 12000) n";

/// An order whose queue position is stored, before many that are stale.
async fn one_waits(pool: PgPool) -> World {
    let world = World::new(pool).await;
    let order = world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    sqlx::query("insert into order_place (order_id, resting) values ($1, true)")
        .bind(order.order_id)
        .execute(&world.pool)
        .await
        .unwrap();
    sqlx::query(STALE).execute(&world.pool).await.unwrap();
    world
}

async fn execute(world: &World, text: &'static str) {
    sqlx::raw_sql(text).execute(&world.pool).await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn positions_of_waiting_orders_stay_and_all_others_go(pool: PgPool) {
    let world = one_waits(pool).await;
    let mut positions = StaleQueuePositions::default();
    positions.delete(&world.store).await.unwrap();
    assert_eq!(world.count(POSITIONS).await, 1);
    // From the beginning again.
    execute(&world, "insert into order_place values (8000000, false)").await;
    positions.delete(&world.store).await.unwrap();
    assert_eq!(world.count(POSITIONS).await, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_a_failure_left_is_deleted_by_the_next_call(pool: PgPool) {
    let world = one_waits(pool).await;
    execute(
        &world,
        "create function refuse() returns trigger language plpgsql as \
         $$ begin raise exception 'on purpose'; end $$; \
         create trigger refuse before delete on order_place for each row \
         when (old.order_id = 9011000) execute function refuse()",
    )
    .await;
    let mut positions = StaleQueuePositions::default();
    positions.delete(&world.store).await.unwrap_err();
    // Two slices of five thousand, of which the one that waits is the first.
    assert_eq!(world.count(POSITIONS).await, 1 + 12_000 - 9_999);
    execute(&world, "drop trigger refuse on order_place").await;
    // What is before the place is not looked at again before the end is reached.
    execute(&world, "insert into order_place values (8000000, false)").await;
    positions.delete(&world.store).await.unwrap();
    assert_eq!(world.count(POSITIONS).await, 2);
    positions.delete(&world.store).await.unwrap();
    assert_eq!(world.count(POSITIONS).await, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn of_two_processes_one_deletes(pool: PgPool) {
    let world = one_waits(pool).await;
    let mut holder = world.pool.begin().await.unwrap();
    sqlx::query("select pg_advisory_xact_lock(1903519093)")
        .execute(&mut *holder)
        .await
        .unwrap();
    let mut positions = StaleQueuePositions::default();
    positions.delete(&world.store).await.unwrap();
    assert_eq!(world.count(POSITIONS).await, 12_001);
    holder.rollback().await.unwrap();
    let mut second = StaleQueuePositions::default();
    let (one, two) = tokio::join!(positions.delete(&world.store), second.delete(&world.store));
    one.unwrap();
    two.unwrap();
    positions.delete(&world.store).await.unwrap();
    assert_eq!(world.count(POSITIONS).await, 1);
    world.audit().await;
}
