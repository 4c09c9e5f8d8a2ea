//! How long to wait before trying something again.

use std::time::Duration;

use rand::Rng;

/// Waits that double from a first to a longest one, each shortened at random by up to half so
/// that many processes do not come back in the same instant.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Backoff {
    /// Starts at `first` and never waits longer than `longest`.
    #[must_use]
    pub fn new(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            longest,
            next: first,
        }
    }

    /// The next wait.
    pub fn next_delay(&mut self) -> Duration {
        let delay = self.next;
        self.next = delay.saturating_mul(2).min(self.longest);
        delay.mul_f64(rand::rng().random_range(0.5..=1.0))
    }

    /// Sleeps for the next wait.
    pub async fn wait(&mut self) {
        tokio::time::sleep(self.next_delay()).await;
    }

    /// Starts over after a success.
    pub fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_start_over() {
        let second = Duration::from_secs(1);
        let mut backoff = Backoff::new(second, second * 3);
        for expected in [second, second * 2, second * 3, second * 3] {
            let delay = backoff.next_delay();
            assert!(expected / 2 <= delay && delay <= expected, "{delay:?}");
        }
        backoff.reset();
        assert!(backoff.next_delay() <= second);
    }
}
