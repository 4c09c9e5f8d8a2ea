//! What a run of the audit reads, that one runs at a time, and what it tells while it does.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use sqlx::{Connection, Executor, PgConnection, PgPool};
use tokio_util::sync::CancellationToken;
use trading::audit;

use super::{ANY_AGE, ME, STANDS_STILL, divided_world, names, tamper};
use crate::front::METRICS;
use crate::world::{SAMSUNG, World, buy};

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn history_that_was_checked_is_read_again_by_a_whole_audit_only(pool: PgPool) {
    let mut world = divided_world(pool).await;
    let whole = audit::run(&world.pool, ANY_AGE).await.unwrap();
    assert!(whole.fills >= 5 && whole.entries > whole.fills, "{whole}");
    world.keep().await;
    let falsified = "update fill set base_won = base_won - 1 where side = 'SELL'";
    tamper(&world, falsified).await;
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert_eq!((new.fills, new.entries, new.orders), (0, 0, 0), "{new}");

    let whole = audit::run(&world.pool, ANY_AGE).await.unwrap();
    assert!(names(&whole, CHARGED, "fill "), "{whole}");
    // It stays one until a whole audit no longer finds it.
    world.restore().await;
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert!(names(&new, CHARGED, "fill "), "{new}");
    world.audit().await;

    world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "142000", 1_000).await;
    let wrong = "update fill set fee_won = fee_won + 1 where id = (select max(id) from fill)";
    tamper(&world, wrong).await;
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert_eq!((new.fills, new.orders), (1, 1), "{new}");
    assert!(names(&new, CHARGED, "fill "), "{new}");
}

const CHARGED: &str =
    "a fill is charged its price times quantity and rate, and the fees of its day";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_is_compared_with_its_history_though_nothing_happens_to_it(pool: PgPool) {
    let world = divided_world(pool).await;
    world.audit().await;
    for (falsified, check, row) in [
        (
            "update balance set amount = amount + 1 where account_id = 2",
            "an account's balances are the sums of its entries",
            "account 2",
        ),
        (
            "update holding set quantity = quantity + 1 where account_id = 1",
            "a holding is what its fills made of it",
            "holding 1/005930",
        ),
        (
            "delete from hold",
            "an open order has its hold and no other order has one",
            "order ",
        ),
    ] {
        tamper(&world, falsified).await;
        let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
        assert!(names(&new, check, row), "{new}");
    }
}

