//! Wealth levels: the badge beside every member and the multiplier of a point transfer.

use crate::money::Won;
use rust_decimal::Decimal;

/// One of the nine levels, from [`WealthLevel::for_total`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WealthLevel {
    /// 1 to 9.
    pub number: u8,
    /// The name members see.
    pub name: &'static str,
    /// Lowest total of the level, inclusive.
    pub from: Won,
    /// Lowest total of the next level; `None` for the highest.
    pub until: Option<Won>,
    /// Tenths by which a point transfer is multiplied: 10 is ×1.0, 18 is ×1.8.
    pub multiplier_tenths: u8,
}

const M: i64 = 1_000_000;

/// Lower bound inclusive, upper bound exclusive.
const LEVELS: [(&str, i64); 9] = [
    ("빈털터리", 0),
    ("빈곤층", 10 * M),
    ("빠듯한중산층", 30 * M),
    ("중산층", 70 * M),
    ("상류층", 500 * M),
    ("자산가", 3_000 * M),
    ("1천억재벌", 10_000 * M),
    ("억만장자", 100_000 * M),
    ("슈퍼리치", 1_000_000 * M),
];

impl WealthLevel {
    /// The level of a total asset in won. A negative total is level 1.
    #[must_use]
    pub fn for_total(total: Won) -> Self {
        let mut found = Self {
            number: 1,
            name: "빈털터리",
            from: Won(0),
            until: None,
            multiplier_tenths: 10,
        };
        let mut number = 0_u8;
        for (name, from) in LEVELS {
            number += 1;
            if number > 1 && total.0 < from {
                found.until = Some(Won(from));
                return found;
            }
            found = Self {
                number,
                name,
                from: Won(from),
                until: None,
                multiplier_tenths: 9 + number,
            };
        }
        found
    }

    /// Progress inside the level in percent, 0 to 100; always 100 in the highest level.
    #[must_use]
    pub fn gauge_percent(&self, total: Won) -> Decimal {
        let Some(until) = self.until else {
            return Decimal::ONE_HUNDRED;
        };
        let done = Decimal::from((total.0 - self.from.0).max(0));
        let span = Decimal::from(until.0 - self.from.0);
        (done * Decimal::ONE_HUNDRED / span).min(Decimal::ONE_HUNDRED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_boundary_belongs_to_the_higher_level() {
        for (index, (name, from)) in LEVELS.iter().enumerate() {
            let level = WealthLevel::for_total(Won(*from));
            assert_eq!(usize::from(level.number), index + 1);
            assert_eq!(level.name, *name);
            assert_eq!(usize::from(level.multiplier_tenths), index + 10);
            if index > 0 {
                let below = WealthLevel::for_total(Won(from - 1));
                assert_eq!(usize::from(below.number), index);
                assert_eq!(below.until, Some(Won(*from)));
            }
        }
        assert_eq!(WealthLevel::for_total(Won(-5)).number, 1);
    }

    #[test]
    fn the_gauge_is_the_share_of_the_level_that_is_done() {
        let level = WealthLevel::for_total(Won(20 * M));
        assert_eq!(level.gauge_percent(Won(20 * M)), Decimal::from(50));
        let first = WealthLevel::for_total(Won(-5));
        assert_eq!(first.gauge_percent(Won(-5)), Decimal::ZERO);
        let last = WealthLevel::for_total(Won(i64::MAX));
        assert_eq!(last.gauge_percent(Won(i64::MAX)), Decimal::ONE_HUNDRED);
    }
}
