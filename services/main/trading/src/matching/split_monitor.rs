//! Share splits that the log did not tell. The matcher divides when it reads of a split; a log that
//! was lost, or outlived while nobody read, may have had one that it never reads. So the matcher
//! asks market-data which splits became known before it reads on after a gap, and divides by those
//! that it has not read of. A task asks besides, and says so when the matcher has passed the day of
//! a split without dividing: the split stays open until it has.

use std::collections::HashMap;
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Client;
use proto::market::v1::corporate_action_service_client::CorporateActionServiceClient;
use proto::market::v1::{ListSplitsRequest, Split};
use tokio_util::sync::CancellationToken;

use crate::error::TradingError;
use crate::matching::CONSUMER;
use crate::matching::OpenSplit;
use crate::store::Store;

const CALL_TIMEOUT: Duration = Duration::from_secs(4);
/// How often market-data is asked.
const ASK_EVERY_STEPS: u32 = 15;
const STEP: Duration = Duration::from_secs(2);

/// Hears of splits and finds those that the matcher missed.
pub struct Splits {
    store: Store,
    shards: i32,
    /// Newest batch of the log when the day of a split was first seen to have begun.
    begun: HashMap<i64, (i64, i64)>,
}

/// Why nothing was fetched of corporate actions.
#[derive(Debug, thiserror::Error)]
pub enum CorporateActionError {
    /// Market-data did not answer.
    #[error("market-data: {0}")]
    Market(#[from] tonic::Status),
    /// What it told could not be written down.
    #[error(transparent)]
    Trading(#[from] TradingError),
}

/// Writes down which splits became known since the last time.
///
/// # Errors
/// [`CorporateActionError`]; what was written down before stays so.
pub async fn fetch(
    store: &Store,
    market: &mut CorporateActionServiceClient<Client>,
) -> Result<(), CorporateActionError> {
    let traded = store.traded_days(CONSUMER).await?;
    let has_begun = |split: &Split| {
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
        let is_applied = |split: &Split| is_first && has_begun(split);
        store.record_splits(&fetched, is_applied).await?;
        let before = std::mem::replace(&mut newest, store.newest_split().await?);
        if newest == before {
            tracing::error!(newest, "What was told of splits contradicts what is known");
            return Ok(());
        }
    }
}

impl Splits {
    /// Watches the instruments of every one of `shards` matchers.
    #[must_use]
    pub fn new(store: Store, shards: i32) -> Self {
        Self {
            store,
            shards: shards.max(1),
            begun: HashMap::new(),
        }
    }

    /// Works until `shutdown`.
    pub async fn run(mut self, client: Client, shutdown: CancellationToken) {
        let mut market = CorporateActionServiceClient::new(client);
        let mut steps = 0_u32;
        while shutdown
            .run_until_cancelled(tokio::time::sleep(STEP))
            .await
            .is_some()
        {
            // Which splits are history follows from the day, and so from the market cache.
            let has_board = self.store.market_cache().log_head().is_some();
            if has_board
                && steps.is_multiple_of(ASK_EVERY_STEPS)
                && let Err(error) = fetch(&self.store, &mut market).await
            {
                tracing::warn!(%error, "Splits could not be fetched; trying again");
            }
            steps = steps.wrapping_add(u32::from(has_board));
            if let Err(error) = self.step().await {
                tracing::warn!(%error, "Splits could not be checked; trying again");
            }
        }
    }

    /// Looks what became of the splits whose day has begun.
    ///
    /// # Errors
    /// [`TradingError`]; what was noted stays so.
    pub async fn step(&mut self) -> Result<(), TradingError> {
        let open = self.store.open_splits().await?;
        self.begun
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
        let begun = quote.is_some_and(|quote| quote.trading_day >= split.trading_day);
        let Some(head) = market_cache.log_head().filter(|_| begun) else {
            return Ok(());
        };
        // The split comes before the first record of its day.
        let head = *self.begun.entry(split.id).or_insert(head);
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
                "The log has not told of a split: shares and orders are not divided"
            );
        }
        Ok(())
    }
}
