//! A network partition that neither side is notified of.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fault_proxy::{DirectionFaults, Faults};
use messaging::Event;
use messaging::consumer::{self, RetryPolicy};
use messaging::outbox::Relay;
use sqlx::PgPool;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::events::{effects, have_effect, into_effects};
use crate::{LATER, amqp, append, behind, database, delete, queue_of, unique, waiting};

#[sqlx::test]
async fn heartbeats_detect_a_partition_and_no_effect_is_duplicated(pool: PgPool) {
    let database = database(&pool).await;
    let event_type = unique("test.order.filled");
    let queue = unique("test.partition");
    let stop = CancellationToken::new();
    let (proxy, cut_off) = behind("?heartbeat=2").await;
    tokio::spawn(Relay::new(pool.clone(), cut_off.clone(), "test").run(stop.clone()));
    let spec = queue_of(queue, event_type, 8);
    // A consumer is processing an event when the partition starts.
    let begun = Arc::new(AtomicUsize::new(0));
    let done = Arc::new(AtomicUsize::new(0));
    let go_on = Arc::new(Semaphore::new(0));
    let handler = {
        let database = database.clone();
        let (begun, done, go_on) = (begun.clone(), done.clone(), go_on.clone());
        move |event: Event| {
            begun.fetch_add(1, Ordering::SeqCst);
            let (database, done, go_on) = (database.clone(), done.clone(), go_on.clone());
            async move {
                if event.aggregate_id == "held" {
                    go_on.acquire().await.unwrap().forget();
                }
                have_effect(database, event).await?;
                done.fetch_add(1, Ordering::SeqCst);
                Ok::<_, sea_orm::DbErr>(())
            }
        }
    };
    let policy = RetryPolicy {
        handler_timeout: LATER * 4,
        ..RetryPolicy::default()
    };
    tokio::spawn(consumer::run_with(
        policy,
        cut_off,
        spec,
        handler,
        stop.clone(),
    ));
    append(&database, event_type, "calm").await;
    testkit::eventually(LATER, async || done.load(Ordering::SeqCst) == 1).await;
    append(&database, event_type, "held").await;
    testkit::eventually(LATER, async || {
        begun.load(Ordering::SeqCst) == 2 && waiting(&pool).await == 0
    })
    .await;

    proxy.set(Faults::both(DirectionFaults::silent()));
    append(&database, event_type, "meanwhile").await;
    // The broker misses the heartbeats and redelivers the event to another consumer.
    let other = into_effects(&database);
    tokio::spawn(consumer::run(amqp(), spec, other, stop.clone()));
    testkit::eventually(LATER, async || effects(&pool).await == ["calm", "held"]).await;
    // The first consumer does not know that and finishes its work.
    go_on.add_permits(1);
    testkit::eventually(LATER, async || done.load(Ordering::SeqCst) == 2).await;
    assert_eq!(effects(&pool).await, ["calm", "held"]);
    assert_eq!(waiting(&pool).await, 1, "nothing passes");

    proxy.clear();
    testkit::eventually(LATER, async || {
        effects(&pool).await.len() == 3 && waiting(&pool).await == 0
    })
    .await;
    // Both consumers work again.
    let mut appended = 3;
    testkit::eventually(LATER, async || {
        append(&database, event_type, "again").await;
        appended += 1;
        tokio::time::sleep(Duration::from_millis(50)).await;
        done.load(Ordering::SeqCst) > 2
    })
    .await;
    testkit::eventually(LATER, async || effects(&pool).await.len() == appended).await;
    assert_eq!(waiting(&pool).await, 0);
    stop.cancel();
    delete(&[queue]).await;
}
