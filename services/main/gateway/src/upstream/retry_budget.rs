//! Limits retries to one for ten requests, so that they cannot multiply an overload.

use std::sync::atomic::{AtomicU32, Ordering};

/// Tenths of a retry.
const EARNED_PER_REQUEST: u32 = 1;
const COST_PER_RETRY: u32 = 10;
const MAX_SAVED: u32 = 100;

pub(crate) struct RetryBudget {
    tenths: AtomicU32,
}

impl Default for RetryBudget {
    fn default() -> Self {
        Self {
            tenths: AtomicU32::new(MAX_SAVED),
        }
    }
}

impl RetryBudget {
    pub(crate) fn record_request(&self) {
        let earn = |tenths: u32| Some((tenths + EARNED_PER_REQUEST).min(MAX_SAVED));
        let _always = self
            .tenths
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, earn);
    }

    /// Whether a retry is allowed; if so, it is spent.
    pub(crate) fn try_spend(&self) -> bool {
        let spend = |tenths: u32| tenths.checked_sub(COST_PER_RETRY);
        self.tenths
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend)
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_requests_earn_one_retry() {
        let budget = RetryBudget::default();
        while budget.try_spend() {}
        for _ in 0..9 {
            budget.record_request();
        }
        assert!(!budget.try_spend());
        budget.record_request();
        assert!(budget.try_spend());
        assert!(!budget.try_spend());
    }
}
