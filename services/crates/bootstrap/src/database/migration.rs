//! Bringing a database to the schema of a release, whichever release migrated it last.

use std::collections::HashSet;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use sqlx::migrate::{Migrate, MigrateError, Migration, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection};

use super::{LOCK_NOT_AVAILABLE, cut_idle_transactions};

/// Longest that a transaction waits for a lock, and so that others wait behind it.
const LOCK_TIMEOUT: &str = "2s";
/// Pause in which those go on who waited behind a migration.
const PAUSE: Duration = Duration::from_millis(500);
/// Tries of one migration that does not get its locks, for 5 minutes in all.
const MAX_TRIES: u32 = 120;
/// The SQLSTATEs lock_not_available and deadlock_detected.
const LOCKED: [&str; 2] = [LOCK_NOT_AVAILABLE, "40P01"];
/// The advisory lock of who migrates this database.
const TURN: &str = "select pg_try_advisory_lock(hashtext('migrate'))";
/// Indexes whose concurrent build was interrupted.
const UNFINISHED: &str = "\
    select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid \
    where not i.indisvalid and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace";

/// Applies the migrations that the database has not seen. Those it has seen and this release does
/// not know are passed over: a newer release ran here, and every migration leaves a schema on which
/// the release before it works. While another process migrates, it waits.
///
/// A statement may take as long as it needs. One that runs in a transaction waits 2 s for its lock;
/// then the migration is rolled back and tried again, for 5 minutes at most. A migration that begins
/// with `-- no-transaction` is a single statement that blocks nobody, such as `create index
/// concurrently` or a `call` that commits slices: it waits for its locks without a limit, and runs
/// again after an interruption. An index that it left unfinished is dropped first.
///
/// # Errors
/// [`MigrateError`] of the database, or when a known migration differs from the one that ran.
pub async fn migrate(url: &SecretString, migrations: &Migrator) -> Result<(), MigrateError> {
    let options: PgConnectOptions = url.expose_secret().parse()?;
    let mut tolerant = Migrator::with_migrations(migrations.iter().cloned().collect());
    tolerant.set_ignore_missing(true);
    let mut tried = (None, 0);
    while let Err(error) = apply(&options, &tolerant).await {
        let tries = if tried.0 == version(&error) {
            tried.1 + 1
        } else {
            1
        };
        tried = (version(&error), tries);
        if !is_locked(&error) || tries >= MAX_TRIES {
            return Err(error);
        }
        tracing::warn!(%error, "Migration waits for a lock");
        tokio::time::sleep(PAUSE).await;
    }
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .connect_with(options.options([("lock_timeout", LOCK_TIMEOUT)]))
        .await?;
    cut_idle_transactions(&pool).await?;
    pool.close().await;
    Ok(())
}

/// A connection of its own for each try: one whose try failed may still hold the migration lock.
async fn apply(options: &PgConnectOptions, migrations: &Migrator) -> Result<(), MigrateError> {
    let mut connection = options.connect().await?;
    let applied = apply_with(&mut connection, migrations).await;
    let closed = connection.close().await;
    applied?;
    Ok(closed?)
}

async fn apply_with(
    connection: &mut PgConnection,
    migrations: &Migrator,
) -> Result<(), MigrateError> {
    take_turn(connection).await?;
    connection
        .ensure_migrations_table(&migrations.table_name)
        .await?;
    let applied = versions(connection, migrations).await?;
    for migration in migrations.iter() {
        if !applied.contains(&migration.version) {
            apply_one(connection, migrations, migration).await?;
        }
    }
    // Rejects an edited one also when none was left to apply.
    migrations.run_direct(None, connection, false).await?;
    report_newer(connection, migrations).await
}

/// Waits until no other process migrates. Polls, because who waits inside a statement keeps a
/// snapshot, and a concurrent build of an index waits for it.
async fn take_turn(connection: &mut PgConnection) -> Result<(), MigrateError> {
    let mut waits = false;
    while !sqlx::query_scalar::<_, bool>(TURN)
        .fetch_one(&mut *connection)
        .await?
    {
        if !waits {
            tracing::info!("Another process migrates");
            waits = true;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

async fn apply_one(
    connection: &mut PgConnection,
    migrations: &Migrator,
    migration: &Migration,
) -> Result<(), MigrateError> {
    let lock_timeout = if migration.no_tx { "0" } else { LOCK_TIMEOUT };
    sqlx::query("select set_config('lock_timeout', $1, false)")
        .bind(lock_timeout)
        .execute(&mut *connection)
        .await?;
    if !migration.no_tx {
        let upto = Some(migration.version);
        return migrations.run_direct(upto, connection, false).await;
    }
    drop_unfinished_indexes(connection, migration).await?;
    connection.apply(&migrations.table_name, migration).await?;
    Ok(())
}

async fn drop_unfinished_indexes(
    connection: &mut PgConnection,
    migration: &Migration,
) -> Result<(), MigrateError> {
    let unfinished: Vec<String> = sqlx::query_scalar(UNFINISHED)
        .fetch_all(&mut *connection)
        .await?;
    let is_named = |index: &String| migration.sql.as_str().contains(index.as_str());
    for index in unfinished.into_iter().filter(is_named) {
        tracing::warn!(index, "Dropping an index that was not finished");
        let drop = format!("drop index concurrently if exists \"{index}\"");
        connection.execute(AssertSqlSafe(drop)).await?;
    }
    Ok(())
}

async fn report_newer(
    connection: &mut PgConnection,
    migrations: &Migrator,
) -> Result<(), MigrateError> {
    let known: HashSet<i64> = migrations.iter().map(|one| one.version).collect();
    let applied = versions(connection, migrations).await?;
    let newer: Vec<i64> = applied.difference(&known).copied().collect();
    if !newer.is_empty() {
        tracing::warn!(?newer, "Schema is newer than this release");
    }
    Ok(())
}

async fn versions(
    connection: &mut PgConnection,
    migrations: &Migrator,
) -> Result<HashSet<i64>, MigrateError> {
    let applied = connection
        .list_applied_migrations(&migrations.table_name)
        .await?;
    Ok(applied.into_iter().map(|one| one.version).collect())
}

/// The version of the migration that failed; `None` for other errors.
fn version(error: &MigrateError) -> Option<i64> {
    if let MigrateError::ExecuteMigration(_, version) = error {
        Some(*version)
    } else {
        None
    }
}

fn is_locked(error: &MigrateError) -> bool {
    let (MigrateError::Execute(source) | MigrateError::ExecuteMigration(source, _)) = error else {
        return false;
    };
    let code = source.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| LOCKED.contains(&code.as_ref()))
}
