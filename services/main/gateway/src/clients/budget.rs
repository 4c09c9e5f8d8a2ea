//! How many retries there may be: one for ten requests. Retries help a hiccup and must not
//! multiply an overload.

use std::sync::atomic::{AtomicU32, Ordering};

/// Tenths of a retry that one request earns.
const EARNED: u32 = 1;
/// Tenths of a retry that one retry costs.
const COST: u32 = 10;
/// Most that can be saved up: ten retries.
const MOST: u32 = 100;

/// Retries that may still be made.
pub(crate) struct RetryBudget {
    tenths: AtomicU32,
}

impl Default for RetryBudget {
    fn default() -> Self {
        Self {
            tenths: AtomicU32::new(MOST),
        }
    }
}

impl RetryBudget {
    /// A request was made.
    pub(crate) fn note_request(&self) {
        let earn = |tenths: u32| Some((tenths + EARNED).min(MOST));
        let _always = self
            .tenths
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, earn);
    }

    /// Whether a retry may be made; it is then counted.
    pub(crate) fn take_retry(&self) -> bool {
        let spend = |tenths: u32| tenths.checked_sub(COST);
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
        while budget.take_retry() {}
        for _ in 0..9 {
            budget.note_request();
        }
        assert!(!budget.take_retry());
        budget.note_request();
        assert!(budget.take_retry());
        assert!(!budget.take_retry());
    }
}
