//! The waits after failed logins.

use chrono::{DateTime, TimeDelta, Utc};

/// A wait that doubles with each further failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrottlePolicy {
    /// Failures before the first wait.
    pub free_failures: u32,
    /// The first wait in seconds; each further failure doubles it.
    pub first_wait_s: i64,
    /// The longest wait in seconds. There is no lock-out: an attacker must not be able to shut a
    /// member out.
    pub longest_wait_s: i64,
}

/// Failures that fill a bucket, which leaks one per `leak`; while it is full, the next attempt
/// waits for the leak, so never longer than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeakyBucket {
    pub capacity: i32,
    pub leak: TimeDelta,
}

/// One account tried from one address: five failures, then 10 s, 20 s … up to 15 minutes.
pub const PER_ACCOUNT: ThrottlePolicy = ThrottlePolicy {
    free_failures: 5,
    first_wait_s: 10,
    longest_wait_s: 900,
};

/// One address over all accounts: a hundred failures at once, then a hundred an hour. Many members
/// may share an address (a school, a mobile network), so their failures must neither add up over
/// the day nor make the others wait for long.
pub const PER_ADDRESS: LeakyBucket = LeakyBucket {
    capacity: 100,
    leak: TimeDelta::seconds(36),
};

/// The failures of an account expire after a day without another.
pub const RETENTION_S: i64 = 86_400;

impl ThrottlePolicy {
    /// The wait after the `failures`th failure, counted from 1.
    #[must_use]
    pub fn wait_after(self, failures: u32) -> TimeDelta {
        if failures < self.free_failures {
            return TimeDelta::zero();
        }
        let doublings = (failures - self.free_failures).min(20);
        let seconds = self.first_wait_s.saturating_mul(1_i64 << doublings);
        TimeDelta::seconds(seconds.min(self.longest_wait_s))
    }
}

impl LeakyBucket {
    /// The time that a full bucket takes to become empty.
    #[must_use]
    pub fn span(self) -> TimeDelta {
        self.leak * self.capacity
    }

    /// The wait before a bucket that will be empty at `empty_at` has room for one more.
    #[must_use]
    pub fn wait(self, empty_at: DateTime<Utc>, now: DateTime<Utc>) -> TimeDelta {
        let wait = self.in_range(empty_at, now) + self.leak - now - self.span();
        wait.max(TimeDelta::zero())
    }

    /// When the bucket will be empty after one more failure.
    #[must_use]
    pub fn add(self, empty_at: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
        self.in_range(empty_at, now) + self.leak
    }

    /// A bucket is at most full, also where it was filled before the clock was set back.
    fn in_range(self, empty_at: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
        empty_at.clamp(now, now + self.span())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_grows_from_the_fifth_failure_and_never_locks() {
        let waits: Vec<i64> = [0, 1, 4, 5, 6, 7, 11, 12, 1000, u32::MAX]
            .into_iter()
            .map(|failures| PER_ACCOUNT.wait_after(failures).num_seconds())
            .collect();
        assert_eq!(waits, [0, 0, 0, 10, 20, 40, 640, 900, 900, 900]);
    }

    #[test]
    fn a_day_of_guessing_gets_about_a_hundred_tries() {
        let (mut seconds, mut tries) = (0, 0_u32);
        while seconds < 86_400 {
            tries += 1;
            seconds += PER_ACCOUNT.wait_after(tries).num_seconds();
        }
        assert!(tries <= 110, "{tries}");
    }

    #[test]
    fn a_full_bucket_has_room_after_one_leak() {
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let mut empty_at = DateTime::UNIX_EPOCH;
        for _ in 0..100 {
            assert_eq!(PER_ADDRESS.wait(empty_at, now), TimeDelta::zero());
            empty_at = PER_ADDRESS.add(empty_at, now);
        }
        let wait = |seconds| PER_ADDRESS.wait(empty_at, now + TimeDelta::seconds(seconds));
        assert_eq!(wait(0), TimeDelta::seconds(36));
        assert_eq!(wait(35), TimeDelta::seconds(1));
        assert_eq!(wait(36), TimeDelta::zero());
        // A clock that was set back makes nobody wait longer.
        assert_eq!(wait(-86_400), TimeDelta::seconds(36));
        // An hour later it is empty again.
        let later = now + TimeDelta::hours(1);
        let next = PER_ADDRESS.add(empty_at, later);
        assert_eq!(next, later + PER_ADDRESS.leak);
    }
}
