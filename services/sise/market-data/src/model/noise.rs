//! Stateless random numbers: each is a hash of a key and an index.

use chrono::{Datelike, NaiveDate};
use sha2::{Digest, Sha256};

/// Identifies a sequence of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u64);

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Key {
    /// The sequence of a label under the master seed.
    #[must_use]
    pub fn of(seed: &[u8], label: &str) -> Self {
        let digest = Sha256::new()
            .chain_update(seed)
            .chain_update([0])
            .chain_update(label)
            .finalize();
        let bits = digest.iter().take(8);
        Self(bits.fold(0, |bits, byte| (bits << 8) | u64::from(*byte)))
    }

    /// A subsequence.
    #[must_use]
    pub fn child(self, index: u64) -> Self {
        Self(mix(self.0 ^ mix(index.wrapping_add(GOLDEN))))
    }

    /// The subsequence of a day.
    #[must_use]
    pub fn on(self, day: NaiveDate) -> Self {
        self.child(u64::from(day.num_days_from_ce().unsigned_abs()))
    }

    /// The `n`th number, uniform in (0, 1).
    #[must_use]
    pub fn uniform(self, n: u64) -> f64 {
        const STEPS: f64 = (1_u64 << 53) as f64;
        let bits = mix(self.0.wrapping_add(n.wrapping_add(1).wrapping_mul(GOLDEN)));
        ((bits >> 11) as f64 + 0.5) / STEPS
    }

    /// The `n`th standard normal number.
    #[must_use]
    pub fn normal(self, n: u64) -> f64 {
        inverse_normal(self.uniform(n))
    }

    /// The `n`th number of a Student t distribution with six degrees of freedom, scaled to unit
    /// variance, which models overnight returns.
    #[must_use]
    pub fn heavy_tailed(self, n: u64) -> f64 {
        const DEGREES: f64 = 6.0;
        let own = self.child(n);
        // A chi-squared variable of six degrees is the sum of three exponentials.
        let chi_squared = -2.0 * (own.uniform(0) * own.uniform(1) * own.uniform(2)).ln();
        let student = own.normal(3) / (chi_squared / DEGREES).sqrt();
        student * ((DEGREES - 2.0) / DEGREES).sqrt()
    }
}

/// The finaliser of SplitMix64.
fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// The normal quantile by Acklam's approximation (relative error below 1.2e-9).
fn inverse_normal(probability: f64) -> f64 {
    const LOW: f64 = 0.024_25;
    if probability < LOW {
        tail((-2.0 * probability.ln()).sqrt())
    } else if probability > 1.0 - LOW {
        -tail((-2.0 * (1.0 - probability).ln()).sqrt())
    } else {
        centre(probability - 0.5)
    }
}

fn centre(q: f64) -> f64 {
    let r = q * q;
    let above = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    let below = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
        1.0,
    ];
    q * polynomial(&above, r) / polynomial(&below, r)
}

fn tail(q: f64) -> f64 {
    let above = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    let below = [
        7.784_695_709_041_462e-3,
        3.224_671_290_700_398e-1,
        2.445_134_137_142_996,
        3.754_408_661_907_416,
        1.0,
    ];
    polynomial(&above, q) / polynomial(&below, q)
}

/// Coefficients from the highest power down.
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: impl Iterator<Item = f64>) -> (f64, f64, f64) {
        let values: Vec<f64> = values.collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let central = |power| values.iter().map(|v| (v - mean).powi(power)).sum::<f64>() / count;
        (mean, central(2), central(4) / central(2).powi(2))
    }

    #[test]
    fn normals_have_the_moments_of_the_normal() {
        let key = Key::of(b"test", "normal");
        let (mean, variance, kurtosis) = moments((0..200_000).map(|n| key.normal(n)));
        assert!(mean.abs() < 0.01, "{mean}");
        assert!((variance - 1.0).abs() < 0.02, "{variance}");
        assert!((kurtosis - 3.0).abs() < 0.1, "{kurtosis}");
    }

    #[test]
    fn heavy_tails_have_unit_variance_and_more_kurtosis() {
        let key = Key::of(b"test", "gap");
        let (_, variance, kurtosis) = moments((0..400_000).map(|n| key.heavy_tailed(n)));
        assert!((variance - 1.0).abs() < 0.03, "{variance}");
        assert!(kurtosis > 4.5, "{kurtosis}");
    }

    #[test]
    fn a_number_depends_on_seed_label_day_and_index() {
        let day = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
        let number = |seed: &[u8], label, day, n| Key::of(seed, label).on(day).uniform(n);
        let one = number(b"a", "x", day, 7);
        assert_eq!(one, number(b"a", "x", day, 7));
        assert_ne!(one, number(b"b", "x", day, 7));
        assert_ne!(one, number(b"a", "y", day, 7));
        assert_ne!(one, number(b"a", "x", day.succ_opt().unwrap(), 7));
        assert_ne!(one, number(b"a", "x", day, 8));
    }
}
