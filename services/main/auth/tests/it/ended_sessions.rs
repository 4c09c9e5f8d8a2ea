//! The gateway rejects an ended session, whatever happens to Redis.

use std::time::Duration;

use auth::MIGRATOR;
use auth::domain::EndCause;
use auth::events;
use bootstrap::ended_sessions::{EndedSessions, Listing};
use bootstrap::redis;
use chrono::TimeDelta;
use fault_proxy::{DirectionFaults, FaultProxy, Faults};
use futures_util::future::join_all;
use kernel::MemberId;
use messaging::consumer::Broadcast;
use messaging::event::Event;
use proto::auth::v1 as wire;
use sqlx::PgPool;
use testkit::TempRedis;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::front::{FORGOTTEN, Front};
use crate::world::{PASSWORD, Setup, World, attempt, person, session_id};

const GOOD: (u16, u64) = (200, 0);
const INVALID: (u16, u64) = (401, 1205);
/// Usually takes one or two seconds.
const SOON: Duration = Duration::from_secs(15);

async fn world(pool: PgPool, redis_url: &str) -> World {
    let redis = redis::connect(redis_url).with_timeout(testkit::PATIENCE);
    let setup = Setup {
        redis,
        ..Setup::default()
    };
    World::with(pool, setup).await
}

/// Maintains the list as the process does, until the guard is dropped.
fn keep(world: &World) -> DropGuard {
    let stop = CancellationToken::new();
    let keeping = world.deny_list.clone();
    tokio::spawn(keeping.run(world.store.clone(), stop.clone()));
    stop.drop_guard()
}

fn list(redis: &TempRedis) -> EndedSessions {
    EndedSessions::new(redis::connect(&redis.url).with_timeout(testkit::PATIENCE))
}

async fn listing(redis: &TempRedis, session: &wire::Session) -> Listing {
    let listed = list(redis).look_up(&[session_id(session)]).await;
    listed[0]
}

async fn join(world: &World, number: usize) -> wire::Session {
    let person = person(&format!("a{number}@b.kr"), &format!("개미왕{number}"));
    world.join(person).await.unwrap()
}

async fn log_out(world: &World, session: &wire::Session) {
    let request = wire::LogoutRequest {
        refresh_token: session.refresh_token.clone(),
        session_id: String::new(),
    };
    world.client.clone().logout(request).await.unwrap();
}

