//! Deletion of refresh tokens and sessions past their retention.

use auth::MIGRATOR;
use auth::error::AuthError;
use chrono::TimeDelta;
use proto::auth::v1 as wire;
use sqlx::PgPool;

use crate::world::{PASSWORD, World, attempt, person, reason, session_id};

const KEPT: TimeDelta = TimeDelta::days(30);

async fn log_out(world: &World, session: &wire::Session) {
    let request = wire::LogoutRequest {
        refresh_token: session.refresh_token.clone(),
        session_id: String::new(),
    };
    world.client.clone().logout(request).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn ended_and_expired_sessions_are_deleted(pool: PgPool) {
    let world = World::new(pool).await;
    let ended = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    log_out(&world, &ended).await;
    assert_eq!(world.store.delete_ended_sessions(KEPT).await.unwrap(), 0);
    world.clock.advance(TimeDelta::days(31));
    world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
    assert_eq!(world.store.delete_expired_sessions(KEPT).await.unwrap(), 0);
    assert_eq!(world.store.delete_ended_sessions(KEPT).await.unwrap(), 1);
    assert_eq!(world.count("refresh_token").await, 1);
    world.clock.advance(TimeDelta::days(121));
    assert_eq!(world.store.delete_ended_sessions(KEPT).await.unwrap(), 0);
    assert_eq!(world.store.delete_expired_sessions(KEPT).await.unwrap(), 1);
    assert_eq!(world.count("refresh_token").await, 0);
}

/// A token is valid for ten days at most, and that long its reuse is detected.
#[sqlx::test(migrator = "MIGRATOR")]
async fn a_replaced_token_is_kept_as_long_as_it_could_be_valid(pool: PgPool) {
    let world = World::new(pool).await;
    let first = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let second = world.refresh(&first.refresh_token).await.unwrap();
    world.clock.advance(TimeDelta::days(9));
    let third = world.refresh(&second.refresh_token).await.unwrap();
    world.clock.advance(TimeDelta::days(1));
    assert_eq!(world.store.delete_old_tokens().await.unwrap(), 0);
    let reused = world.refresh(&first.refresh_token).await.unwrap_err();
    assert_eq!(reason(&reused), "Expired");
    assert!(!world.is_alive(&session_id(&third)).await);

    let mut session = world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
    let first = session.refresh_token.clone();
    for _ in 0..4 {
        world.clock.advance(TimeDelta::days(3));
        session = world.refresh(&session.refresh_token).await.unwrap();
    }
    assert!(world.store.delete_old_tokens().await.unwrap() > 0);
    let kept = format!(
        "refresh_token where session_id = '{}'",
        session_id(&session)
    );
    assert_eq!(world.count(&kept).await, 4);
    let unknown = world.refresh(&first).await.unwrap_err();
    assert_eq!(reason(&unknown), "Authentication is invalid");
    world.refresh(&session.refresh_token).await.unwrap();
}

/// Records the rows of each deletion from `refresh_token`, and refuses the one numbered in `refusal`.
const WATCH: &str = "
create table deletion (tokens bigint);
create function watch() returns trigger language plpgsql as $$ begin
  insert into deletion select count(*) from gone;
  if (select count(*) from deletion) = (select refused from refusal) then
    raise exception 'statement timeout' using errcode = '57014';
  end if;
  return null;
end $$;
create table refusal (refused bigint);
create trigger watch after delete on refresh_token referencing old table as gone
for each statement execute function watch();";

/// Old sessions, half ended and half expired, with this many tokens each.
async fn fill(world: &World, sessions: i32, tokens: i32) {
    let now = kernel::Clock::now(&world.clock);
    sqlx::query(
        "insert into session (id, member_id, started_at, refreshed_at, ended_at, end_cause) \
         select gen_random_uuid(), $1, $2, $2, case when n % 2 = 0 then $2 end, \
         case when n % 2 = 0 then 'logout' end from generate_series(1, $3) n",
    )
    .bind(
        world
            .join(person("a@b.kr", "개미왕"))
            .await
            .unwrap()
            .member_id,
    )
    .bind(now - TimeDelta::days(121))
    .bind(sessions)
    .execute(&world.pool)
    .await
    .unwrap();
    sqlx::query(
        "insert into refresh_token (token_hash, session_id, generation, issued_at) \
         select sha256((id::text || k)::bytea), id, k, $1 \
         from session, generate_series(1, $2) k where started_at < $1",
    )
    .bind(now)
    .bind(tokens)
    .execute(&world.pool)
    .await
    .unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn sessions_with_many_tokens_are_deleted_in_bounded_statements(pool: PgPool) {
    let world = World::new(pool).await;
    fill(&world, 20, 3_000).await;
    sqlx::raw_sql(WATCH).execute(&world.pool).await.unwrap();
    sqlx::query("insert into refusal values (5)")
        .execute(&world.pool)
        .await
        .unwrap();
    // An error loses the statement that failed.
    let failed = world.store.delete_ended_sessions(KEPT).await;
    assert!(matches!(failed, Err(AuthError::Database(_))), "{failed:?}");
    assert_eq!(world.count("refresh_token").await, 60_001 - 4_000);
    sqlx::query("delete from refusal")
        .execute(&world.pool)
        .await
        .unwrap();
    assert_eq!(world.store.delete_ended_sessions(KEPT).await.unwrap(), 10);
    assert_eq!(world.store.delete_ended_sessions(KEPT).await.unwrap(), 0);
    assert_eq!(world.store.delete_expired_sessions(KEPT).await.unwrap(), 10);
    assert_eq!(world.count("refresh_token").await, 1);
    let most: i64 = sqlx::query_scalar("select max(tokens) from deletion")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(most, 1_000);
}
