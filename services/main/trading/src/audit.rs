//! The audit: proves that every won, share and message is accounted for, and names the row that
//! is not.
//!
//! History (journals, fills, splits, changes of orders) is append-only: what was checked once is
//! not read again until a whole audit is asked for. What can change (balances, holdings, open
//! orders) is compared with sums over history, for every account that something has happened to and
//! for others in turn. It goes slice by slice, each a short transaction with a snapshot of its own,
//! so it runs under load and keeps nothing from being vacuumed. One process audits at a time.
//!
//! What was found stays a finding until a whole audit no longer finds it.

mod accounts;
pub mod across;
mod check;
mod dividends;
mod fills;
mod history;
mod holdings;
mod journals;
mod orders;
mod report;
mod splits;
mod watch;
mod work;

use std::time::Duration;

use sqlx::{Connection, PgConnection, PgPool};

pub use report::{Finding, Report, observe, run_regularly};

/// "audi" in ASCII: the lock of the one process that audits.
const AUDITING: i64 = 0x6175_6469;
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// Why an audit could not be completed.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The database.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// A transaction has been under way for so long that history behind it cannot be trusted.
    #[error("a transaction that writes history does not end")]
    Unsettled,
    /// A slice took so long that its snapshot would have been held for more than a minute.
    #[error("a slice took too long")]
    TooSlow,
}

/// The names of all checks of one database, as findings name them.
pub fn names() -> impl Iterator<Item = &'static str> {
    let slices = journals::CHECKS.iter().chain(&fills::CHECKS);
    let slices = slices.map(|check| check.name);
    slices
        .chain([fills::CHARGED, fills::EXACT, fills::PRICED])
        .chain([holdings::DIVIDED, holdings::PART_PRICED, holdings::CAPPED])
        .chain(splits::NAMES)
        .chain([splits::REACHED])
        .chain(orders::names())
        .chain(accounts::names())
        .chain(dividends::NAMES)
        .chain(watch::NAMES)
}

/// Audits the whole database behind `pool`, from the first journal on. Waits while another process
/// audits. Events that wait longer than `outbox_age_s` seconds are a finding.
///
/// # Errors
/// [`AuditError`]: it is not proved that all adds up.
pub async fn run(pool: &PgPool, outbox_age_s: i64) -> Result<Report, AuditError> {
    let mut connection = connect(pool).await?;
    while !lock(&mut connection).await? {
        tokio::time::sleep(ASK_AGAIN).await;
    }
    history::start_over(&mut connection).await?;
    let report = work::audit(&mut connection, true, outbox_age_s).await?;
    connection.close().await?;
    Ok(report)
}

/// Audits what has come since the last audit. `None` while another process audits.
///
/// # Errors
/// [`AuditError`]; the next audit goes on where this one stopped.
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

/// A connection of its own: its settings are not for others, it has no past, and the lock goes
/// with it.
async fn connect(pool: &PgPool) -> Result<PgConnection, sqlx::Error> {
    let mut connection = PgConnection::connect_with(&pool.connect_options()).await?;
    // A plan for any slice would be one for a part of the table that no slice ever is.
    for setting in [
        "set statement_timeout = '50s'",
        "set plan_cache_mode = force_custom_plan",
    ] {
        sqlx::query(setting).execute(&mut connection).await?;
    }
    Ok(connection)
}

async fn lock(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select pg_try_advisory_lock($1)")
        .bind(AUDITING)
        .fetch_one(connection)
        .await
}
