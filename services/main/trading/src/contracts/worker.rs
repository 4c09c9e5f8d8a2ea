//! The task that takes payments and lets contracts mature when market time has come. Every step is
//! stored with what it posts, so any process may go on with it at any time; one does at a time.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use chrono::NaiveDate;
use kernel::AccountId;
use messaging::backoff::Backoff;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::cma;
use super::due::{DueBatch, PassedOver};
use super::offer::Products;
use crate::error::TradingError;
use crate::store::Store;

const STEP_INTERVAL: Duration = Duration::from_secs(2);
const FIRST_RETRY: Duration = Duration::from_secs(4);
const LONGEST_RETRY: Duration = Duration::from_secs(600);

pub struct ContractWorker {
    store: Store,
    products: Products,
    /// Contracts and CMA accounts whose step failed, and when it is tried again.
    failed: HashMap<AccountId, (Backoff, Instant)>,
    /// The newest day of which every CMA is paid, but for those in `cma_left`.
    cma_paid: Option<NaiveDate>,
    /// CMA accounts that were locked, or whose payment failed.
    cma_left: BTreeSet<AccountId>,
}

impl ContractWorker {
    #[must_use]
    pub fn new(store: Store, products: Products) -> Self {
        Self {
            store,
            products,
            failed: HashMap::new(),
            cma_paid: None,
            cma_left: BTreeSet::new(),
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
        let mut passed_over = PassedOver {
            stuck: self.postponed(),
            ..PassedOver::default()
        };
        loop {
            let batch = self
                .store
                .due_contracts(&passed_over, &self.products)
                .await?;
            passed_over.is_bank_away |= !batch.unquoted.is_empty();
            passed_over.stuck.extend(&batch.unquoted);
            if batch.is_empty() {
                if batch.unquoted.is_empty() {
                    return Ok(());
                }
                continue;
            }
            let advanced = self.advance(&batch).await;
            let failed = self.postponed();
            let left = batch.accounts().into_iter();
            let left = left.filter(|id| !advanced.contains(id));
            let (failed, locked): (Vec<_>, Vec<_>) = left.partition(|id| failed.contains(id));
            if advanced.is_empty() && failed.is_empty() {
                return Ok(());
            }
            passed_over.stuck.extend(failed);
            passed_over.locked.extend(locked);
        }
    }

    /// Whose step failed and is not tried again yet.
    fn postponed(&self) -> Vec<AccountId> {
        let now = Instant::now();
        let waiting = self.failed.iter().filter(|(_, (_, again))| *again > now);
        waiting.map(|(id, _)| *id).collect()
    }

    /// Pays every CMA the days that have ended. Accounts that are locked have their turn in the next
    /// call; one whose payment fails does not delay the others.
    ///
    /// # Errors
    /// [`TradingError`] when the accounts cannot be read; what was paid is paid.
    pub async fn pay_cma(&mut self) -> Result<(), TradingError> {
        let Some(newest) = self.store.newest_cma_day() else {
            return Ok(());
        };
        if self.cma_paid >= Some(newest) {
            let mut again = self.cma_left.clone();
            for id in self.postponed() {
                again.remove(&id);
            }
            let again: Vec<AccountId> = again.into_iter().collect();
            for accounts in again.chunks(cma::ACCOUNTS) {
                self.pay_cma_of(accounts, newest).await;
            }
            return Ok(());
        }
        self.cma_left.clear();
        let mut after = AccountId(0);
        loop {
            let accounts = self.store.cma_accounts(after).await?;
            let Some(last) = accounts.last() else {
                break;
            };
            after = *last;
            if !self.pay_cma_of(&accounts, newest).await {
                return Ok(());
            }
        }
        self.cma_paid = Some(newest);
        Ok(())
    }

    /// Pays some accounts; if that fails, each by itself. Notes which are left, and answers whether no
    /// other process pays.
    async fn pay_cma_of(&mut self, accounts: &[AccountId], newest: NaiveDate) -> bool {
        match self.store.pay_cma_interest(accounts, newest).await {
            Ok(left) => return self.note_cma(accounts, left),
            Err(error) => tracing::warn!(%error, "Interest of CMA failed; trying one by one"),
        }
        for id in accounts {
            let one = std::slice::from_ref(id);
            match self.store.pay_cma_interest(one, newest).await {
                Ok(left) => {
                    if !self.note_cma(one, left) {
                        return false;
                    }
                }
                Err(error) => {
                    self.cma_left.insert(*id);
                    self.postpone(*id, &error);
                }
            }
        }
        true
    }

    fn note_cma(&mut self, accounts: &[AccountId], left: Option<Vec<AccountId>>) -> bool {
        let Some(left) = left else {
            return false;
        };
        for id in accounts {
            self.cma_left.remove(id);
            self.failed.remove(id);
        }
        self.cma_left.extend(left);
        true
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
        tracing::error!(account = id.0, %error, ?delay, "Step of a contract or CMA failed; retrying later");
    }
}
