//! Password changes, and the sessions that they end.

use auth::MIGRATOR;
use chrono::TimeDelta;
use futures_util::future::join_all;
use proto::auth::v1 as wire;
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::mails::{ask, post, reset, token};
use crate::world::{PASSWORD, World, attempt, attempt_from, fresh_ip, person, reason, session_id};

const NEXT: &str = "another harbour at dusk";

/// Logins of somebody who knows the password of $1, each with a subscription.
const CROWD: &str = "
with crowd as (insert into session (id, member_id, started_at, refreshed_at)
    select gen_random_uuid(), $1, '2026-11-20', '2026-11-20' from generate_series(1, 5000)
    returning id)
insert into push_subscription (member_id, session_id, kind, address, host, created_at)
select $1, id, 'FCM', id::text, 'FCM', '2026-11-20' from crowd";

/// Counts the statements that end sessions and tell of it.
const COUNT_STATEMENTS: &str = "
create table counted_statement (number bigint generated always as identity);
create function count_statement() returns trigger language plpgsql as $$
    begin
        insert into counted_statement default values;
        return null;
    end $$;
create trigger counted after update on session
    for each statement execute function count_statement();
create trigger counted after delete on push_subscription
    for each statement execute function count_statement();
create trigger counted after insert on outbox
    for each statement execute function count_statement()";

