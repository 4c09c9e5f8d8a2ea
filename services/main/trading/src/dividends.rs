//! Dividends from their announcement to the account. A task asks market-data what became known,
//! notes who owned the shares as soon as the last day with the claim is matched to its end, and
//! pays when market time reaches the day of payment. Each step is stored with its outcome, so it
//! may be tried again at any time and in any process.

use std::collections::HashMap;
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Client;
use messaging::backoff::Backoff;
use proto::market::v1::ListDividendsRequest;
use proto::market::v1::corporate_action_service_client::CorporateActionServiceClient;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::error::TradingError;
use crate::matching::CONSUMER;
use crate::matching::split_monitor::CorporateActionError;
use crate::store::{DueDividend, Pending, Store};

const CALL_TIMEOUT: Duration = Duration::from_secs(4);
/// How often market-data is asked.
const ASK_EVERY_STEPS: u32 = 30;
const STEP: Duration = Duration::from_secs(2);
/// What failed may be mended by a person, or go away by itself.
const FIRST_RETRY: Duration = Duration::from_secs(4);
const LONGEST_RETRY: Duration = Duration::from_secs(600);

/// Hears of dividends and books them.
pub struct Dividends {
    store: Store,
    shards: i32,
    /// Newest batch of the log when the ex-day of a dividend was first seen to have begun.
    begun: HashMap<i64, (i64, i64)>,
    retries: Retries,
}

impl Dividends {
    /// Books for the instruments of every one of `shards` matchers.
    #[must_use]
    pub fn new(store: Store, shards: i32) -> Self {
        Self {
            store,
            shards: shards.max(1),
            begun: HashMap::new(),
            retries: Retries::default(),
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
            if steps.is_multiple_of(ASK_EVERY_STEPS)
                && let Err(error) = self.hear(&mut market).await
            {
                tracing::warn!(%error, "Dividends could not be fetched; trying again");
            }
            steps = steps.wrapping_add(1);
            if let Err(error) = self.step().await {
                tracing::warn!(%error, "Dividends are booked later");
            }
        }
    }

    async fn hear(
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
            let heard = deadline::scope(within, market.list_dividends(request)).await?;
            let heard = heard.into_inner().dividends;
            if heard.is_empty() {
                return Ok(());
            }
            self.store.hear_of_dividends(&heard).await?;
            let before = std::mem::replace(&mut newest, self.store.newest_dividend().await?);
            if newest == before {
                tracing::error!(
                    newest,
                    "What was told of dividends contradicts what is known"
                );
                return Ok(());
            }
        }
    }

    /// Notes owners and pays, as far as market time allows. A dividend that fails is tried again
    /// later and keeps no other waiting.
    ///
    /// # Errors
    /// [`TradingError`] when it is not known which dividends there are.
    pub async fn step(&mut self) -> Result<(), TradingError> {
        let pending = self.store.pending_dividends().await?;
        // Another process may have noted some of them.
        self.begun
            .retain(|id, _| pending.iter().any(|one| one.id == *id));
        for pending in pending {
            if self.retries.may_try(pending.id, NOTE) {
                let noted = self.note(&pending).await;
                self.retries.tell(pending.id, NOTE, noted);
            }
        }
        for due in self.store.due_dividends().await? {
            if self.retries.may_try(due.id, PAY) {
                let paid = self.pay(&due).await;
                self.retries.tell(due.id, PAY, paid);
            }
        }
        Ok(())
    }

    /// Notes who owned the shares once the last day with the claim is matched to its end.
    async fn note(&mut self, pending: &Pending) -> Result<(), TradingError> {
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
        loop {
            let slice = self.store.note_dividend_slice(pending.id).await?;
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
            "Who owned the shares of a dividend is noted"
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

/// What is done with a dividend.
type Step = &'static str;
const NOTE: Step = "note";
const PAY: Step = "pay";

/// Steps of dividends that failed, and when each is tried again.
#[derive(Default)]
struct Retries(HashMap<(i64, Step), (Backoff, Instant)>);

impl Retries {
    fn may_try(&self, id: i64, step: Step) -> bool {
        let failed = self.0.get(&(id, step));
        failed.is_none_or(|(_, again)| *again <= Instant::now())
    }

    fn tell(&mut self, id: i64, step: Step, outcome: Result<(), TradingError>) {
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
        tracing::error!(dividend = id, step, %error, ?delay, "A dividend is tried again later");
    }
}
