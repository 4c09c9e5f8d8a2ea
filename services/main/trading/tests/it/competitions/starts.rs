//! The beginning of an event: who is told of it, and how often.

use chrono::{DateTime, TimeDelta};
use proto::trading::v1 as wire;
use sqlx::PgPool;

use super::{CompetitionWorld, ME};

const LEFT: i64 = ME + 4;
/// Those who take part when it begins; a multiple of a page.
const MEMBERS: std::ops::Range<i64> = ME..LEFT;

impl CompetitionWorld {
    /// Four members wait for an event, and one has left it.
    async fn four_wait(pool: PgPool) -> (Self, wire::Competition) {
        let mut world = Self::new(pool).await;
        world.worker = world.small_worker();
        let listed = world.list(ME).await.into_iter();
        let mut to_come = listed.filter(|one| one.status() == wire::CompetitionStatus::Scheduled);
        let event = to_come.next().unwrap();
        let id = event.competition_id;
        for member in ME..=LEFT {
            let joined = world.join(member, id, &format!("join-{member}")).await;
            joined.unwrap();
        }
        world.leave(LEFT, id, "leave-early").await.unwrap();
        (world, event)
    }

    async fn after_start(&mut self, event: &wire::Competition, later: TimeDelta) {
        let start = DateTime::from_timestamp_micros(event.starts_at_us).unwrap();
        self.world.now = start + later;
        self.world.clock.set(self.world.now);
        self.world.log(Vec::new()).await;
    }

    /// The members who were told, in that order.
    async fn told_start(&self, event: &wire::Competition) -> Vec<i64> {
        let told: Vec<wire::CompetitionStarted> =
            self.world.told("trading.competition.started.v1").await;
        for one in &told {
            assert_eq!(one.competition_id, event.competition_id);
            assert_eq!(one.name, event.title);
        }
        told.iter().map(|one| one.member_id).collect()
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn who_joined_before_is_told_once_that_an_event_has_begun(pool: PgPool) {
    let (mut world, event) = CompetitionWorld::four_wait(pool).await;
    // A practice league is joined while it runs, as is an event that has begun.
    world.set_mode(ME, true, 0).await.unwrap();
    world.after_start(&event, TimeDelta::seconds(-1)).await;
    world.worker.step().await.unwrap();
    assert!(world.told_start(&event).await.is_empty());
    world.after_start(&event, TimeDelta::seconds(5)).await;
    let late = ME + 9;
    world
        .join(late, event.competition_id, "join-late")
        .await
        .unwrap();
    world.worker.step().await.unwrap();
    let told = world.told_start(&event).await;
    assert!(told.is_empty(), "somebody may still be joining");
    world.after_start(&event, TimeDelta::seconds(15)).await;
    world.worker.step().await.unwrap();
    assert_eq!(world.told_start(&event).await, Vec::from_iter(MEMBERS));
    let pages = "select count(distinct xmin::text) from outbox \
        where event_type = 'trading.competition.started.v1'";
    assert_eq!(world.world.count(pages).await, 2);
    world.worker = world.small_worker();
    world.worker.step().await.unwrap();
    assert_eq!(world.told_start(&event).await, Vec::from_iter(MEMBERS));
    world.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_processes_tell_of_a_beginning_once(pool: PgPool) {
    let (mut world, event) = CompetitionWorld::four_wait(pool).await;
    world.after_start(&event, TimeDelta::seconds(15)).await;
    let mut second = world.small_worker();
    let (one, two) = tokio::join!(world.worker.step(), second.step());
    one.unwrap();
    two.unwrap();
    assert_eq!(world.told_start(&event).await, Vec::from_iter(MEMBERS));
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_crash_between_pages_leaves_nobody_out(pool: PgPool) {
    let (mut world, event) = CompetitionWorld::four_wait(pool).await;
    world.after_start(&event, TimeDelta::seconds(15)).await;
    world
        .sql(
            "create function refuse() returns trigger language plpgsql as \
             $$ begin raise exception 'on purpose'; end $$; \
             create trigger refuse before update on competition for each row \
             when (new.start_told_to = 100004) execute function refuse()",
        )
        .await;
    world.worker.step().await.unwrap();
    assert_eq!(world.told_start(&event).await, [ME, ME + 1]);
    world.sql("drop trigger refuse on competition").await;
    world.worker = world.small_worker();
    world.worker.step().await.unwrap();
    assert_eq!(world.told_start(&event).await, Vec::from_iter(MEMBERS));
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn nobody_is_told_a_day_later(pool: PgPool) {
    let (mut world, event) = CompetitionWorld::four_wait(pool).await;
    world.after_start(&event, TimeDelta::days(1)).await;
    world.worker.step().await.unwrap();
    assert!(world.told_start(&event).await.is_empty());
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_event_that_was_canceled_does_not_begin(pool: PgPool) {
    let (mut world, event) = CompetitionWorld::four_wait(pool).await;
    world
        .sql("update competition set is_canceled = true where starts_at > '2026-11-20T15:00:00Z'")
        .await;
    world.after_start(&event, TimeDelta::seconds(15)).await;
    world.worker.step().await.unwrap();
    assert!(world.told_start(&event).await.is_empty());
}
