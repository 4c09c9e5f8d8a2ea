//! Races and crashes: a fill against a cancellation, a process that dies between two statements,
//! a log that is read again.

use std::collections::BTreeSet;
use std::task::Poll;

use proto::trading::v1::OrderStatus;
use sqlx::PgPool;
use trading::matching::{Partition, Shard};
use trading::tick_log::Batch;

use crate::world::{SAMSUNG, World, buy, reason, sell};

const ME: i64 = 100_001;
const ALL: Partition = Partition { index: 0, count: 1 };

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn of_a_fill_and_a_cancellation_exactly_one_wins(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut won = BTreeSet::new();
    for round in 0..40 {
        let order = world.placed(buy(ME, SAMSUNG, "72000", "1")).await;
        world.log(Vec::new()).await;
        let tick = world.tick(SAMSUNG, "71300".parse().unwrap(), 1_000);
        let batch = world.batch(vec![tick]);
        let cancel = {
            let client = world.connected();
            let order = order.clone();
            async move {
                // Sometimes the fill has a head start.
                tokio::time::sleep(std::time::Duration::from_micros(round * 100)).await;
                client.cancel(&order, ME).await
            }
        };
        let (canceled, passed) = tokio::join!(cancel, world.shard.process(batch));
        passed.unwrap();
        let now = world.detail(ME, order.order_id).await;
        match canceled {
            Ok(_) => {
                assert_eq!(now.order.unwrap().status(), OrderStatus::Canceled);
                assert!(now.fills.is_empty());
                won.insert("cancel");
            }
            Err(status) => {
                assert_eq!(reason(&status), "ORDER_ALREADY_FILLED");
                assert_eq!(now.order.unwrap().status(), OrderStatus::Filled);
                won.insert("fill");
            }
        }
    }
    assert!(!won.is_empty());
    assert_eq!(world.basic(ME).await.held_won, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_log_read_again_after_a_crash_fills_nothing_twice(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "72000", "60")).await;
    world.log(Vec::new()).await;
    let mut log: Vec<Batch> = Vec::new();
    for _ in 0..4 {
        let tick = world.tick(SAMSUNG, "71300".parse().unwrap(), 100);
        log.push(world.batch(vec![tick]));
    }
    for batch in &log[..2] {
        world.shard.process(batch.clone()).await.unwrap();
    }
    // The process dies; a new one reads everything again, and some of it under new offsets.
    world.restart_matcher(2).await;
    for batch in &log {
        world.shard.process(batch.clone()).await.unwrap();
    }
    for batch in log {
        let repeated = world.batch(batch.records);
        world.shard.process(repeated).await.unwrap();
    }
    assert_eq!(world.count("select count(*) from fill").await, 3);
    assert_eq!(
        world.count("select sum(quantity)::bigint from fill").await,
        60
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_matchers_on_one_shard_cannot_both_store(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.log(Vec::new()).await;
    let mut rival = Shard::load(&world.store, ALL).await.unwrap();
    let tick = world.tick(SAMSUNG, "71300".parse().unwrap(), 1_000);
    let batch = world.batch(vec![tick]);
    let both = tokio::join!(world.shard.process(batch.clone()), rival.process(batch));
    assert_eq!(usize::from(both.0.is_ok()) + usize::from(both.1.is_ok()), 1);
    assert_eq!(world.count("select count(*) from fill").await, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_process_that_dies_in_a_transaction_leaves_nothing_of_it(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.log(Vec::new()).await;
    let tick = world.tick(SAMSUNG, "71300".parse().unwrap(), 1_000);
    let batch = world.batch(vec![tick]);
    // Cut one step later each time, until the work is done before the cut.
    let mut cut = 0;
    loop {
        world.restart_matcher(1).await;
        match after_steps(cut, world.shard.process(batch.clone())).await {
            Some(done) => {
                done.unwrap();
                break;
            }
            None => cut += 1,
        }
        // A commit that was cut off may have happened; nothing else may.
        let fills = world.count("select count(*) from fill").await;
        assert!(fills <= 1);
        world.audit().await;
    }
    // How often it waits depends on how fast the answers come, but not whether it does: there is
    // an answer before the commit, and that of the commit.
    assert!(cut > 1, "only {cut} cuts");
    world.restart_matcher(1).await;
    world.shard.process(batch).await.unwrap();
    assert_eq!(world.count("select count(*) from fill").await, 1);
    world.audit().await;
}

/// What `work` answers within so many steps; `None` when it was dropped before.
pub(crate) async fn after_steps<T>(steps: u32, work: impl Future<Output = T>) -> Option<T> {
    let mut work = std::pin::pin!(work);
    let mut left = steps;
    std::future::poll_fn(move |context| match work.as_mut().poll(context) {
        Poll::Ready(answer) => Poll::Ready(Some(answer)),
        Poll::Pending if left == 0 => Poll::Ready(None),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_placement_that_is_cut_off_resolves_with_the_same_key(pool: PgPool) {
    let world = World::new(pool).await;
    let mut micros = 100;
    for round in 0..60 {
        let mut request = buy(ME, SAMSUNG, "70000", "1");
        request.request_id = format!("cut-off-{round:04}");
        let limit = std::time::Duration::from_micros(micros);
        let _maybe = tokio::time::timeout(limit, world.place(request.clone())).await;
        let answer = world.place(request).await.unwrap();
        assert_eq!(answer.order.unwrap().status(), OrderStatus::Accepted);
        micros += 100;
    }
    assert_eq!(world.count("select count(*) from trade_order").await, 60);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_forced_deadlock_is_tried_again_unseen(pool: PgPool) {
    let world = World::new(pool).await;
    let first = world.basic(ME).await.account_no;
    let second = world.basic(ME + 1).await.account_no;
    // Someone else takes the two accounts in the wrong order, around a batch with both of them.
    let mut other = world.pool.begin().await.unwrap();
    lock(&mut other, &second).await;
    let batch = {
        let client = world.connected();
        tokio::spawn(async move {
            let one = client.place(buy(ME, SAMSUNG, "70000", "1"));
            let two = client.place(buy(ME + 1, SAMSUNG, "70000", "1"));
            let (one, two) = tokio::join!(one, two);
            one.is_ok() && two.is_ok()
        })
    };
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    let taken = sqlx::query("select 1 from account where account_no = $1 for update")
        .bind(&first)
        .execute(&mut *other);
    // Whichever of the two PostgreSQL breaks, the service must come through.
    let _either = tokio::time::timeout(std::time::Duration::from_secs(2), taken).await;
    drop(other);
    assert!(batch.await.unwrap());
    world.audit().await;
}

async fn lock(connection: &mut sqlx::PgConnection, account_no: &str) {
    sqlx::query("select 1 from account where account_no = $1 for update")
        .bind(account_no)
        .execute(connection)
        .await
        .unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_queue_position_of_a_resting_order_survives_a_restart(pool: PgPool) {
    // The queue ahead of the order is known from its first tick and half gone with the second; a
    // matcher that forgot it would begin a new queue.
    let mut world = World::new(pool).await;
    let sale = sell_setup(&mut world).await;
    let order = world.placed(sale).await;
    for price in ["71300", "71500"] {
        world.trade(SAMSUNG, price, 100).await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(1_050)).await;
    world.log(Vec::new()).await;
    world.restart_matcher(0).await;
    world.trade(SAMSUNG, "71500", 100).await;
    let detail = world.detail(ME, order.order_id).await;
    assert_eq!(detail.fills.len(), 1);
    assert_eq!(detail.fills[0].rule, "LIMIT_AT_PRICE");
    world.audit().await;
}

async fn sell_setup(world: &mut World) -> proto::trading::v1::PlaceOrderRequest {
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    sell(ME, SAMSUNG, "71500", "10")
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_that_no_shard_admits_hide_none_behind_them(pool: PgPool) {
    let mut world = World::new(pool).await;
    // As many as one boundary admits, left by another shard that nobody owns.
    let left = "insert into new_order select generate_series(1, 5000);
                select setval('order_id_seq', 10000)";
    sqlx::raw_sql(left).execute(&world.pool).await.unwrap();
    let order = world.placed(buy(ME, SAMSUNG, "72000", "1")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let filled = world.detail(ME, order.order_id).await.order.unwrap();
    assert_eq!(filled.status(), OrderStatus::Filled);
    sqlx::raw_sql("delete from new_order")
        .execute(&world.pool)
        .await
        .unwrap();
    world.audit().await;
}
