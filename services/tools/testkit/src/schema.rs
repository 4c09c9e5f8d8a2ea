//! The tables that services declare alike. The first migration of a new service begins with a copy
//! of them. Released migrations are never edited, so a test of each service compares its own.

use sqlx::{AssertSqlSafe, PgPool};

pub const OUTBOX: &str = include_str!("../../../crates/bootstrap/schema/outbox.sql");
pub const INBOX: &str = include_str!("../../../crates/bootstrap/schema/inbox.sql");
pub const REQUEST: &str = include_str!("../../../crates/bootstrap/schema/request.sql");

/// What `public` has of the tables in `common` and `common` has not.
const DIFFERENCES: &str = "
    with described (namespace, name, description) as (
        select table_schema::text, table_name::text,
            format('column %s %s %s %s', column_name, data_type, is_nullable, is_identity)
        from information_schema.columns
        union all
        select nspname::text, relname::text,
            format('constraint %s %s', conname, pg_get_constraintdef(pg_constraint.oid))
        from pg_constraint
        join pg_class on pg_class.oid = conrelid
        join pg_namespace on pg_namespace.oid = relnamespace
        union all
        select schemaname::text, tablename::text, replace(indexdef, schemaname || '.', '')
        from pg_indexes
    )
    select name, description from described
    where namespace = 'public' and name in (select name from described where namespace = 'common')
    except
    select name, description from described where namespace = 'common'
    union all
    select tablename::text, 'missing' from pg_tables
    where schemaname = 'common'
        and tablename not in (select tablename from pg_tables where schemaname = 'public')";

/// Asserts that a migrated database has the tables of `declarations`, and has nothing of them that
/// is not declared there. Columns and indexes may be absent: a service that is older than they are
/// gets them when it needs them.
pub async fn assert_declared_alike(pool: &PgPool, declarations: &[&str]) {
    let mut transaction = pool.begin().await.expect("the database answers");
    let declarations = declarations.join("\n");
    let declare = format!("create schema common; set local search_path = common; {declarations}");
    sqlx::raw_sql(AssertSqlSafe(declare))
        .execute(&mut *transaction)
        .await
        .expect("the declarations are valid");
    let differences: Vec<(String, String)> = sqlx::query_as(DIFFERENCES)
        .fetch_all(&mut *transaction)
        .await
        .expect("the catalogue can be read");
    assert!(differences.is_empty(), "{differences:#?}");
}
