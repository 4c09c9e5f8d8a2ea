//! The transactional outbox: an event is a row in the transaction of its change; a relay publishes
//! the rows and deletes them once the broker has confirmed them.
//!
//! One relay per database holds an advisory lock, so events are published in the order of their
//! ids; rows of one aggregate are ordered because their transactions held that aggregate's lock.
//! `append` wakes the relay of its own process instead of `NOTIFY`, whose global lock would
//! serialise all commits of the database.

mod relay;

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};
use sqlx::PgConnection;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::event::NewEvent;

pub use relay::Relay;
pub(crate) use relay::declare_exchanges;

const INSERT: &str = "insert into outbox \
    (event_id, event_type, aggregate_id, body, traceparent, occurred_at) \
    values ($1, $2, $3, $4, $5, $6)";

const INSERT_ALL: &str = "insert into outbox \
    (event_id, event_type, aggregate_id, body, traceparent, occurred_at) \
    select event_id, event_type, aggregate_id, body, nullif(traceparent, ''), occurred_at \
    from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::text[], $6::timestamptz[]) \
    with ordinality as new (event_id, event_type, aggregate_id, body, traceparent, occurred_at, place) \
    order by place";

static APPENDED: LazyLock<Notify> = LazyLock::new(Notify::new);

/// Inserts an event in the business transaction. It is published if and only if the transaction
/// commits.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn append(connection: &impl ConnectionTrait, event: NewEvent) -> Result<(), DbErr> {
    let insert = Statement::from_sql_and_values(
        DbBackend::Postgres,
        INSERT,
        [
            event.event_id.into(),
            event.event_type.into(),
            event.aggregate_id.into(),
            event.body.into(),
            event.traceparent.into(),
            event.occurred_at.into(),
        ],
    );
    connection.execute_raw(insert).await?;
    wake();
    Ok(())
}

/// As [`append`], for events of one transaction of sqlx: they keep their order, in one round trip.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn append_all(
    connection: &mut PgConnection,
    events: impl IntoIterator<Item = NewEvent>,
) -> Result<(), sqlx::Error> {
    let columns = Columns::of(events);
    if columns.ids.is_empty() {
        return Ok(());
    }
    sqlx::query(INSERT_ALL)
        .bind(columns.ids)
        .bind(columns.types)
        .bind(columns.aggregates)
        .bind(columns.bodies)
        .bind(columns.traces)
        .bind(columns.times)
        .execute(connection)
        .await?;
    wake();
    Ok(())
}

/// As [`append_all`], for transactions of sea-orm.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn append_many(
    connection: &impl ConnectionTrait,
    events: impl IntoIterator<Item = NewEvent>,
) -> Result<(), DbErr> {
    let columns = Columns::of(events);
    if columns.ids.is_empty() {
        return Ok(());
    }
    let insert = Statement::from_sql_and_values(
        DbBackend::Postgres,
        INSERT_ALL,
        [
            columns.ids.into(),
            columns.types.into(),
            columns.aggregates.into(),
            columns.bodies.into(),
            columns.traces.into(),
            columns.times.into(),
        ],
    );
    connection.execute_raw(insert).await?;
    wake();
    Ok(())
}

/// Events by column, in the order in which [`INSERT_ALL`] takes them.
#[derive(Default)]
struct Columns {
    ids: Vec<Uuid>,
    types: Vec<String>,
    aggregates: Vec<String>,
    bodies: Vec<Vec<u8>>,
    /// Empty for none: sea-orm cannot bind an array with nulls.
    traces: Vec<String>,
    times: Vec<DateTime<Utc>>,
}

impl Columns {
    fn of(events: impl IntoIterator<Item = NewEvent>) -> Self {
        let mut columns = Self::default();
        for event in events {
            columns.ids.push(event.event_id);
            columns.types.push(event.event_type.to_owned());
            columns.aggregates.push(event.aggregate_id);
            columns.bodies.push(event.body);
            columns.traces.push(event.traceparent.unwrap_or_default());
            columns.times.push(event.occurred_at);
        }
        columns
    }
}

/// Wakes the relay of this process after rows were inserted without [`append`].
pub fn wake() {
    APPENDED.notify_one();
}
