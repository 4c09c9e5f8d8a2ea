//! Orders while the broker cannot be reached for long.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fault_proxy::{FaultProxy, Faults};
use messaging::consumer::{self, ConsumerSpec, HandlerError};
use messaging::outbox::Relay;
use messaging::{Amqp, Event};
use parking_lot::Mutex;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use trading::events;
use uuid::Uuid;

use crate::front::TIMEOUT;
use crate::world::{SAMSUNG, World, buy};

const FIRST: i64 = 100_001;
const MEMBERS: i64 = 60;
const ROUNDS: i64 = 6;

/// Events by the row they are about, in the order they came.
type ByAggregate = BTreeMap<String, Vec<Uuid>>;

fn by_aggregate(events: impl IntoIterator<Item = (Uuid, String)>) -> ByAggregate {
    let mut seen = BTreeSet::new();
    let mut sorted = ByAggregate::new();
    for (event_id, aggregate_id) in events {
        // Delivered again is not delivered late.
        if seen.insert(event_id) {
            sorted.entry(aggregate_id).or_default().push(event_id);
        }
    }
    sorted
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_go_on_and_their_events_follow_in_order(pool: PgPool) {
    let mut world = World::new(pool).await;
    let stop = CancellationToken::new();
    let (proxy, url) = FaultProxy::for_url(&testkit::amqp_url()).await.unwrap();
    let flaky = Amqp::new(&url).unwrap();
    let relay = Relay::new(world.pool.clone(), flaky, "trading").with_live(&events::LIVE);
    tokio::spawn(relay.run(stop.clone()));

    let queue: &'static str = testkit::unique("test.broker-away").leak();
    let spec = ConsumerSpec {
        queue,
        bindings: &[
            events::ORDER_FILLED,
            events::ORDER_CHANGED,
            events::ACCOUNT_OPENED,
        ],
        prefetch: 200,
    };
    let heard = Arc::new(Mutex::new(Vec::new()));
    let handler = {
        let heard = Arc::clone(&heard);
        move |event: Event| {
            heard.lock().push((event.event_id, event.aggregate_id));
            std::future::ready(Ok::<(), HandlerError>(()))
        }
    };
    let direct = Amqp::new(&testkit::amqp_url()).unwrap();
    tokio::spawn(consumer::run(direct.clone(), spec, handler, stop.clone()));
    // The queue is there as soon as something is heard.
    testkit::eventually(TIMEOUT, async || {
        world.placed(buy(FIRST, SAMSUNG, "70000", "1")).await;
        !heard.lock().is_empty()
    })
    .await;
    let unsent = "select count(*) from outbox";
    testkit::eventually(TIMEOUT, async || world.count(unsent).await == 0).await;

    proxy.set(Faults {
        refuses_connections: true,
        ..Faults::default()
    });
    proxy.reset();
    let connections = proxy.connections();
    for round in 0..ROUNDS {
        for member in FIRST..FIRST + MEMBERS {
            // Some wait and are canceled, the others fill.
            let price = if round % 2 == 0 { "70000" } else { "" };
            let order = world.placed(buy(member, SAMSUNG, price, "1")).await;
            if round % 2 == 0 {
                world.cancel(&order, member).await.unwrap();
            }
        }
        world.trade(SAMSUNG, "71300", 10_000).await;
    }
    // More than one round of the relay takes, none of it lost, and nobody had to wait.
    let kept: Vec<(Uuid, String)> =
        sqlx::query_as("select event_id, aggregate_id from outbox order by id")
            .fetch_all(&world.pool)
            .await
            .unwrap();
    assert!(kept.len() > 500, "{} events", kept.len());
    testkit::eventually(TIMEOUT, async || proxy.connections() > connections + 3).await;

    proxy.clear();
    testkit::eventually(TIMEOUT, async || world.count(unsent).await == 0).await;
    let wanted: BTreeSet<Uuid> = kept.iter().map(|(event_id, _)| *event_id).collect();
    // The broker is not this test's alone.
    let ours = || {
        let heard = heard.lock().clone();
        let ours = heard.into_iter().filter(|(id, _)| wanted.contains(id));
        by_aggregate(ours)
    };
    let expected = by_aggregate(kept);
    testkit::eventually(TIMEOUT, async || {
        ours().values().map(Vec::len).sum::<usize>() == wanted.len()
    })
    .await;
    assert_eq!(ours(), expected);
    stop.cancel();
    let link = direct.channel().await;
    let _gone = link.queue_delete(queue.into(), Default::default()).await;
    world.audit().await;
}
