//! Watches the database of a pool. While it is unavailable, acquiring a connection fails at once;
//! otherwise each request would use up its acquire timeout in the pool's queue, and the first ones
//! after the recovery would fail too, because connecting is slow then.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, Error, PgConnection, PgPool};
use tokio::task::JoinSet;

const PING_INTERVAL: Duration = Duration::from_millis(500);
/// After a slower ping the database is suspected to be unavailable.
const PING_TIMEOUT: Duration = Duration::from_secs(1);
/// A suspected database that takes longer to accept a connection is unavailable.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(1);
/// Generous, as a database that has just started is slow.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection returned to the pool this recently is reused without a ping, which would cost a
/// round trip before every transaction.
const FRESH_FOR: Duration = Duration::from_millis(250);
/// Ends the transaction of a connection, if it is in one; BEGIN avoids the warning where it is not.
const END: &str = "begin; rollback";
/// A directory without a socket in it: connecting to it fails at once and is not tried again.
const NOWHERE: &str = "/nonexistent";

pub(super) struct Watch;

impl Watch {
    /// Pings connections before reuse. One that is returned must answer within a timeout or is dropped: it
    /// may be half open, and the pool itself would wait forever and lose the slot. A caller who went away
    /// while BEGIN was answered leaves a transaction that sqlx does not know of; it is ended here, because
    /// the next caller's writes would be lost in it.
    pub(super) fn over(options: PgPoolOptions) -> PgPoolOptions {
        options
            .test_before_acquire(false)
            .before_acquire(|connection, idle| {
                Box::pin(async move {
                    if idle.idle_for >= FRESH_FOR {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .after_release(|connection, _age| {
                Box::pin(async move {
                    within(LOGIN_TIMEOUT, sqlx::raw_sql(END).execute(connection)).await?;
                    Ok(true)
                })
            })
    }

    /// The task ends when the pool is closed.
    pub(super) fn begin(pool: PgPool, options: PgConnectOptions) {
        tokio::spawn(async move {
            let mut closed = pool.close_event();
            let _closed = closed.do_until(Self::watch(&pool, &options)).await;
        });
    }

    async fn watch(pool: &PgPool, options: &PgConnectOptions) {
        let mut connection = None;
        loop {
            tokio::time::sleep(PING_INTERVAL).await;
            if answers(connection.as_mut()).await {
                continue;
            }
            connection = match within(CONFIRM_TIMEOUT, options.connect()).await {
                Ok(next) => Some(next),
                Err(error) => {
                    tracing::warn!(%error, "The database is away");
                    metrics::counter!("database_outages_total").increment(1);
                    pool.set_connect_options(options.clone().socket(NOWHERE));
                    let next = reconnect(options).await;
                    pool.set_connect_options(options.clone());
                    tracing::info!("The database is back");
                    Some(next)
                }
            };
        }
    }
}

async fn answers(connection: Option<&mut PgConnection>) -> bool {
    match connection {
        Some(connection) => within(PING_TIMEOUT, connection.ping()).await.is_ok(),
        None => false,
    }
}

async fn within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    tokio::time::timeout(limit, work)
        .await
        .unwrap_or(Err(Error::PoolTimedOut))
}

/// Tries to connect repeatedly. An attempt without a response must not delay the next one, and a
/// slow one must not be cancelled.
async fn reconnect(options: &PgConnectOptions) -> PgConnection {
    let mut knocks = JoinSet::new();
    let mut ticks = tokio::time::interval(PING_INTERVAL);
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                let options = options.clone();
                knocks.spawn(async move { within(LOGIN_TIMEOUT, options.connect()).await });
            }
            Some(Ok(Ok(connection))) = knocks.join_next() => return connection,
        }
    }
}
