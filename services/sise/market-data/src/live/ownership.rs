//! One process at a time writes the tick log and the candles: whoever holds an advisory lock of
//! the database. Another process waits until it is free.

use std::time::Duration;

use sqlx::{Connection, PgConnection, PgPool};
use tokio_util::sync::CancellationToken;

/// Any number that nothing else of this database locks.
const LOCK: i64 = 0x5eed_0001;
const TRY_AGAIN: Duration = Duration::from_secs(1);
const CHECK_EVERY: Duration = Duration::from_secs(5);

/// The right to write the log, held as long as its connection lives.
pub(super) struct Ownership {
    pool: PgPool,
    connection: PgConnection,
}

/// Waits until nobody else holds the right.
pub(super) async fn take(pool: &PgPool) -> Result<Ownership, sqlx::Error> {
    let mut told = false;
    loop {
        if let Some(ownership) = try_take(pool).await? {
            return Ok(ownership);
        }
        if !told {
            tracing::info!("Another process writes the tick log, waiting for it to leave");
            told = true;
        }
        tokio::time::sleep(TRY_AGAIN).await;
    }
}

async fn try_take(pool: &PgPool) -> Result<Option<Ownership>, sqlx::Error> {
    let mut connection = pool.acquire().await?.detach();
    let (taken,): (bool,) = sqlx::query_as("select pg_try_advisory_lock($1)")
        .bind(LOCK)
        .fetch_one(&mut connection)
        .await?;
    if !taken {
        connection.close().await?;
        return Ok(None);
    }
    Ok(Some(Ownership {
        pool: pool.clone(),
        connection,
    }))
}

impl Ownership {
    /// Holds the right until shutdown. When the database has lost it (a restart) it is taken
    /// again; when somebody else was faster, this process ends.
    pub(super) async fn keep(mut self, shutdown: CancellationToken) {
        let mut every = tokio::time::interval(CHECK_EVERY);
        while shutdown.run_until_cancelled(every.tick()).await.is_some() {
            if self.connection.ping().await.is_ok() {
                continue;
            }
            match try_take(&self.pool).await {
                Ok(Some(again)) => self = again,
                Ok(None) => {
                    tracing::error!("Another process writes the tick log now, leaving");
                    shutdown.cancel();
                }
                Err(error) => tracing::warn!(%error, "The right to write cannot be renewed yet"),
            }
        }
        // Closing frees the lock at once.
        drop(self.connection.close().await);
    }
}
