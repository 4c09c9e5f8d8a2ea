//! The wait after failed logins.

use chrono::TimeDelta;

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

/// One account tried from one address: five failures, then 10 s, 20 s … up to 15 minutes.
pub const PER_ACCOUNT: ThrottlePolicy = ThrottlePolicy {
    free_failures: 5,
    first_wait_s: 10,
    longest_wait_s: 900,
};

/// One address over all accounts; generous, because many members may share an address.
pub const PER_ADDRESS: ThrottlePolicy = ThrottlePolicy {
    free_failures: 100,
    first_wait_s: 10,
    longest_wait_s: 900,
};

/// Counters expire after a day without a failure.
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
}
