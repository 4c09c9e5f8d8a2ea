//! How PostgreSQL finds the rows that answers change.

use education::MIGRATOR;
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Executor, PgPool, Row};

use crate::world::{MEMBER, World};

/// As many as it prefers to read at once, where it expects to look a hundred of them up.
const ROWS: &str = "
    insert into student (member_id, judged_on) select n, '2026-11-22' from generate_series(1, 10000) n;
    insert into quiz_set (member_id, day, kind, earns, handed_at)
        select n, '2026-11-22', 'RANDOM', true, '2026-11-22' from generate_series(1, 10000) n;
    insert into handout (member_id, kind, edu_id, day, handed_at)
        select n, 'QUIZ', 'orders-1', '2026-11-22', '2026-11-22' from generate_series(1, 10000) n;
    analyze student, quiz_set, handout";

/// The generic plan of the statement that stores answers.
async fn plan_of_answers(one: &PgPool) -> String {
    let mut connection = one.acquire().await.unwrap();
    connection
        .execute("set plan_cache_mode = force_generic_plan")
        .await
        .unwrap();
    let name: String = sqlx::query_scalar(
        "select name from pg_prepared_statements where statement like 'with new as materialized%'",
    )
    .fetch_one(&mut *connection)
    .await
    .unwrap();
    let explain = AssertSqlSafe(format!("explain execute \"{name}\"(null, null)"));
    let lines = sqlx::raw_sql(explain).fetch_all(&mut *connection).await;
    let lines = lines.unwrap();
    let lines: Vec<String> = lines.iter().map(|line| line.get(0)).collect();
    lines.join("\n")
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn answers_find_their_rows_by_index_in_small_tables(pool: PgPool) {
    // One connection, which has all prepared statements.
    let options = pool.connect_options().as_ref().clone();
    let one = PgPoolOptions::new().max_connections(1);
    let one = one.connect_with(options).await.unwrap();
    let world = World::at(one.clone(), "2026-11-23T09:00").await;
    let set = world.random_set(MEMBER).await;
    world.complete(MEMBER, &set).await;
    let with_few_rows = plan_of_answers(&one).await;
    one.execute(ROWS).await.unwrap();
    let with_many_rows = plan_of_answers(&one).await;
    for plan in [with_few_rows, with_many_rows] {
        for table in ["handout", "quiz_set", "student"] {
            let whole = format!("Seq Scan on {table} ");
            assert!(!plan.contains(&whole), "{plan}");
            assert!(plan.contains(&format!(" on {table} ")), "{plan}");
        }
    }
}
