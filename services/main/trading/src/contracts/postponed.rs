//! Accounts whose step failed, and when it is tried again.

use std::collections::HashMap;
use std::time::Duration;

use kernel::AccountId;
use messaging::backoff::Backoff;
use tokio::time::Instant;

use crate::error::TradingError;

const FIRST_RETRY: Duration = Duration::from_secs(4);
const LONGEST_RETRY: Duration = Duration::from_secs(600);

#[derive(Default)]
pub(super) struct Postponed(HashMap<AccountId, (Backoff, Instant)>);

impl Postponed {
    /// Those that are not tried again yet.
    pub(super) fn waiting(&self) -> Vec<AccountId> {
        let now = Instant::now();
        let waiting = self.0.iter().filter(|(_, (_, again))| *again > now);
        waiting.map(|(id, _)| *id).collect()
    }

    pub(super) fn forget(&mut self, id: AccountId) {
        self.0.remove(&id);
    }

    pub(super) fn add(&mut self, id: AccountId, error: &TradingError) {
        let backoff = Backoff::new(FIRST_RETRY, LONGEST_RETRY);
        let (backoff, again) = self.0.entry(id).or_insert((backoff, Instant::now()));
        let delay = backoff.next_delay();
        *again = Instant::now() + delay;
        metrics::counter!("trading_contracts_failed_total").increment(1);
        tracing::error!(account = id.0, %error, ?delay, "Step of a contract or CMA failed; retrying later");
    }
}
