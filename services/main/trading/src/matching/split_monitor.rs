//! Splits that the log may lack. The matcher applies a split when it reads its session record; a log
//! that was lost, or that expired unread, may have contained one. So the matcher fetches the announced
//! splits from market-data before it reads on after a gap, and applies those it has not read. The
//! monitor fetches them regularly and reports a split as missed when every shard has passed its day
//! without it; the split stays open until it is applied.

use std::collections::HashMap;
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Client;
use bootstrap::shutdown::elapsed;
use proto::market::v1::corporate_action_service_client::CorporateActionServiceClient;
use proto::market::v1::{ListSplitsRequest, Split};
use tokio_util::sync::CancellationToken;

use crate::error::TradingError;
use crate::matching::CONSUMER;
use crate::matching::OpenSplit;
use crate::store::Store;

const CALL_TIMEOUT: Duration = Duration::from_secs(4);
/// Steps between two fetches.
const FETCH_EVERY_STEPS: u32 = 15;
const STEP: Duration = Duration::from_secs(2);

/// Fetches splits and finds those that the matcher missed.
pub struct SplitMonitor {
    store: Store,
    shards: i32,
    /// By split: the newest batch of the log when its day was first seen to have started.
    started: HashMap<i64, (i64, i64)>,
}

#[derive(Debug, thiserror::Error)]
pub enum CorporateActionError {
    #[error("market-data: {0}")]
    Market(#[from] tonic::Status),
    #[error(transparent)]
    Trading(#[from] TradingError),
}

/// Fetches and records the splits announced since the last call.
///
/// # Errors
/// [`CorporateActionError`]; splits recorded before it stay recorded.
pub async fn fetch(
    store: &Store,
    market: &mut CorporateActionServiceClient<Client>,
) -> Result<(), CorporateActionError> {
    let traded = store.traded_days(CONSUMER).await?;
    let has_started = |split: &Split| {
        let day = traded.get(&split.code);
        day.is_some_and(|day| *day >= split.trading_day)
    };
    let mut newest = store.newest_split().await?;
    let is_first = newest == 0;
    loop {
        let request = ListSplitsRequest {
            after_id: newest,
            ..ListSplitsRequest::default()
        };
        let within = Deadline::within(CALL_TIMEOUT);
        let fetched = deadline::scope(within, market.list_splits(request)).await?;
        let fetched = fetched.into_inner().splits;
        if fetched.is_empty() {
            return Ok(());
        }
        let is_applied = |split: &Split| is_first && has_started(split);
        store.record_splits(&fetched, is_applied).await?;
        let before = std::mem::replace(&mut newest, store.newest_split().await?);
        if newest == before {
            tracing::error!(newest, "Market-data's splits contradict the recorded ones");
            return Ok(());
        }
    }
}

impl SplitMonitor {
    #[must_use]
    pub fn new(store: Store, shards: i32) -> Self {
        Self {
            store,
            shards: shards.max(1),
            started: HashMap::new(),
        }
    }

    pub async fn run(mut self, client: Client, shutdown: CancellationToken) {
        let mut market = CorporateActionServiceClient::new(client);
        let mut steps = 0_u32;
        while elapsed(&shutdown, STEP).await {
            // Whether a split is past depends on the trading day, so on the market cache.
            let has_market = self.store.market_cache().log_head().is_some();
            if has_market
                && steps.is_multiple_of(FETCH_EVERY_STEPS)
                && let Err(error) = fetch(&self.store, &mut market).await
            {
                tracing::warn!(%error, "Splits could not be fetched; trying again");
            }
            steps = steps.wrapping_add(u32::from(has_market));
            if let Err(error) = self.step().await {
                tracing::warn!(%error, "Splits could not be checked; trying again");
            }
        }
    }

    /// Records which of the splits whose day has started were applied.
    ///
    /// # Errors
    /// [`TradingError`]; what was recorded before it stays recorded.
    pub async fn step(&mut self) -> Result<(), TradingError> {
        let open = self.store.open_splits().await?;
        self.started
            .retain(|id, _| open.iter().any(|one| one.id == *id));
        let missed = open.iter().filter(|split| split.missed_at.is_some());
        metrics::gauge!("trading_splits_missed")
            .set(f64::from(u32::try_from(missed.count()).unwrap_or(u32::MAX)));
        for split in open {
            self.settle(&split).await?;
        }
        Ok(())
    }

    async fn settle(&mut self, split: &OpenSplit) -> Result<(), TradingError> {
        let market_cache = self.store.market_cache();
        let quote = market_cache.quote(&split.instrument_code);
        let started = quote.is_some_and(|quote| quote.trading_day >= split.trading_day);
        let Some(head) = market_cache.log_head().filter(|_| started) else {
            return Ok(());
        };
        // The split comes before the first record of its day.
        let head = *self.started.entry(split.id).or_insert(head);
        if !self
            .store
            .all_shards_beyond(CONSUMER, self.shards, head)
            .await?
        {
            return Ok(());
        }
        let applied = self.store.settle_split(CONSUMER, split).await?;
        if !applied && split.missed_at.is_none() {
            metrics::counter!("trading_splits_missed_total").increment(1);
            tracing::error!(
                code = split.instrument_code,
                trading_day = split.trading_day,
                numerator = split.numerator,
                denominator = split.denominator,
                "The log lacks a split: holdings and orders are not adjusted"
            );
        }
        Ok(())
    }
}
