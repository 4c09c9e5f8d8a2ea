//! The counters of one process, for the time Redis is away.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::throttle::{FORGET_AFTER_S, Patience};

/// Counters that are kept at most.
const MOST_COUNTERS: usize = 10_000;

#[derive(Clone, Copy)]
struct Counter {
    failures: u32,
    until: DateTime<Utc>,
    counted_at: DateTime<Utc>,
}

impl Counter {
    /// Lets a wait begin again when the clock was set back: it is no longer than it was.
    fn follow(&mut self, now: DateTime<Utc>) {
        if now < self.counted_at {
            self.until -= self.counted_at - now;
            self.counted_at = now;
        }
    }
}

/// Counters by key.
#[derive(Default)]
pub(super) struct Local {
    counters: Mutex<HashMap<String, Counter>>,
}

impl Local {
    /// The wait of the caller; when there is none, the attempt is counted.
    pub(super) fn begin(&self, keys: [(&str, Patience); 2], now: DateTime<Utc>) -> TimeDelta {
        let mut counters = self.lock();
        for (key, _) in keys {
            if let Some(counter) = counters.get_mut(key) {
                counter.follow(now);
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
        for (key, patience) in keys {
            let counter = counters.entry(key.to_owned()).or_insert(Counter {
                failures: 0,
                until: now,
                counted_at: now,
            });
            counter.failures = counter.failures.saturating_add(1);
            counter.until = now + patience.wait_after(counter.failures);
            counter.counted_at = now;
        }
        TimeDelta::zero()
    }

    pub(super) fn forget(&self, key: &str) {
        self.lock().remove(key);
    }

    pub(super) fn take_back(&self, key: &str) {
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
        // Counters have no state between two fields that a panic could break.
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Drops what is old, then what makes nobody wait, then everything: memory is bounded before
/// guessing is.
fn make_room(counters: &mut HashMap<String, Counter>, now: DateTime<Utc>) {
    if counters.len() + 2 > MOST_COUNTERS {
        counters.retain(|_, counter| now - counter.counted_at < TimeDelta::seconds(FORGET_AFTER_S));
    }
    if counters.len() + 2 > MOST_COUNTERS {
        counters.retain(|_, counter| counter.until > now);
    }
    if counters.len() + 2 > MOST_COUNTERS {
        counters.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::throttle::{PER_ACCOUNT, PER_ADDRESS};

    #[test]
    fn five_failures_make_the_sixth_wait_and_success_forgets_them() {
        let local = Local::default();
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let begin = |now| local.begin([("account", PER_ACCOUNT), ("address", PER_ADDRESS)], now);
        for _ in 0..5 {
            assert_eq!(begin(now), TimeDelta::zero());
        }
        assert_eq!(begin(now), TimeDelta::seconds(10));
        let later = now + TimeDelta::seconds(10);
        assert_eq!(begin(later), TimeDelta::zero());
        assert_eq!(begin(later), TimeDelta::seconds(20));
        local.take_back("account");
        assert_eq!(begin(later), TimeDelta::zero());
        local.forget("account");
        assert_eq!(begin(later), TimeDelta::zero());
    }

    #[test]
    fn memory_is_bounded() {
        let local = Local::default();
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        for account in 0..2 * MOST_COUNTERS {
            local.begin(
                [
                    (&account.to_string(), PER_ACCOUNT),
                    ("address", PER_ADDRESS),
                ],
                now,
            );
            local.take_back("address");
        }
        assert!(local.lock().len() <= MOST_COUNTERS);
    }
}
