//! One process at a time watches prices: the holder of an advisory lock of the database. The others
//! wait for it, and go on at the stored progress.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::database::KEEPALIVE_SETTINGS;
use kernel::Clock;
use messaging::Amqp;
use messaging::ticks::{ReadFrom, Reader, StreamSpec};
use sqlx::{Connection, PgConnection, PgPool};
use tokio_util::sync::CancellationToken;

use super::recent::WatchProgress;
use super::watcher::Watcher;
use crate::catalogue::Catalogue;
use crate::error::MarketError;
use crate::store::Store;

/// The key of the advisory lock.
const LOCK: i64 = 0x5eed_0002;
const RETRY: Duration = Duration::from_millis(500);
const CHANGES_INTERVAL: Duration = Duration::from_millis(200);
const KEEP_UP_INTERVAL: Duration = Duration::from_secs(3);
/// Without an answer for this long, the holder of the lock is unknown.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
const PREFETCH: u16 = 64;

#[derive(Clone)]
pub struct AlertWatch {
    pub pool: PgPool,
    pub amqp: Amqp,
    pub stream: StreamSpec,
    pub catalogue: Catalogue,
    pub clock: Arc<dyn Clock>,
    /// Where the first watcher of an installation starts to read.
    pub start: WatchProgress,
}

impl AlertWatch {
    /// Runs until `shutdown`; after an error everything is loaded anew.
    pub async fn run(self, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            let watching = shutdown.run_until_cancelled(self.watch());
            match watching.await {
                Some(Err(MarketError::WatchOvertaken)) => {
                    tracing::info!("Another process watches prices");
                }
                Some(Err(error)) => {
                    metrics::counter!("price_alert_watch_restarts_total").increment(1);
                    tracing::warn!(%error, "Watcher of prices restarts after an error");
                }
                Some(Ok(())) | None => {}
            }
            shutdown
                .run_until_cancelled(tokio::time::sleep(RETRY))
                .await;
        }
    }

    /// Watches while this process holds the lock; returns at once when another one does.
    async fn watch(&self) -> Result<(), MarketError> {
        let Some(mut lock) = self.try_lock().await? else {
            return Ok(());
        };
        let store = Store::new(self.pool.clone());
        let (catalogue, clock) = (self.catalogue.clone(), Arc::clone(&self.clock));
        let mut watcher = Watcher::load(store, catalogue, clock, self.start).await?;
        let from = watcher.offset();
        tracing::info!(?from, alerts = watcher.waiting(), "Watching prices");
        let from = ReadFrom::Offset(from);
        let mut reader = Reader::open(self.amqp.clone(), self.stream.clone(), from, PREFETCH);
        let mut changes = tokio::time::interval(CHANGES_INTERVAL);
        changes.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut keep_up = tokio::time::interval(KEEP_UP_INTERVAL);
        keep_up.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = keep_up.tick() => {
                    let answer = tokio::time::timeout(ANSWER_TIMEOUT, lock.ping()).await;
                    answer.map_err(|_elapsed| sqlx::Error::PoolTimedOut)??;
                    watcher.keep_up().await?;
                }
                _ = changes.tick() => { watcher.follow_changes().await?; }
                delivered = reader.next() => { watcher.process(delivered).await?; }
            }
        }
    }

    /// The connection that holds the lock, which ends with it.
    async fn try_lock(&self) -> Result<Option<PgConnection>, MarketError> {
        let mut connection = self.pool.acquire().await?.detach();
        let is_acquired: bool = sqlx::query_scalar("select pg_try_advisory_lock($1)")
            .bind(LOCK)
            .fetch_one(&mut connection)
            .await?;
        if !is_acquired {
            connection.close().await?;
            return Ok(None);
        }
        sqlx::raw_sql(KEEPALIVE_SETTINGS)
            .execute(&mut connection)
            .await?;
        Ok(Some(connection))
    }
}
