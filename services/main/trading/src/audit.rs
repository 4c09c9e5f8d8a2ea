//! The audit: proves that every won, share and message is accounted for, and names the rows that
//! are not.
//!
//! History (journals, fills, splits, order events) is append-only: a checked slice is not read again
//! until a whole audit. Rows that change (balances, holdings, open orders) are compared with sums
//! over history: every account with new history, and some of the others in turn. Each slice is a
//! short transaction with its own snapshot, so the audit runs under load and does not block vacuum.
//! One process audits at a time.
//!
//! A finding remains until a whole audit no longer finds it. One of the present state, or of what could not
//! be checked in time, is one of a single audit.

mod accounts;
pub mod across;
mod assets;
mod check;
mod competitions;
mod contracts;
mod dividends;
mod equity;
mod fills;
mod gains;
mod history;
mod holdings;
mod journals;
mod orders;
mod ranks;
mod report;
mod seasons;
mod splits;
mod watch;
mod work;

use std::time::Duration;

use sqlx::{Connection, PgConnection, PgPool};

pub(crate) use history::{Settled, settled};
pub use report::{Finding, Report, observe, run_regularly};

/// "audi" in ASCII: advisory lock of the process that audits.
const LOCK_KEY: i64 = 0x6175_6469;
const POLL_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// What a migration has not come to would be findings.
    #[error("the database is not migrated to this release")]
    NotMigrated,
    /// A transaction is open for so long that history after it cannot be checked.
    #[error("a transaction that writes history does not end")]
    Unsettled,
    /// A slice took so long that its snapshot would be held for more than a minute.
    #[error("a slice took too long")]
    TooSlow,
}

/// Names of all checks of one database, as in findings.
pub fn names() -> impl Iterator<Item = &'static str> {
    let slices = journals::CHECKS.iter().chain(&fills::CHECKS);
    let slices = slices.map(|check| check.name);
    slices
        .chain([fills::CHARGED, fills::EXACT, fills::PRICED])
        .chain([holdings::DIVIDED, holdings::PART_PRICED])
        .chain([holdings::ENDED, holdings::CAPPED])
        .chain(splits::NAMES)
        .chain([splits::REACHED])
        .chain(orders::names())
        .chain(accounts::names())
        .chain(contracts::names())
        .chain([gains::IDENTITY])
        .chain(seasons::names())
        .chain(equity::names())
        .chain(competitions::names())
        .chain([ranks::FOLLOW])
        .chain(dividends::NAMES)
        .chain(assets::names())
        .chain(watch::NAMES)
        .chain([work::COMPARED])
}

/// Audits the whole database from the first journal on. Waits while another process audits. Events
/// unsent for more than `outbox_age_s` seconds are findings.
///
/// # Errors
/// [`AuditError`]: the audit is incomplete and proves nothing.
pub async fn run(pool: &PgPool, outbox_age_s: i64) -> Result<Report, AuditError> {
    let mut connection = connect(pool).await?;
    while !lock(&mut connection).await? {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    history::start_over(&mut connection).await?;
    let report = work::audit(&mut connection, true, outbox_age_s).await?;
    connection.close().await?;
    Ok(report)
}

/// Audits the history since the last audit. `None` while another process audits.
///
/// # Errors
/// [`AuditError`]; the next audit continues where this one stopped.
pub async fn run_new(pool: &PgPool, outbox_age_s: i64) -> Result<Option<Report>, AuditError> {
    let mut connection = connect(pool).await?;
    let report = if lock(&mut connection).await? {
        Some(work::audit(&mut connection, false, outbox_age_s).await?)
    } else {
        None
    };
    connection.close().await?;
    Ok(report)
}

/// Opens a connection outside the pool: its settings must not leak, and the lock ends with it.
async fn connect(pool: &PgPool) -> Result<PgConnection, AuditError> {
    let mut connection = PgConnection::connect_with(&pool.connect_options()).await?;
    // A generic plan would be made for a larger part of the table than any slice is.
    for setting in [
        "set statement_timeout = '50s'",
        "set plan_cache_mode = force_custom_plan",
    ] {
        sqlx::query(setting).execute(&mut connection).await?;
    }
    if !is_migrated(&mut connection).await? {
        return Err(AuditError::NotMigrated);
    }
    Ok(connection)
}

async fn is_migrated(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let newest = crate::MIGRATOR.iter().map(|one| one.version).max();
    sqlx::query_scalar("select exists (select from _sqlx_migrations where version = $1)")
        .bind(newest)
        .fetch_one(connection)
        .await
}

async fn lock(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select pg_try_advisory_lock($1)")
        .bind(LOCK_KEY)
        .fetch_one(connection)
        .await
}
