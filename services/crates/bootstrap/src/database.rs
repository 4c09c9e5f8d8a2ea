//! PostgreSQL connections with timeouts on every wait, and retries of serialization failures.

mod migration;
mod outage;
mod watch;

use std::fmt::Write;
use std::time::Duration;

use rand::Rng;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr, SqlxPostgresConnector};
use secrecy::{ExposeSecret, SecretString};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};

use crate::database::watch::Watch;
use crate::deadline;

pub use migration::migrate;
pub use outage::{LOCK_NOT_AVAILABLE, Outage};

const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(1);
/// Settings of a session that holds an advisory lock: the server finds a client that is dead within
/// about ten seconds, instead of hours, and gives the lock to another.
pub const KEEPALIVE_SETTINGS: &str = "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; \
     set tcp_keepalives_count = 3; set tcp_user_timeout = 10000";
/// The SQLSTATE insufficient_privilege.
const INSUFFICIENT_PRIVILEGE: &str = "42501";
/// Attempts of a transaction that others keep from being serialized.
const RETRY_TRIES: u32 = 5;

/// Opens a pool, with one connection to verify it. Every session has a statement timeout of 5 s, a
/// lock timeout of 2 s and an idle-in-transaction timeout of 10 s. While the database is
/// unavailable, acquiring a connection fails at once.
///
/// # Errors
/// [`sqlx::Error`] when the address is malformed or the connection fails.
pub async fn connect(
    url: &SecretString,
    max_connections: u32,
) -> Result<(PgPool, DatabaseConnection), sqlx::Error> {
    let options: PgConnectOptions = url.expose_secret().parse()?;
    let options = options.application_name(&process_name()).options([
        ("statement_timeout", "5s"),
        ("lock_timeout", "2s"),
        ("idle_in_transaction_session_timeout", "10s"),
    ]);
    let pool = Watch::over(PgPoolOptions::new())
        .max_connections(max_connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(options.clone())
        .await?;
    Watch::begin(pool.clone(), options);
    let connection = SqlxPostgresConnector::from_sqlx_postgres_pool(pool.clone());
    Ok((pool, connection))
}

/// The unique `application_name` of this process: program, machine and process id.
fn process_name() -> String {
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(std::path::Path::file_name);
    let program = program
        .and_then(std::ffi::OsStr::to_str)
        .unwrap_or_default();
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    // The server keeps 63 bytes, so the distinguishing parts come first.
    format!("{}@{} {program}", std::process::id(), machine.trim())
}

/// Sets the database's default idle-in-transaction timeout to 10 s for every client: a forgotten
/// console would hold row locks, delay events and block vacuum. Every migration sets it again,
/// because a restored database has lost it.
///
/// # Errors
/// [`sqlx::Error`] of the database. A role that is not the owner is not an error: then only our own
/// sessions have the timeout.
pub async fn cut_idle_transactions(pool: &PgPool) -> Result<(), sqlx::Error> {
    // Concurrent migrations must not alter the same row.
    let alter = "do $$ begin \
                 perform pg_advisory_xact_lock(hashtext('cut_idle_transactions')); \
                 execute format( \
                 'alter database %I set idle_in_transaction_session_timeout = %L', \
                 current_database(), '10s'); end $$";
    match sqlx::query(alter).execute(pool).await {
        Err(sqlx::Error::Database(error))
            if error.code().as_deref() == Some(INSUFFICIENT_PRIVILEGE) =>
        {
            tracing::warn!(%error, "Others may idle in transactions of this database");
            Ok(())
        }
        outcome => outcome.map(drop),
    }
}

/// Limits the statements of this transaction to the deadline of the request.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn statement_timeout_for_deadline(
    transaction: &impl ConnectionTrait,
) -> Result<(), DbErr> {
    if let Some(left) = deadline::remaining() {
        let mut sql = String::new();
        // Zero would mean "no limit".
        let left_ms = left.as_millis().clamp(1, 5_000);
        let _infallible = write!(sql, "set local statement_timeout = {left_ms}");
        transaction.execute_unprepared(&sql).await?;
    }
    Ok(())
}

/// An error that may wrap a database error.
pub trait HasDbErr {
    fn db_err(&self) -> Option<&DbErr>;
}

impl HasDbErr for DbErr {
    fn db_err(&self) -> Option<&DbErr> {
        Some(self)
    }
}

/// Retries a transaction after a serialization failure or a deadlock (40001, 40P01): at most five
/// attempts, 5 to 100 ms apart. The closure has to repeat its reads.
///
/// # Errors
/// The error of the last attempt.
pub async fn retry_serialization<T, E, F>(mut transaction: impl FnMut() -> F) -> Result<T, E>
where
    E: HasDbErr,
    F: Future<Output = Result<T, E>>,
{
    let mut tries = 1;
    loop {
        let outcome = transaction().await;
        let Err(error) = &outcome else {
            return outcome;
        };
        if tries == RETRY_TRIES || !error.db_err().is_some_and(is_serialization_failure) {
            return outcome;
        }
        tries += 1;
        metrics::counter!("database_serialization_retries_total").increment(1);
        let pause_ms = rand::rng().random_range(5..=100);
        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
    }
}

/// The SQLSTATE of a server error, for example `23505`; `None` for any other.
#[must_use]
pub fn sql_state(error: &DbErr) -> Option<String> {
    database_error(error)
        .and_then(|error| error.code())
        .map(|code| code.into_owned())
}

/// The name of the violated constraint.
#[must_use]
pub fn constraint(error: &DbErr) -> Option<&str> {
    database_error(error).and_then(|error| error.constraint())
}

fn database_error(error: &DbErr) -> Option<&dyn sqlx::error::DatabaseError> {
    outage::source(error).and_then(sqlx::Error::as_database_error)
}

fn is_serialization_failure(error: &DbErr) -> bool {
    matches!(sql_state(error).as_deref(), Some("40001" | "40P01"))
}
