//! The matcher: runs every shard that no other process owns. A shard is owned through a PostgreSQL
//! advisory lock, and its checkpoint advances by compare-and-set, so two owners can never both store.

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

/// The name of this reader of the log, in `matcher_offset`.
pub const CONSUMER: &str = "matcher";
/// "match" in ASCII: the first key of the advisory locks; the second is the shard.
pub(crate) const LOCK_CLASS: i32 = 0x6d61_7463;
const RETRY: Duration = Duration::from_millis(500);
const PREFETCH: u16 = 64;

#[derive(Clone)]
pub struct Matcher {
    pub store: Store,
    /// The same database, for the advisory locks.
    pub pool: PgPool,
    pub amqp: Amqp,
    pub stream: StreamSpec,
    pub shards: i32,
    /// Where a shard without a checkpoint starts to read.
    pub start: ReadFrom,
    /// Market-data, which lists the splits that the log may lack.
    pub market: Client,
}

impl Matcher {
    pub async fn run(self, shutdown: CancellationToken) {
        let this = Arc::new(self);
        let mut tasks = tokio::task::JoinSet::new();
        for index in 0..this.shards.max(1) {
            tasks.spawn(Arc::clone(&this).run_shard(index, shutdown.clone()));
        }
        while tasks.join_next().await.is_some() {}
    }

    /// Acquires a shard and runs it, and restarts it after an error.
    async fn run_shard(self: Arc<Self>, index: i32, shutdown: CancellationToken) {
        while !shutdown.is_cancelled() {
            let outcome = self.try_run_shard(index, &shutdown).await;
            match outcome {
                Ok(()) => {}
                Err(ShardError::Trading(error)) if is_not_owned(&error) => {
                    tracing::info!(shard = index, "Another process has taken over the shard");
                }
                Err(error) => {
                    metrics::counter!("trading_matcher_restarts_total").increment(1);
                    tracing::warn!(shard = index, %error, "Matcher restarts after an error");
                }
            }
            shutdown
                .run_until_cancelled(tokio::time::sleep(RETRY))
                .await;
        }
    }

    async fn try_run_shard(
        &self,
        index: i32,
        shutdown: &CancellationToken,
    ) -> Result<(), ShardError> {
        let mut connection = self.pool.acquire().await?;
        let owned: bool = sqlx::query_scalar("select pg_try_advisory_lock($1, $2)")
            .bind(LOCK_CLASS)
            .bind(index)
            .fetch_one(&mut *connection)
            .await?;
        if !owned {
            return Ok(());
        }
        // The lock is held as long as this connection is open, so it ends with the process.
        let _lock = connection.detach();
        let partition = Partition {
            index,
            count: self.shards.max(1),
        };
        let mut shard = Shard::load(&self.store, partition).await?;
        let from = u64::try_from(shard.replay_from()).map_or(self.start, |next| {
            let epoch = shard.epoch();
            ReadFrom::Offset(LogOffset { epoch, next })
        });
        let mut reader = Reader::open(self.amqp.clone(), self.stream.clone(), from, PREFETCH);
        shard.set_open_splits(self.store.open_splits().await?);
        tracing::info!(shard = index, ?from, "Matcher reads the tick log");
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                delivered = reader.next() => {
                    if is_after_gap(&shard, &delivered) {
                        let is_fetched = shutdown.run_until_cancelled(self.fetch_missing_splits()).await;
                        if is_fetched.is_none() {
                            return Ok(());
                        }
                        shard.set_open_splits(self.store.open_splits().await?);
                    }
                    process(&mut shard, &delivered).await?;
                }
            }
        }
    }

    /// Fetches splits until market-data answers: a tick in new shares must not be matched against
    /// holdings in old ones.
    async fn fetch_missing_splits(&self) {
        let mut market = CorporateActionServiceClient::new(self.market.clone());
        loop {
            match split_monitor::fetch(&self.store, &mut market).await {
                Ok(()) => return,
                // The previous release does not serve this call.
                Err(CorporateActionError::Market(status))
                    if status.code() == Code::Unimplemented =>
                {
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "Splits could not be fetched after a gap in the tick log; trying again");
                }
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}

/// Whether the log may have lost a split before this batch.
fn is_after_gap(shard: &Shard, delivered: &Delivered) -> bool {
    let is_next_log = shard.replay_from() >= 0 && delivered.batch.epoch > shard.epoch();
    delivered.missed_batches > 0 || is_next_log
}

async fn process(shard: &mut Shard, delivered: &Delivered) -> Result<(), TradingError> {
    if delivered.missed_batches > 0 {
        tracing::error!(
            missed = delivered.missed_batches,
            "Batches are missing in the tick log; their ticks fill nothing"
        );
    }
    metrics::counter!("trading_matcher_batches_total").increment(1);
    match tick_log::decode(delivered) {
        Ok(batch) => shard.process(batch).await,
        Err(error) => {
            tracing::error!(%error, offset = delivered.offset, "Skipped a batch without a valid time");
            Ok(())
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum ShardError {
    #[error(transparent)]
    Trading(#[from] TradingError),
    #[error("lock: {0}")]
    Lock(#[from] sqlx::Error),
}
