//! Exponential backoff with jitter.

use std::time::Duration;

use rand::Rng;

/// The delay doubles up to a maximum. Each delay is shortened at random by up to half, so that
/// processes do not retry in the same instant.
#[derive(Clone, Debug)]
pub struct Backoff {
    min: Duration,
    max: Duration,
    next: Duration,
}

impl Backoff {
    #[must_use]
    pub fn new(min: Duration, max: Duration) -> Self {
        Self {
            min,
            max,
            next: min,
        }
    }

    pub fn next_delay(&mut self) -> Duration {
        let delay = self.next;
        self.next = delay.saturating_mul(2).min(self.max);
        delay.mul_f64(rand::rng().random_range(0.5..=1.0))
    }

    /// Sleeps for the next delay.
    pub async fn wait(&mut self) {
        tokio::time::sleep(self.next_delay()).await;
    }

    /// Call after a success.
    pub fn reset(&mut self) {
        self.next = self.min;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_maximum_and_reset() {
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
