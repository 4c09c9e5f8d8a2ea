//! Members whose rows another transaction holds: nobody else waits for them, and no connection is lost.

use std::time::Duration;

use education::MIGRATOR;
use education::store::{Answer, Store};
use kernel::MemberId;
use proto::education::v1::QuizSet;
use sqlx::postgres::PgPoolOptions;
use sqlx::{Executor, PgPool, Postgres, Transaction};

use crate::world::{MEMBER, OTHER, World};

const LOCK_TIMEOUT: Duration = Duration::from_millis(200);

/// A pool whose statements wait for a lock as long as [`LOCK_TIMEOUT`].
async fn impatient(pool: &PgPool, connections: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(connections)
        .after_connect(|connection, _| {
            Box::pin(async move {
                let wait = "set lock_timeout = '200ms'";
                connection.execute(wait).await.map(|_set| ())
            })
        })
        .connect_with((*pool.connect_options()).clone())
        .await
        .unwrap()
}

async fn lock(pool: &PgPool, member: i64) -> Transaction<'static, Postgres> {
    let mut transaction = pool.begin().await.unwrap();
    sqlx::query("select from student where member_id = $1 for update")
        .bind(member)
        .execute(&mut *transaction)
        .await
        .unwrap();
    transaction
}

fn first_answer(world: &World, set: &QuizSet) -> Answer {
    Answer {
        member: MemberId(MEMBER),
        handout: set.quizzes[0].member_education_id,
        given: world.right(&set.quizzes[0]),
        is_survey: false,
        claimed_at: None,
    }
}

/// The service with one connection, and a set of the member.
async fn with_one_connection(pool: &PgPool) -> (World, Answer) {
    let world = World::at(pool.clone(), "2026-11-23T09:00").await;
    let set = world.random_set(MEMBER).await;
    let answer = first_answer(&world, &set);
    let world = World::at(impatient(pool, 1).await, "2026-11-23T09:00").await;
    (world, answer)
}

async fn open_transactions(pool: &PgPool) -> i64 {
    sqlx::query_scalar(
        "select count(*) from pg_stat_activity \
         where datname = current_database() and state like 'idle in transaction%'",
    )
    .fetch_one(pool)
    .await
    .unwrap()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_connection_whose_lock_timed_out_serves_the_next_member(pool: PgPool) {
    let (world, answer) = with_one_connection(&pool).await;
    let held = lock(&pool, MEMBER).await;
    world.store.answer(&answer).await.unwrap_err();
    world.random_set(OTHER).await;
    held.rollback().await.unwrap();
    assert_eq!(open_transactions(&pool).await, 0);
    assert!(world.store.answer(&answer).await.unwrap().is_correct);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_caller_that_goes_away_leaves_no_transaction_open(pool: PgPool) {
    let (world, answer) = with_one_connection(&pool).await;
    let held = lock(&pool, MEMBER).await;
    let store: Store = world.store.clone();
    let given = answer.clone();
    let call = tokio::spawn(async move { store.answer(&given).await });
    tokio::time::sleep(LOCK_TIMEOUT / 4).await;
    call.abort();
    held.rollback().await.unwrap();
    world.random_set(OTHER).await;
    assert_eq!(open_transactions(&pool).await, 0);
    let graded = world.store.answer(&answer).await.unwrap();
    assert!(!graded.is_replay, "the first was rolled back");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_locked_member_delays_nobodys_judging(pool: PgPool) {
    let world = World::at(impatient(&pool, 4).await, "2026-11-23T09:00").await;
    for member in [MEMBER, OTHER] {
        let set = world.random_set(member).await;
        world.complete(member, &set).await;
        // The one that is locked comes first.
        world.set_time("2026-11-24T09:00");
    }
    world.set_time("2026-11-25T13:00");
    let held = lock(&pool, MEMBER).await;
    world.work().await;
    let judged = "select member_id from streak_change group by 1 order by 1";
    let judged = async || -> Vec<i64> {
        let members = sqlx::query_scalar(judged).fetch_all(&pool).await;
        members.unwrap()
    };
    assert_eq!(judged().await, [OTHER]);
    held.rollback().await.unwrap();
    world.work().await;
    assert_eq!(judged().await, [MEMBER, OTHER]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn all_old_events_are_forgotten_in_a_round(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T09:00").await;
    let old = "insert into inbox (consumer, event_id, received_at) \
         select 'education.order-events', gen_random_uuid(), '2026-08-01' from generate_series(1, 2500)";
    world.pool.execute(old).await.unwrap();
    world.work().await;
    let left: i64 = sqlx::query_scalar("select count(*) from inbox")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(left, 0);
}
