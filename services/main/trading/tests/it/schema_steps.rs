//! Migrations of tables that have grown: while one runs everybody goes on writing, and it may be
//! interrupted anywhere.

use std::time::{Duration, Instant};

use secrecy::SecretString;
use sqlx::{AssertSqlSafe, Executor, PgPool};
use tokio_util::sync::CancellationToken;
use trading::audit::{self, AuditError};

use crate::schema_before::{released, up_to};

/// New journals have a source, and older ones may be given one.
const COMPLETED: i64 = 20_261_124_140_100;
/// The longest that a member may wait.
const LONGEST_GAP: Duration = Duration::from_secs(1);

/// 20,000 accounts and 100,000 journals.
const LARGE: &str = "
    begin;
    set local session_replication_role = replica;
    insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won,
            balance_won)
        select a, 500000 + a, '00', lpad((7000000 + a)::text, 10, '0') || '00', now(), 1000, 1000
        from generate_series(1, 20000) a;
    insert into journal (id, kind, occurred_at)
        select a, 'ACCOUNT_OPENED', now() from generate_series(1, 20000) a;
    insert into entry select a, l.line, case l.line when 1 then a end,
            case l.line when 2 then 'ISSUE' end, 'KRW', l.amount
        from generate_series(1, 20000) a, (values (1, 1000), (2, -1000)) l(line, amount);
    insert into journal (id, kind, order_id, fill_id, occurred_at)
        select 20000 + i, 'ORDER_FILLED', i, 1000 + i, now() from generate_series(1, 80000) i;
    select setval('account_id_seq', 20000), setval('journal_id_seq', 100000);
    commit;
    analyze;";

async fn large(pool: &PgPool) -> SecretString {
    released().run(pool).await.unwrap();
    pool.execute(sqlx::raw_sql(LARGE)).await.unwrap();
    let name: String = number(pool, "select current_database()").await;
    SecretString::from(testkit::database_url(&name))
}

