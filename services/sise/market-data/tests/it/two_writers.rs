//! A writer of the tick log whose database connection breaks silently.

use std::time::Duration;

use chrono::TimeDelta;
use fault_proxy::{DirectionFaults, FaultProxy, Faults};
use market_data::MIGRATOR;
use market_data::config::MarketFeed;
use messaging::ticks::{LogOffset, NewestBatch, ReadFrom, Reader, newest_batch};
use sqlx::PgPool;

use crate::builtin::{SMALL, assert_matches_model, model};
use crate::flow::Ground;

async fn newest(ground: &Ground) -> NewestBatch {
    let (amqp, spec) = (&ground.stream.amqp, &ground.stream.spec);
    let newest = newest_batch(amqp, spec, LogOffset::default()).await;
    newest.unwrap().unwrap()
}

/// Epoch and sequence number of every batch in the log.
async fn numbers(ground: &Ground) -> Vec<(i64, i64)> {
    let end = newest(ground).await;
    let (amqp, spec) = (ground.stream.amqp.clone(), ground.stream.spec.clone());
    let mut reader = Reader::open(amqp, spec, ReadFrom::First, 64);
    let mut numbers = Vec::new();
    loop {
        let delivered = tokio::time::timeout(Duration::from_secs(10), reader.next());
        let delivered = delivered.await.unwrap();
        numbers.push((delivered.batch.epoch, delivered.batch.batch_seq));
        if delivered.offset >= end.offset {
            return numbers;
        }
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_writer_without_an_answer_about_its_lock_publishes_nothing(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let market = model(&ground);
    let options = (*ground.pool.connect_options()).clone();
    let server = format!("{}:{}", options.get_host(), options.get_port());
    let network = FaultProxy::for_server(&server).await.unwrap();
    let address = network.address();
    let options = options.host(&address.ip().to_string()).port(address.port());
    let first = ground.start_over(options).await;
    ground.advance(&first, TimeDelta::seconds(20)).await;
    let epoch = first.board.progress().offset.epoch;
    // A connection that is closed is replaced, and the lock with it.
    network.reset();
    ground.advance(&first, TimeDelta::seconds(20)).await;
    assert_eq!(first.board.progress().offset.epoch, epoch);

    network.set(Faults::both(DirectionFaults::silent()));
    tokio::time::sleep(Duration::from_secs(5)).await;
    let end = newest(&ground).await;
    ground.clock.advance(TimeDelta::seconds(10));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(newest(&ground).await, end, "nobody knows who writes");

    // The database notices the dead connection, and another process takes over.
    sqlx::query(
        "select pg_terminate_backend(l.pid) from pg_locks l
         join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and d.datname = current_database()",
    )
    .execute(&ground.pool)
    .await
    .unwrap();
    let second = ground.start().await;
    ground.advance(&second, TimeDelta::seconds(20)).await;
    assert!(second.board.progress().offset.epoch > epoch);
    network.clear();
    testkit::eventually(Duration::from_secs(20), async || first.is_shutting_down()).await;
    ground.advance(&second, TimeDelta::seconds(50)).await;
    ground.written(&second).await;
    let numbers = numbers(&ground).await;
    assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
    let steps = numbers.windows(2).map(|pair| pair[1].1 - pair[0].1);
    assert_eq!(steps.max(), Some(1));
    assert_matches_model(&ground, &market).await;
}
