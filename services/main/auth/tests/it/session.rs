//! Refreshing, reuse and logout of sessions.

use auth::MIGRATOR;
use bootstrap::redis::{self, Redis, cmd};
use chrono::TimeDelta;
use futures_util::future::join_all;
use proto::auth::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::world::{
    PASSWORD, Setup, World, attempt, claims, person, reason, session_id, signing_key,
};

/// The error of a token that was valid before.
const OVER: &str = "Expired";

async fn joined(world: &World) -> wire::Session {
    world.join(person("a@b.kr", "개미왕")).await.unwrap()
}

async fn issue(world: &World, token: &str) -> Result<wire::Session, Status> {
    let request = wire::RefreshRequest {
        refresh_token: token.to_owned(),
        device: None,
    };
    Ok(world
        .client
        .clone()
        .issue_access_token(request)
        .await?
        .into_inner())
}

async fn log_out(world: &World, refresh_token: &str, session_id: &str) {
    let request = wire::LogoutRequest {
        refresh_token: refresh_token.to_owned(),
        session_id: session_id.to_owned(),
    };
    world.client.clone().logout(request).await.unwrap();
}

async fn is_refused(world: &World, token: &str, expected: &str) {
    let refused = world.refresh(token).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::Unauthenticated, expected)
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_refresh_replaces_the_token_and_keeps_the_session(pool: PgPool) {
    let world = World::new(pool).await;
    let first = joined(&world).await;
    world.clock.advance(TimeDelta::minutes(15));
    let second = world.refresh(&first.refresh_token).await.unwrap();
    assert_ne!(first.refresh_token, second.refresh_token);
    assert_eq!(session_id(&first), session_id(&second));
    assert_eq!(second.member_id, first.member_id);
    let issued = |session: &wire::Session| claims(&session.access_token)["iat"].as_i64().unwrap();
    assert_eq!(issued(&second) - issued(&first), 900);
    assert_ne!(
        claims(&first.access_token)["jti"],
        claims(&second.access_token)["jti"]
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn issuing_an_access_token_does_not_rotate(pool: PgPool) {
    let world = World::new(pool).await;
    let session = joined(&world).await;
    for _ in 0..3 {
        let issued = issue(&world, &session.refresh_token).await.unwrap();
        assert_eq!(issued.refresh_token, "");
        assert_eq!(session_id(&issued), session_id(&session));
    }
    world.refresh(&session.refresh_token).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_lost_response_is_repeated_for_ten_seconds(pool: PgPool) {
    let world = World::new(pool).await;
    let first = joined(&world).await;
    let lost = world.refresh(&first.refresh_token).await.unwrap();
    world.clock.advance(TimeDelta::seconds(10));
    let repeated = world.refresh(&first.refresh_token).await.unwrap();
    assert_eq!(repeated.refresh_token, lost.refresh_token);
    issue(&world, &first.refresh_token).await.unwrap();
    world.refresh(&lost.refresh_token).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn twenty_concurrent_refreshes_have_one_successor(pool: PgPool) {
    let world = World::new(pool).await;
    let first = joined(&world).await;
    let answers = join_all((0..20).map(|_| world.refresh(&first.refresh_token))).await;
    let mut tokens: Vec<String> = answers
        .into_iter()
        .map(|answer| answer.unwrap().refresh_token)
        .collect();
    tokens.dedup();
    assert_eq!(tokens.len(), 1);
    assert_eq!(world.count("refresh_token").await, 2);
    world.refresh(&tokens[0]).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn reuse_ends_the_session_when_the_thief_is_first(pool: PgPool) {
    let world = World::new(pool).await;
    let owned = joined(&world).await;
    let stolen = world.refresh(&owned.refresh_token).await.unwrap();
    world.clock.advance(TimeDelta::seconds(11));
    is_refused(&world, &owned.refresh_token, OVER).await;
    is_refused(&world, &stolen.refresh_token, OVER).await;
    assert!(!world.is_alive(&session_id(&owned)).await);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn reuse_ends_the_session_when_the_owner_is_first(pool: PgPool) {
    let world = World::new(pool).await;
    let stolen = joined(&world).await;
    let mut owned = world.refresh(&stolen.refresh_token).await.unwrap();
    world.clock.advance(TimeDelta::minutes(15));
    owned = world.refresh(&owned.refresh_token).await.unwrap();
    let refused = issue(&world, &stolen.refresh_token).await.unwrap_err();
    assert_eq!(reason(&refused), OVER);
    is_refused(&world, &owned.refresh_token, OVER).await;

    let cause: (String, Vec<u8>) = sqlx::query_as(
        "select (select end_cause from session), body from outbox where event_type = 'auth.session.ended.v1'",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    assert_eq!(cause.0, "reuse");
    let ended: wire::SessionEnded = prost::Message::decode(cause.1.as_slice()).unwrap();
    assert_eq!(
        (ended.session_id, ended.cause.as_str()),
        (session_id(&stolen), "reuse")
    );
    // The member's other sessions continue.
    world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_grace_period_applies_to_the_last_generation_only(pool: PgPool) {
    let world = World::new(pool).await;
    let first = joined(&world).await;
    let second = world.refresh(&first.refresh_token).await.unwrap();
    let third = world.refresh(&second.refresh_token).await.unwrap();
    is_refused(&world, &first.refresh_token, OVER).await;
    is_refused(&world, &third.refresh_token, OVER).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_session_expires_ten_days_after_its_last_use(pool: PgPool) {
    let world = World::new(pool).await;
    let first = joined(&world).await;
    world.clock.advance(TimeDelta::seconds(863_999));
    let second = world.refresh(&first.refresh_token).await.unwrap();
    world.clock.advance(TimeDelta::seconds(864_000));
    is_refused(&world, &second.refresh_token, OVER).await;
    is_refused(&world, &first.refresh_token, OVER).await;
    assert!(!world.is_alive(&session_id(&first)).await);
    assert_eq!(
        world
            .count("outbox where event_type = 'auth.session.ended.v1'")
            .await,
        0
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_session_expires_after_ninety_days_of_use(pool: PgPool) {
    let world = World::new(pool).await;
    let mut session = joined(&world).await;
    for _ in 0..9 {
        world.clock.advance(TimeDelta::days(9));
        session = world.refresh(&session.refresh_token).await.unwrap();
    }
    world.clock.advance(TimeDelta::days(9));
    is_refused(&world, &session.refresh_token, OVER).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_malformed_token_is_invalid(pool: PgPool) {
    let world = World::new(pool).await;
    let session = joined(&world).await;
    let long = "A".repeat(16_384);
    for token in [
        "",
        "garbage",
        &"A".repeat(43),
        &long,
        &session.access_token,
        "' or 1=1 --",
        "한글",
    ] {
        is_refused(&world, token, "Authentication is invalid").await;
    }
    world.refresh(&session.refresh_token).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn logging_out_ends_the_session_once(pool: PgPool) {
    let redis = redis::connect(&testkit::redis_url()).with_timeout(testkit::PATIENCE);
    let setup = Setup {
        redis: redis.clone(),
        ..Setup::default()
    };
    let world = World::with(pool, setup).await;
    let session = joined(&world).await;
    let id = session_id(&session);
    assert!(world.is_alive(&id).await);
    assert_eq!(denied_for_s(&redis, &id).await, -2);

    for _ in 0..3 {
        log_out(&world, &session.refresh_token, "").await;
        log_out(&world, "", &id).await;
    }
    assert!(!world.is_alive(&id).await);
    assert!((4_400..=4_500).contains(&denied_for_s(&redis, &id).await));
    is_refused(&world, &session.refresh_token, OVER).await;
    assert_eq!(
        world
            .count("outbox where event_type = 'auth.session.ended.v1'")
            .await,
        1
    );
    assert_eq!(world.count("session where end_cause = 'logout'").await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn logging_out_of_an_unknown_session_succeeds(pool: PgPool) {
    let world = World::new(pool).await;
    let session = joined(&world).await;
    log_out(&world, "", "").await;
    log_out(&world, "garbage", "garbage").await;
    log_out(
        &world,
        &"A".repeat(43),
        "00000000-0000-4000-8000-000000000001",
    )
    .await;
    assert!(world.is_alive(&session_id(&session)).await);
    assert!(!world.is_alive("garbage").await);
    // The id is used when the token is unknown.
    log_out(&world, &"A".repeat(43), &session_id(&session)).await;
    assert!(!world.is_alive(&session_id(&session)).await);
}

/// Seconds that a session stays on the deny list; −2 if it is not on it.
async fn denied_for_s(redis: &Redis, session: &str) -> i64 {
    let key = format!("deny:sid:{session}");
    redis
        .run(|mut connection| async move { cmd("TTL").arg(key).query_async(&mut connection).await })
        .await
        .unwrap()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn everything_works_while_redis_is_down(pool: PgPool) {
    let redis = redis::connect("redis://127.0.0.1:1/0");
    let world = World::with(
        pool,
        Setup {
            redis,
            ..Setup::default()
        },
    )
    .await;
    let session = joined(&world).await;
    world
        .login(attempt("a@b.kr", "a wrong password"))
        .await
        .unwrap_err();
    world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
    let session = world.refresh(&session.refresh_token).await.unwrap();
    log_out(&world, &session.refresh_token, "").await;
    assert!(!world.is_alive(&session_id(&session)).await);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_restart_and_a_new_key_keep_the_sessions(pool: PgPool) {
    let old = World::new(pool.clone()).await;
    let first = joined(&old).await;
    let second = old.refresh(&first.refresh_token).await.unwrap();
    drop(old);

    let rotated = Setup {
        key: signing_key(2),
        previous_key: Some(signing_key(1)),
        ..Setup::default()
    };
    let new = World::with(pool, rotated).await;
    // The response was lost just before the restart: a retry returns the same successor.
    let repeated = new.refresh(&first.refresh_token).await.unwrap();
    assert_eq!(repeated.refresh_token, second.refresh_token);
    assert!(new.is_alive(&session_id(&first)).await);
    let third = new.refresh(&second.refresh_token).await.unwrap();
    new.refresh(&third.refresh_token).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_unavailable_database_does_not_end_sessions(pool: PgPool) {
    let world = World::new(pool).await;
    let session = joined(&world).await;
    world.pool.close().await;
    for refused in [
        world.refresh(&session.refresh_token).await.unwrap_err(),
        world.login(attempt("a@b.kr", PASSWORD)).await.unwrap_err(),
        world.join(person("c@d.kr", "다른이름")).await.unwrap_err(),
    ] {
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::Unavailable, "UNAVAILABLE")
        );
    }
}
