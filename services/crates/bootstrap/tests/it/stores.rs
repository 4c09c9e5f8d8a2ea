use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use bootstrap::database::{self, Outage};
use bootstrap::deadline::{self, Deadline};
use bootstrap::redis::{self, AsyncCommands, Redis, RedisError};
use futures_util::future::join_all;
use sea_orm::{ConnAcquireErr, ConnectionTrait, DbErr, SqlxPostgresConnector, TransactionTrait};
use secrecy::{ExposeSecret, SecretString};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};

const SOON: Duration = Duration::from_secs(60);

#[sqlx::test]
async fn a_serialization_failure_is_retried(pool: PgPool) {
    let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
    let fail = async |code: &str| {
        let sql = format!("do $$ begin raise exception 'no' using errcode = '{code}'; end $$");
        connection.execute_unprepared(&sql).await
    };
    for (code, failures, runs, succeeds) in [
        ("40001", 2, 3, true),
        ("40P01", 2, 3, true),
        ("40001", 9, 5, false),
        ("23505", 9, 1, false),
    ] {
        let count = AtomicU32::new(0);
        let outcome: Result<(), DbErr> = database::retry_serialization(|| async {
            if count.fetch_add(1, Ordering::SeqCst) < failures {
                fail(code).await?;
            }
            Ok(())
        })
        .await;
        assert_eq!(
            (count.load(Ordering::SeqCst), outcome.is_ok()),
            (runs, succeeds),
            "{code}"
        );
        if let Err(error) = outcome {
            assert_eq!(database::sql_state(&error).as_deref(), Some(code));
        }
    }
}

#[sqlx::test]
async fn an_outage_differs_from_a_statement_that_was_stopped(pool: PgPool) {
    let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool.clone());
    for (code, is_outage, may_pass) in [
        ("08006", true, true),
        ("53300", true, true),
        ("57P01", true, true),
        ("25006", true, true),
        ("57014", false, true),
        ("40001", false, true),
        ("55P03", false, true),
        ("25P03", false, true),
        ("25P02", false, false),
        ("55000", false, false),
        ("23505", false, false),
    ] {
        let sql = format!("do $$ begin raise exception 'no' using errcode = '{code}'; end $$");
        let of_orm = connection.execute_unprepared(&sql).await.unwrap_err();
        let of_sqlx = sqlx::raw_sql(sqlx::AssertSqlSafe(sql))
            .execute(&pool)
            .await
            .unwrap_err();
        let expected = (is_outage, may_pass);
        assert_eq!((of_orm.is_outage(), of_orm.may_pass()), expected, "{code}");
        assert_eq!(
            (of_sqlx.is_outage(), of_sqlx.may_pass()),
            expected,
            "{code}"
        );
    }
    pool.close().await;
    let closed = connection.execute_unprepared("select 1").await.unwrap_err();
    assert!(closed.is_outage());
    let unreadable = DbErr::Type("not a number".to_owned());
    assert!(!unreadable.may_pass());
}

#[sqlx::test]
async fn no_statement_outlives_the_request(pool: PgPool) {
    let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
    let started = Instant::now();
    let cut = deadline::scope(Deadline::within(Duration::from_millis(200)), async {
        let transaction = connection.begin().await?;
        database::statement_timeout_for_deadline(&transaction).await?;
        transaction.execute_unprepared("select pg_sleep(10)").await
    })
    .await;
    // query_canceled
    assert_eq!(
        database::sql_state(&cut.unwrap_err()).as_deref(),
        Some("57014")
    );
    assert!(started.elapsed() < Duration::from_secs(3));
}

#[sqlx::test]
async fn acquiring_from_an_exhausted_pool_fails(pool: PgPool) {
    let url = url_of(&pool).await;
    let (pool, connection) = database::connect(&url, 2).await.unwrap();
    let held = [pool.acquire().await.unwrap(), pool.acquire().await.unwrap()];
    let asked = (0..100).map(|_| connection.execute_unprepared("select 1"));
    // Without a timeout this would not end.
    let answers = tokio::time::timeout(SOON, join_all(asked)).await.unwrap();
    for answer in answers {
        let refused = DbErr::ConnectionAcquire(ConnAcquireErr::Timeout);
        assert_eq!(answer.unwrap_err(), refused);
    }
    drop(held);
    connection.execute_unprepared("select 1").await.unwrap();
    pool.close().await;
}

#[sqlx::test]
async fn idle_transactions_of_any_client_are_terminated(pool: PgPool) {
    database::cut_idle_transactions(&pool).await.unwrap();
    // Idempotent.
    database::cut_idle_transactions(&pool).await.unwrap();
    let url = url_of(&pool).await;
    let limit = "show idle_in_transaction_session_timeout";
    let mut console = PgConnection::connect(url.expose_secret()).await.unwrap();
    let ours = database::connect(&url, 1).await.unwrap().0;
    let for_others: String = sqlx::query_scalar(limit)
        .fetch_one(&mut console)
        .await
        .unwrap();
    let for_us: String = sqlx::query_scalar(limit).fetch_one(&ours).await.unwrap();
    assert_eq!((for_others.as_str(), for_us.as_str()), ("10s", "10s"));
    ours.close().await;
}

pub(crate) async fn url_of(pool: &PgPool) -> SecretString {
    let name: String = sqlx::query_scalar("select current_database()")
        .fetch_one(pool)
        .await
        .unwrap();
    SecretString::from(testkit::database_url(&name))
}

#[tokio::test]
async fn everything_works_without_redis() {
    let key = testkit::unique("bootstrap");
    let read = async |redis: &Redis| {
        let key = key.clone();
        redis
            .run(async |mut connection| connection.get::<_, Option<String>>(key).await)
            .await
    };
    assert_eq!(read(&Redis::absent()).await, None);
    assert_eq!(read(&redis::connect("no address")).await, None);
    assert_eq!(read(&redis::connect("redis://127.0.0.1:1/0")).await, None);

    let present = redis::connect(&testkit::redis_url());
    let kept = key.clone();
    // The first use connects, which may exceed the timeout of an operation.
    testkit::eventually(Duration::from_secs(5), async || {
        let key = kept.clone();
        let set = present.run(async |mut connection| {
            connection.set_ex::<_, _, ()>(key, "value", 10).await?;
            Ok::<(), RedisError>(())
        });
        set.await.is_some()
    })
    .await;
    assert_eq!(read(&present).await.flatten().as_deref(), Some("value"));
}

#[sqlx::test]
async fn a_begin_that_is_given_up_leaves_no_transaction(pool: PgPool) {
    let url = pool.connect_options().to_url_lossy().to_string();
    let (pool, _) = database::connect(&SecretString::from(url), 1)
        .await
        .unwrap();
    sqlx::query("create table kept ()")
        .execute(&pool)
        .await
        .unwrap();
    let mut connection = pool.acquire().await.unwrap();
    {
        let mut begin = pin!(connection.begin());
        let polled = poll_fn(|context| Poll::Ready(begin.as_mut().poll(context)));
        assert!(
            polled.await.is_pending(),
            "the answer was here before it was asked for"
        );
    }
    drop(connection);
    sqlx::query("insert into kept default values")
        .execute(&pool)
        .await
        .unwrap();
    // What ends in an error would take along what is stored in the same transaction.
    let failed = sqlx::raw_sql("select 1 / 0").execute(&pool).await;
    failed.unwrap_err();
    let kept: i64 = sqlx::query_scalar("select count(*) from kept")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(kept, 1);
}
