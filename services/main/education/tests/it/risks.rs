//! Streaks that end tonight are told in the evening, once a day.

use education::MIGRATOR;
use prost::Message;
use proto::education::v1::{SetRestDayRequest, StreakAtRisk};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World, kst};

/// What is told, which is taken out of the outbox.
async fn take(world: &World) -> Vec<StreakAtRisk> {
    let bodies: Vec<Vec<u8>> = sqlx::query_scalar(
        "with taken as (delete from outbox where event_type = 'education.streak.at_risk.v1' \
         returning id, body) select body from taken order by id",
    )
    .fetch_all(&world.pool)
    .await
    .unwrap();
    let decode = |body: &Vec<u8>| StreakAtRisk::decode(body.as_slice()).unwrap();
    bodies.iter().map(decode).collect()
}

async fn study(world: &World, member: i64) {
    let set = world.random_set(member).await;
    world.complete(member, &set).await;
}

/// Two members with a streak of a day, on the next evening.
async fn next_evening(pool: PgPool) -> World {
    let world = World::at(pool, "2026-11-23T18:00").await;
    for member in [MEMBER, OTHER] {
        study(&world, member).await;
    }
    world.set_time("2026-11-24T12:00");
    world.work().await;
    world.set_time("2026-11-24T19:59");
    world.work().await;
    assert_eq!(take(&world).await, [], "not before eight");
    world.set_time("2026-11-24T20:00");
    world
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_streak_at_risk_is_told_once(pool: PgPool) {
    let world = next_evening(pool).await;
    study(&world, OTHER).await;
    for _ in 0..3 {
        world.work().await;
    }
    let told = StreakAtRisk {
        member_id: MEMBER,
        days: 1,
        day: 20_261_124,
        until_us: kst("2026-11-25T00:00").timestamp_micros(),
    };
    assert_eq!(take(&world).await, [told]);
    world.set_time("2026-11-24T23:59");
    world.work().await;
    assert_eq!(take(&world).await, []);
    // The streak ended; that of the other goes on and is at risk in turn.
    world.set_time("2026-11-25T20:30");
    world.work().await;
    let told: Vec<(i64, i32)> = take(&world)
        .await
        .iter()
        .map(|one| (one.member_id, one.days))
        .collect();
    assert_eq!(told, [(OTHER, 2)]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn rest_days_and_freezes_keep_it(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T18:00").await;
    for member in [MEMBER, OTHER] {
        study(&world, member).await;
    }
    // From the next Monday on: the last day of November.
    let request = SetRestDayRequest {
        member_id: MEMBER,
        weekday: 1,
    };
    world.progress.clone().set_rest_day(request).await.unwrap();
    for day in 24..=29 {
        world.set_time(&format!("2026-11-{day}T18:00"));
        for member in [MEMBER, OTHER] {
            study(&world, member).await;
        }
    }
    world.set_time("2026-11-30T12:00");
    world.work().await;
    // Seven days have brought a freeze; the member who rests has none.
    sqlx::query("update student set freezes = case when member_id = $1 then 0 else 1 end")
        .bind(MEMBER)
        .execute(&world.pool)
        .await
        .unwrap();
    world.set_time("2026-11-30T20:00");
    world.work().await;
    assert_eq!(take(&world).await, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_round_looks_at_ten_thousand_streaks_and_the_next_goes_on(pool: PgPool) {
    let world = next_evening(pool).await;
    sqlx::query(
        "insert into student (member_id, streak, judged_on, is_active) \
         select 200000 + n, 3, '2026-11-23', true from generate_series(1, 10500) n",
    )
    .execute(&world.pool)
    .await
    .unwrap();
    let mut told: Vec<i64> = Vec::new();
    for expected in [10_000, 502, 0] {
        world.work().await;
        let of_round = take(&world).await;
        assert_eq!(of_round.len(), expected);
        told.extend(of_round.iter().map(|one| one.member_id));
    }
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.len(), 10_502, "each once");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn two_processes_at_once_tell_once(pool: PgPool) {
    let world = next_evening(pool).await;
    let (one, other) = tokio::join!(
        world.store.tell_streaks_at_risk(),
        world.store.tell_streaks_at_risk()
    );
    assert_eq!(one.unwrap() + other.unwrap(), 2);
    assert_eq!(take(&world).await.len(), 2);
}
