//! The counters of one process while Redis is unavailable.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::throttle::{RETENTION_S, ThrottlePolicy};

const COUNTERS_MAX: usize = 10_000;

#[derive(Clone, Copy)]
struct Counter {
    failures: u32,
    until: DateTime<Utc>,
    counted_at: DateTime<Utc>,
}

impl Counter {
    /// Restarts a wait, with its original length, when the clock was set back.
    fn adjust_to_clock(&mut self, now: DateTime<Utc>) {
        if now < self.counted_at {
            self.until -= self.counted_at - now;
            self.counted_at = now;
        }
    }
}

#[derive(Default)]
pub(super) struct LocalCounters {
    counters: Mutex<HashMap<String, Counter>>,
}

impl LocalCounters {
    /// Returns the remaining wait; if it is zero, the attempt is counted.
    pub(super) fn begin(&self, keys: [(&str, ThrottlePolicy); 2], now: DateTime<Utc>) -> TimeDelta {
        let mut counters = self.lock();
        for (key, _) in keys {
            if let Some(counter) = counters.get_mut(key) {
                counter.adjust_to_clock(now);
            }
        }
        let wait = keys
            .iter()
            .filter_map(|(key, _)| counters.get(*key))
            .map(|counter| counter.until - now)
            .max()
            .unwrap_or_default();
        if wait > TimeDelta::zero() {
            return wait;
        }
        make_room(&mut counters, now);
        for (key, policy) in keys {
            let counter = counters.entry(key.to_owned()).or_insert(Counter {
                failures: 0,
                until: now,
                counted_at: now,
            });
            counter.failures = counter.failures.saturating_add(1);
            counter.until = now + policy.wait_after(counter.failures);
            counter.counted_at = now;
        }
        TimeDelta::zero()
    }

    pub(super) fn forget(&self, key: &str) {
        self.lock().remove(key);
    }

    pub(super) fn undo(&self, key: &str) {
        let mut counters = self.lock();
        if let Some(counter) = counters.get_mut(key) {
            counter.failures = counter.failures.saturating_sub(1);
            counter.until = counter.counted_at;
            if counter.failures == 0 {
                counters.remove(key);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Counter>> {
        // A panic cannot leave a counter inconsistent.
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Drops old counters, then those without a wait, then all: the memory limit has priority.
fn make_room(counters: &mut HashMap<String, Counter>, now: DateTime<Utc>) {
    if counters.len() + 2 > COUNTERS_MAX {
        counters.retain(|_, counter| now - counter.counted_at < TimeDelta::seconds(RETENTION_S));
    }
    if counters.len() + 2 > COUNTERS_MAX {
        counters.retain(|_, counter| counter.until > now);
    }
    if counters.len() + 2 > COUNTERS_MAX {
        counters.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::throttle::{PER_ACCOUNT, PER_ADDRESS};

    #[test]
    fn the_sixth_attempt_waits_and_success_resets_the_count() {
        let local = LocalCounters::default();
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let begin = |now| local.begin([("account", PER_ACCOUNT), ("address", PER_ADDRESS)], now);
        for _ in 0..5 {
            assert_eq!(begin(now), TimeDelta::zero());
        }
        assert_eq!(begin(now), TimeDelta::seconds(10));
        let later = now + TimeDelta::seconds(10);
        assert_eq!(begin(later), TimeDelta::zero());
        assert_eq!(begin(later), TimeDelta::seconds(20));
        local.undo("account");
        assert_eq!(begin(later), TimeDelta::zero());
        local.forget("account");
        assert_eq!(begin(later), TimeDelta::zero());
    }

    #[test]
    fn memory_is_bounded() {
        let local = LocalCounters::default();
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        for account in 0..2 * COUNTERS_MAX {
            local.begin(
                [
                    (&account.to_string(), PER_ACCOUNT),
                    ("address", PER_ADDRESS),
                ],
                now,
            );
            local.undo("address");
        }
        assert!(local.lock().len() <= COUNTERS_MAX);
    }
}
