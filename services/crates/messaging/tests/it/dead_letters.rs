//! A database outage that is longer than all retries, and the redrive of dead letters.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fault_proxy::{FaultProxy, Faults};
use messaging::Event;
use messaging::consumer::{self, ConsumerSpec, RetryPolicy};
use messaging::outbox::Relay;
use messaging::redrive::{self, Redriven};
use sea_orm::{DatabaseConnection, DbErr, SqlxPostgresConnector};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tokio_util::sync::CancellationToken;

use crate::events::{effects, have_effect};
use crate::{LATER, amqp, append, database, delete, unique};

const EVENTS: usize = 20;
const TRIES: usize = 5;

/// The same database behind a fault proxy.
async fn behind_a_proxy(pool: &PgPool) -> (FaultProxy, DatabaseConnection) {
    let options = pool.connect_options();
    let url = testkit::database_url(options.get_database().unwrap());
    let (proxy, url) = FaultProxy::for_url(&url).await.unwrap();
    let through = PgPoolOptions::new()
        .acquire_timeout(Duration::from_millis(200))
        .connect_lazy(&url)
        .unwrap();
    let through = SqlxPostgresConnector::from_sqlx_postgres_pool(through);
    (proxy, through)
}

async fn redrive(queue: &str) -> Redriven {
    redrive::run(&amqp(), Some(queue)).await.unwrap()
}

#[sqlx::test]
async fn dead_letters_of_an_outage_are_redriven_and_processed_once(pool: PgPool) {
    let own = database(&pool).await;
    let (proxy, through) = behind_a_proxy(&pool).await;
    let event_type = unique("test.member.joined");
    let queue = unique("test.outage");
    let stop = CancellationToken::new();
    let tries = Arc::new(AtomicUsize::new(0));
    let handler = {
        let tries = Arc::clone(&tries);
        move |event: Event| {
            let (through, tries) = (through.clone(), Arc::clone(&tries));
            async move {
                let is_lost = event.aggregate_id == "lost" && tries.load(Ordering::SeqCst) < TRIES;
                tries.fetch_add(1, Ordering::SeqCst);
                have_effect(through, event).await?;
                // The effect is committed, but the acknowledgement is lost every time.
                if is_lost {
                    return Err(DbErr::Custom("lost".to_owned()));
                }
                Ok(())
            }
        }
    };
    let spec = ConsumerSpec {
        queue,
        bindings: Box::leak(Box::new([event_type])),
        prefetch: 50,
    };
    let policy = RetryPolicy {
        delays: [Duration::from_millis(100); 4],
        ..RetryPolicy::default()
    };
    let consumer = consumer::run_with(policy, amqp(), spec, handler, stop.clone());
    tokio::spawn(consumer);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    append(&own, event_type, "lost").await;
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) == TRIES).await;

    // The outage is longer than five deliveries take.
    proxy.set(Faults {
        refuses_connections: true,
        ..Faults::default()
    });
    proxy.reset();
    for number in 0..EVENTS {
        append(&own, event_type, &number.to_string()).await;
    }
    let all = TRIES * (EVENTS + 1);
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) == all).await;
    assert_eq!(effects(&pool).await, ["lost"]);

    // The database is back; the events stay dead letters until the redrive.
    proxy.clear();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(effects(&pool).await, ["lost"]);
    let mut back = 0;
    testkit::eventually(LATER, async || {
        let redriven = redrive(queue).await;
        back += redriven.put_back.get(queue).copied().unwrap_or(0);
        usize::try_from(back).unwrap() > EVENTS
    })
    .await;
    let total = all + EVENTS + 1;
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) == total).await;
    testkit::eventually(LATER, async || effects(&pool).await.len() > EVENTS).await;
    assert_eq!(effects(&pool).await.len(), EVENTS + 1, "each once");
    assert_eq!(redrive(queue).await.put_back.len(), 0, "none is left");
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn a_letter_without_its_queue_is_kept_and_poison_is_dead_lettered_again(pool: PgPool) {
    let own = database(&pool).await;
    let event_type = unique("test.poison");
    let queue = unique("test.redriven");
    let tries = Arc::new(AtomicUsize::new(0));
    let spec = ConsumerSpec {
        queue,
        bindings: Box::leak(Box::new([event_type])),
        prefetch: 4,
    };
    let policy = RetryPolicy {
        delays: [Duration::from_millis(50); 4],
        ..RetryPolicy::default()
    };
    let handler = {
        let tries = Arc::clone(&tries);
        move |_event: Event| {
            tries.fetch_add(1, Ordering::SeqCst);
            std::future::ready(Err::<(), _>("indigestible"))
        }
    };
    let stop = CancellationToken::new();
    let consumer = consumer::run_with(policy, amqp(), spec, handler, stop.clone());
    tokio::spawn(consumer);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    append(&own, event_type, "poison").await;
    for round in 1..=2 {
        testkit::eventually(LATER, async || {
            tries.load(Ordering::SeqCst) == round * TRIES
        })
        .await;
        let again = async || redrive(queue).await.put_back.contains_key(queue);
        testkit::eventually(LATER, again).await;
    }
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) == 3 * TRIES).await;
    stop.cancel();
    delete(&[queue]).await;
    testkit::eventually(LATER, async || redrive(queue).await.kept > 0).await;
    assert!(redrive(queue).await.put_back.is_empty());
}
