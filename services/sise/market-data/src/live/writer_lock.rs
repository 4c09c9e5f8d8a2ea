//! The writer lock: one process at a time writes the tick log and the candles, the holder of an
//! advisory lock of the database.
//!
//! A connection can break without either side noticing: the database then grants the lock to
//! another process while the first still considers itself the writer. So the lock is checked every
//! second, and nothing is published without an answer. Batches in flight may still arrive later, so
//! a writer whose predecessor did not release the lock starts a new epoch, and readers ignore
//! batches of older epochs.

use std::time::Duration;

use bootstrap::database::KEEPALIVE_SETTINGS;
use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::{oneshot, watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The key of the advisory lock.
const LOCK: i64 = 0x5eed_0001;
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Without an answer for this long, the holder of the lock is unknown.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Time for the last batches to be confirmed at shutdown.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(6);

/// Held as long as its connection lives.
pub(super) struct WriterLock {
    pool: PgPool,
    connection: PgConnection,
    /// Backend process of the connection.
    pid: i32,
    holder: Uuid,
    /// Whether the previous writer released the lock after its last batch was confirmed.
    follows_a_release: bool,
    holds_lock: watch::Sender<bool>,
}

/// Waits until the lock is free.
pub(super) async fn acquire(pool: &PgPool) -> Result<WriterLock, sqlx::Error> {
    let mut has_logged = false;
    loop {
        if let Some((mut connection, pid)) = try_lock(pool).await? {
            let holder = Uuid::new_v4();
            let follows_a_release = record_holder(&mut connection, holder).await?;
            return Ok(WriterLock {
                pool: pool.clone(),
                connection,
                pid,
                holder,
                follows_a_release,
                holds_lock: watch::Sender::new(true),
            });
        }
        if !has_logged {
            tracing::info!("Waiting for the writer lock, which another process holds");
            has_logged = true;
        }
        tokio::time::sleep(RETRY_INTERVAL).await;
    }
}

async fn try_lock(pool: &PgPool) -> Result<Option<(PgConnection, i32)>, sqlx::Error> {
    let mut connection = pool.acquire().await?.detach();
    let (acquired, pid): (bool, i32) =
        sqlx::query_as("select pg_try_advisory_lock($1), pg_backend_pid()")
            .bind(LOCK)
            .fetch_one(&mut connection)
            .await?;
    if !acquired {
        connection.close().await?;
        return Ok(None);
    }
    sqlx::raw_sql(KEEPALIVE_SETTINGS)
        .execute(&mut connection)
        .await?;
    Ok(Some((connection, pid)))
}

/// Records this process as the holder. Returns whether the previous holder released the lock.
async fn record_holder(connection: &mut PgConnection, holder: Uuid) -> Result<bool, sqlx::Error> {
    let released: Option<bool> = sqlx::query_scalar("select is_released from tick_writer")
        .fetch_optional(&mut *connection)
        .await?;
    sqlx::query(
        "insert into tick_writer (holder, is_released) values ($1, false)
         on conflict (only_row) do update set holder = excluded.holder, is_released = false",
    )
    .bind(holder)
    .execute(connection)
    .await?;
    Ok(released.unwrap_or(false))
}

impl WriterLock {
    /// Whether the current epoch may be continued.
    pub(super) fn follows_a_release(&self) -> bool {
        self.follows_a_release
    }

    /// Whether this process is known to hold the lock.
    pub(super) fn holds_lock(&self) -> watch::Receiver<bool> {
        self.holds_lock.subscribe()
    }

    /// Holds the lock until shutdown, then releases it if `all_confirmed` says that no batch is in
    /// flight. A lost lock (a database restart) is acquired again; if another process has written
    /// meanwhile, this process shuts down.
    pub(super) async fn hold(
        mut self,
        all_confirmed: oneshot::Receiver<bool>,
        shutdown: CancellationToken,
    ) {
        let mut every = tokio::time::interval(CHECK_INTERVAL);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while shutdown.run_until_cancelled(every.tick()).await.is_some() {
            let answer = tokio::time::timeout(ANSWER_TIMEOUT, self.connection.ping()).await;
            let is_held = match answer {
                Ok(Ok(())) => true,
                Ok(Err(_)) | Err(_) => {
                    self.set_holds_lock(false);
                    match tokio::time::timeout(ANSWER_TIMEOUT, self.reacquire()).await {
                        Ok(Ok(Reacquired::Yes)) => true,
                        Ok(Ok(Reacquired::NotYet)) | Err(_) => false,
                        Ok(Ok(Reacquired::Never)) => {
                            tracing::error!(
                                "Another process acquired the writer lock, shutting down"
                            );
                            shutdown.cancel();
                            return;
                        }
                        Ok(Err(error)) => {
                            tracing::warn!(%error, "Writer lock could not be reacquired, retrying");
                            false
                        }
                    }
                }
            };
            self.set_holds_lock(is_held);
        }
        let all_confirmed = tokio::time::timeout(CONFIRM_TIMEOUT, all_confirmed).await;
        let release = async {
            if matches!(all_confirmed, Ok(Ok(true))) {
                sqlx::query("update tick_writer set is_released = true where holder = $1")
                    .bind(self.holder)
                    .execute(&mut self.connection)
                    .await?;
            }
            // Closing the connection releases the lock.
            self.connection.close().await
        };
        if !matches!(
            tokio::time::timeout(ANSWER_TIMEOUT, release).await,
            Ok(Ok(()))
        ) {
            tracing::warn!("Writer lock could not be released; the next writer starts a new epoch");
        }
    }

    fn set_holds_lock(&self, holds_lock: bool) {
        metrics::gauge!("tick_writer_lock_held").set(f64::from(u8::from(holds_lock)));
        let changed = self
            .holds_lock
            .send_if_modified(|was| std::mem::replace(was, holds_lock) != holds_lock);
        if changed && !holds_lock {
            tracing::error!("State of the writer lock unknown, publishing paused");
        } else if changed {
            tracing::info!("Writer lock confirmed, publishing resumed");
        }
    }

    /// Acquires the lock over another connection.
    async fn reacquire(&mut self) -> Result<Reacquired, sqlx::Error> {
        let holder: Option<Uuid> = sqlx::query_scalar("select holder from tick_writer")
            .fetch_optional(&self.pool)
            .await?;
        if holder != Some(self.holder) {
            return Ok(Reacquired::Never);
        }
        if let Some((mut connection, pid)) = try_lock(&self.pool).await? {
            // Another process may have written before the lock was acquired.
            let holder: Option<Uuid> = sqlx::query_scalar("select holder from tick_writer")
                .fetch_optional(&mut connection)
                .await?;
            if holder != Some(self.holder) {
                return Ok(Reacquired::Never);
            }
            (self.connection, self.pid) = (connection, pid);
            return Ok(Reacquired::Yes);
        }
        // The database still counts the broken connection as the holder; terminate it.
        sqlx::query(
            "select pg_terminate_backend(pid) from pg_locks
             where locktype = 'advisory' and granted and pid = $1
                 and (classid::bigint << 32) + objid::bigint = $2",
        )
        .bind(self.pid)
        .bind(LOCK)
        .execute(&self.pool)
        .await?;
        Ok(Reacquired::NotYet)
    }
}

enum Reacquired {
    Yes,
    /// The lock may be free soon.
    NotYet,
    /// Another process has written meanwhile.
    Never,
}
