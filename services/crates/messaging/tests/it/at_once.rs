//! Events of different aggregates are handled at once, those of one in their order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use messaging::Event;
use messaging::consumer::{self, AT_ONCE, HandlerError, RetryPolicy};
use messaging::outbox::Relay;
use sea_orm::DbErr;
use sqlx::PgPool;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::events::{effects, have_effect, into_effects};
use crate::{LATER, amqp, append, database, delete, queue_of, unique, waiting};

#[sqlx::test]
async fn an_aggregate_in_hand_delays_no_other_and_keeps_its_order(pool: PgPool) {
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.at-once");
    let stop = CancellationToken::new();
    let go_on = Arc::new(Semaphore::new(0));
    let (begun, mut begins) = mpsc::unbounded_channel();
    let handler = {
        let go_on = Arc::clone(&go_on);
        move |event: Event| {
            begun
                .send((event.aggregate_id.clone(), event.event_id))
                .unwrap();
            let go_on = Arc::clone(&go_on);
            async move {
                if event.aggregate_id == "held" {
                    go_on.acquire().await.unwrap().forget();
                }
                Ok::<(), HandlerError>(())
            }
        }
    };
    let spec = queue_of(queue, event_type, 16);
    let policy = RetryPolicy {
        handler_timeout: LATER * 4,
        ..RetryPolicy::default()
    };
    tokio::spawn(consumer::run_with(
        policy,
        amqp(),
        spec,
        handler,
        stop.clone(),
    ));
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    let first_held = append(&database, event_type, "held").await;
    let mut later_held: Vec<Uuid> = Vec::new();
    let mut free: Vec<Uuid> = Vec::new();
    for _ in 0..3 {
        later_held.push(append(&database, event_type, "held").await);
        free.push(append(&database, event_type, "free").await);
    }
    let mut next = async || {
        let next = tokio::time::timeout(LATER, begins.recv());
        next.await
            .expect("the others wait for the one that is held")
            .unwrap()
    };
    let mut by_aggregate: BTreeMap<String, Vec<Uuid>> = BTreeMap::new();
    for _ in 0..4 {
        let (aggregate, event_id) = next().await;
        by_aggregate.entry(aggregate).or_default().push(event_id);
    }
    let expected = BTreeMap::from([
        ("free".to_owned(), free),
        ("held".to_owned(), vec![first_held]),
    ]);
    assert_eq!(by_aggregate, expected);
    for event_id in later_held {
        go_on.add_permits(1);
        assert_eq!(next().await, ("held".to_owned(), event_id));
    }
    go_on.add_permits(1);
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn no_more_are_handled_at_once_than_the_bound(pool: PgPool) {
    const EVENTS: usize = 40;
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.bound");
    let stop = CancellationToken::new();
    let now = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let handler = {
        let (database, now, most) = (database.clone(), now.clone(), most.clone());
        move |event: Event| {
            let (database, now, most) = (database.clone(), now.clone(), most.clone());
            async move {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(20)).await;
                let done = have_effect(database, event).await;
                now.fetch_sub(1, Ordering::SeqCst);
                done
            }
        }
    };
    let spec = queue_of(queue, event_type, 50);
    for number in 0..EVENTS {
        append(&database, event_type, &number.to_string()).await;
    }
    tokio::spawn(consumer::run(amqp(), spec, handler, stop.clone()));
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    testkit::eventually(LATER, async || effects(&pool).await.len() >= EVENTS).await;
    assert_eq!(effects(&pool).await.len(), EVENTS, "each once");
    assert_eq!(most.load(Ordering::SeqCst), AT_ONCE);
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn one_that_fails_is_redelivered_and_delays_no_other(pool: PgPool) {
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.fails");
    let stop = CancellationToken::new();
    let is_mended = Arc::new(AtomicBool::new(false));
    let handler = {
        let (database, is_mended) = (database.clone(), is_mended.clone());
        move |event: Event| {
            let fails = event.aggregate_id == "fails" && !is_mended.load(Ordering::SeqCst);
            let database = database.clone();
            async move {
                if fails {
                    return Err(DbErr::Custom("not yet".to_owned()));
                }
                have_effect(database, event).await
            }
        }
    };
    let spec = queue_of(queue, event_type, 8);
    let policy = RetryPolicy {
        delays: [Duration::from_secs(5); 4],
        ..RetryPolicy::default()
    };
    let consumer = consumer::run_with(policy, amqp(), spec, handler, stop.clone());
    tokio::spawn(consumer);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    append(&database, event_type, "fails").await;
    for number in 0..6 {
        append(&database, event_type, &number.to_string()).await;
    }
    testkit::eventually(LATER, async || effects(&pool).await.len() == 6).await;
    assert!(!effects(&pool).await.contains(&"fails".to_owned()));
    is_mended.store(true, Ordering::SeqCst);
    testkit::eventually(LATER, async || effects(&pool).await.len() == 7).await;
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn a_stop_finishes_what_has_begun_and_loses_nothing(pool: PgPool) {
    const EVENTS: usize = 60;
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.stopped");
    let (stop, stop_first) = (CancellationToken::new(), CancellationToken::new());
    let begun = Arc::new(AtomicUsize::new(0));
    let done = Arc::new(AtomicUsize::new(0));
    let handler = {
        let (database, begun, done) = (database.clone(), begun.clone(), done.clone());
        move |event: Event| {
            begun.fetch_add(1, Ordering::SeqCst);
            let (database, done) = (database.clone(), done.clone());
            async move {
                tokio::time::sleep(Duration::from_millis(30)).await;
                have_effect(database, event).await?;
                done.fetch_add(1, Ordering::SeqCst);
                Ok::<(), DbErr>(())
            }
        }
    };
    let spec = queue_of(queue, event_type, 50);
    let first = consumer::run(amqp(), spec, handler, stop_first.clone());
    let first = tokio::spawn(first);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    for number in 0..EVENTS {
        append(&database, event_type, &(number % 20).to_string()).await;
    }
    testkit::eventually(LATER, async || done.load(Ordering::SeqCst) >= 5).await;
    stop_first.cancel();
    tokio::time::timeout(LATER, first).await.unwrap().unwrap();
    let begun = begun.load(Ordering::SeqCst);
    assert_eq!(begun, done.load(Ordering::SeqCst));
    assert!(begun < EVENTS, "it was stopped in the middle");

    let rest = into_effects(&database);
    tokio::spawn(consumer::run(amqp(), spec, rest, stop.clone()));
    testkit::eventually(LATER, async || {
        effects(&pool).await.len() >= EVENTS && waiting(&pool).await == 0
    })
    .await;
    let effects = effects(&pool).await;
    assert_eq!(effects.len(), EVENTS, "each once");
    assert_eq!(effects.iter().collect::<BTreeSet<_>>().len(), 20);
    stop.cancel();
    delete(&[queue]).await;
}
