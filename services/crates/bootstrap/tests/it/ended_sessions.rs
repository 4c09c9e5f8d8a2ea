//! The list of ended sessions in a real Redis.

use std::time::{Duration, Instant};

use bootstrap::ended_sessions::{EndedSessions, Listing};
use bootstrap::redis::{self, Redis};
use fault_proxy::{DirectionFaults, FaultProxy, Faults};
use testkit::TempRedis;
use uuid::Uuid;

fn list_at(url: &str) -> EndedSessions {
    EndedSessions::new(redis::connect(url).with_timeout(testkit::PATIENCE))
}

async fn of(list: &EndedSessions, session: Uuid) -> Listing {
    let listed = list.look_up(&[session.to_string()]).await;
    assert_eq!(listed.len(), 1);
    listed.first().copied().unwrap()
}

async fn rebuild(list: &EndedSessions, ended: &[Uuid]) {
    let rebuild = list.begin_rebuild().await.unwrap();
    assert!(list.add(ended).await);
    assert_eq!(list.finish_rebuild(rebuild).await, Some(true));
}

/// Lets the confirmation expire.
fn let_the_word_lapse(redis: &TempRedis) {
    let _known: i64 = redis.run(&["ZADD", "ended-sessions", "1", "whole"]);
}

#[tokio::test]
async fn an_unlisted_session_is_alive_only_while_the_list_is_confirmed() {
    let redis = TempRedis::claim();
    let list = list_at(&redis.url);
    let (ended, alive) = (Uuid::new_v4(), Uuid::new_v4());
    assert_eq!(of(&list, alive).await, Listing::Unknown);
    assert!(list.add(&[ended]).await);
    assert_eq!(of(&list, ended).await, Listing::Ended);
    assert_eq!(of(&list, alive).await, Listing::Unknown);
    assert_eq!(list.confirm_complete().await, Some(false));
    assert_eq!(of(&list, alive).await, Listing::Unknown);

    rebuild(&list, &[ended]).await;
    let both = [ended.to_string(), alive.to_string()];
    assert_eq!(list.look_up(&both).await, [Listing::Ended, Listing::Alive]);
    let_the_word_lapse(&redis);
    assert_eq!(list.look_up(&both).await, [Listing::Ended, Listing::Stale]);
    assert_eq!(list.confirm_complete().await, Some(true));
    assert_eq!(list.look_up(&both).await, [Listing::Ended, Listing::Alive]);
    assert!(list.look_up(&[]).await.is_empty());

    // Removed after its tokens have expired.
    let name = ended.to_string();
    let _known: i64 = redis.run(&["ZADD", "ended-sessions", "1", &name]);
    assert_eq!(list.confirm_complete().await, Some(true));
    assert_eq!(of(&list, ended).await, Listing::Alive);
}

#[tokio::test]
async fn a_list_that_was_lost_or_is_of_another_server_is_incomplete() {
    let redis = TempRedis::claim();
    let list = list_at(&redis.url);
    let (ended, alive) = (Uuid::new_v4(), Uuid::new_v4());
    rebuild(&list, &[ended]).await;
    redis.empty();
    assert_eq!(of(&list, alive).await, Listing::Unknown);
    // Adding a session does not complete it.
    assert!(list.add(&[Uuid::new_v4()]).await);
    assert_eq!(list.confirm_complete().await, Some(false));
    assert_eq!(of(&list, ended).await, Listing::Unknown);

    rebuild(&list, &[ended]).await;
    let () = redis.run(&["SET", "ended-sessions:server", "an older run"]);
    assert_eq!(list.confirm_complete().await, Some(false));
    assert_eq!(of(&list, alive).await, Listing::Unknown);
    assert_eq!(of(&list, ended).await, Listing::Ended);
}

#[tokio::test]
async fn a_rebuild_that_lost_sessions_is_discarded() {
    let redis = TempRedis::claim();
    let list = list_at(&redis.url);
    let (ended, later) = (Uuid::new_v4(), Uuid::new_v4());
    let interrupted = list.begin_rebuild().await.unwrap();
    assert!(list.add(&[ended]).await);
    redis.empty();
    assert!(list.add(&[later]).await);
    assert_eq!(list.finish_rebuild(interrupted).await, Some(false));
    assert_eq!(of(&list, ended).await, Listing::Unknown);

    // Two concurrent rebuilds may finish in any order.
    let (one, other) = (
        list.begin_rebuild().await.unwrap(),
        list.begin_rebuild().await.unwrap(),
    );
    assert!(list.add(&[ended]).await);
    assert_eq!(list.finish_rebuild(one).await, Some(true));
    assert_eq!(list.finish_rebuild(other).await, Some(true));
    assert_eq!(of(&list, ended).await, Listing::Ended);
    assert_eq!(of(&list, later).await, Listing::Ended);
}

#[tokio::test]
async fn without_redis_nothing_is_known() {
    for redis in [Redis::absent(), redis::connect("redis://127.0.0.1:1/0")] {
        let list = EndedSessions::new(redis);
        assert_eq!(of(&list, Uuid::new_v4()).await, Listing::Unknown);
        assert!(!list.add(&[Uuid::new_v4()]).await);
        assert!(list.add(&[]).await);
        assert_eq!(list.confirm_complete().await, None);
        assert!(list.begin_rebuild().await.is_none());
    }
}

#[tokio::test]
async fn many_sessions_are_looked_up_in_one_round_trip() {
    const WAY: Duration = Duration::from_millis(200);
    let redis = TempRedis::claim();
    let (proxy, url) = FaultProxy::for_url(&redis.url).await.unwrap();
    let list = list_at(&url);
    let ended: Vec<Uuid> = (0..500).map(|_| Uuid::new_v4()).collect();
    rebuild(&list, &ended).await;
    let far = redis::connect(&url).with_timeout(testkit::PATIENCE);
    // Connects.
    let exists = async || {
        let asked = far.run(async |mut connection| {
            let exists: Result<bool, redis::RedisError> =
                redis::AsyncCommands::exists(&mut connection, "nothing").await;
            exists
        });
        asked.await.unwrap()
    };
    assert!(!exists().await);
    proxy.set(Faults::both(DirectionFaults::slow(WAY)));
    let started = Instant::now();
    exists().await;
    let one = started.elapsed();
    assert!(
        one >= 2 * WAY,
        "the network is as slow as it is told: {one:?}"
    );

    let asked: Vec<String> = ended.iter().map(Uuid::to_string).collect();
    let started = Instant::now();
    let listed = list.look_up(&asked).await;
    let many = started.elapsed();
    assert!(listed.iter().all(|listing| *listing == Listing::Ended));
    // A second round trip would take twice the time.
    assert!(many < one + 3 * WAY / 2, "{many:?}, and one key {one:?}");
}
