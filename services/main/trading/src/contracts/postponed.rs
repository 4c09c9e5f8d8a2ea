//! Accounts whose step failed, and when it is tried again.

use std::collections::HashMap;
use std::time::Duration;

use bootstrap::database::{HasDbErr, Outage};
use kernel::AccountId;
use messaging::backoff::Backoff;
use tokio::time::Instant;

use crate::error::TradingError;

const FIRST_RETRY: Duration = Duration::from_secs(4);
const LONGEST_RETRY: Duration = Duration::from_secs(600);

#[derive(Default)]
pub(super) struct Postponed(HashMap<AccountId, Retry>);

struct Retry {
    backoff: Backoff,
    again: Instant,
    /// Its statement was only stopped, by a timeout or another transaction.
    is_stopped: bool,
}

impl Postponed {
    /// Those that are not tried again yet.
    pub(super) fn waiting(&self) -> Vec<AccountId> {
        let now = Instant::now();
        let waiting = self.0.iter().filter(|(_, retry)| retry.again > now);
        waiting.map(|(id, _)| *id).collect()
    }

    /// Those that are not tried again yet: first those whose step fails, then those whose statement was
    /// only stopped.
    pub(super) fn failing_and_stopped(&self) -> (Vec<AccountId>, Vec<AccountId>) {
        let is_stopped = |id: &AccountId| self.0.get(id).is_some_and(|retry| retry.is_stopped);
        self.waiting().into_iter().partition(|id| !is_stopped(id))
    }

    pub(super) fn forget(&mut self, id: AccountId) {
        self.0.remove(&id);
    }

    pub(super) fn add(&mut self, id: AccountId, error: &TradingError) {
        let retry = self.0.entry(id).or_insert_with(|| Retry {
            backoff: Backoff::new(FIRST_RETRY, LONGEST_RETRY),
            again: Instant::now(),
            is_stopped: false,
        });
        let delay = retry.backoff.next_delay();
        retry.again = Instant::now() + delay;
        retry.is_stopped = error.db_err().is_some_and(Outage::may_pass);
        metrics::counter!("trading_contracts_failed_total").increment(1);
        tracing::error!(account = id.0, %error, ?delay, "Step of a contract or CMA failed; retrying later");
    }
}
