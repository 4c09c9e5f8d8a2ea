//! Migrations by an older release after a newer one, and by several processes concurrently.

use std::time::Duration;

use bootstrap::database;
use secrecy::SecretString;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, PgPool, SqlSafeStr};

use crate::stores::url_of;

/// Version and statement of each migration.
fn release(migrations: &[(i64, &'static str)]) -> Migrator {
    let migrations = migrations.iter().map(|(version, sql)| {
        let no_tx = sql.starts_with("-- no-transaction");
        let sql = AssertSqlSafe(*sql).into_sql_str();
        let kind = MigrationType::Simple;
        Migration::new(*version, version.to_string().into(), kind, sql, no_tx)
    });
    Migrator::with_migrations(migrations.collect())
}

async fn applied(pool: &PgPool) -> Vec<i64> {
    sqlx::query_scalar("select version from _sqlx_migrations order by version")
        .fetch_all(pool)
        .await
        .unwrap()
}

const MEMBER: (i64, &str) = (1, "create table member (id bigint primary key)");
const NICKNAME: (i64, &str) = (2, "alter table member add column nickname text");
const BADGE: (i64, &str) = (3, "create table badge (id bigint primary key)");

#[sqlx::test]
async fn an_older_release_starts_on_the_schema_of_a_newer_one(pool: PgPool) {
    let url = url_of(&pool).await;
    let newer = release(&[MEMBER, NICKNAME, BADGE]);
    database::migrate(&url, &newer).await.unwrap();
    // A rollback, or a restart of an old pod during a rollout.
    database::migrate(&url, &release(&[MEMBER])).await.unwrap();
    // Another branch, which knows the last migration only.
    database::migrate(&url, &release(&[MEMBER, BADGE]))
        .await
        .unwrap();
    database::migrate(&url, &newer).await.unwrap();
    assert_eq!(applied(&pool).await, [1, 2, 3]);
}

#[sqlx::test]
async fn an_edited_migration_is_rejected(pool: PgPool) {
    let url = url_of(&pool).await;
    database::migrate(&url, &release(&[MEMBER, NICKNAME]))
        .await
        .unwrap();
    let edited = (1, "create table member (id uuid primary key)");
    let refused = database::migrate(&url, &release(&[edited, BADGE])).await;
    assert!(
        matches!(refused, Err(MigrateError::VersionMismatch(1))),
        "{refused:?}"
    );
    assert_eq!(applied(&pool).await, [1, 2]);
}

#[sqlx::test]
async fn a_migration_may_take_long_but_does_not_block_others_for_long(pool: PgPool) {
    let limits = "create table limits as select \
                  current_setting('statement_timeout') as statement, \
                  current_setting('lock_timeout') as lock";
    let url = url_of(&pool).await;
    database::migrate(&url, &release(&[(1, limits)]))
        .await
        .unwrap();
    let limits: (String, String) = sqlx::query_as("select statement, lock from limits")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(limits, ("0".to_owned(), "2s".to_owned()));
}

#[sqlx::test]
async fn a_migration_waiting_for_its_lock_does_not_block_readers(pool: PgPool) {
    let url = url_of(&pool).await;
    database::migrate(&url, &release(&[MEMBER])).await.unwrap();
    // A long report reads the table that the migration wants to alter.
    let mut report = pool.begin().await.unwrap();
    sqlx::query("select from member")
        .execute(&mut *report)
        .await
        .unwrap();
    let migrating =
        tokio::spawn(async move { database::migrate(&url, &release(&[MEMBER, NICKNAME])).await });
    testkit::eventually(Duration::from_secs(10), async || is_queued(&pool).await).await;
    // Readers queue behind the migration until it releases its place for a while.
    let mut member = pool.begin().await.unwrap();
    sqlx::query("set local lock_timeout = '8s'")
        .execute(&mut *member)
        .await
        .unwrap();
    let read = sqlx::query("select from member").execute(&mut *member);
    read.await.unwrap();
    assert!(!migrating.is_finished());
    member.rollback().await.unwrap();
    report.rollback().await.unwrap();
    migrating.await.unwrap().unwrap();
    assert_eq!(applied(&pool).await, [1, 2]);
}

async fn is_queued(pool: &PgPool) -> bool {
    sqlx::query_scalar(
        "select exists (select from pg_locks where relation = 'member'::regclass and not granted)",
    )
    .fetch_one(pool)
    .await
    .unwrap()
}

const INDEX: (i64, &str) = (
    5,
    "-- no-transaction\ncreate unique index concurrently member_by_name on member (nickname)",
);

#[sqlx::test]
async fn an_interrupted_index_is_built_again(pool: PgPool) {
    let url = url_of(&pool).await;
    database::migrate(&url, &release(&[MEMBER, NICKNAME]))
        .await
        .unwrap();
    // What is twice makes the build fail, and leaves as much behind as a crash does.
    let twice = "insert into member values (1, 'a'), (2, 'a')";
    sqlx::query(twice).execute(&pool).await.unwrap();
    let newer = release(&[MEMBER, NICKNAME, INDEX]);
    database::migrate(&url, &newer).await.unwrap_err();
    let valid = "select indisvalid from pg_index where indexrelid = 'member_by_name'::regclass";
    let is_valid = async || sqlx::query_scalar::<_, bool>(valid).fetch_one(&pool).await;
    assert!(!is_valid().await.unwrap());
    let once = "delete from member where id = 2";
    sqlx::query(once).execute(&pool).await.unwrap();
    database::migrate(&url, &newer).await.unwrap();
    assert!(is_valid().await.unwrap());
}

#[sqlx::test]
async fn an_index_waits_for_a_long_report(pool: PgPool) {
    let url = url_of(&pool).await;
    database::migrate(&url, &release(&[MEMBER, NICKNAME]))
        .await
        .unwrap();
    // As a backup reads.
    let mut report = pool.begin().await.unwrap();
    for sql in [
        "set transaction isolation level repeatable read",
        "select from member",
    ] {
        sqlx::query(sql).execute(&mut *report).await.unwrap();
    }
    let newer = release(&[MEMBER, NICKNAME, INDEX]);
    let migrating = tokio::spawn(async move { database::migrate(&url, &newer).await });
    // Longer than the lock timeout of a transaction. Meanwhile everybody writes.
    for id in 1..30 {
        let write = sqlx::query("insert into member values ($1, $1::text)").bind(id);
        tokio::time::timeout(Duration::from_secs(1), write.execute(&pool))
            .await
            .unwrap()
            .unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(!migrating.is_finished());
    report.rollback().await.unwrap();
    migrating.await.unwrap().unwrap();
    assert_eq!(applied(&pool).await, [1, 2, 5]);
}

#[sqlx::test]
async fn concurrent_migrations_are_serialized(pool: PgPool) {
    // Longer than the lock timeout.
    const SLOW: (i64, &str) = (4, "select pg_sleep(3)");
    const RELEASE: [(i64, &str); 4] = [MEMBER, NICKNAME, SLOW, INDEX];
    let url = url_of(&pool).await;
    let pods = (0..3).map(|_| {
        let url: SecretString = url.clone();
        tokio::spawn(async move { database::migrate(&url, &release(&RELEASE)).await })
    });
    for pod in pods.collect::<Vec<_>>() {
        pod.await.unwrap().unwrap();
    }
    assert_eq!(applied(&pool).await, [1, 2, 4, 5]);
}
