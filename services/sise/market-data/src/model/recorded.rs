//! Generates ticks of a recorded day from its open, high, low, close and volume; the path meets all
//! five exactly.

use super::day::Trade;
use super::noise::Key;

/// A recorded day in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedDay {
    pub open_units: i64,
    pub high_units: i64,
    pub low_units: i64,
    pub close_units: i64,
    pub volume_units: i64,
}

const MIN_TICKS: usize = 8;
/// Mean of ln(high/low) over the standard deviation of an unpinned path.
const RANGE_OF_DEVIATION: f64 = 1.6;
const SIZE_DEVIATION: f64 = 1.0;

const TIME: u64 = 0;
const STEP: u64 = 1;
const SIZE: u64 = 2;
const NUMBERS_OF_A_TICK: u64 = 4;

impl RecordedDay {
    /// Whether the five figures are consistent.
    #[must_use]
    pub fn is_possible(&self) -> bool {
        let inside = self.low_units..=self.high_units;
        self.low_units > 0
            && inside.contains(&self.open_units)
            && inside.contains(&self.close_units)
            && self.volume_units > 0
    }

    /// About `ticks` trades between two instants (both exclusive), oldest first; deterministic for
    /// a key.
    #[must_use]
    pub fn trades(&self, key: Key, ticks: usize, open_us: i64, close_us: i64) -> Vec<Trade> {
        let most = usize::try_from(self.volume_units).unwrap_or(usize::MAX);
        let count = ticks.max(MIN_TICKS).min(most.max(1));
        let prices = self.prices(key, count);
        let volumes = self.volumes(key, count);
        let slice = (close_us - open_us) as f64 / count as f64;
        let trades = (0_u64..).zip(prices.into_iter().zip(volumes));
        trades
            .map(|(tick, (price_units, volume_units))| {
                let at = tick as f64 + 0.02 + 0.96 * key.uniform(number(tick, TIME));
                Trade {
                    event_time_us: open_us + (at * slice) as i64,
                    price_units,
                    volume_units,
                    bid_units: 0,
                    ask_units: 0,
                }
            })
            .collect()
    }

    fn prices(&self, key: Key, count: usize) -> Vec<i64> {
        let last = count.saturating_sub(1);
        let mut pins = vec![(0, self.open_units), (last, self.close_units)];
        if count >= MIN_TICKS {
            let inner = (count - 2) as f64;
            let own = key.child(u64::MAX);
            let first = 1 + (own.uniform(0) * inner) as usize;
            let other = 1 + (own.uniform(1) * (inner - 1.0)) as usize;
            let second = if other >= first { other + 1 } else { other };
            pins.push((first, self.high_units));
            pins.push((second, self.low_units));
        }
        pins.sort_unstable();
        let range = (self.high_units as f64 / self.low_units as f64).ln();
        let variance = (range / RANGE_OF_DEVIATION).powi(2) / count as f64;
        let mut prices = vec![self.open_units];
        for span in pins.windows(2) {
            let [(from, start), (to, end)] = span else {
                continue;
            };
            self.walk(&mut prices, *from..*to, (*start, *end), variance, key);
        }
        prices
    }

    /// Extends `prices` from the start of `span` to its end.
    fn walk(
        &self,
        prices: &mut Vec<i64>,
        span: std::ops::Range<usize>,
        (start, end): (i64, i64),
        variance: f64,
        key: Key,
    ) {
        let target = (end as f64).ln();
        let mut level = (start as f64).ln();
        for tick in span.start + 1..span.end {
            let left = (span.end - tick + 1) as f64;
            let noise = key.normal(number(tick as u64, STEP));
            let spread = (variance * (left - 1.0) / left).sqrt();
            level = self.reflected(level + (target - level) / left + spread * noise);
            let price = (level.exp().round() as i64).clamp(self.low_units, self.high_units);
            prices.push(price);
        }
        prices.push(end);
    }

    /// Reflects a level at the bounds of the day's range.
    fn reflected(&self, level: f64) -> f64 {
        let lowest = (self.low_units as f64).ln();
        let highest = (self.high_units as f64).ln();
        let back = if level > highest {
            2.0 * highest - level
        } else if level < lowest {
            2.0 * lowest - level
        } else {
            level
        };
        back.clamp(lowest, highest)
    }

    fn volumes(&self, key: Key, count: usize) -> Vec<i64> {
        let sizes: Vec<f64> = (0..count as u64)
            .map(|tick| (SIZE_DEVIATION * key.normal(number(tick, SIZE))).exp())
            .collect();
        let all: f64 = sizes.iter().sum();
        let spare = self.volume_units - count as i64;
        let (mut passed, mut dealt) = (0.0, 0);
        let mut volumes: Vec<i64> = sizes
            .iter()
            .map(|size| {
                passed += size;
                let until = (spare as f64 * (passed / all)) as i64;
                let extra = (until - dealt).max(0);
                dealt += extra;
                1 + extra
            })
            .collect();
        if let Some(last) = volumes.last_mut() {
            *last += spare - dealt;
        }
        volumes
    }
}

fn number(tick: u64, which: u64) -> u64 {
    tick * NUMBERS_OF_A_TICK + which
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_path_meets_all_five_figures(
            low in 10_000_i64..5_000_000,
            range in 0_i64..400_000,
            open in 0.0..=1.0_f64,
            close in 0.0..=1.0_f64,
            volume in 1_i64..600_000_000,
            ticks in 1_usize..2_000,
            seed in any::<u64>(),
        ) {
            let at = |share: f64| low + (range as f64 * share) as i64;
            let day = RecordedDay {
                open_units: at(open),
                high_units: low + range,
                low_units: low,
                close_units: at(close),
                volume_units: volume,
            };
            prop_assume!(volume >= 8 || range == 0);
            let key = Key::of(b"test", "recorded").child(seed);
            let trades = day.trades(key, ticks, 1_000, 1_000 + 23_400_000_000);
            prop_assert_eq!(trades.first().unwrap().price_units, day.open_units);
            prop_assert_eq!(trades.last().unwrap().price_units, day.close_units);
            let highest = trades.iter().map(|trade| trade.price_units).max();
            prop_assert_eq!(highest, Some(day.high_units));
            let lowest = trades.iter().map(|trade| trade.price_units).min();
            prop_assert_eq!(lowest, Some(day.low_units));
            prop_assert_eq!(trades.iter().map(|trade| trade.volume_units).sum::<i64>(), volume);
            prop_assert!(trades.iter().all(|trade| trade.volume_units > 0));
            prop_assert!(trades.windows(2).all(|pair| pair[0].event_time_us < pair[1].event_time_us));
            prop_assert!(trades.last().unwrap().event_time_us < 1_000 + 23_400_000_000);
        }
    }
}