/// As a process that is killed before it writes to Redis.
async fn log_out_and_die(world: &World, session: &wire::Session) {
    let id = session_id(session).parse().unwrap();
    world.store.log_out(id).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_session_stays_ended_after_redis_lost_it(pool: PgPool) {
    let redis = TempRedis::claim();
    let world = world(pool, &redis.url).await;
    let front = Front::open(&world, world.url(), &redis.url);
    let (over, other) = (join(&world, 1).await, join(&world, 2).await);
    assert_eq!(front.ask(&over).await, GOOD);
    log_out(&world, &over).await;
    redis.empty();
    tokio::time::sleep(FORGOTTEN).await;
    assert_eq!(front.ask(&over).await, INVALID);
    assert_eq!(front.ask(&other).await, GOOD);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_session_that_makes_room_is_listed(pool: PgPool) {
    let redis = TempRedis::claim();
    let world = world(pool, &redis.url).await;
    let first = join(&world, 1).await;
    for _ in 0..50 {
        assert_eq!(listing(&redis, &first).await, Listing::Unknown);
        world.clock.advance(TimeDelta::seconds(1));
        world.login(attempt("a1@b.kr", PASSWORD)).await.unwrap();
    }
    assert_eq!(listing(&redis, &first).await, Listing::Ended);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_list_is_rebuilt_whenever_redis_loses_it(pool: PgPool) {
    let redis = TempRedis::claim();
    let world = world(pool, &redis.url).await;
    let _keeping = keep(&world);
    let front = Front::open(&world, world.url(), &redis.url);
    let mut members = Vec::new();
    for number in 0..12 {
        members.push(join(&world, number).await);
    }
    let (over, alive) = members.split_at(6);
    for session in over {
        log_out(&world, session).await;
    }
    let all_are_right = async || {
        let all = join_all(members.iter().map(|session| front.ask(session))).await;
        assert_eq!(all[..6], [INVALID; 6]);
        assert_eq!(all[6..], [GOOD; 6]);
    };
    for _loss in 0..4 {
        redis.empty();
        // The ended session is rejected at every moment between the loss and the rebuild.
        testkit::eventually(SOON, async || {
            all_are_right().await;
            listing(&redis, &alive[0]).await == Listing::Alive
        })
        .await;
        tokio::time::sleep(FORGOTTEN).await;
        all_are_right().await;
        assert_eq!(listing(&redis, &over[0]).await, Listing::Ended);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_committed_end_without_redis_takes_effect(pool: PgPool) {
    let redis = TempRedis::claim();
    let world = world(pool, &redis.url).await;
    let _keeping = keep(&world);
    let front = Front::open(&world, world.url(), &redis.url);
    let (over, other) = (join(&world, 1).await, join(&world, 2).await);
    testkit::eventually(SOON, async || {
        listing(&redis, &over).await == Listing::Alive
    })
    .await;
    assert_eq!(front.ask(&over).await, GOOD);
    log_out_and_die(&world, &over).await;
    testkit::eventually(SOON, async || front.ask(&over).await == INVALID).await;
    testkit::eventually(SOON, async || {
        listing(&redis, &over).await == Listing::Ended
    })
    .await;
    assert_eq!(front.ask(&other).await, GOOD);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_committed_end_takes_effect_after_all_processes_crashed(pool: PgPool) {
    let redis = TempRedis::claim();
    let world = world(pool, &redis.url).await;
    let keeping = keep(&world);
    let front = Front::open(&world, world.url(), &redis.url);
    let over = join(&world, 1).await;
    testkit::eventually(SOON, async || {
        listing(&redis, &over).await == Listing::Alive
    })
    .await;
    drop(keeping);
    tokio::time::sleep(Duration::from_millis(200)).await;
    log_out_and_die(&world, &over).await;
    // A restarted process adds it before it confirms the list.
    let is_whole = world.deny_list.sync(&world.store).await.unwrap();
    assert!(is_whole);
    assert_eq!(listing(&redis, &over).await, Listing::Ended);
    tokio::time::sleep(FORGOTTEN).await;
    assert_eq!(front.ask(&over).await, INVALID);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_list_that_auth_cannot_reach_is_not_trusted(pool: PgPool) {
    let redis = TempRedis::claim();
    let (proxy, url) = FaultProxy::for_url(&redis.url).await.unwrap();
    let through = redis::connect(&url).with_timeout(Duration::from_millis(500));
    let setup = Setup {
        redis: through,
        ..Setup::default()
    };
    let world = World::with(pool, setup).await;
    let _keeping = keep(&world);
    let front = Front::open(&world, world.url(), &redis.url);
    let (over, other) = (join(&world, 1).await, join(&world, 2).await);
    testkit::eventually(SOON, async || {
        listing(&redis, &over).await == Listing::Alive
    })
    .await;
    proxy.set(Faults::both(DirectionFaults::silent()));
    log_out(&world, &over).await;
    assert_ne!(listing(&redis, &over).await, Listing::Ended);
    testkit::eventually(SOON, async || front.ask(&over).await == INVALID).await;
    assert_eq!(front.ask(&other).await, GOOD);

    proxy.clear();
    proxy.reset();
    testkit::eventually(SOON, async || {
        listing(&redis, &over).await == Listing::Ended
            && listing(&redis, &other).await == Listing::Alive
    })
    .await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_end_of_a_session_by_another_process_is_listed_on_its_event(pool: PgPool) {
    let redis = TempRedis::claim();
    let world = world(pool, &redis.url).await;
    let over = join(&world, 1).await;
    let id = session_id(&over).parse().unwrap();
    let member = MemberId(over.member_id);
    let ended = events::session_ended(member, id, EndCause::Logout, &world.clock);
    let columns = ended.columns();
    let event = Event {
        event_id: columns.event_id,
        event_type: columns.event_type.to_owned(),
        aggregate_id: columns.aggregate_id.to_owned(),
        occurred_at: columns.occurred_at,
        body: columns.body.to_vec().into(),
    };
    world.deny_list.handle_event(Broadcast::Connected).await;
    assert_eq!(listing(&redis, &over).await, Listing::Unknown);
    world
        .deny_list
        .handle_event(Broadcast::Event(event.clone()))
        .await;
    assert_eq!(listing(&redis, &over).await, Listing::Ended);
    let unreadable = Event {
        body: vec![0xff].into(),
        ..event
    };
    world
        .deny_list
        .handle_event(Broadcast::Event(unreadable))
        .await;
}

/// The previous release knows neither the list nor the column.
#[sqlx::test(migrator = "MIGRATOR")]
async fn sessions_ended_by_the_previous_release_are_listed_and_expire(pool: PgPool) {
    let redis = TempRedis::claim();
    let world = world(pool, &redis.url).await;
    let (over, long_ago) = (join(&world, 1).await, join(&world, 2).await);
    for (session, ago) in [(&over, TimeDelta::zero()), (&long_ago, TimeDelta::hours(2))] {
        sqlx::query("update session set ended_at = $1, end_cause = 'logout' where id = $2::uuid")
            .bind(kernel::Clock::now(&world.clock) - ago)
            .bind(session_id(session))
            .execute(&world.pool)
            .await
            .unwrap();
    }
    assert!(world.deny_list.sync(&world.store).await.unwrap());
    assert_eq!(listing(&redis, &over).await, Listing::Ended);
    // Its tokens have expired.
    assert_eq!(listing(&redis, &long_ago).await, Listing::Alive);
    assert_eq!(world.count("session where listed_at is not null").await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn many_sessions_are_checked_in_one_call(pool: PgPool) {
    let world = World::new(pool).await;
    let (over, alive) = (join(&world, 1).await, join(&world, 2).await);
    log_out(&world, &over).await;
    let check = async |sessions: &[String]| {
        let request = wire::CheckSessionsRequest {
            session_ids: sessions.to_vec(),
        };
        let answer = world.client.clone().check_sessions(request).await.unwrap();
        answer.into_inner().alive_session_ids
    };
    let (over, alive) = (session_id(&over), session_id(&alive));
    let unknown = "00000000-0000-4000-8000-000000000001".to_owned();
    let asked = [over, alive.clone(), unknown, "'; drop table".to_owned()];
    assert_eq!(check(&asked).await, std::slice::from_ref(&alive));
    assert!(check(&[]).await.is_empty());
    world.clock.advance(TimeDelta::days(10));
    assert!(check(&[alive]).await.is_empty());
}
