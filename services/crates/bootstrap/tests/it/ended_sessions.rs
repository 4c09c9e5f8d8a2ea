//! The list of ended sessions in a real Redis.

use std::time::{Duration, Instant};

use bootstrap::ended_sessions::{EndedSessions, Listing};
use bootstrap::redis::{self, Redis};
use fault_proxy::{FaultProxy, Faults, Way};
use testkit::TempRedis;
use uuid::Uuid;

fn list_at(url: &str) -> EndedSessions {
    EndedSessions::new(redis::connect(url).with_patience(testkit::PATIENCE))
}

/// What the list says of one session.
async fn of(list: &EndedSessions, session: Uuid) -> Listing {
    let listed = list.look_up(&[session.to_string()]).await;
    assert_eq!(listed.len(), 1);
    listed.first().copied().unwrap()
}

async fn rebuild(list: &EndedSessions, ended: &[Uuid]) {
    let rebuild = list.begin().await.unwrap();
    assert!(list.add(ended).await);
    assert_eq!(list.complete(rebuild).await, Some(true));
}

/// Auth has said nothing for longer than its word holds.
fn let_the_word_lapse(redis: &TempRedis) {
    let _known: i64 = redis.run(&["ZADD", "ended-sessions", "1", "whole"]);
}

#[tokio::test]
async fn what_is_not_listed_goes_on_only_while_somebody_vouches_for_it() {
    let redis = TempRedis::claim();
    let list = list_at(&redis.url);
    let (ended, alive) = (Uuid::new_v4(), Uuid::new_v4());
    assert_eq!(of(&list, alive).await, Listing::Unknown);
    assert!(list.add(&[ended]).await);
    assert_eq!(of(&list, ended).await, Listing::Ended);
    assert_eq!(of(&list, alive).await, Listing::Unknown);
    assert_eq!(list.vouch().await, Some(false));
    assert_eq!(of(&list, alive).await, Listing::Unknown);

    rebuild(&list, &[ended]).await;
    let both = [ended.to_string(), alive.to_string()];
    assert_eq!(list.look_up(&both).await, [Listing::Ended, Listing::Alive]);
    let_the_word_lapse(&redis);
    assert_eq!(list.look_up(&both).await, [Listing::Ended, Listing::Stale]);
    assert_eq!(list.vouch().await, Some(true));
    assert_eq!(list.look_up(&both).await, [Listing::Ended, Listing::Alive]);
    assert!(list.look_up(&[]).await.is_empty());

    // Its tokens have expired: it is not kept any longer.
    let name = ended.to_string();
    let _known: i64 = redis.run(&["ZADD", "ended-sessions", "1", &name]);
    assert_eq!(list.vouch().await, Some(true));
    assert_eq!(of(&list, ended).await, Listing::Alive);
}

#[tokio::test]
async fn a_list_that_was_lost_or_came_back_with_another_server_is_not_whole() {
    let redis = TempRedis::claim();
    let list = list_at(&redis.url);
    let (ended, alive) = (Uuid::new_v4(), Uuid::new_v4());
    rebuild(&list, &[ended]).await;
    redis.empty();
    assert_eq!(of(&list, alive).await, Listing::Unknown);
    // Whoever ends a session meanwhile does not make it whole.
    assert!(list.add(&[Uuid::new_v4()]).await);
    assert_eq!(list.vouch().await, Some(false));
    assert_eq!(of(&list, ended).await, Listing::Unknown);

    rebuild(&list, &[ended]).await;
    let () = redis.run(&["SET", "ended-sessions:server", "an older run"]);
    assert_eq!(list.vouch().await, Some(false));
    assert_eq!(of(&list, alive).await, Listing::Unknown);
    assert_eq!(of(&list, ended).await, Listing::Ended);
}

#[tokio::test]
async fn what_was_lost_while_it_was_written_anew_counts_for_nothing() {
    let redis = TempRedis::claim();
    let list = list_at(&redis.url);
    let (ended, later) = (Uuid::new_v4(), Uuid::new_v4());
    let interrupted = list.begin().await.unwrap();
    assert!(list.add(&[ended]).await);
    redis.empty();
    assert!(list.add(&[later]).await);
    assert_eq!(list.complete(interrupted).await, Some(false));
    assert_eq!(of(&list, ended).await, Listing::Unknown);

    // Two processes at once write the same, and either may be first.
    let (one, other) = (list.begin().await.unwrap(), list.begin().await.unwrap());
    assert!(list.add(&[ended]).await);
    assert_eq!(list.complete(one).await, Some(true));
    assert_eq!(list.complete(other).await, Some(true));
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
        assert_eq!(list.vouch().await, None);
        assert!(list.begin().await.is_none());
    }
}

#[tokio::test]
async fn many_are_looked_up_in_the_time_that_one_key_takes() {
    const WAY: Duration = Duration::from_millis(200);
    let redis = TempRedis::claim();
    let (proxy, url) = FaultProxy::before_url(&redis.url).await.unwrap();
    let list = list_at(&url);
    let ended: Vec<Uuid> = (0..500).map(|_| Uuid::new_v4()).collect();
    rebuild(&list, &ended).await;
    let far = redis::connect(&url).with_patience(testkit::PATIENCE);
    // The first use connects.
    let exists = async || {
        let asked = far.run(async |mut connection| {
            let exists: Result<bool, redis::RedisError> =
                redis::AsyncCommands::exists(&mut connection, "nothing").await;
            exists
        });
        asked.await.unwrap()
    };
    assert!(!exists().await);
    proxy.set(Faults::both(Way::slow(WAY)));
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
    // Another round trip would take two ways more.
    assert!(many < one + 3 * WAY / 2, "{many:?}, and one key {one:?}");
}
