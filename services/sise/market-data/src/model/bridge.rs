//! Random paths with a given end: Brownian bridges, first over blocks of minutes, then over the
//! minutes of a block. A coarse and a fine path agree at the ends of blocks.

use std::ops::RangeInclusive;

use super::profile::Profile;

pub const BLOCK_MINUTES: usize = 15;

/// Random numbers of the fine steps start here, those of the blocks at zero.
const FINE_STEPS_FROM: u64 = 1_000;

/// A path over a day from 0 to `total`.
#[derive(Clone, Copy, Debug)]
pub struct Bridge {
    /// Where it ends.
    pub total: f64,
    /// Standard deviation of an unpinned path over the whole day.
    pub deviation: f64,
}

impl Bridge {
    /// The path at the start of each block and at the end. `noise` returns the standard normal
    /// number of a step.
    #[must_use]
    pub fn blocks(&self, profile: &Profile, noise: impl Fn(u64) -> f64) -> Vec<f64> {
        let elapsed: Vec<f64> = block_minutes(profile.minutes())
            .map(|minute| profile.cumulative(minute))
            .collect();
        let mut path = vec![0.0];
        self.walk(&mut path, self.total, &elapsed, 0, &noise);
        path
    }

    /// The path at the start of each minute and at the end.
    #[must_use]
    pub fn minutes(&self, profile: &Profile, noise: impl Fn(u64) -> f64) -> Vec<f64> {
        let blocks = self.blocks(profile, &noise);
        let starts: Vec<usize> = block_minutes(profile.minutes()).collect();
        let mut path = Vec::with_capacity(profile.minutes() + 1);
        path.push(0.0);
        for (span, end) in starts.windows(2).zip(blocks.iter().skip(1)) {
            let [first, last] = span else { continue };
            self.refine(&mut path, *end, profile, *first..=*last, &noise);
        }
        path
    }

    /// Extends `path` from the first minute of `block` to its last, where it reaches `end`.
    pub fn refine(
        &self,
        path: &mut Vec<f64>,
        end: f64,
        profile: &Profile,
        block: RangeInclusive<usize>,
        noise: &impl Fn(u64) -> f64,
    ) {
        let first_step = FINE_STEPS_FROM + *block.start() as u64;
        let elapsed: Vec<f64> = block.map(|minute| profile.cumulative(minute)).collect();
        self.walk(path, end, &elapsed, first_step, noise);
    }

    /// Extends `path` to `end`. The first element of `elapsed` is the current end of `path`.
    fn walk(
        &self,
        path: &mut Vec<f64>,
        end: f64,
        elapsed: &[f64],
        first_step: u64,
        noise: &impl Fn(u64) -> f64,
    ) {
        let mut at = path.last().copied().unwrap_or(0.0);
        let finish = elapsed.last().copied().unwrap_or(0.0);
        for (step, pair) in (first_step..).zip(elapsed.windows(2)) {
            let [before, after] = pair else { continue };
            let left = finish - before;
            let taken = after - before;
            let rest = finish - after;
            at = if rest <= 0.0 || left <= 0.0 {
                end
            } else {
                let variance = self.deviation * self.deviation * taken * rest / left;
                at + (end - at) * taken / left + variance.sqrt() * noise(step)
            };
            path.push(at);
        }
    }
}

/// The first minute of each block, and the end.
pub fn block_minutes(minutes: usize) -> impl Iterator<Item = usize> + Clone {
    (0..minutes).step_by(BLOCK_MINUTES).chain([minutes])
}

/// The maximum of a bridge from `from` to `to` with the given variance, sampled by `uniform` in (0,
/// 1).
#[must_use]
pub fn highest(from: f64, to: f64, variance: f64, uniform: f64) -> f64 {
    let spread = (to - from).powi(2) - 2.0 * variance * uniform.ln();
    (from + to + spread.sqrt()) / 2.0
}

/// The minimum, as [`highest`].
#[must_use]
pub fn lowest(from: f64, to: f64, variance: f64, uniform: f64) -> f64 {
    -highest(-from, -to, variance, uniform)
}

#[cfg(test)]
mod tests {
    use super::super::{noise::Key, profile::Shape};
    use super::*;

    #[test]
    fn coarse_and_fine_paths_agree_and_end_where_they_must() {
        let key = Key::of(b"test", "bridge");
        let bridge = Bridge {
            total: 0.021,
            deviation: 0.02,
        };
        for minutes in [380, 390, 210, 1440] {
            let profile = Profile::new(Shape::Session, minutes);
            let blocks = bridge.blocks(&profile, |n| key.normal(n));
            let fine = bridge.minutes(&profile, |n| key.normal(n));
            assert_eq!(fine.len(), minutes + 1);
            for (minute, block) in block_minutes(minutes).zip(&blocks) {
                assert_eq!(fine[minute], *block, "minute {minute} of {minutes}");
            }
            assert_eq!(fine.last(), Some(&0.021));
        }
    }

    #[test]
    fn a_free_path_has_the_variance_asked_for() {
        let profile = Profile::new(Shape::AllDay, 1440);
        let mut sum = 0.0;
        for run in 0..400 {
            let key = Key::of(b"test", "variance").child(run);
            let bridge = Bridge {
                total: 0.01 * key.child(1).normal(0),
                deviation: 0.01,
            };
            let path = bridge.minutes(&profile, |n| key.normal(n));
            sum += path
                .windows(2)
                .map(|pair| (pair[1] - pair[0]).powi(2))
                .sum::<f64>();
        }
        let deviation = (sum / 400.0).sqrt();
        assert!((deviation - 0.01).abs() < 0.0005, "{deviation}");
    }
}
