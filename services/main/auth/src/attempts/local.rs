//! The counters of one process while Redis is unavailable.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::throttle::{PER_ACCOUNT, PER_ADDRESS, RETENTION_S};

/// Counters of accounts, and as many of addresses.
const COUNTERS_MAX: usize = 10_000;

#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    until: DateTime<Utc>,
    counted_at: DateTime<Utc>,
}

impl Failures {
    /// Restarts a wait, with its original length, when the clock was set back.
    fn adjust_to_clock(&mut self, now: DateTime<Utc>) {
        if now < self.counted_at {
            self.until -= self.counted_at - now;
            self.counted_at = now;
        }
    }
}

#[derive(Default)]
struct Counters {
    accounts: HashMap<String, Failures>,
    /// When the bucket of each address will be empty.
    addresses: HashMap<String, DateTime<Utc>>,
}

#[derive(Default)]
pub(super) struct LocalCounters {
    counters: Mutex<Counters>,
}

impl LocalCounters {
    /// Returns the remaining wait; if it is zero, the attempt is counted.
    pub(super) fn begin(&self, account: &str, address: &str, now: DateTime<Utc>) -> TimeDelta {
        let mut counters = self.lock();
        let account_wait = match counters.accounts.get_mut(account) {
            Some(failures) => {
                failures.adjust_to_clock(now);
                failures.until - now
            }
            None => TimeDelta::zero(),
        };
        let empty_at = counters.addresses.get(address).copied().unwrap_or(now);
        let wait = account_wait.max(PER_ADDRESS.wait(empty_at, now));
        if wait > TimeDelta::zero() {
            return wait;
        }
        counters.make_room(now);
        let failures = counters
            .accounts
            .entry(account.to_owned())
            .or_insert(Failures {
                count: 0,
                until: now,
                counted_at: now,
            });
        failures.count = failures.count.saturating_add(1);
        failures.until = now + PER_ACCOUNT.wait_after(failures.count);
        failures.counted_at = now;
        counters
            .addresses
            .insert(address.to_owned(), PER_ADDRESS.add(empty_at, now));
        TimeDelta::zero()
    }

    pub(super) fn forget(&self, account: &str) {
        self.lock().accounts.remove(account);
    }

    /// Removes one failure of an account, and its wait.
    pub(super) fn undo_account(&self, account: &str) {
        let mut counters = self.lock();
        if let Some(failures) = counters.accounts.get_mut(account) {
            failures.count = failures.count.saturating_sub(1);
            failures.until = failures.counted_at;
            if failures.count == 0 {
                counters.accounts.remove(account);
            }
        }
    }

    /// Removes one failure of an address.
    pub(super) fn undo_address(&self, address: &str) {
        if let Some(empty_at) = self.lock().addresses.get_mut(address) {
            *empty_at -= PER_ADDRESS.leak;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Counters> {
        // A panic cannot leave a counter inconsistent.
        self.counters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counters {
    /// Drops old counters, then those without a wait, then all: the memory limit has priority.
    fn make_room(&mut self, now: DateTime<Utc>) {
        let retention = TimeDelta::seconds(RETENTION_S);
        if self.accounts.len() >= COUNTERS_MAX {
            self.accounts
                .retain(|_, failures| now - failures.counted_at < retention);
        }
        if self.accounts.len() >= COUNTERS_MAX {
            self.accounts.retain(|_, failures| failures.until > now);
        }
        if self.accounts.len() >= COUNTERS_MAX {
            self.accounts.clear();
        }
        if self.addresses.len() >= COUNTERS_MAX {
            self.addresses.retain(|_, empty_at| *empty_at > now);
        }
        if self.addresses.len() >= COUNTERS_MAX {
            self.addresses.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixth_attempt_waits_and_success_resets_the_count() {
        let local = LocalCounters::default();
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let begin = |now| local.begin("account", "address", now);
        for _ in 0..5 {
            assert_eq!(begin(now), TimeDelta::zero());
        }
        assert_eq!(begin(now), TimeDelta::seconds(10));
        let later = now + TimeDelta::seconds(10);
        assert_eq!(begin(later), TimeDelta::zero());
        assert_eq!(begin(later), TimeDelta::seconds(20));
        local.undo_account("account");
        assert_eq!(begin(later), TimeDelta::zero());
        local.forget("account");
        assert_eq!(begin(later), TimeDelta::zero());
    }

    #[test]
    fn memory_is_bounded() {
        let local = LocalCounters::default();
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        for number in 0..2 * COUNTERS_MAX {
            local.begin(
                &format!("account {number}"),
                &format!("address {number}"),
                now,
            );
        }
        let counters = local.lock();
        assert!(counters.accounts.len() <= COUNTERS_MAX);
        assert!(counters.addresses.len() <= COUNTERS_MAX);
    }
}
