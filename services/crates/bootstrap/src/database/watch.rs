//! Watches over a pool's database. While it is away, whoever finds no open connection is refused
//! at once: otherwise each would wait in the queue of the pool, try to connect, and have used up
//! their second on it just when the database is back and logging in is slow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, Error, PgConnection, PgPool};
use tokio::task::JoinSet;

/// Between two questions.
const EVERY: Duration = Duration::from_millis(500);
/// A database that takes longer to say that it is there is doubted.
const PING_TIMEOUT: Duration = Duration::from_secs(1);
/// A database that takes longer to let somebody in, when in doubt, is away.
const DOUBT: Duration = Duration::from_secs(1);
/// One that has come back may have much to do first.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection that was given back this recently has just answered, and is handed out again
/// without asking: the question is a way to the database and back before every transaction.
const ANSWERED: Duration = Duration::from_millis(250);
/// A directory without a socket in it: connecting to it fails at once and is not tried again.
const NOWHERE: &str = "/nonexistent";

/// What is known of a pool's database.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    is_away: Arc<AtomicBool>,
}

impl Watch {
    /// Which connections are asked whether they are alive. One that is given back while the database
    /// is away must answer soon or is dropped: the pool itself would wait for its answer for ever
    /// and lose the place.
    pub(super) fn over(&self, options: PgPoolOptions) -> PgPoolOptions {
        let is_away = Arc::clone(&self.is_away);
        options
            .test_before_acquire(false)
            .before_acquire(|connection, idle| {
                Box::pin(async move {
                    if idle.idle_for >= ANSWERED {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .after_release(move |connection, _age| {
                let is_away = is_away.load(Ordering::Relaxed);
                Box::pin(async move {
                    if is_away {
                        within(LOGIN_TIMEOUT, connection.ping()).await?;
                    }
                    Ok(true)
                })
            })
    }

    /// Begins to watch; ends when the pool is closed.
    pub(super) fn begin(self, pool: PgPool, options: PgConnectOptions) {
        tokio::spawn(async move {
            let mut closed = pool.close_event();
            let _closed = closed.do_until(self.watch(&pool, &options)).await;
        });
    }

    async fn watch(&self, pool: &PgPool, options: &PgConnectOptions) {
        let mut connection = None;
        loop {
            tokio::time::sleep(EVERY).await;
            if answers(connection.as_mut()).await {
                continue;
            }
            connection = match within(DOUBT, options.connect()).await {
                Ok(next) => Some(next),
                Err(error) => {
                    tracing::warn!(%error, "The database is away");
                    metrics::counter!("database_outages_total").increment(1);
                    self.is_away.store(true, Ordering::Relaxed);
                    pool.set_connect_options(options.clone().socket(NOWHERE));
                    let next = come_back(options).await;
                    pool.set_connect_options(options.clone());
                    self.is_away.store(false, Ordering::Relaxed);
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

/// Knocks again and again. A knock that nobody answers must not keep the next one waiting, and one
/// that is answered slowly must not be given up.
async fn come_back(options: &PgConnectOptions) -> PgConnection {
    let mut knocks = JoinSet::new();
    let mut ticks = tokio::time::interval(EVERY);
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
