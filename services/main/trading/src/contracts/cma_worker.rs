//! The task that pays the interest of CMA accounts. Contracts that mature do not wait for it, nor it for
//! them. What is paid is stored with its day, so any process may go on with it at any time; one does at
//! a time.

use std::collections::BTreeSet;
use std::time::Duration;

use bootstrap::shutdown::elapsed;
use chrono::NaiveDate;
use kernel::AccountId;
use tokio_util::sync::CancellationToken;

use super::cma;
use super::postponed::Postponed;
use crate::error::TradingError;
use crate::store::Store;

const STEP_INTERVAL: Duration = Duration::from_secs(2);

pub struct CmaWorker {
    store: Store,
    failed: Postponed,
    /// The newest day of which every account is paid, but for those in `left`.
    paid: Option<NaiveDate>,
    /// A day that is being paid, and the last account that was reached: another process may pay in between.
    scan: Option<(NaiveDate, AccountId)>,
    /// Accounts that were locked, or whose payment failed.
    left: BTreeSet<AccountId>,
}

impl CmaWorker {
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self {
            store,
            failed: Postponed::default(),
            paid: None,
            scan: None,
            left: BTreeSet::new(),
        }
    }

    /// Runs until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        while elapsed(&shutdown, STEP_INTERVAL).await {
            if let Err(error) = self.step().await {
                tracing::warn!(%error, "Paying interest of CMA failed; retrying");
            }
        }
    }

    /// Pays every CMA the days that have ended. Accounts that are locked have their turn in the next
    /// call; one whose payment fails does not delay the others.
    ///
    /// # Errors
    /// [`TradingError`] when the accounts cannot be read; what was paid is paid.
    pub async fn step(&mut self) -> Result<(), TradingError> {
        let Some(newest) = self.store.newest_cma_day() else {
            return Ok(());
        };
        if self.paid >= Some(newest) {
            let mut again = self.left.clone();
            for id in self.failed.waiting() {
                again.remove(&id);
            }
            let again: Vec<AccountId> = again.into_iter().collect();
            for accounts in again.chunks(cma::ACCOUNTS) {
                self.pay(accounts, newest).await;
            }
            return Ok(());
        }
        let begun = self.scan.filter(|(day, _)| *day == newest);
        let mut after = begun.map_or(AccountId(0), |(_, after)| after);
        if begun.is_none() {
            self.left.clear();
        }
        loop {
            self.scan = Some((newest, after));
            let accounts = self.store.cma_accounts(after).await?;
            let Some(last) = accounts.last() else {
                break;
            };
            let last = *last;
            if !self.pay(&accounts, newest).await {
                return Ok(());
            }
            after = last;
        }
        self.scan = None;
        self.paid = Some(newest);
        Ok(())
    }

    /// Pays some accounts; if that fails, each by itself. Notes which are left, and answers whether no
    /// other process pays.
    async fn pay(&mut self, accounts: &[AccountId], newest: NaiveDate) -> bool {
        match self.store.pay_cma_interest(accounts, newest).await {
            Ok(left) => return self.note(accounts, left),
            Err(error) => tracing::warn!(%error, "Interest of CMA failed; trying one by one"),
        }
        for id in accounts {
            let one = std::slice::from_ref(id);
            match self.store.pay_cma_interest(one, newest).await {
                Ok(left) => {
                    if !self.note(one, left) {
                        return false;
                    }
                }
                Err(error) => {
                    self.left.insert(*id);
                    self.failed.add(*id, &error);
                }
            }
        }
        true
    }

    fn note(&mut self, accounts: &[AccountId], left: Option<Vec<AccountId>>) -> bool {
        let Some(left) = left else {
            return false;
        };
        for id in accounts {
            self.left.remove(id);
            self.failed.forget(*id);
        }
        self.left.extend(left);
        true
    }
}
