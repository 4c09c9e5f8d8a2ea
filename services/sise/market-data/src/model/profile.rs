//! How variance and volume are spread over a day.

use std::f64::consts::TAU;

/// The form of a trading day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Busy at the open, quiet at noon, busy again before the close.
    Session,
    /// From Korean midnight to midnight, busiest late in the evening.
    AllDay,
}

/// The share of a day's variance and volume that has passed at each minute.
#[derive(Clone, Debug)]
pub struct Profile {
    passed: Vec<f64>,
}

impl Profile {
    /// The profile of a day of `minutes` minutes.
    #[must_use]
    pub fn new(shape: Shape, minutes: usize) -> Self {
        let weights = (0..minutes).map(|minute| {
            let u = (minute as f64 + 0.5) / minutes as f64;
            match shape {
                Shape::Session => 3.0 * (-u / 0.06).exp() + 1.0 + 1.2 * (-(1.0 - u) / 0.05).exp(),
                Shape::AllDay => 1.0 + 0.35 * (TAU * (u * 24.0 - 23.0) / 24.0).cos(),
            }
        });
        let mut passed = Vec::with_capacity(minutes + 1);
        let mut sum = 0.0;
        passed.push(sum);
        for weight in weights {
            sum += weight;
            passed.push(sum);
        }
        for share in &mut passed {
            *share /= sum;
        }
        Self { passed }
    }

    /// Number of minutes.
    #[must_use]
    pub fn minutes(&self) -> usize {
        self.passed.len().saturating_sub(1)
    }

    /// The share that has passed when minute `minute` begins; 1 after the last one.
    #[must_use]
    pub fn passed(&self, minute: usize) -> f64 {
        self.passed.get(minute).copied().unwrap_or(1.0)
    }

    /// The share that falls into minute `minute`.
    #[must_use]
    pub fn share(&self, minute: usize) -> f64 {
        self.passed(minute + 1) - self.passed(minute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_busy_at_both_ends() {
        let profile = Profile::new(Shape::Session, 390);
        assert!((profile.passed(390) - 1.0).abs() < 1e-12);
        assert!(profile.share(0) > 2.5 * profile.share(195));
        assert!(profile.share(389) > 1.5 * profile.share(195));
    }

    #[test]
    fn a_whole_day_is_busiest_at_eleven_in_the_evening() {
        let profile = Profile::new(Shape::AllDay, 1440);
        let busiest = (0..1440).max_by(|a, b| profile.share(*a).total_cmp(&profile.share(*b)));
        assert!((1379..=1381).contains(&busiest.unwrap()));
    }
}
