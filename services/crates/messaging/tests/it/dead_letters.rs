//! A database that is away for longer than an event is tried, and the way back from the dead
//! letters.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fault_proxy::{FaultProxy, Faults};
use messaging::Event;
use messaging::consumer::{self, ConsumerSpec, Patience};
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

/// The same database behind a network that can fail.
async fn behind_a_proxy(pool: &PgPool) -> (FaultProxy, DatabaseConnection) {
    let options = pool.connect_options();
    let url = testkit::database_url(options.get_database().unwrap());
    let (proxy, url) = FaultProxy::before_url(&url).await.unwrap();
    let through = PgPoolOptions::new()
        .acquire_timeout(Duration::from_millis(200))
        .connect_lazy(&url)
        .unwrap();
    let through = SqlxPostgresConnector::from_sqlx_postgres_pool(through);
    (proxy, through)
}

async fn put_back(queue: &str) -> Redriven {
    redrive::run(&amqp(), Some(queue)).await.unwrap()
}

#[sqlx::test]
async fn what_died_of_a_database_outage_comes_back_and_has_its_effect_once(pool: PgPool) {
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
                // It has its effect, and dies because nobody hears of it.
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
    let patience = Patience {
        delays: [Duration::from_millis(100); 4],
        ..Patience::default()
    };
    let consumer = consumer::run_with(patience, amqp(), spec, handler, stop.clone());
    tokio::spawn(consumer);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    append(&own, event_type, "lost").await;
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) == TRIES).await;

    // The database is away for longer than five tries last.
    proxy.set(Faults {
        refuses: true,
        ..Faults::default()
    });
    proxy.reset();
    for number in 0..EVENTS {
        append(&own, event_type, &number.to_string()).await;
    }
    let all = TRIES * (EVENTS + 1);
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) == all).await;
    assert_eq!(effects(&pool).await, ["lost"]);

    // It is back; the events are not, until somebody says so.
    proxy.heal();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(effects(&pool).await, ["lost"]);
    let mut back = 0;
    testkit::eventually(LATER, async || {
        let redriven = put_back(queue).await;
        back += redriven.put_back.get(queue).copied().unwrap_or(0);
        usize::try_from(back).unwrap() > EVENTS
    })
    .await;
    let total = all + EVENTS + 1;
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) == total).await;
    testkit::eventually(LATER, async || effects(&pool).await.len() > EVENTS).await;
    assert_eq!(effects(&pool).await.len(), EVENTS + 1, "each once");
    assert_eq!(put_back(queue).await.put_back.len(), 0, "none is left");
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn a_letter_stays_whose_queue_is_gone_and_one_that_is_poison_dies_again(pool: PgPool) {
    let own = database(&pool).await;
    let event_type = unique("test.poison");
    let queue = unique("test.redriven");
    let tries = Arc::new(AtomicUsize::new(0));
    let spec = ConsumerSpec {
        queue,
        bindings: Box::leak(Box::new([event_type])),
        prefetch: 4,
    };
    let patience = Patience {
        delays: [Duration::from_millis(50); 4],
        ..Patience::default()
    };
    let handler = {
        let tries = Arc::clone(&tries);
        move |_event: Event| {
            tries.fetch_add(1, Ordering::SeqCst);
            std::future::ready(Err::<(), _>("indigestible"))
        }
    };
    let stop = CancellationToken::new();
    let consumer = consumer::run_with(patience, amqp(), spec, handler, stop.clone());
    tokio::spawn(consumer);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    append(&own, event_type, "poison").await;
    for round in 1..=2 {
        testkit::eventually(LATER, async || {
            tries.load(Ordering::SeqCst) == round * TRIES
        })
        .await;
        let again = async || put_back(queue).await.put_back.contains_key(queue);
        testkit::eventually(LATER, again).await;
    }
    testkit::eventually(LATER, async || tries.load(Ordering::SeqCst) == 3 * TRIES).await;
    stop.cancel();
    delete(&[queue]).await;
    testkit::eventually(LATER, async || put_back(queue).await.kept > 0).await;
    assert!(put_back(queue).await.put_back.is_empty());
}
