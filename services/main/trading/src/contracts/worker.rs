//! The task that takes payments and lets contracts mature when market time has come. Every step is
//! stored with what it posts, so any process may go on with it at any time; one does at a time.

use std::time::Duration;

use bootstrap::database::{HasDbErr, Outage};
use bootstrap::shutdown::elapsed;
use kernel::AccountId;
use tokio_util::sync::CancellationToken;

use super::due::{DueBatch, PassedOver};
use super::offer::Products;
use super::postponed::Postponed;
use crate::error::TradingError;
use crate::store::Store;

const STEP_INTERVAL: Duration = Duration::from_secs(2);

pub struct ContractWorker {
    store: Store,
    products: Products,
    failed: Postponed,
}

impl ContractWorker {
    #[must_use]
    pub fn new(store: Store, products: Products) -> Self {
        Self {
            store,
            products,
            failed: Postponed::default(),
        }
    }

    /// Runs until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        while elapsed(&shutdown, STEP_INTERVAL).await {
            if let Err(error) = self.step().await {
                tracing::warn!(%error, "Advancing contracts failed; retrying");
            }
        }
    }

    /// Does everything that is due. Contracts whose accounts are locked, or whose renewal nobody can
    /// quote now, have their turn in the next step; one that fails does not delay the others, and one whose
    /// statement was stopped only those of its member.
    ///
    /// # Errors
    /// [`TradingError`] when the contracts cannot be read, or the database went away: then nothing is
    /// passed over, so that a member's contracts keep their order.
    pub async fn step(&mut self) -> Result<(), TradingError> {
        let (stuck, locked) = self.failed.failing_and_stopped();
        let mut passed_over = PassedOver {
            locked,
            stuck,
            ..PassedOver::default()
        };
        loop {
            let batch = self
                .store
                .due_contracts(&passed_over, &self.products)
                .await?;
            passed_over.is_bank_away |= batch.is_bank_away;
            passed_over.stuck.extend(&batch.unquoted);
            if batch.last.is_none() && passed_over.after.is_none() {
                return Ok(());
            }
            // At the end it begins again: what a member has to do next may be due before it.
            passed_over.after = batch.last;
            if batch.is_empty() {
                continue;
            }
            let advanced = self.advance(&batch).await?;
            let (failing, stopped) = self.failed.failing_and_stopped();
            let left = batch.accounts().into_iter();
            let left: Vec<AccountId> = left.filter(|id| !advanced.contains(id)).collect();
            let is_tried = |id: &AccountId| failing.contains(id) || stopped.contains(id);
            if advanced.is_empty() && !left.iter().any(is_tried) {
                return Ok(());
            }
            let (stuck, locked): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|id| failing.contains(id));
            passed_over.stuck.extend(stuck);
            passed_over.locked.extend(locked);
        }
    }

    /// Advances a batch; if it fails, each contract by itself.
    async fn advance(&mut self, batch: &DueBatch) -> Result<Vec<AccountId>, TradingError> {
        match self.store.advance_contracts(batch).await {
            Ok(advanced) => {
                self.record(&advanced);
                return Ok(advanced);
            }
            Err(error) if is_outage(&error) => return Err(error),
            Err(error) => tracing::warn!(%error, "Batch of contracts failed; trying one by one"),
        }
        let mut advanced = Vec::new();
        for due in &batch.due {
            match self.store.advance_contracts(&batch.only(*due)).await {
                Ok(one) => {
                    self.record(&one);
                    advanced.extend(one);
                }
                Err(error) if is_outage(&error) => return Err(error),
                Err(error) => self.failed.add(due.account_id, &error),
            }
        }
        Ok(advanced)
    }

    fn record(&mut self, advanced: &[AccountId]) {
        for id in advanced {
            self.failed.forget(*id);
        }
        let count = u64::try_from(advanced.len()).unwrap_or(0);
        metrics::counter!("trading_contracts_advanced_total").increment(count);
    }
}

fn is_outage(error: &TradingError) -> bool {
    error.db_err().is_some_and(Outage::is_outage)
}