/// A connection that the audit does not know of.
async fn stranger(world: &World) -> PgConnection {
    let options = world.pool.connect_options();
    PgConnection::connect_with(&options).await.unwrap()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn one_process_audits_at_a_time(pool: PgPool) {
    let world = divided_world(pool).await;
    let mut other = stranger(&world).await;
    // "audi" in ASCII.
    let lock = "select pg_advisory_lock(1635083369)";
    other.execute(lock).await.unwrap();
    let new = audit::run_new(&world.pool, ANY_AGE).await.unwrap();
    assert_eq!(new, None);
    let whole = audit::run(&world.pool, ANY_AGE);
    tokio::pin!(whole);
    let soon = tokio::time::timeout(Duration::from_millis(500), &mut whole).await;
    assert!(soon.is_err());
    other.close().await.unwrap();
    let report = whole.await.unwrap();
    assert!(report.findings.is_empty(), "{report}");
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_is_written_late_under_an_early_number_is_checked(pool: PgPool) {
    let mut world = divided_world(pool).await;
    world.audit().await;
    let mut late = stranger(&world).await;
    let mut late = late.begin().await.unwrap();
    let early: i64 = sqlx::query_scalar("select nextval('journal_id_seq')")
        .fetch_one(&mut *late)
        .await
        .unwrap();
    world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "142000", 1_000).await;
    let pool = world.pool.clone();
    let new = tokio::spawn(async move { audit::run_new(&pool, ANY_AGE).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(
        !new.is_finished(),
        "it does not pass over what is under way"
    );
    let without_entries = "insert into journal (id, kind, source_type, source_id, occurred_at) \
                           values ($1, 'ORDER_FILLED', 'FILL', '1', now())";
    sqlx::query(without_entries)
        .bind(early)
        .execute(&mut *late)
        .await
        .unwrap();
    late.commit().await.unwrap();
    let report = new.await.unwrap().unwrap().unwrap();
    let row = format!("journal {early}");
    assert!(
        names(&report, "every journal has entries", &row),
        "{report}"
    );
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_matcher_that_stands_still_while_orders_wait_is_named(pool: PgPool) {
    let mut world = divided_world(pool).await;
    world.audit().await;
    let aged = "update audit_matcher set since = since - interval '2 minutes'";
    // The product is down, and no order has come since: nobody waits for it to move.
    tamper(&world, aged).await;
    world.audit().await;
    // Orders are accepted, and no process owns the shard.
    world.placed(buy(ME, SAMSUNG, "61000", "1")).await;
    let report = audit::run(&world.pool, ANY_AGE).await.unwrap();
    assert!(names(&report, STANDS_STILL, "matcher shard 0"), "{report}");
    // The shard has moved, and stands still again in the hands of a process.
    world.log(Vec::new()).await;
    world.audit().await;
    tamper(&world, aged).await;
    let mut owner = stranger(&world).await;
    // "matc" in ASCII.
    owner
        .execute("select pg_advisory_lock(1835103331, 0)")
        .await
        .unwrap();
    let report = audit::run_new(&world.pool, ANY_AGE).await.unwrap().unwrap();
    assert!(names(&report, STANDS_STILL, "matcher shard 0"), "{report}");
    // It moves.
    world.placed(buy(ME, SAMSUNG, "61000", "1")).await;
    world.log(Vec::new()).await;
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn metrics_tell_of_the_last_audit_and_of_every_shard(pool: PgPool) {
    LazyLock::force(&METRICS);
    let world = divided_world(pool).await;
    let shutdown = CancellationToken::new();
    let market_cache = Arc::clone(&world.market_cache);
    let told = tokio::spawn(audit::observe(
        world.pool.clone(),
        market_cache,
        shutdown.clone(),
    ));
    let telling = async |wanted: &str| {
        let began = Instant::now();
        while !METRICS.render().lines().any(|line| line == wanted) {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "{}",
                METRICS.render()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    telling("trading_matcher_shard_owned{shard=\"0\"} 0").await;
    telling("trading_matcher_lag_batches{shard=\"0\"} 0").await;
    assert!(
        !METRICS
            .render()
            .contains("trading_audit_completed_seconds ")
    );
    tamper(&world, "update balance set amount = amount + 1").await;
    audit::run(&world.pool, ANY_AGE).await.unwrap();
    // By its entries, and by what it gained.
    telling("trading_audit_findings 6").await;
    let at = world.count("select floor(extract(epoch from completed_at))::bigint from audit_run");
    telling(&format!("trading_audit_completed_seconds {}", at.await)).await;
    let mut owner = stranger(&world).await;
    owner
        .execute("select pg_advisory_lock(1835103331, 0)")
        .await
        .unwrap();
    telling("trading_matcher_shard_owned{shard=\"0\"} 1").await;
    telling("trading_matcher_shard_owned_here{shard=\"0\"} 1").await;
    // Another process owns it and is behind.
    owner
        .execute("set application_name = '1@elsewhere trading'")
        .await
        .unwrap();
    tamper(
        &world,
        "update matcher_offset set next_offset = next_offset - 3",
    )
    .await;
    telling("trading_matcher_shard_owned_here{shard=\"0\"} 0").await;
    telling("trading_matcher_lag_batches{shard=\"0\"} 3").await;
    shutdown.cancel();
    told.await.unwrap();
}
