//! Bringing a database to the schema of a release, whichever release migrated it last.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use secrecy::{ExposeSecret, SecretString};
use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection};

use super::cut_idle_transactions;

/// Longest that a statement waits for its lock, and so that others wait behind it.
const LOCK_TIMEOUT: &str = "2s";
/// Pause in which those go on who waited behind a migration.
const PAUSE: Duration = Duration::from_millis(500);
/// Longest that locks are tried for, for example while another pod migrates.
const PATIENCE: Duration = Duration::from_secs(300);
/// The SQLSTATE lock_not_available.
const LOCKED: &str = "55P03";

/// Applies the migrations that the database has not seen. Those it has seen and this release does
/// not know are passed over: a newer release ran here, and every migration leaves a schema on which
/// the release before it works.
///
/// A statement may take as long as it needs, but waits 2 s for its lock; then the migration is
/// rolled back and tried again, for 5 minutes at most.
///
/// # Errors
/// [`MigrateError`] of the database, or when a known migration differs from the one that ran.
pub async fn migrate(url: &SecretString, migrations: &Migrator) -> Result<(), MigrateError> {
    let options: PgConnectOptions = url.expose_secret().parse()?;
    let options = options.options([("lock_timeout", LOCK_TIMEOUT)]);
    let mut tolerant = Migrator::with_migrations(migrations.iter().cloned().collect());
    tolerant.set_ignore_missing(true);
    let started = Instant::now();
    while let Err(error) = apply(&options, &tolerant).await {
        if !is_locked(&error) || started.elapsed() >= PATIENCE {
            return Err(error);
        }
        tracing::warn!(%error, "Migration waits for a lock");
        tokio::time::sleep(PAUSE).await;
    }
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(options)
        .await?;
    cut_idle_transactions(&pool).await?;
    pool.close().await;
    Ok(())
}

/// A connection of its own for each try: one whose try failed may still hold the migration lock.
async fn apply(options: &PgConnectOptions, migrations: &Migrator) -> Result<(), MigrateError> {
    let mut connection = options.connect().await?;
    migrations.run_direct(None, &mut connection, false).await?;
    report_newer(&mut connection, migrations).await?;
    connection.close().await?;
    Ok(())
}

async fn report_newer(
    connection: &mut PgConnection,
    migrations: &Migrator,
) -> Result<(), MigrateError> {
    let known: HashSet<i64> = migrations.iter().map(|one| one.version).collect();
    let applied = connection
        .list_applied_migrations(&migrations.table_name)
        .await?;
    let newer: Vec<i64> = applied
        .into_iter()
        .map(|one| one.version)
        .filter(|version| !known.contains(version))
        .collect();
    if !newer.is_empty() {
        tracing::warn!(?newer, "Schema is newer than this release");
    }
    Ok(())
}

fn is_locked(error: &MigrateError) -> bool {
    let (MigrateError::Execute(source) | MigrateError::ExecuteMigration(source, _)) = error else {
        return false;
    };
    let code = source.as_database_error().and_then(|error| error.code());
    code.as_deref() == Some(LOCKED)
}
