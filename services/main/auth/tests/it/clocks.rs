//! A clock that is five minutes ahead or behind, or is set back while the service runs: no session
//! ends, no wait grows and no mail is lost.

use auth::MIGRATOR;
use chrono::TimeDelta;
use proto::auth::v1 as wire;
use sqlx::PgPool;

use crate::login::guess_until_stopped;
use crate::mails::{ask, post};
use crate::world::{
    PASSWORD, World, attempt, attempt_from, claims, fresh_ip, person, reason, session_id,
};

const FIVE: TimeDelta = TimeDelta::minutes(5);

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_session_survives_clock_changes(pool: PgPool) {
    let world = World::new(pool).await;
    let mut session = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    for jump in [FIVE, -FIVE, -FIVE, FIVE, TimeDelta::zero()] {
        world.clock.advance(jump);
        let next = world.refresh(&session.refresh_token).await.unwrap();
        assert_eq!(session_id(&next), session_id(&session));
        assert!(world.is_alive(&session_id(&next)).await);
        let claim = |name: &str| claims(&next.access_token)[name].as_i64().unwrap();
        assert_eq!(claim("exp") - claim("iat"), 900);
        // Valid at once for a verifier whose clock is behind.
        assert_eq!(claim("iat") - claim("nbf"), 300);
        // The response was lost, and the clock was set back before the retry.
        world.clock.advance(-FIVE);
        let again = world.refresh(&session.refresh_token).await.unwrap();
        assert_eq!(again.refresh_token, next.refresh_token);
        world.clock.advance(FIVE);
        session = next;
    }
}

async fn no_wait_grows(world: &World) {
    let guesser = fresh_ip();
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    assert_eq!(guess_until_stopped(world, &guesser).await, (5, 10));
    world.clock.advance(TimeDelta::seconds(4));
    assert_eq!(guess_until_stopped(world, &guesser).await, (0, 6));
    // The wait restarts with the clock.
    world.clock.advance(-FIVE);
    assert_eq!(guess_until_stopped(world, &guesser).await, (0, 10));
    world.clock.advance(TimeDelta::seconds(10));
    assert_eq!(guess_until_stopped(world, &guesser).await, (1, 20));
    world.clock.advance(FIVE);
    assert_eq!(guess_until_stopped(world, &guesser).await, (1, 40));
    world.clock.advance(-FIVE);
    assert_eq!(guess_until_stopped(world, &guesser).await, (0, 40));
    world.clock.advance(TimeDelta::seconds(40));
    let right = attempt_from(&guesser, "a@b.kr", PASSWORD);
    world.login(right).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn throttling_does_not_grow_when_the_clock_is_set_back(pool: PgPool) {
    no_wait_grows(&World::new(pool).await).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn throttling_in_redis_does_not_grow_when_the_clock_is_set_back(pool: PgPool) {
    no_wait_grows(&World::with_redis(pool).await).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn processes_whose_clocks_differ_share_the_throttling(pool: PgPool) {
    let ahead = World::with_redis(pool.clone()).await;
    let right = World::with_redis(pool).await;
    ahead.clock.advance(FIVE);
    let ip = fresh_ip();
    assert_eq!(guess_until_stopped(&ahead, &ip).await, (5, 10));
    assert_eq!(guess_until_stopped(&right, &ip).await, (0, 10));
    right.clock.advance(TimeDelta::seconds(10));
    assert_eq!(guess_until_stopped(&right, &ip).await, (1, 20));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn mails_are_sent_when_the_clock_was_set_back(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    let member = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let before = post.deliver(&world).await.len();
    let ip = fresh_ip();
    ask(&world, "a@b.kr", &ip).await.unwrap();
    world.clock.advance(-FIVE);
    assert_eq!(post.deliver(&world).await.len(), before + 1);
    assert_eq!(world.count("mail").await, 0);

    // The next request is delayed by one minute, not by five.
    ask(&world, "a@b.kr", &ip).await.unwrap();
    let refused = ask(&world, "a@b.kr", &ip).await.unwrap_err();
    assert_eq!(reason(&refused), "TOO_MANY_ATTEMPTS");
    assert_eq!(post.deliver(&world).await.len(), before + 2);

    let code = wire::SendEmailCodeRequest {
        member_id: member.member_id,
    };
    let send = async || world.credentials.clone().send_email_code(code).await;
    send().await.unwrap();
    assert_eq!(reason(&send().await.unwrap_err()), "TOO_MANY_ATTEMPTS");
    world.clock.advance(-FIVE);
    send().await.unwrap();
    assert_eq!(reason(&send().await.unwrap_err()), "TOO_MANY_ATTEMPTS");
    // The first code is no longer valid.
    assert_eq!(post.deliver(&world).await.len(), before + 3);
    assert_eq!(world.count("mail").await, 0);
    world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
}

/// During a rolling update an older process may read rows of a newer one.
#[sqlx::test(migrator = "MIGRATOR")]
async fn a_mail_of_an_unknown_kind_waits_for_a_newer_version(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    sqlx::raw_sql("alter table mail drop constraint mail_kind_word")
        .execute(&world.pool)
        .await
        .unwrap();
    sqlx::query(
        "insert into mail (id, kind, recipient, asked_at, next_try_at) \
         values (gen_random_uuid(), 'newsletter', 'a@b.kr', $1, $1)",
    )
    .bind(kernel::Clock::now(&world.clock))
    .execute(&world.pool)
    .await
    .unwrap();
    assert!(post.deliver(&world).await.is_empty());
    assert_eq!(world.count("mail where dead_at is null").await, 1);
}
