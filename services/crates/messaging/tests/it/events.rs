//! Events from the outbox to an effect that happens once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use fault_proxy::{DirectionFaults, Faults};
use futures_util::future::BoxFuture;
use kernel::{Clock, FixedClock, SystemClock};
use messaging::consumer::{self, Broadcast, RetryPolicy};
use messaging::outbox::Relay;
use messaging::{Amqp, Event, inbox};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, TransactionTrait};
use sqlx::PgPool;
use telemetry::trace;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::cutter::Cutter;
use crate::{LATER, amqp, append, behind, database, delete, queue_of, unique, waiting};

const SOON: Duration = Duration::from_secs(20);

/// Records the effect once, as a service does.
pub(crate) async fn have_effect(database: DatabaseConnection, event: Event) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    if inbox::first_time(&transaction, "test", event.event_id, &SystemClock).await? {
        let sql = format!(
            "insert into effect values ('{}', '{}')",
            event.event_id, event.aggregate_id
        );
        transaction.execute_unprepared(&sql).await?;
    }
    transaction.commit().await
}

/// A handler of events that records their effects.
pub(crate) fn into_effects(
    database: &DatabaseConnection,
) -> impl Fn(Event) -> BoxFuture<'static, Result<(), DbErr>> + Clone + use<> {
    let database = database.clone();
    move |event| Box::pin(have_effect(database.clone(), event))
}

pub(crate) async fn effects(pool: &PgPool) -> Vec<String> {
    sqlx::query_scalar("select aggregate_id from effect")
        .fetch_all(pool)
        .await
        .unwrap()
}

#[sqlx::test]
async fn an_event_that_a_slow_clock_dates_is_not_forgotten_early(pool: PgPool) {
    let database = database(&pool).await;
    let kept = TimeDelta::days(90);
    let slow = FixedClock::at(SystemClock.now() - kept - TimeDelta::days(10));
    let event = Uuid::new_v4();
    let first = inbox::first_time(&database, "one", event, &slow).await;
    assert!(first.unwrap());
    let mut connection = pool.acquire().await.unwrap();
    let first = inbox::first_time_in(&mut connection, "other", event, &slow).await;
    assert!(first.unwrap());
    let forgotten = inbox::forget(&database, SystemClock.now() - kept, 10).await;
    assert_eq!(forgotten.unwrap(), 0);
    let again = inbox::first_time(&database, "one", event, &slow).await;
    assert!(!again.unwrap());
}

#[sqlx::test]
async fn an_event_has_its_effect_once(pool: PgPool) {
    let database = database(&pool).await;
    let event_type: &'static str = unique("test.order.filled");
    let queue = unique("test.effects");
    let stop = CancellationToken::new();
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    let spec = queue_of(queue, event_type, 16);
    let seen = Arc::new(AtomicUsize::new(0));
    let handler = {
        let (database, seen) = (database.clone(), seen.clone());
        move |event: Event| {
            let (database, first) = (database.clone(), seen.fetch_add(1, Ordering::SeqCst) == 0);
            async move {
                have_effect(database, event).await?;
                // The first acknowledgement is lost after the commit.
                if first {
                    Err(DbErr::Custom("lost".to_owned()))
                } else {
                    Ok(())
                }
            }
        }
    };
    tokio::spawn(consumer::run(amqp(), spec, handler, stop.clone()));

    let root = trace::TraceContext::new_root();
    for number in 0..10 {
        trace::scope(root, append(&database, event_type, &number.to_string())).await;
    }
    testkit::eventually(SOON, async || {
        effects(&pool).await.len() == 10 && seen.load(Ordering::SeqCst) == 11
    })
    .await;
    assert_eq!(waiting(&pool).await, 0);
    let mut effects = effects(&pool).await;
    effects.sort();
    assert_eq!(effects, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn a_rolled_back_transaction_sends_nothing_and_the_trace_goes_along(pool: PgPool) {
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let stop = CancellationToken::new();
    let bindings: &'static [&'static str] = Box::leak(Box::new([event_type]));
    let (sender, mut received) = tokio::sync::mpsc::unbounded_channel();
    let handler = move |told: Broadcast| {
        let sender = sender.clone();
        async move {
            let trace_id = trace::current().map(|context| context.trace_id());
            sender.send((told, trace_id)).unwrap();
        }
    };
    tokio::spawn(consumer::run_broadcast(
        amqp(),
        bindings,
        handler,
        stop.clone(),
    ));
    assert_eq!(received.recv().await.unwrap().0, Broadcast::Connected);

    let transaction = database.begin().await.unwrap();
    let body = proto::trading::v1::AccountOpened::default();
    let event = messaging::NewEvent::new(event_type, "rolled-back".to_owned(), &body, &SystemClock);
    messaging::outbox::append(&transaction, event)
        .await
        .unwrap();
    transaction.rollback().await.unwrap();
    let root = trace::TraceContext::new_root();
    let event_id = trace::scope(root, append(&database, event_type, "kept")).await;
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));

    let (told, trace_id) = received.recv().await.unwrap();
    let Broadcast::Event(event) = told else {
        panic!("an event was expected")
    };
    assert_eq!(
        (event.event_id, event.aggregate_id.as_str()),
        (event_id, "kept")
    );
    assert_eq!(trace_id, Some(root.trace_id()));
    stop.cancel();
}

