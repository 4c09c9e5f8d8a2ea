//! Ticks into fills: reads the tick log from the stored offset, lets each batch pass over the
//! waiting orders, and stores what it did together with the offset.
//!
//! A shard is a part of the instruments, by a hash of the code. It is owned through a PostgreSQL
//! advisory lock, and its offset moves by compare-and-set, so two owners can never both store.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::grpc::Client;
use messaging::Amqp;
use messaging::ticks::{Delivered, LogOffset, ReadFrom, Reader, StreamSpec};
use proto::market::v1::corporate_action_service_client::CorporateActionServiceClient;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use tonic::Code;

use crate::error::TradingError;
use crate::matching::checkpoint::is_not_owned;
use crate::matching::split_monitor::{self, CorporateActionError};
use crate::matching::{Partition, Shard};
use crate::store::Store;
use crate::tick_log;

/// The name of this reader of the log.
pub const CONSUMER: &str = "matcher";
/// "match" in ASCII: the first half of the advisory locks.
pub(crate) const LOCK_CLASS: i32 = 0x6d61_7463;
const RETRY: Duration = Duration::from_millis(500);
const PREFETCH: u16 = 64;

/// What a matcher needs.
#[derive(Clone)]
pub struct Matcher {
    /// Where fills are stored.
    pub store: Store,
    /// The same database, for the locks of the shards.
    pub pool: PgPool,
    /// The broker of the log.
    pub amqp: Amqp,
    /// The log.
    pub stream: StreamSpec,
    /// Into how many parts the instruments are divided.
    pub shards: i32,
    /// Where a shard without a stored offset begins.
    pub start: ReadFrom,
    /// Whom it asks about splits that the log did not tell.
    pub market: Client,
}

impl Matcher {
    /// Works on every shard that no other process owns, until `shutdown`.
    pub async fn run(self, shutdown: CancellationToken) {
        let this = Arc::new(self);
        let mut tasks = tokio::task::JoinSet::new();
        for index in 0..this.shards.max(1) {
            tasks.spawn(Arc::clone(&this).own(index, shutdown.clone()));
        }
        while tasks.join_next().await.is_some() {}
    }

    /// Gets hold of a shard, works on it, and begins anew whenever something breaks.
    async fn own(self: Arc<Self>, index: i32, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            let worked = self.work(index, &shutdown).await;
            match worked {
                Ok(()) => {}
                Err(WorkError::Trading(error)) if is_not_owned(&error) => {
                    tracing::info!(shard = index, "Another process moved on with the shard");
                }
                Err(error) => {
                    metrics::counter!("trading_matcher_restarts_total").increment(1);
                    tracing::warn!(shard = index, %error, "The matcher starts anew");
                }
            }
            shutdown
                .run_until_cancelled(tokio::time::sleep(RETRY))
                .await;
        }
    }

    async fn work(&self, index: i32, shutdown: &CancellationToken) -> Result<(), WorkError> {
        let mut connection = self.pool.acquire().await?;
        let owned: bool = sqlx::query_scalar("select pg_try_advisory_lock($1, $2)")
            .bind(LOCK_CLASS)
            .bind(index)
            .fetch_one(&mut *connection)
            .await?;
        if !owned {
            return Ok(());
        }
        // A connection of its own: the lock lives as long as it does, and goes with the process.
        let _lock = connection.detach();
        let shard = Partition {
            index,
            count: self.shards.max(1),
        };
        let mut working = Shard::load(&self.store, shard).await?;
        let from = u64::try_from(working.replay_from()).map_or(self.start, |next| {
            let epoch = working.epoch();
            ReadFrom::Offset(LogOffset { epoch, next })
        });
        let mut reader = Reader::open(self.amqp.clone(), self.stream.clone(), from, PREFETCH);
        working.set_open_splits(self.store.open_splits().await?);
        tracing::info!(shard = index, ?from, "The matcher reads the tick log");
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                delivered = reader.next() => {
                    if is_after_gap(&working, &delivered) {
                        let fetched = shutdown.run_until_cancelled(self.fetch_missing_splits()).await;
                        if fetched.is_none() {
                            return Ok(());
                        }
                        working.set_open_splits(self.store.open_splits().await?);
                    }
                    take(&mut working, &delivered).await?;
                }
            }
        }
    }

    /// Asks until market-data has told which splits became known: a tick in new shares must not
    /// meet holdings in old ones.
    async fn fetch_missing_splits(&self) {
        let mut market = CorporateActionServiceClient::new(self.market.clone());
        loop {
            match split_monitor::fetch(&self.store, &mut market).await {
                Ok(()) => return,
                // One of the release before does not tell.
                Err(CorporateActionError::Market(status))
                    if status.code() == Code::Unimplemented =>
                {
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "Reading on after a gap of the tick log waits for splits");
                }
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}

/// Whether the log may have told of a split between this batch and the one before it.
fn is_after_gap(shard: &Shard, delivered: &Delivered) -> bool {
    let is_next_log = shard.replay_from() >= 0 && delivered.batch.epoch > shard.epoch();
    delivered.missed_batches > 0 || is_next_log
}

async fn take(shard: &mut Shard, delivered: &Delivered) -> Result<(), TradingError> {
    if delivered.missed_batches > 0 {
        tracing::error!(
            missed = delivered.missed_batches,
            "Ticks were lost to the matcher; they fill nothing"
        );
    }
    metrics::counter!("trading_matcher_batches_total").increment(1);
    match tick_log::batch(delivered) {
        Ok(batch) => shard.take(batch).await,
        Err(error) => {
            tracing::error!(%error, offset = delivered.offset, "A batch without a time is left out");
            Ok(())
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum WorkError {
    #[error(transparent)]
    Trading(#[from] TradingError),
    #[error("lock: {0}")]
    Lock(#[from] sqlx::Error),
}
