//! The consumers of a process leave a connection of its pool to requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use messaging::Event;
use messaging::consumer::{self, RetryPolicy};
use messaging::outbox::Relay;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::{LATER, amqp, append, database, delete, queue_of, unique, waiting};

#[sqlx::test]
async fn two_busy_queues_leave_a_connection_to_requests(pool: PgPool) {
    const CONNECTIONS: u32 = 4;
    const EVENTS: usize = 10;
    let database = database(&pool).await;
    let queues = [
        (unique("test.busy"), unique("test.order.filled")),
        (unique("test.busy-too"), unique("test.order.ended")),
    ];
    let stop = CancellationToken::new();
    let small = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(Duration::from_secs(2))
        .connect_with(pool.connect_options().as_ref().clone())
        .await
        .unwrap();
    let go_on = Arc::new(Semaphore::new(0));
    let holding = Arc::new(AtomicUsize::new(0));
    let done = Arc::new(AtomicUsize::new(0));
    // As one that waits for a lock.
    let handler = {
        let (small, go_on) = (small.clone(), go_on.clone());
        let (holding, done) = (holding.clone(), done.clone());
        move |_event: Event| {
            let (small, go_on) = (small.clone(), go_on.clone());
            let (holding, done) = (holding.clone(), done.clone());
            async move {
                let connection = small.acquire().await?;
                holding.fetch_add(1, Ordering::SeqCst);
                go_on.acquire().await.unwrap().forget();
                drop(connection);
                done.fetch_add(1, Ordering::SeqCst);
                Ok::<(), sqlx::Error>(())
            }
        }
    };
    let policy = RetryPolicy {
        handler_timeout: LATER * 4,
        ..RetryPolicy::default()
    };
    let process = amqp().with_pool_of(CONNECTIONS);
    for (queue, event_type) in queues {
        let spec = queue_of(queue, event_type, 16);
        let (process, handler) = (process.clone(), handler.clone());
        let consumer = consumer::run_with(policy, process, spec, handler, stop.clone());
        tokio::spawn(consumer);
    }
    tokio::spawn(Relay::new(pool.clone(), amqp(), "test").run(stop.clone()));
    for number in 0..EVENTS {
        for (_, event_type) in queues {
            append(&database, event_type, &number.to_string()).await;
        }
    }
    testkit::eventually(LATER, async || {
        waiting(&pool).await == 0 && holding.load(Ordering::SeqCst) >= 3
    })
    .await;
    // Enough for more of them to begin.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(holding.load(Ordering::SeqCst), 3);
    let answer: i32 = sqlx::query_scalar("select 1")
        .fetch_one(&small)
        .await
        .unwrap();
    assert_eq!(answer, 1);

    go_on.add_permits(2 * EVENTS);
    testkit::eventually(LATER, async || done.load(Ordering::SeqCst) == 2 * EVENTS).await;
    stop.cancel();
    delete(&queues.map(|(queue, _)| queue)).await;
}
