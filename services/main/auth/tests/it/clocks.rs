//! The clock five minutes ahead, five minutes behind, and set back while the service runs: nobody
//! is logged out, waits longer than was said, or is forgotten.

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
async fn a_session_goes_on_however_the_clock_jumps(pool: PgPool) {
    let world = World::new(pool).await;
    let mut session = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    for jump in [FIVE, -FIVE, -FIVE, FIVE, TimeDelta::zero()] {
        world.clock.advance(jump);
        let next = world.refresh(&session.refresh_token).await.unwrap();
        assert_eq!(session_id(&next), session_id(&session));
        assert!(world.is_alive(&session_id(&next)).await);
        let claim = |name: &str| claims(&next.access_token)[name].as_i64().unwrap();
        assert_eq!(claim("exp") - claim("iat"), 900);
        // Where the clock is behind it is good at once.
        assert_eq!(claim("iat") - claim("nbf"), 300);
        // The answer was lost, and the clock was set back before it was asked for again.
        world.clock.advance(-FIVE);
        let again = world.refresh(&session.refresh_token).await.unwrap();
        assert_eq!(again.refresh_token, next.refresh_token);
        world.clock.advance(FIVE);
        session = next;
    }
}

async fn nobody_waits_longer_than_was_said(world: &World) {
    let guesser = fresh_ip();
    world.join(person("a@b.kr", "개미왕")).await.unwrap();
    assert_eq!(guess_until_stopped(world, &guesser).await, (5, 10));
    world.clock.advance(TimeDelta::seconds(4));
    assert_eq!(guess_until_stopped(world, &guesser).await, (0, 6));
    // The wait begins again with the clock.
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
async fn a_guesser_waits_no_longer_when_the_clock_is_set_back(pool: PgPool) {
    nobody_waits_longer_than_was_said(&World::new(pool).await).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_guesser_waits_no_longer_with_redis_either(pool: PgPool) {
    nobody_waits_longer_than_was_said(&World::with_redis(pool).await).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn processes_whose_clocks_differ_throttle_one_guesser_together(pool: PgPool) {
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
async fn mails_wait_for_no_clock_that_was_set_back(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    let member = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let before = post.deliver(&world).await.len();
    let ip = fresh_ip();
    ask(&world, "a@b.kr", &ip).await.unwrap();
    world.clock.advance(-FIVE);
    assert_eq!(post.deliver(&world).await.len(), before + 1);
    assert_eq!(world.count("mail").await, 0);

    // Asking again is not put off by five minutes, and still by one.
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
    // The code that was asked for first is dead.
    assert_eq!(post.deliver(&world).await.len(), before + 3);
    assert_eq!(world.count("mail").await, 0);
    world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
}

/// While one process after another is updated, a newer one may write what an older one reads.
#[sqlx::test(migrator = "MIGRATOR")]
async fn a_mail_of_a_kind_that_is_not_known_yet_waits_for_whoever_knows_it(pool: PgPool) {
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