#[sqlx::test]
async fn events_of_one_statement_keep_their_order_and_their_traces(pool: PgPool) {
    let database = database(&pool).await;
    let body = proto::trading::v1::AccountOpened::default();
    let root = trace::TraceContext::new_root();
    let event = |number: usize| {
        let name = number.to_string();
        let event = messaging::NewEvent::new("test.order.filled", name, &body, &SystemClock);
        event.in_trace((number > 0).then_some(root))
    };
    let transaction = database.begin().await.unwrap();
    for numbers in [0..3, 3..3, 3..4] {
        messaging::outbox::append_many(&transaction, numbers.map(event))
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
    let rows: Vec<(String, Option<String>)> =
        sqlx::query_as("select aggregate_id, traceparent from outbox order by id")
            .fetch_all(&pool)
            .await
            .unwrap();
    let named = |name: &str, trace: Option<String>| (name.to_owned(), trace);
    let traced = Some(root.header());
    let expected = [
        named("0", None),
        named("1", traced.clone()),
        named("2", traced.clone()),
        named("3", traced),
    ];
    assert_eq!(rows, expected);
}

#[sqlx::test]
async fn the_relay_and_the_consumer_survive_cut_connections(pool: PgPool) {
    const EVENTS: usize = 600;
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.cut");
    let stop = CancellationToken::new();
    let cutter = Cutter::start().await;
    let flaky = Amqp::new(&cutter.url).unwrap();
    tokio::spawn(Relay::new(pool.clone(), flaky.clone(), "test").run(stop.clone()));
    let spec = queue_of(queue, event_type, 50);
    let handler = into_effects(&database);
    tokio::spawn(consumer::run(flaky, spec, handler, stop.clone()));

    for number in 0..EVENTS {
        append(&database, event_type, &number.to_string()).await;
        if number % 200 == 100 {
            cutter.cut();
        }
    }
    testkit::eventually(SOON, async || {
        effects(&pool).await.len() >= EVENTS && waiting(&pool).await == 0
    })
    .await;
    assert_eq!(effects(&pool).await.len(), EVENTS, "each once");
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn unconfirmed_events_are_sent_again_and_processed_once(pool: PgPool) {
    const EVENTS: usize = 60;
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.unconfirmed");
    let stop = CancellationToken::new();
    let (proxy, flaky) = behind("").await;
    let spec = queue_of(queue, event_type, 50);
    let handler = into_effects(&database);
    tokio::spawn(consumer::run(amqp(), spec, handler, stop.clone()));
    let relay = Relay::new(pool.clone(), flaky, "test");
    tokio::spawn(relay.run(stop.clone()));
    append(&database, event_type, "0").await;
    testkit::eventually(LATER, async || waiting(&pool).await == 0).await;

    // The broker receives the messages, and its confirms are lost.
    proxy.set(Faults {
        to_client: DirectionFaults::silent(),
        ..Faults::default()
    });
    for number in 1..EVENTS {
        append(&database, event_type, &number.to_string()).await;
    }
    testkit::eventually(LATER, async || effects(&pool).await.len() > 1).await;
    assert!(waiting(&pool).await > 0, "nothing is confirmed yet");
    proxy.reset();
    proxy.clear();
    testkit::eventually(LATER, async || {
        effects(&pool).await.len() >= EVENTS && waiting(&pool).await == 0
    })
    .await;
    assert_eq!(effects(&pool).await.len(), EVENTS, "each once");
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn an_unroutable_event_stays_and_blocks_no_other(pool: PgPool) {
    let database = database(&pool).await;
    let unwanted = unique("test.unwanted");
    let wanted = unique("test.wanted");
    let queue = unique("test.wants");
    let stop = CancellationToken::new();
    append(&database, unwanted, "1").await;
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    let spec = queue_of(queue, wanted, 1);
    let handler = into_effects(&database);
    tokio::spawn(consumer::run(amqp(), spec, handler.clone(), stop.clone()));
    append(&database, wanted, "2").await;
    testkit::eventually(SOON, async || effects(&pool).await == ["2"]).await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(waiting(&pool).await, 1, "the unwanted one");

    // Once the missing queue exists, the event is delivered.
    let late = unique("test.late");
    let spec = queue_of(late, unwanted, 1);
    tokio::spawn(consumer::run(amqp(), spec, handler, stop.clone()));
    testkit::eventually(SOON, async || waiting(&pool).await == 0).await;
    testkit::eventually(SOON, async || effects(&pool).await == ["2", "1"]).await;
    stop.cancel();
    delete(&[queue, late]).await;
}

#[sqlx::test]
async fn a_live_event_without_a_listener_is_dropped(pool: PgPool) {
    let database = database(&pool).await;
    let live = unique("test.live");
    let stop = CancellationToken::new();
    append(&database, live, "1").await;
    let relay = Relay::new(pool.clone(), amqp(), "test").with_live(Box::leak(Box::new([live])));
    tokio::spawn(relay.run(stop.clone()));
    testkit::eventually(SOON, async || waiting(&pool).await == 0).await;
    stop.cancel();
}

#[sqlx::test]
async fn poison_is_delivered_five_times_and_blocks_no_other(pool: PgPool) {
    let database = database(&pool).await;
    let event_type = unique("test.poison");
    let queue = unique("test.poisoned");
    let stop = CancellationToken::new();
    let tries = Arc::new(AtomicUsize::new(0));
    let handler = {
        let (database, tries) = (database.clone(), tries.clone());
        move |event: Event| {
            let poison = event.aggregate_id == "poison";
            tries.fetch_add(usize::from(poison), Ordering::SeqCst);
            let database = database.clone();
            async move {
                if poison {
                    return Err(DbErr::Custom("indigestible".to_owned()));
                }
                have_effect(database, event).await
            }
        }
    };
    let spec = queue_of(queue, event_type, 4);
    let policy = RetryPolicy {
        delays: [Duration::from_millis(300); 4],
        ..RetryPolicy::default()
    };
    let consumer = consumer::run_with(policy, amqp(), spec, handler, stop.clone());
    tokio::spawn(consumer);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));

    let poison = append(&database, event_type, "poison").await;
    append(&database, event_type, "wholesome").await;
    testkit::eventually(SOON, async || effects(&pool).await == ["wholesome"]).await;
    assert!(
        tries.load(Ordering::SeqCst) < 5,
        "the rest did not wait for the last try"
    );

    let found = find_dead(poison).await;
    assert!(found, "the poison is a dead letter");
    assert_eq!(tries.load(Ordering::SeqCst), 5);
    stop.cancel();
    delete(&[queue]).await;
}

/// Searches the dead letters, which other tests may also fill.
async fn find_dead(event_id: Uuid) -> bool {
    let channel = amqp().channel().await;
    for _ in 0..400 {
        let dead = channel
            .basic_get("seedup.dead".into(), Default::default())
            .await
            .unwrap();
        let Some(dead) = dead else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        if Event::decode(&dead.delivery.data).is_ok_and(|event| event.event_id == event_id) {
            dead.delivery.ack(Default::default()).await.unwrap();
            return true;
        }
    }
    false
}
