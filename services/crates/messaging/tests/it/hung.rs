use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use messaging::Event;
use messaging::consumer::{self, AT_ONCE, HandlerError, RetryPolicy};
use messaging::outbox::Relay;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::events::{effects, have_effect, into_effects};
use crate::{LATER, amqp, append, database, delete, queue_of, unique, waiting};

#[sqlx::test]
async fn a_hung_consumer_holds_its_prefetch_and_no_more(pool: PgPool) {
    const EVENTS: usize = 60;
    const PREFETCH: u16 = 4;
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.hung");
    let stop = CancellationToken::new();
    let spec = queue_of(queue, event_type, PREFETCH);
    let begun = Arc::new(AtomicUsize::new(0));
    let never = {
        let begun = begun.clone();
        move |_event: Event| {
            begun.fetch_add(1, Ordering::SeqCst);
            pending::<Result<(), HandlerError>>()
        }
    };
    let policy = RetryPolicy {
        handler_timeout: LATER * 4,
        ..RetryPolicy::default()
    };
    let hung = tokio::spawn(consumer::run_with(
        policy,
        amqp(),
        spec,
        never,
        stop.clone(),
    ));
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    for number in 0..EVENTS {
        append(&database, event_type, &number.to_string()).await;
    }
    testkit::eventually(LATER, async || {
        begun.load(Ordering::SeqCst) == AT_ONCE && waiting(&pool).await == 0
    })
    .await;

    let other = into_effects(&database);
    tokio::spawn(consumer::run(amqp(), spec, other, stop.clone()));
    let free = EVENTS - usize::from(PREFETCH);
    testkit::eventually(LATER, async || effects(&pool).await.len() >= free).await;
    assert!(effects(&pool).await.len() < EVENTS, "some of them are held");
    assert_eq!(begun.load(Ordering::SeqCst), AT_ONCE);

    // When its process ends, its messages are delivered to another consumer.
    hung.abort();
    testkit::eventually(LATER, async || effects(&pool).await.len() >= EVENTS).await;
    assert_eq!(effects(&pool).await.len(), EVENTS, "each once");
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn a_hung_handler_is_cancelled_and_the_event_redelivered(pool: PgPool) {
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.cut-off");
    let stop = CancellationToken::new();
    let spec = queue_of(queue, event_type, 4);
    let begun = Arc::new(AtomicUsize::new(0));
    let handler = {
        let (database, begun) = (database.clone(), begun.clone());
        move |event: Event| {
            let is_first = begun.fetch_add(1, Ordering::SeqCst) == 0;
            let database = database.clone();
            async move {
                if is_first {
                    pending::<()>().await;
                }
                have_effect(database, event).await
            }
        }
    };
    let policy = RetryPolicy {
        handler_timeout: Duration::from_secs(3),
        delays: [Duration::from_millis(100); 4],
    };
    let consumer = consumer::run_with(policy, amqp(), spec, handler, stop.clone());
    tokio::spawn(consumer);
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    append(&database, event_type, "hangs once").await;
    append(&database, event_type, "behind it").await;
    testkit::eventually(LATER, async || effects(&pool).await.len() == 2).await;
    let mut effects = effects(&pool).await;
    effects.sort();
    assert_eq!(effects, ["behind it", "hangs once"]);
    stop.cancel();
    delete(&[queue]).await;
}
