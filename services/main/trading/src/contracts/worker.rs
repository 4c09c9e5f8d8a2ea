//! The task that takes payments and lets contracts mature when market time has come. Every step is
//! stored with what it posts, so any process may go on with it at any time; one does at a time.

use std::collections::HashMap;
use std::time::Duration;

use chrono::NaiveDate;
use kernel::AccountId;
use messaging::backoff::Backoff;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::due::DueBatch;
use super::offer::Products;
use crate::error::TradingError;
use crate::store::Store;

const STEP_INTERVAL: Duration = Duration::from_secs(2);
const FIRST_RETRY: Duration = Duration::from_secs(4);
const LONGEST_RETRY: Duration = Duration::from_secs(600);

pub struct ContractWorker {
    store: Store,
    products: Products,
    /// Contracts whose step failed, and when it is tried again.
    failed: HashMap<AccountId, (Backoff, Instant)>,
    /// The newest day of which every CMA is paid.
    cma_paid: Option<NaiveDate>,
}

impl ContractWorker {
    #[must_use]
    pub fn new(store: Store, products: Products) -> Self {
        Self {
            store,
            products,
            failed: HashMap::new(),
            cma_paid: None,
        }
    }

    /// Runs until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        while shutdown
            .run_until_cancelled(tokio::time::sleep(STEP_INTERVAL))
            .await
            .is_some()
        {
            if let Err(error) = self.step().await {
                tracing::warn!(%error, "Advancing contracts failed; retrying");
            }
            if let Err(error) = self.pay_cma().await {
                tracing::warn!(%error, "Paying interest of CMA failed; retrying");
            }
        }
    }

    /// Does everything that is due. Contracts whose accounts are locked, or whose renewal nobody can
    /// quote now, have their turn in the next step; one that fails does not delay the others.
    ///
    /// # Errors
    /// [`TradingError`] when the contracts cannot be read.
    pub async fn step(&mut self) -> Result<(), TradingError> {
        let now = Instant::now();
        let waiting = self.failed.iter().filter(|(_, (_, again))| *again > now);
        let mut passed_over: Vec<AccountId> = waiting.map(|(id, _)| *id).collect();
        loop {
            let batch = self
                .store
                .due_contracts(&passed_over, &self.products)
                .await?;
            passed_over.extend(&batch.unquoted);
            if batch.is_empty() {
                if batch.unquoted.is_empty() {
                    return Ok(());
                }
                continue;
            }
            let advanced = self.advance(&batch).await;
            let left = batch.accounts().into_iter();
            passed_over.extend(left.filter(|id| !advanced.contains(id)));
            if advanced.is_empty() {
                return Ok(());
            }
        }
    }

    /// Pays every CMA the days that have ended. Accounts that are locked have their turn in the next
    /// step.
    ///
    /// # Errors
    /// [`TradingError`] of the database; what was paid is paid.
    pub async fn pay_cma(&mut self) -> Result<(), TradingError> {
        let newest = self.store.newest_cma_day();
        if newest.is_none() || newest <= self.cma_paid {
            return Ok(());
        }
        let mut after = AccountId(0);
        let mut is_complete = true;
        loop {
            let (last, all_paid) = self.store.pay_cma_interest(after).await?;
            is_complete &= all_paid;
            match last {
                Some(last) => after = last,
                None => break,
            }
        }
        if is_complete {
            self.cma_paid = newest;
        }
        Ok(())
    }

    /// Advances a batch; if it fails, each contract by itself.
    async fn advance(&mut self, batch: &DueBatch) -> Vec<AccountId> {
        match self.store.advance_contracts(batch).await {
            Ok(advanced) => {
                self.record(&advanced);
                return advanced;
            }
            Err(error) => tracing::warn!(%error, "Batch of contracts failed; trying one by one"),
        }
        let mut advanced = Vec::new();
        for due in &batch.due {
            match self.store.advance_contracts(&batch.only(*due)).await {
                Ok(one) => {
                    self.record(&one);
                    advanced.extend(one);
                }
                Err(error) => self.postpone(due.account_id, &error),
            }
        }
        advanced
    }

    fn record(&mut self, advanced: &[AccountId]) {
        for id in advanced {
            self.failed.remove(id);
        }
        let count = u64::try_from(advanced.len()).unwrap_or(0);
        metrics::counter!("trading_contracts_advanced_total").increment(count);
    }

    fn postpone(&mut self, id: AccountId, error: &TradingError) {
        let backoff = Backoff::new(FIRST_RETRY, LONGEST_RETRY);
        let (backoff, again) = self.failed.entry(id).or_insert((backoff, Instant::now()));
        let delay = backoff.next_delay();
        *again = Instant::now() + delay;
        metrics::counter!("trading_contracts_failed_total").increment(1);
        tracing::error!(account = id.0, %error, ?delay, "Contract step failed; retrying later");
    }
}
