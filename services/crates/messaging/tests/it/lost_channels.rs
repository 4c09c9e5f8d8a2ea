//! Channels that are lost while nothing can be handled.

use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use messaging::Event;
use messaging::consumer::{self, AT_ONCE, HandlerError};
use messaging::outbox::Relay;
use messaging::redrive;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::events::{effects, have_effect, into_effects};
use crate::{LATER, amqp, append, behind, database, delete, queue_of, unique, waiting};

#[sqlx::test]
async fn lost_channels_make_few_dead_letters_of_what_nobody_could_handle(pool: PgPool) {
    const EVENTS: usize = 40;
    // More than the deliveries of a message.
    const PROCESSES: usize = 6;
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.lost-channels");
    let stop = CancellationToken::new();
    let spec = queue_of(queue, event_type, 50);
    for number in 0..EVENTS {
        append(&database, event_type, &number.to_string()).await;
    }
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    for _ in 0..PROCESSES {
        let begun = Arc::new(AtomicUsize::new(0));
        let handler = {
            let begun = Arc::clone(&begun);
            move |_event: Event| {
                begun.fetch_add(1, Ordering::SeqCst);
                ready(Err::<(), _>(HandlerError::Unavailable("away".to_owned())))
            }
        };
        let process = tokio::spawn(consumer::run(amqp(), spec, handler, stop.clone()));
        testkit::eventually(LATER, async || {
            waiting(&pool).await == 0 && begun.load(Ordering::SeqCst) >= AT_ONCE
        })
        .await;
        // Its connection ends, as when its process or its broker is replaced.
        process.abort();
    }

    let handler = into_effects(&database);
    tokio::spawn(consumer::run(amqp(), spec, handler, stop.clone()));
    // Five deliveries each take twelve of them at most.
    testkit::eventually(LATER, async || effects(&pool).await.len() >= EVENTS / 2).await;
    // Whatever became a dead letter is handled once it is put back.
    testkit::eventually(LATER, async || {
        redrive::run(&amqp(), Some(queue)).await.unwrap();
        effects(&pool).await.len() >= EVENTS
    })
    .await;
    assert_eq!(effects(&pool).await.len(), EVENTS, "each once");
    stop.cancel();
    delete(&[queue]).await;
}

#[sqlx::test]
async fn a_process_that_waits_for_an_outage_to_end_takes_nothing_on_another_channel(pool: PgPool) {
    const EVENTS: usize = 20;
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.waits");
    let stop = CancellationToken::new();
    let (proxy, flaky) = behind("").await;
    let is_away = Arc::new(AtomicBool::new(true));
    let begun = Arc::new(AtomicUsize::new(0));
    let handler = {
        let (database, is_away, begun) = (database.clone(), is_away.clone(), begun.clone());
        move |event: Event| {
            begun.fetch_add(1, Ordering::SeqCst);
            let (database, is_away) = (database.clone(), is_away.load(Ordering::SeqCst));
            async move {
                if is_away {
                    return Err(HandlerError::Unavailable("away".to_owned()));
                }
                have_effect(database, event).await.map_err(Into::into)
            }
        }
    };
    let spec = queue_of(queue, event_type, 8);
    tokio::spawn(consumer::run(flaky, spec, handler, stop.clone()));
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    for number in 0..EVENTS {
        append(&database, event_type, &number.to_string()).await;
    }
    testkit::eventually(LATER, async || {
        waiting(&pool).await == 0 && begun.load(Ordering::SeqCst) >= AT_ONCE
    })
    .await;
    let connections = proxy.connections();
    // More often than a message is delivered.
    for _ in 0..6 {
        proxy.reset();
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    assert_eq!(proxy.connections(), connections);
    is_away.store(false, Ordering::SeqCst);
    testkit::eventually(LATER, async || effects(&pool).await.len() >= EVENTS).await;
    assert_eq!(effects(&pool).await.len(), EVENTS, "each once");
    let redriven = redrive::run(&amqp(), Some(queue)).await.unwrap();
    assert!(redriven.put_back.is_empty(), "no dead letter");
    stop.cancel();
    delete(&[queue]).await;
}
