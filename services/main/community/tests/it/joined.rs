//! Members who join, and who leave for good, as auth tells it over the broker.

use std::time::Duration;

use community::MIGRATOR;
use community::auth_events::{self, ERASED, JOINED};
use messaging::outbox::{self, Relay};
use messaging::{Amqp, NewEvent};
use proto::auth::v1::{MemberErased, MemberJoined};
use proto::convert::micros;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::world::{MEMBER, OTHER, World, start};

const TIMEOUT: Duration = Duration::from_secs(20);

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_joins_is_heard_of_over_the_broker(pool: PgPool) {
    let world = World::new(pool).await;
    let stop = CancellationToken::new();
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    // Auth's, here in the same database.
    let relay = Relay::new(world.pool.clone(), amqp.clone(), "auth");
    tokio::spawn(relay.run(stop.clone()));
    let queue: &'static str = testkit::unique("test.community-joined").leak();
    let follow = auth_events::follow(world.store.clone(), amqp.clone(), queue, stop.clone());
    tokio::spawn(follow);
    let tell = async |member_id: i64| {
        let body = MemberJoined {
            member_id,
            nickname: "새싹".to_owned(),
            joined_at_us: micros(start()),
        };
        let mut connection = world.pool.acquire().await.unwrap();
        let event = NewEvent::new(JOINED, format!("member-{member_id}"), &body, &world.clock);
        outbox::append_all(&mut connection, [event]).await.unwrap();
    };
    let heard = "select count(*) from member where joined_at = '2026-12-01'";
    // The queue is bound when something arrives.
    testkit::eventually(TIMEOUT, async || {
        tell(MEMBER).await;
        world.count(heard).await >= 1
    })
    .await;
    // Nonsense delays nobody.
    for member in [-1, MEMBER, OTHER] {
        tell(member).await;
    }
    testkit::eventually(TIMEOUT, async || world.count(heard).await >= 2).await;
    let own = "select count(*) from member where member_id in (100007, 100008)";
    assert_eq!(world.count(own).await, 2);
    stop.cancel();
    let link = amqp.channel().await;
    let _gone = link.queue_delete(queue.into(), Default::default()).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_leaves_is_heard_of_over_the_broker(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "남는 글").await.id;
    let stop = CancellationToken::new();
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    // Auth's, here in the same database.
    let relay = Relay::new(world.pool.clone(), amqp.clone(), "auth");
    tokio::spawn(relay.run(stop.clone()));
    let queue: &'static str = testkit::unique("test.community-erased").leak();
    let follow =
        auth_events::follow_erasures(world.store.clone(), amqp.clone(), queue, stop.clone());
    tokio::spawn(follow);
    let tell = async |member_id: i64| {
        let body = MemberErased {
            member_id,
            delete_content: false,
            erased_at_us: micros(start()),
        };
        let mut connection = world.pool.acquire().await.unwrap();
        let event = NewEvent::new(ERASED, member_id.to_string(), &body, &world.clock);
        outbox::append_all(&mut connection, [event]).await.unwrap();
    };
    let heard = "select count(*) from erasure where member_id in (100007, 100008)";
    // The queue is bound when something arrives.
    testkit::eventually(TIMEOUT, async || {
        tell(MEMBER).await;
        world.count(heard).await >= 1
    })
    .await;
    // Nonsense delays nobody, and the operator does not leave.
    for member in [-1, 23_488, OTHER] {
        tell(member).await;
    }
    testkit::eventually(TIMEOUT, async || world.count(heard).await >= 2).await;
    let operator = "select count(*) from erasure where member_id = 23488";
    assert_eq!(world.count(operator).await, 0);
    assert_eq!(world.get(0, post).await.unwrap().author_id, 0);
    stop.cancel();
    let link = amqp.channel().await;
    let _gone = link.queue_delete(queue.into(), Default::default()).await;
}