async fn change(
    world: &World,
    session: &wire::Session,
    old: &str,
    new: &str,
) -> Result<(), Status> {
    let request = wire::ChangePasswordRequest {
        member_id: session.member_id,
        session_id: session_id(session),
        old_password: old.to_owned(),
        new_password: new.to_owned(),
        device: Some(wire::Device {
            ip: fresh_ip(),
            user_agent: "test".to_owned(),
        }),
    };
    world.credentials.clone().change_password(request).await?;
    Ok(())
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_new_password_ends_every_other_session(pool: PgPool) {
    let world = World::new(pool).await;
    let own = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let other = world.login(attempt("a@b.kr", PASSWORD)).await.unwrap();
    let stranger = world.join(person("x@y.kr", "베짱이")).await.unwrap();
    change(&world, &own, PASSWORD, NEXT).await.unwrap();

    assert!(world.is_alive(&session_id(&own)).await);
    assert!(world.is_alive(&session_id(&stranger)).await);
    assert!(!world.is_alive(&session_id(&other)).await);
    let refused = world.refresh(&other.refresh_token).await.unwrap_err();
    assert_eq!(reason(&refused), "Expired");
    world.refresh(&own.refresh_token).await.unwrap();
    let told = "outbox where event_type = 'auth.session.ended.v1'";
    assert_eq!(world.count(told).await, 1);
    assert!(world.login(attempt("a@b.kr", PASSWORD)).await.is_err());
    world.login(attempt("a@b.kr", NEXT)).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_old_password_and_a_valid_new_one_are_required(pool: PgPool) {
    let world = World::new(pool).await;
    let own = world.join(person("minsu@b.kr", "개미왕")).await.unwrap();
    for (old, new, refusal) in [
        ("a wrong password", NEXT, "WRONG_PASSWORD"),
        ("", NEXT, "WRONG_PASSWORD"),
        (PASSWORD, "short", "WEAK_PASSWORD"),
        (PASSWORD, "aaaaaaaaaaaaaaa", "WEAK_PASSWORD"),
        (PASSWORD, "minsu goes home early", "WEAK_PASSWORD"),
    ] {
        let refused = change(&world, &own, old, new).await.unwrap_err();
        assert_eq!(reason(&refused), refusal, "{new}");
    }
    world.login(attempt("minsu@b.kr", PASSWORD)).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn guessing_the_old_password_gets_slower(pool: PgPool) {
    let world = World::new(pool).await;
    let own = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let guess = wire::ChangePasswordRequest {
        member_id: own.member_id,
        session_id: session_id(&own),
        old_password: "a wrong password".to_owned(),
        new_password: NEXT.to_owned(),
        device: Some(wire::Device {
            ip: fresh_ip(),
            user_agent: String::new(),
        }),
    };
    let mut credentials = world.credentials.clone();
    for _ in 0..5 {
        let refused = credentials
            .change_password(guess.clone())
            .await
            .unwrap_err();
        assert_eq!(reason(&refused), "WRONG_PASSWORD");
    }
    let refused = credentials.change_password(guess).await.unwrap_err();
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::ResourceExhausted, "TOO_MANY_ATTEMPTS")
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn changes_that_are_not_stored_keep_nobody_from_logging_in(pool: PgPool) {
    let world = World::new(pool).await;
    let own = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let ip = fresh_ip();
    let asked = wire::ChangePasswordRequest {
        member_id: own.member_id,
        session_id: session_id(&own),
        old_password: PASSWORD.to_owned(),
        new_password: NEXT.to_owned(),
        device: Some(wire::Device {
            ip: ip.clone(),
            user_agent: String::new(),
        }),
    };
    let fail = "
        create function fail() returns trigger language plpgsql as $$
            begin
                raise exception 'on purpose';
            end $$;
        create trigger fail before update on credential for each row execute function fail()";
    sqlx::raw_sql(fail).execute(&world.pool).await.unwrap();
    let mut credentials = world.credentials.clone();
    for _ in 0..5 {
        let failed = credentials
            .change_password(asked.clone())
            .await
            .unwrap_err();
        assert_ne!(failed.code(), Code::ResourceExhausted);
    }
    let right = attempt_from(&ip, "a@b.kr", PASSWORD);
    world.login(right).await.unwrap();
    sqlx::raw_sql("drop trigger fail on credential")
        .execute(&world.pool)
        .await
        .unwrap();
    credentials.change_password(asked).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_member_changes_the_password_ten_times_an_hour(pool: PgPool) {
    let world = World::new(pool).await;
    let own = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let wrong = change(&world, &own, "a wrong password", NEXT).await;
    assert_eq!(reason(&wrong.unwrap_err()), "WRONG_PASSWORD");
    let before = world.hasher.checks();
    // Also one that changes nothing costs two hashes.
    for number in 0..30 {
        let changed = change(&world, &own, PASSWORD, PASSWORD).await;
        if number < 10 {
            changed.unwrap();
            continue;
        }
        let refused = changed.unwrap_err();
        assert_eq!(
            (refused.code(), reason(&refused).as_str()),
            (Code::ResourceExhausted, "TOO_MANY_ATTEMPTS")
        );
    }
    assert_eq!(world.hasher.checks(), before + 10);
    let other = world.join(person("x@y.kr", "베짱이")).await.unwrap();
    change(&world, &other, PASSWORD, NEXT).await.unwrap();
    world.clock.advance(TimeDelta::hours(1));
    change(&world, &own, PASSWORD, NEXT).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn of_two_concurrent_changes_one_succeeds(pool: PgPool) {
    let world = World::new(pool).await;
    let own = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let wishes: Vec<String> = (0..4).map(|number| format!("{NEXT} {number}")).collect();
    let changes = wishes
        .iter()
        .map(|wish| change(&world, &own, PASSWORD, wish));
    let answers = join_all(changes).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    for (wish, answer) in wishes.iter().zip(&answers) {
        let opens = world.login(attempt("a@b.kr", wish)).await.is_ok();
        assert_eq!(opens, answer.is_ok());
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_concurrent_login_with_the_old_password_does_not_outlive_the_change(pool: PgPool) {
    let world = World::new(pool).await;
    let own = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let logins = join_all((0..10).map(|_| world.login(attempt("a@b.kr", PASSWORD))));
    let (logins, changed) = tokio::join!(logins, change(&world, &own, PASSWORD, NEXT));
    changed.unwrap();
    for session in logins.into_iter().flatten() {
        assert!(!world.is_alive(&session_id(&session)).await);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn thousands_of_sessions_end_in_three_statements(pool: PgPool) {
    let (world, post) = (World::new(pool).await, post().await);
    let own = world.join(person("a@b.kr", "개미왕")).await.unwrap();
    let crowd = async || {
        sqlx::query(CROWD)
            .bind(own.member_id)
            .execute(&world.pool)
            .await
            .unwrap();
    };
    let told = "(select distinct body from outbox where event_type = 'auth.session.ended.v1') as t";
    let open = "session where ended_at is null";
    crowd().await;
    sqlx::raw_sql(COUNT_STATEMENTS)
        .execute(&world.pool)
        .await
        .unwrap();
    change(&world, &own, PASSWORD, NEXT).await.unwrap();
    assert!(world.is_alive(&session_id(&own)).await);
    assert_eq!(world.count(open).await, 1);
    assert_eq!(world.count(told).await, 5_000);
    assert_eq!(world.count("push_subscription").await, 0);
    assert_eq!(world.count("counted_statement").await, 3);

    crowd().await;
    ask(&world, "a@b.kr", &fresh_ip()).await.unwrap();
    let token = token(&post.deliver(&world).await);
    reset(&world, &token, "a third harbour at night")
        .await
        .unwrap();
    assert_eq!(world.count(open).await, 0);
    assert_eq!(world.count(told).await, 10_001);
    assert_eq!(world.count("push_subscription").await, 0);
    assert_eq!(world.count("counted_statement").await, 6);
    let listed = world.store.ended_sessions().await.unwrap();
    assert_eq!(listed.len(), 10_001, "the deny list hears of each");
}
