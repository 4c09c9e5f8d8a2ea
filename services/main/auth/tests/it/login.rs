//! Logins, and throttling of guesses.

use auth::MIGRATOR;
use auth::hashing::Hasher;
use chrono::TimeDelta;
use futures_util::future::join_all;
use prost::Message;
use proto::auth::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};
use unicode_normalization::UnicodeNormalization;

use crate::world::{
    PASSWORD, Setup, World, attempt, attempt_from, fresh_ip, person, reason, session_id,
};

#[sqlx::test(migrator = "MIGRATOR")]
async fn every_login_starts_a_session(pool: PgPool) {
    let world = World::new(pool).await;
    let joined = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let first = world.login(attempt("A@B.kr", PASSWORD)).await.unwrap();
    let second = world.login(attempt("a@b.kr ", PASSWORD)).await.unwrap();
    assert_eq!(first.member_id, joined.member_id);
    assert_ne!(session_id(&first), session_id(&second));
    assert_ne!(first.refresh_token, second.refresh_token);
    assert_eq!(world.count("session").await, 3);
    assert_eq!(world.count("session where user_agent = 'test'").await, 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_fifty_first_login_ends_the_session_that_was_unused_for_longest(pool: PgPool) {
    let world = World::new(pool).await;
    let log_in = async || {
        world.clock.advance(TimeDelta::seconds(1));
        world.login(attempt("a@b.kr", PASSWORD)).await.unwrap()
    };
    let open = "session where ended_at is null";
    let first = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let second = log_in().await;
    for _ in 3..=50 {
        log_in().await;
    }
    assert_eq!(world.count(open).await, 50);
    world.clock.advance(TimeDelta::seconds(1));
    world.refresh(&first.refresh_token).await.unwrap();
    let newest = log_in().await;
    assert_eq!(world.count(open).await, 50);
    let is_alive = async |session: &wire::Session| world.is_alive(&session_id(session)).await;
    assert!(is_alive(&first).await && is_alive(&newest).await);
    assert!(!is_alive(&second).await);
    let refused = world.refresh(&second.refresh_token).await.unwrap_err();
    assert_eq!(reason(&refused), "Expired");
    let told: Vec<Vec<u8>> =
        sqlx::query_scalar("select body from outbox where event_type = 'auth.session.ended.v1'")
            .fetch_all(&world.pool)
            .await
            .unwrap();
    let told: Vec<(String, String)> = told
        .iter()
        .map(|body| wire::SessionEnded::decode(body.as_slice()).unwrap())
        .map(|ended| (ended.session_id, ended.cause))
        .collect();
    assert_eq!(told, [(session_id(&second), "too_many".to_owned())]);

    // Logins at once do not find room together.
    join_all((0..20).map(|_| world.login(attempt("a@b.kr", PASSWORD)))).await;
    assert_eq!(world.count(open).await, 50);
}

/// Sessions of the member $1, each a second older than the next.
const CROWD: &str = "
insert into session (id, member_id, started_at, refreshed_at)
select gen_random_uuid(), $1, at, at
from generate_series(1, 5000) n, lateral (select
    timestamptz '2026-11-20 00:00+00' + n * interval '1 second' as at) as times";

#[sqlx::test(migrator = "MIGRATOR")]
async fn of_thousands_of_sessions_each_login_ends_the_thousand_oldest(pool: PgPool) {
    let world = World::new(pool).await;
    let joined = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    sqlx::query(CROWD)
        .bind(joined.member_id)
        .execute(&world.pool)
        .await
        .unwrap();
    testkit::bound_statements(&world.pool, "update", "session", 1_000).await;
    for left in [4_002, 3_003, 2_004, 1_005, 50, 50] {
        world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
        assert_eq!(world.count("session where ended_at is null").await, left);
        let newest_ended = "(select max(refreshed_at) from session where ended_at is not null)";
        let older = format!("session where ended_at is null and refreshed_at < {newest_ended}");
        assert_eq!(world.count(&older).await, 0);
    }
    assert!(world.is_alive(&session_id(&joined)).await);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn no_token_is_stored(pool: PgPool) {
    let world = World::new(pool).await;
    let session = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let rows: Vec<String> = sqlx::query_scalar(
        "select row_to_json(t)::text from refresh_token t \
         union all select row_to_json(s)::text from session s \
         union all select row_to_json(c)::text from credential c \
         union all select row_to_json(m)::text from member m",
    )
    .fetch_all(&world.pool)
    .await
    .unwrap();
    for row in rows {
        assert!(!row.contains(&session.refresh_token) && !row.contains(PASSWORD));
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_unknown_address_gets_the_response_of_a_wrong_password(pool: PgPool) {
    let world = World::new(pool).await;
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let before = world.hasher.checks();
    let wrong = world
        .login(attempt("a@b.kr", "another password"))
        .await
        .unwrap_err();
    assert_eq!(world.hasher.checks(), before + 1);
    let unknown = world
        .login(attempt("x@y.kr", "another password"))
        .await
        .unwrap_err();
    assert_eq!(world.hasher.checks(), before + 2);
    let shown = |status: &Status| {
        (
            status.code(),
            status.message().to_owned(),
            status.details().to_vec(),
        )
    };
    assert_eq!(shown(&wrong), shown(&unknown));
    assert_eq!(
        wrong.message(),
        "이메일이나 비밀번호가 맞지 않아요. 다시 확인해주세요."
    );
    assert_eq!(wrong.code(), Code::Unauthenticated);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn impossible_credentials_are_not_hashed(pool: PgPool) {
    let world = World::new(pool).await;
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let before = world.hasher.checks();
    let long = "x".repeat(3_000_000);
    for (email, password) in [
        ("a@b.kr", ""),
        ("a@b.kr", "short"),
        ("a@b.kr", long.as_str()),
        (long.as_str(), PASSWORD),
        ("a@b.kr\r\nx", PASSWORD),
        ("a@b.kr\0", PASSWORD),
        ("' or 1=1 --", PASSWORD),
    ] {
        let refused = world.login(attempt(email, password)).await.unwrap_err();
        assert_eq!(reason(&refused), "LOGIN_FAILED");
    }
    assert_eq!(world.hasher.checks(), before);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_password_is_not_truncated_and_normalized(pool: PgPool) {
    let world = World::new(pool).await;
    let password: String = "달빛 아래 바닷가를 걷는 밤 "
        .chars()
        .cycle()
        .take(127)
        .collect();
    let mut form = person("a@b.kr", "개미왕");
    form.password = format!("{password}끝");
    world.join(form).await.unwrap();
    let decomposed: String = format!("{password}끝").nfd().collect();
    world.login(attempt("a@b.kr", &decomposed)).await.unwrap();
    let refused = world
        .login(attempt("a@b.kr", &format!("{password}끄")))
        .await
        .unwrap_err();
    assert_eq!(reason(&refused), "LOGIN_FAILED");
}

/// Guesses until the service throttles; returns the number of guesses and the wait.
pub(crate) async fn guess_until_stopped(world: &World, ip: &str) -> (u32, i64) {
    for guesses in 0..200 {
        let guess = attempt_from(ip, "a@b.kr", "a wrong password");
        let refused = world.login(guess).await.unwrap_err();
        if reason(&refused) == "TOO_MANY_ATTEMPTS" {
            assert_eq!(refused.code(), Code::ResourceExhausted);
            let problem = bootstrap::problem::of(&refused).unwrap();
            return (guesses, problem.facts["retryAfterS"].parse().unwrap());
        }
        assert_eq!(reason(&refused), "LOGIN_FAILED");
    }
    panic!("nobody stopped the guesser");
}

async fn the_wait_grows(world: &World) {
    let email = "a@b.kr";
    let (guesser, owner) = (fresh_ip(), fresh_ip());
    world.join(person(email, "개미왕")).await.unwrap();
    assert_eq!(guess_until_stopped(world, &guesser).await, (5, 10));
    // The right password is throttled too, or a guesser would learn that it is right.
    let refused = world
        .login(attempt_from(&guesser, email, PASSWORD))
        .await
        .unwrap_err();
    assert_eq!(reason(&refused), "TOO_MANY_ATTEMPTS");
    // The owner can log in from another address.
    world
        .login(attempt_from(&owner, email, PASSWORD))
        .await
        .unwrap();

    world.clock.advance(TimeDelta::seconds(10));
    assert_eq!(guess_until_stopped(world, &guesser).await, (1, 20));
    world.clock.advance(TimeDelta::seconds(20));
    assert_eq!(guess_until_stopped(world, &guesser).await, (1, 40));
    world.clock.advance(TimeDelta::seconds(40));
    world
        .login(attempt_from(&guesser, email, PASSWORD))
        .await
        .unwrap();
    assert_eq!(guess_until_stopped(world, &guesser).await, (5, 10));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn guessing_gets_slower_without_redis(pool: PgPool) {
    the_wait_grows(&World::new(pool).await).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn guessing_gets_slower_with_redis(pool: PgPool) {
    the_wait_grows(&World::with_redis(pool).await).await;
}

/// Mistyped passwords of many members that share an address.
async fn a_shared_address_recovers(world: &World) {
    let school = fresh_ip();
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let mistype = async |number: i32| {
        let email = format!("m{number}@b.kr");
        let login = attempt_from(&school, &email, "a wrong password");
        reason(&world.login(login).await.unwrap_err())
    };
    let log_in = async || world.login(attempt_from(&school, "a@b.kr", PASSWORD)).await;
    for number in 0..110 {
        assert_eq!(mistype(number).await, "LOGIN_FAILED");
        world.clock.advance(TimeDelta::hours(23) / 110);
    }
    assert_eq!(mistype(110).await, "LOGIN_FAILED");
    log_in().await.unwrap();

    // In a burst the address has to wait for seconds, and successful logins do not count.
    world.clock.advance(TimeDelta::hours(1));
    for number in 0..100 {
        log_in().await.unwrap();
        assert_eq!(mistype(number).await, "LOGIN_FAILED");
    }
    let refused = log_in().await.unwrap_err();
    let problem = bootstrap::problem::of(&refused).unwrap();
    assert_eq!(problem.facts["retryAfterS"], "36");
    world.clock.advance(TimeDelta::seconds(36));
    log_in().await.unwrap();
    assert_eq!(mistype(101).await, "LOGIN_FAILED");
    assert_eq!(mistype(102).await, "TOO_MANY_ATTEMPTS");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_shared_address_recovers_without_redis(pool: PgPool) {
    a_shared_address_recovers(&World::new(pool).await).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_shared_address_recovers_with_redis(pool: PgPool) {
    a_shared_address_recovers(&World::with_redis(pool).await).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn two_processes_count_together(pool: PgPool) {
    let one = World::with_redis(pool.clone()).await;
    let other = World::with_redis(pool).await;
    let ip = fresh_ip();
    assert_eq!(guess_until_stopped(&one, &ip).await.0, 5);
    assert_eq!(guess_until_stopped(&other, &ip).await.0, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn concurrent_guesses_get_no_more_tries(pool: PgPool) {
    let world = World::with_redis(pool).await;
    let ip = fresh_ip();
    let guesses = (0..20).map(|_| world.login(attempt_from(&ip, "x@y.kr", "a wrong password")));
    let answers = join_all(guesses).await;
    let judged = answers
        .into_iter()
        .filter_map(Result::err)
        .filter(|refused| reason(refused) == "LOGIN_FAILED");
    assert_eq!(judged.count(), 5);
    assert_eq!(world.hasher.checks(), 5);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn logins_beyond_the_queue_are_rejected_and_not_counted(pool: PgPool) {
    let world = World::new(pool).await;
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let ip = fresh_ip();
    let crowd = world.hasher.occupy().await;
    for _ in 0..20 {
        let refused = world
            .login(attempt_from(&ip, "a@b.kr", PASSWORD))
            .await
            .unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::Unavailable, "AUTH_BUSY")
        );
    }
    drop(crowd);
    world
        .login(attempt_from(&ip, "a@b.kr", PASSWORD))
        .await
        .unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_login_storm_is_bounded(pool: PgPool) {
    let setup = Setup {
        hasher: Hasher::new().unwrap(),
        ..Setup::default()
    };
    let world = World::with(pool, setup).await;
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let storm = (0..120).map(|_| world.login(attempt("a@b.kr", PASSWORD)));
    let (mut served, mut refused) = (0_u64, 0_u64);
    for answer in join_all(storm).await {
        match answer {
            Ok(_) => served += 1,
            Err(status) => {
                assert_eq!(reason(&status), "AUTH_BUSY");
                refused += 1;
            }
        }
    }
    assert_eq!(world.hasher.checks(), served);
    assert!(
        served >= 51 && refused >= 1,
        "{served} served, {refused} refused"
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_hash_of_old_parameters_is_replaced_at_login(pool: PgPool) {
    let old = World::new(pool.clone()).await;
    old.join(person("a@b.kr", "개미왕")).await.unwrap();
    let setup = Setup {
        hasher: Hasher::with_cost(128, 2).unwrap(),
        ..Setup::default()
    };
    let new = World::with(pool, setup).await;
    let is_new = "credential where password_hash like '$argon2id$v=19$m=128,t=2,p=1$%'";
    assert_eq!(new.count(is_new).await, 0);
    new.login(attempt("a@b.kr", "a wrong password"))
        .await
        .unwrap_err();
    assert_eq!(new.count(is_new).await, 0);
    new.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
    assert_eq!(new.count(is_new).await, 1);
    new.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
}