async fn number<T>(pool: &PgPool, sql: &'static str) -> T
where
    T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
{
    sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
}

/// As the release before opens an account.
async fn open(pool: &PgPool, member: i64) {
    let mut transaction = pool.begin().await.unwrap();
    let account = format!(
        "insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won, \
             balance_won) \
         values (nextval('account_id_seq'), {member}, '00', '{member}00', now(), 5000, 5000)"
    );
    let journal = "select write_trading(jsonb_build_object('journals', jsonb_build_array( \
             jsonb_build_object('id', nextval('journal_id_seq'), 'kind', 'ACCOUNT_OPENED', \
                 'occurred_at', now())), \
         'entries', jsonb_build_array( \
             jsonb_build_object('journal_id', currval('journal_id_seq'), 'line', 1, \
                'account_id', currval('account_id_seq'), 'asset', 'KRW', 'amount', 5000), \
             jsonb_build_object('journal_id', currval('journal_id_seq'), 'line', 2, \
                'book', 'ISSUE', 'asset', 'KRW', 'amount', -5000))))";
    for write in [account.as_str(), journal] {
        sqlx::raw_sql(AssertSqlSafe(write))
            .execute(&mut *transaction)
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
}

/// Opens accounts until it is stopped; returns how many, and the longest time between two.
async fn keep_opening(pool: PgPool, stop: CancellationToken) -> (i64, Duration) {
    let mut longest = Duration::ZERO;
    let mut opened = 0;
    while !stop.is_cancelled() {
        let began = Instant::now();
        open(&pool, 9_000_000_000 + opened).await;
        longest = longest.max(began.elapsed());
        opened += 1;
    }
    (opened, longest)
}

/// Keeps an account locked for a while, and changes it in the end.
async fn change_one_slowly(pool: PgPool) {
    let mut transaction = pool.begin().await.unwrap();
    for sql in [
        "select from account where id = 10 for update",
        "select pg_sleep(5)",
        "update account set balance_won = 77 where id = 10",
    ] {
        transaction.execute(sql).await.unwrap();
    }
    transaction.commit().await.unwrap();
}

#[sqlx::test(migrations = false)]
async fn members_go_on_during_the_migration_of_a_long_journal(pool: PgPool) {
    let url = large(&pool).await;
    let stop = CancellationToken::new();
    let members = tokio::spawn(keep_opening(pool.clone(), stop.clone()));
    let console = tokio::spawn(change_one_slowly(pool.clone()));
    bootstrap::database::migrate(&url, &trading::MIGRATOR)
        .await
        .unwrap();
    stop.cancel();
    console.await.unwrap();
    let (opened, longest) = members.await.unwrap();
    assert!(opened > 100, "{opened}");
    assert!(longest <= LONGEST_GAP, "{longest:?}");
    let sourced = "select count(*) from journal where source_type || ' ' || source_id = case kind \
                   when 'ORDER_FILLED' then 'FILL ' || fill_id else 'ACCOUNT ' || (select \
                       account_id from entry where journal_id = id and line = 1) end";
    assert_eq!(number::<i64>(&pool, sourced).await, 100_000 + opened);
    let kept = "select count(*) from account join balance on account_id = id and asset = 'KRW' \
                where (balance_won, held_won) = (amount, held)";
    assert_eq!(number::<i64>(&pool, kept).await, 20_000 + opened);
}

#[sqlx::test(migrations = false)]
async fn an_interrupted_migration_goes_on_where_it_was(pool: PgPool) {
    let url = large(&pool).await;
    let migrate = || {
        let url = url.clone();
        tokio::spawn(async move { bootstrap::database::migrate(&url, &trading::MIGRATOR).await })
    };
    let interrupted = migrate();
    let kill = "select count(pg_terminate_backend(pid)) from pg_stat_activity \
                where datname = current_database() and query like '%call fill_sources%' \
                    and pid <> pg_backend_pid()";
    testkit::eventually(Duration::from_secs(30), async || {
        let filled = "select exists (select from information_schema.columns \
                      where table_name = 'journal' and column_name = 'source_id')";
        number::<bool>(&pool, filled).await
            && number::<i64>(&pool, "select count(source_id) from journal").await > 0
    })
    .await;
    assert_eq!(number::<i64>(&pool, kill).await, 1);
    interrupted.await.unwrap().unwrap_err();
    let left = "select count(*) from journal where source_id is null";
    assert!(number::<i64>(&pool, left).await > 0);
    let audited = audit::run(&pool, 60).await;
    assert!(matches!(audited, Err(AuditError::NotMigrated)));
    for pod in [migrate(), migrate(), migrate()] {
        pod.await.unwrap().unwrap();
    }
    assert_eq!(number::<i64>(&pool, left).await, 0);
}

#[sqlx::test(migrations = false)]
async fn a_journal_gets_its_source_and_changes_in_no_other_way(pool: PgPool) {
    large(&pool).await;
    up_to(COMPLETED).run(&pool).await.unwrap();
    let source = "update journal set source_type = 'ACCOUNT', source_id = id where id = 1";
    let refused = [
        "update journal set occurred_at = now() where id = 2",
        "update journal set source_type = 'ACCOUNT', source_id = 2, fill_id = 2 where id = 2",
        "update journal set source_type = 'ACCOUNT' where id = 2",
        "delete from journal where id = 2",
        "truncate journal cascade",
        "update entry set amount = 1 where journal_id = 2",
    ];
    for sql in refused {
        pool.execute(sql).await.unwrap_err();
    }
    pool.execute(source).await.unwrap();
    pool.execute(source).await.unwrap_err();
    trading::MIGRATOR.run(&pool).await.unwrap();
    for sql in refused {
        pool.execute(sql).await.unwrap_err();
    }
    pool.execute("update journal set source_id = source_id where id = 0")
        .await
        .unwrap_err();
}
