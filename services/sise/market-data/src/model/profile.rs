//! The intraday distribution of variance and volume.

use std::f64::consts::TAU;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// U-shaped between open and close.
    Session,
    /// Around the clock in Korean time, with the peak late in the evening.
    AllDay,
}

/// The cumulative share of the daily variance and volume per minute.
#[derive(Clone, Debug)]
pub struct Profile {
    cumulative: Vec<f64>,
}

impl Profile {
    #[must_use]
    pub fn new(shape: Shape, minutes: usize) -> Self {
        let weights = (0..minutes).map(|minute| {
            let u = (minute as f64 + 0.5) / minutes as f64;
            match shape {
                Shape::Session => 3.0 * (-u / 0.06).exp() + 1.0 + 1.2 * (-(1.0 - u) / 0.05).exp(),
                Shape::AllDay => 1.0 + 0.35 * (TAU * (u * 24.0 - 23.0) / 24.0).cos(),
            }
        });
        let mut cumulative = Vec::with_capacity(minutes + 1);
        let mut sum = 0.0;
        cumulative.push(sum);
        for weight in weights {
            sum += weight;
            cumulative.push(sum);
        }
        for share in &mut cumulative {
            *share /= sum;
        }
        Self { cumulative }
    }

    #[must_use]
    pub fn minutes(&self) -> usize {
        self.cumulative.len().saturating_sub(1)
    }

    /// The cumulative share at the start of a minute; 1 after the last one.
    #[must_use]
    pub fn cumulative(&self, minute: usize) -> f64 {
        self.cumulative.get(minute).copied().unwrap_or(1.0)
    }

    #[must_use]
    pub fn share(&self, minute: usize) -> f64 {
        self.cumulative(minute + 1) - self.cumulative(minute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_busy_at_both_ends() {
        let profile = Profile::new(Shape::Session, 390);
        assert!((profile.cumulative(390) - 1.0).abs() < 1e-12);
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
