//! A bound on the rows that one statement may change.

use sqlx::{AssertSqlSafe, PgPool};

/// Refuses every statement that does `change` ("delete" or "update") to more than `most` rows of a table,
/// also where a foreign key takes them along.
///
/// # Panics
/// When the trigger cannot be created.
pub async fn bound_statements(pool: &PgPool, change: &str, table: &str, most: u32) {
    let trigger = format!(
        "create function bound_{table}() returns trigger language plpgsql as $$
        begin
            if (select count(*) from changed) > {most} then
                raise exception 'more than {most} rows of {table} in one statement';
            end if;
            return null;
        end $$;
        create trigger bound_{table} after {change} on {table} referencing old table as changed
            for each statement execute function bound_{table}()"
    );
    let created = sqlx::raw_sql(AssertSqlSafe(trigger)).execute(pool).await;
    created.expect("the table exists");
}
