//! A database outage that is longer than all retries makes no dead letters, and others are redriven.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fault_proxy::{FaultProxy, Faults};
use messaging::Event;
use messaging::consumer::{self, HandlerError, RetryPolicy};
use messaging::outbox::Relay;
use messaging::redrive::{self, Redriven};
use sea_orm::{DatabaseConnection, DbErr, SqlxPostgresConnector};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tokio_util::sync::CancellationToken;

use crate::events::{effects, have_effect};
use crate::{LATER, amqp, append, database, delete, queue_of, unique};

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
async fn an_outage_longer_than_all_retries_makes_no_dead_letters(pool: PgPool) {
    let own = database(&pool).await;
    let (proxy, through) = behind_a_proxy(&pool).await;
    let event_type = unique("test.member.joined");
    let queue = unique("test.outage");
    let stop = CancellationToken::new();
    let tries = Arc::new(AtomicUsize::new(0));
    let handler = {
        let tries = Arc::clone(&tries);
        move |event: Event| {
            let through = through.clone();
            tries.fetch_add(1, Ordering::SeqCst);
            async move { have_effect(through, event).await }
        }
    };
    let spec = queue_of(queue, event_type, 50);
    let policy = RetryPolicy {
        delays: [Duration::from_millis(10); 4],
        ..RetryPolicy::default()
    };
    let consumer = consumer::run_with(policy, amqp(), spec, handler, stop.clone());
    tokio::spawn(consumer);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    append(&own, event_type, "before").await;
    testkit::eventually(LATER, async || effects(&pool).await == ["before"]).await;

    proxy.set(Faults {
        refuses_connections: true,
        ..Faults::default()
    });
    proxy.reset();
    for number in 0..EVENTS {
        append(&own, event_type, &number.to_string()).await;
    }
    // More than the tries of one event.
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) > 1 + TRIES).await;
    assert_eq!(effects(&pool).await, ["before"]);

    proxy.clear();
    testkit::eventually(LATER, async || effects(&pool).await.len() > EVENTS).await;
    assert_eq!(effects(&pool).await.len(), EVENTS + 1, "each once");
    assert_eq!(redrive(queue).await.put_back.len(), 0, "no dead letter");
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn dead_letters_are_redriven_and_processed_once(pool: PgPool) {
    let own = database(&pool).await;
    let event_type = unique("test.member.joined");
    let queue = unique("test.lost");
    let stop = CancellationToken::new();
    let tries = Arc::new(AtomicUsize::new(0));
    let handler = {
        let (own, tries) = (own.clone(), Arc::clone(&tries));
        move |event: Event| {
            let own = own.clone();
            let lost = tries.fetch_add(1, Ordering::SeqCst) < TRIES;
            async move {
                have_effect(own, event).await?;
                // The effect is committed, but the acknowledgement is lost every time.
                if lost {
                    return Err(DbErr::Custom("lost".to_owned()));
                }
                Ok(())
            }
        }
    };
    let spec = queue_of(queue, event_type, 50);
    let policy = RetryPolicy {
        delays: [Duration::from_millis(100); 4],
        ..RetryPolicy::default()
    };
    let consumer = consumer::run_with(policy, amqp(), spec, handler, stop.clone());
    tokio::spawn(consumer);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    append(&own, event_type, "lost").await;
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) == TRIES).await;
    testkit::eventually(LATER, async || {
        redrive(queue).await.put_back.get(queue) == Some(&1)
    })
    .await;
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) > TRIES).await;
    assert_eq!(effects(&pool).await, ["lost"], "once");
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
    let spec = queue_of(queue, event_type, 4);
    let policy = RetryPolicy {
        delays: [Duration::from_millis(50); 4],
        ..RetryPolicy::default()
    };
    let handler = {
        let tries = Arc::clone(&tries);
        move |_event: Event| {
            tries.fetch_add(1, Ordering::SeqCst);
            std::future::ready(Err::<(), _>(HandlerError::failed("indigestible")))
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
