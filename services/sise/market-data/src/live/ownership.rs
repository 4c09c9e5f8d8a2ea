//! One process at a time writes the tick log and the candles: whoever holds an advisory lock of
//! the database. Another process waits until it is free.
//!
//! A connection can die without either side being told: then the database gives the lock to the
//! next one while the first still believes that it writes. So the lock is asked for every second,
//! and nothing is published while no answer comes. What a writer sent before it noticed may still
//! arrive later, so who follows one that did not say goodbye begins a new epoch: readers pass
//! over what comes under an older one.

use std::time::Duration;

use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::{oneshot, watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Any number that nothing else of this database locks.
const LOCK: i64 = 0x5eed_0001;
const TRY_AGAIN: Duration = Duration::from_secs(1);
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// Without an answer for so long, nobody knows who holds the lock.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the last batches may take to be confirmed at shutdown.
const LAST_BATCHES: Duration = Duration::from_secs(6);

/// The database learns within some ten seconds that the machine of a writer is gone, instead of
/// the hours that are usual.
const NOTICE_DEATH: &str = "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; \
     set tcp_keepalives_count = 3; set tcp_user_timeout = 10000";

/// The right to write the log, held as long as its connection lives.
pub(super) struct Ownership {
    pool: PgPool,
    connection: PgConnection,
    /// The database's process behind the connection.
    pid: i32,
    holder: Uuid,
    /// Whether the writer before this one left after its last batch had been confirmed.
    follows_a_release: bool,
    is_sure: watch::Sender<bool>,
}

/// Waits until nobody else holds the right.
pub(super) async fn take(pool: &PgPool) -> Result<Ownership, sqlx::Error> {
    let mut told = false;
    loop {
        if let Some((mut connection, pid)) = try_lock(pool).await? {
            let holder = Uuid::new_v4();
            let follows_a_release = sign(&mut connection, holder).await?;
            return Ok(Ownership {
                pool: pool.clone(),
                connection,
                pid,
                holder,
                follows_a_release,
                is_sure: watch::Sender::new(true),
            });
        }
        if !told {
            tracing::info!("Another process writes the tick log, waiting for it to leave");
            told = true;
        }
        tokio::time::sleep(TRY_AGAIN).await;
    }
}

async fn try_lock(pool: &PgPool) -> Result<Option<(PgConnection, i32)>, sqlx::Error> {
    let mut connection = pool.acquire().await?.detach();
    let (taken, pid): (bool, i32) =
        sqlx::query_as("select pg_try_advisory_lock($1), pg_backend_pid()")
            .bind(LOCK)
            .fetch_one(&mut connection)
            .await?;
    if !taken {
        connection.close().await?;
        return Ok(None);
    }
    sqlx::raw_sql(NOTICE_DEATH).execute(&mut connection).await?;
    Ok(Some((connection, pid)))
}

/// Notes who writes from now on. Answers whether the one before released the right.
async fn sign(connection: &mut PgConnection, holder: Uuid) -> Result<bool, sqlx::Error> {
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

impl Ownership {
    /// Whether the log may be gone on with under the epoch that it has.
    pub(super) fn follows_a_release(&self) -> bool {
        self.follows_a_release
    }

    /// Whether this process is known to hold the right at present.
    pub(super) fn is_sure(&self) -> watch::Receiver<bool> {
        self.is_sure.subscribe()
    }

    /// Holds the right until shutdown, then releases it if `all_confirmed` says that no batch is
    /// under way. When the database has lost it (a restart) it is taken again; when somebody else
    /// wrote meanwhile, this process ends.
    pub(super) async fn keep(
        mut self,
        all_confirmed: oneshot::Receiver<bool>,
        shutdown: CancellationToken,
    ) {
        let mut every = tokio::time::interval(CHECK_EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while shutdown.run_until_cancelled(every.tick()).await.is_some() {
            let answer = tokio::time::timeout(ANSWER_TIMEOUT, self.connection.ping()).await;
            let is_held = match answer {
                Ok(Ok(())) => true,
                Ok(Err(_)) | Err(_) => {
                    self.note(false);
                    match tokio::time::timeout(ANSWER_TIMEOUT, self.take_again()).await {
                        Ok(Ok(Regained::Yes)) => true,
                        Ok(Ok(Regained::NotYet)) | Err(_) => false,
                        Ok(Ok(Regained::Never)) => {
                            tracing::error!("Another process writes the tick log now, leaving");
                            shutdown.cancel();
                            return;
                        }
                        Ok(Err(error)) => {
                            tracing::warn!(%error, "The right to write cannot be renewed yet");
                            false
                        }
                    }
                }
            };
            self.note(is_held);
        }
        let all_confirmed = tokio::time::timeout(LAST_BATCHES, all_confirmed).await;
        let release = async {
            if matches!(all_confirmed, Ok(Ok(true))) {
                sqlx::query("update tick_writer set is_released = true where holder = $1")
                    .bind(self.holder)
                    .execute(&mut self.connection)
                    .await?;
            }
            // Closing frees the lock at once.
            self.connection.close().await
        };
        if !matches!(
            tokio::time::timeout(ANSWER_TIMEOUT, release).await,
            Ok(Ok(()))
        ) {
            tracing::warn!(
                "The right to write could not be released; who follows begins a new epoch"
            );
        }
    }

    fn note(&self, is_sure: bool) {
        metrics::gauge!("tick_writer_sure").set(f64::from(u8::from(is_sure)));
        let changed = self
            .is_sure
            .send_if_modified(|was| std::mem::replace(was, is_sure) != is_sure);
        if changed && !is_sure {
            tracing::error!("It is unknown who writes the tick log, publishing nothing");
        } else if changed {
            tracing::info!("The right to write the tick log is renewed");
        }
    }

    /// Takes the lock again over another connection.
    async fn take_again(&mut self) -> Result<Regained, sqlx::Error> {
        let holder: Option<Uuid> = sqlx::query_scalar("select holder from tick_writer")
            .fetch_optional(&self.pool)
            .await?;
        if holder != Some(self.holder) {
            return Ok(Regained::Never);
        }
        if let Some((mut connection, pid)) = try_lock(&self.pool).await? {
            // Whoever wrote between the question and the lock has signed.
            let holder: Option<Uuid> = sqlx::query_scalar("select holder from tick_writer")
                .fetch_optional(&mut connection)
                .await?;
            if holder != Some(self.holder) {
                return Ok(Regained::Never);
            }
            (self.connection, self.pid) = (connection, pid);
            return Ok(Regained::Yes);
        }
        // The dead connection still has the lock as far as the database knows: it is ours to end.
        sqlx::query(
            "select pg_terminate_backend(pid) from pg_locks
             where locktype = 'advisory' and granted and pid = $1
                 and (classid::bigint << 32) + objid::bigint = $2",
        )
        .bind(self.pid)
        .bind(LOCK)
        .execute(&self.pool)
        .await?;
        Ok(Regained::NotYet)
    }
}

/// Whether the lock could be taken again.
enum Regained {
    Yes,
    /// It may be free in a moment.
    NotYet,
    /// Somebody else has written meanwhile.
    Never,
}
