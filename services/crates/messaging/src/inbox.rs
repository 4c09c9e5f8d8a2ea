//! The inbox of a consumer: which events it has processed.

use chrono::{DateTime, Utc};
use kernel::Clock;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};
use sqlx::PgConnection;
use uuid::Uuid;

/// A row grows old from the time of the database, where that is later: what a clock that is behind dates
/// may be forgotten early, and the event processed again.
const INSERT: &str = "insert into inbox (consumer, event_id, received_at) \
    values ($1, $2, greatest($3, now())) on conflict do nothing";

/// Records that `consumer` processes `event_id`, in the transaction of its effect. `false` means
/// that it was processed before and must be skipped.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn first_time(
    connection: &impl ConnectionTrait,
    consumer: &str,
    event_id: Uuid,
    clock: &dyn Clock,
) -> Result<bool, DbErr> {
    let insert = Statement::from_sql_and_values(
        DbBackend::Postgres,
        INSERT,
        [consumer.into(), event_id.into(), clock.now().into()],
    );
    Ok(connection.execute_raw(insert).await?.rows_affected() == 1)
}

/// As [`first_time`], for a transaction of sqlx.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn first_time_in(
    connection: &mut PgConnection,
    consumer: &str,
    event_id: Uuid,
    clock: &dyn Clock,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query(INSERT)
        .bind(consumer)
        .bind(event_id)
        .bind(clock.now())
        .execute(connection)
        .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Deletes at most `most` rows older than `before` and returns their number. A dead letter that is
/// redriven later than that is processed again.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn forget(
    connection: &impl ConnectionTrait,
    before: DateTime<Utc>,
    most: i64,
) -> Result<u64, DbErr> {
    let delete = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "delete from inbox where ctid = any(array( \
         select ctid from inbox where received_at < $1 order by received_at limit $2))",
        [before.into(), most.into()],
    );
    Ok(connection.execute_raw(delete).await?.rows_affected())
}
