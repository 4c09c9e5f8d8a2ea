//! The memory of a consumer: which events have had their effect.

use chrono::{DateTime, Utc};
use kernel::Clock;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};
use uuid::Uuid;

/// Notes that `consumer` handles `event_id`, in the transaction of the effect. `false` means that
/// the effect is there already and the event must be skipped.
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
        "insert into inbox (consumer, event_id, received_at) values ($1, $2, $3) on conflict do nothing",
        [consumer.into(), event_id.into(), clock.now().into()],
    );
    Ok(connection.execute_raw(insert).await?.rows_affected() == 1)
}

/// Forgets events that had their effect before `before`, at most `most` of them; answers how many.
/// A letter that is put back later than that has its effect again.
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
