//! Events of education over the real broker, told by a producer of the test until they arrive.

use messaging::outbox::{self, Relay};
use messaging::{Amqp, NewEvent};
use prost::Message;
use proto::education::v1::{FreezesChanged, PointsEarned};
use sea_orm::{DatabaseConnection, SqlxPostgresConnector};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use trading::education_events;
use trading::items::freezes;
use trading::points::earn;

use crate::front::TIMEOUT;
use crate::world::World;

/// The broker is not this test's alone.
const ME: i64 = 7_100_001;

async fn tell(
    world: &World,
    db: &DatabaseConnection,
    event_type: &'static str,
    body: &impl Message,
) {
    let event = NewEvent::new(event_type, format!("member-{ME}"), body, &world.clock);
    outbox::append(db, event).await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_education_says_is_booked_once_and_nonsense_is_passed_over(pool: PgPool) {
    let world = World::new(pool).await;
    let db = SqlxPostgresConnector::from_sqlx_postgres_pool(world.pool.clone());
    let stop = CancellationToken::new();
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    let relay = Relay::new(world.pool.clone(), amqp.clone(), "trading");
    tokio::spawn(relay.run(stop.clone()));
    let queue: &'static str = testkit::unique("test.education-events").leak();
    let store = world.store.clone();
    let follow = education_events::follow(store, amqp.clone(), queue, stop.clone());
    tokio::spawn(follow);
    let earned = |source_key: &str, points| PointsEarned {
        member_id: ME,
        source_key: source_key.to_owned(),
        points,
        kind: "QUIZ".to_owned(),
        earned_at_us: 1_795_136_400_000_000,
    };
    let held = |held, version| FreezesChanged {
        member_id: ME,
        held,
        version,
        ..FreezesChanged::default()
    };
    // Queues of other tests take what this one does not yet: it is bound when something is booked.
    testkit::eventually(TIMEOUT, async || {
        tell(&world, &db, earn::EARNED, &earned("quiz-0", 1)).await;
        world.count("select count(*) from point_change").await > 0
    })
    .await;
    tell(&world, &db, earn::EARNED, &earned("quiz-1", -10)).await;
    tell(&world, &db, earn::EARNED, &earned("quiz-1", 10)).await;
    tell(&world, &db, earn::EARNED, &earned("quiz-1", 10)).await;
    tell(&world, &db, freezes::CHANGED, &held(1, 1)).await;
    tell(&world, &db, freezes::CHANGED, &held(2, 2)).await;
    tell(&world, &db, earn::EARNED, &earned("quiz-2", 5)).await;
    let booked = "select coalesce((select sum(points)::bigint from point_change p \
        join account a on a.id = p.account_id where a.member_id = 7100001), 0) \
        + coalesce((select held * 100::bigint from streak_freeze f \
        join account a on a.id = f.account_id where a.member_id = 7100001), 0)";
    testkit::eventually(TIMEOUT, async || world.count(booked).await == 216).await;
    stop.cancel();
    let link = amqp.channel().await;
    let _gone = link.queue_delete(queue.into(), Default::default()).await;
    world.audit().await;
}
