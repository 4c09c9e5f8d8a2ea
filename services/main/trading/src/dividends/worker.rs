//! The task that processes dividends: fetches announcements from market-data, records the claims once
//! the last day with the claim is matched completely, and pays on the pay day in market time. Each
//! step is stored with its outcome, so any process may retry it at any time.

use std::collections::HashMap;
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Client;
use bootstrap::shutdown::elapsed;
use messaging::backoff::Backoff;
use proto::market::v1::ListDividendsRequest;
use proto::market::v1::corporate_action_service_client::CorporateActionServiceClient;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::dividends::claims::PendingDividend;
use crate::dividends::pay::DueDividend;
use crate::error::TradingError;
use crate::matching::CONSUMER;
use crate::matching::split_monitor::CorporateActionError;
use crate::store::Store;
use crate::store::slice::SliceSize;

const CALL_TIMEOUT: Duration = Duration::from_secs(4);
/// Steps between two fetches.
const STEPS_PER_FETCH: u32 = 30;
const STEP_INTERVAL: Duration = Duration::from_secs(2);
const FIRST_RETRY: Duration = Duration::from_secs(4);
const LONGEST_RETRY: Duration = Duration::from_secs(600);
/// Most holders whose claims one transaction records.
const CLAIM_SLICE: i64 = 1_000;

pub struct DividendWorker {
    store: Store,
    shards: i32,
    /// Newest batch of the log when this process first saw that the ex-day of a dividend had begun.
    begun: HashMap<i64, (i64, i64)>,
    retries: Retries,
}

impl DividendWorker {
    /// `shards` is the number of matcher shards.
    #[must_use]
    pub fn new(store: Store, shards: i32) -> Self {
        Self {
            store,
            shards: shards.max(1),
            begun: HashMap::new(),
            retries: Retries::default(),
        }
    }

    pub async fn run(mut self, client: Client, shutdown: CancellationToken) {
        let mut market = CorporateActionServiceClient::new(client);
        let mut steps = 0_u32;
        while elapsed(&shutdown, STEP_INTERVAL).await {
            if steps.is_multiple_of(STEPS_PER_FETCH)
                && let Err(error) = self.fetch(&mut market).await
            {
                tracing::warn!(%error, "Fetching dividends failed; retrying");
            }
            steps = steps.wrapping_add(1);
            if let Err(error) = self.step().await {
                tracing::warn!(%error, "Processing dividends failed; retrying");
            }
        }
    }

    async fn fetch(
        &self,
        market: &mut CorporateActionServiceClient<Client>,
    ) -> Result<(), CorporateActionError> {
        let mut newest = self.store.newest_dividend().await?;
        loop {
            let request = ListDividendsRequest {
                after_id: newest,
                ..ListDividendsRequest::default()
            };
            let within = Deadline::within(CALL_TIMEOUT);
            let response = deadline::scope(within, market.list_dividends(request)).await?;
            let dividends = response.into_inner().dividends;
            if dividends.is_empty() {
                return Ok(());
            }
            self.store.receive_dividends(&dividends).await?;
            let before = std::mem::replace(&mut newest, self.store.newest_dividend().await?);
            if newest == before {
                tracing::error!(
                    newest,
                    "Dividends of market-data are not newer than the stored ones"
                );
                return Ok(());
            }
        }
    }

    /// Records claims and pays, as far as market time allows. A dividend that fails is retried later
    /// and does not delay the others.
    ///
    /// # Errors
    /// [`TradingError`] when the dividends cannot be read.
    pub async fn step(&mut self) -> Result<(), TradingError> {
        let pending = self.store.pending_dividends().await?;
        // Another process may have recorded some of them.
        self.begun
            .retain(|id, _| pending.iter().any(|one| one.id == *id));
        for pending in pending {
            if self.retries.may_try(pending.id, RECORD) {
                let recorded = self.record_claims(&pending).await;
                self.retries.record(pending.id, RECORD, recorded);
            }
        }
        for due in self.store.due_dividends().await? {
            if self.retries.may_try(due.id, PAY) {
                let paid = self.pay(&due).await;
                self.retries.record(due.id, PAY, paid);
            }
        }
        Ok(())
    }

    /// Records the claims once the last day with the claim is matched completely.
    async fn record_claims(&mut self, pending: &PendingDividend) -> Result<(), TradingError> {
        let market_cache = self.store.market_cache();
        let quote = market_cache.quote(&pending.instrument_code);
        let begun = quote.is_some_and(|quote| quote.trading_day >= pending.ex_day);
        let Some(head) = market_cache.log_head().filter(|_| begun) else {
            return Ok(());
        };
        // Fills of earlier days come from batches before this one.
        let head = *self.begun.entry(pending.id).or_insert(head);
        let matched = self.store.matched_beyond(CONSUMER, self.shards, head);
        if !matched.await? {
            return Ok(());
        }
        let mut accounts = 0_i64;
        let mut size = SliceSize::new(CLAIM_SLICE);
        loop {
            let slice = self.store.record_dividend_claims(pending.id, size.rows());
            let Some(slice) = size.after(slice.await)? else {
                continue;
            };
            accounts = accounts.saturating_add(slice.shares);
            if slice.is_last {
                break;
            }
        }
        self.begun.remove(&pending.id);
        tracing::info!(
            code = pending.instrument_code,
            ex_day = pending.ex_day,
            accounts,
            "Dividend claims recorded"
        );
        Ok(())
    }

    async fn pay(&self, due: &DueDividend) -> Result<(), TradingError> {
        loop {
            let paid = self.store.pay_dividend(due).await?;
            if paid == 0 {
                return Ok(());
            }
            metrics::counter!("trading_dividends_paid_total")
                .increment(u64::try_from(paid).unwrap_or(0));
        }
    }
}

type Step = &'static str;
/// Value of the metric label `step`.
const RECORD: Step = "note";
const PAY: Step = "pay";

/// Failed steps of dividends, and when each is retried.
#[derive(Default)]
struct Retries(HashMap<(i64, Step), (Backoff, Instant)>);

impl Retries {
    fn may_try(&self, id: i64, step: Step) -> bool {
        let failed = self.0.get(&(id, step));
        failed.is_none_or(|(_, again)| *again <= Instant::now())
    }

    fn record(&mut self, id: i64, step: Step, outcome: Result<(), TradingError>) {
        let Err(error) = outcome else {
            self.0.remove(&(id, step));
            return;
        };
        let backoff = Backoff::new(FIRST_RETRY, LONGEST_RETRY);
        let (backoff, again) = self
            .0
            .entry((id, step))
            .or_insert((backoff, Instant::now()));
        let delay = backoff.next_delay();
        *again = Instant::now() + delay;
        metrics::counter!("trading_dividends_failed_total", "step" => step).increment(1);
        tracing::error!(dividend = id, step, %error, ?delay, "Dividend step failed; retrying later");
    }
}
