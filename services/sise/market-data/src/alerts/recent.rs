//! The last ticks of the log. An alert becomes known to the watcher a moment after it was created, and
//! the ticks in between may fire it, so they are kept; the stored log offset is behind them, so that a
//! successor reads them again.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use messaging::ticks::LogOffset;

use super::tick_price::{TickPrice, TicksByCode};

/// Longer than a request may take from its look at the price to its commit, and than a process that
/// has just started is behind the log.
pub const KEPT_FOR: Duration = Duration::from_secs(30);
/// About 24 MB. Older ticks are dropped first.
const MAX_TICKS: usize = 500_000;

/// A place in the tick log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatchProgress {
    /// The first batch after it.
    pub offset: LogOffset,
    /// Market time of the last batch before it; 0 when there is none.
    pub market_time_us: i64,
}

#[derive(Debug)]
pub struct RecentTicks {
    batches: VecDeque<RecentBatch>,
    by_code: HashMap<Arc<str>, VecDeque<TickPrice>>,
    count: usize,
    forgotten: WatchProgress,
}

#[derive(Debug)]
struct RecentBatch {
    arrived: Instant,
    end: WatchProgress,
    ticks: Vec<(Arc<str>, usize)>,
}

impl RecentTicks {
    #[must_use]
    pub fn after(start: WatchProgress) -> Self {
        Self {
            batches: VecDeque::new(),
            by_code: HashMap::new(),
            count: 0,
            forgotten: start,
        }
    }

    /// Adds the ticks of a batch that ends at `end`.
    pub fn add(&mut self, end: WatchProgress, arrived: Instant, ticks: TicksByCode) {
        let mut counts = Vec::with_capacity(ticks.len());
        for (code, ticks) in ticks {
            self.count += ticks.len();
            counts.push((Arc::clone(&code), ticks.len()));
            self.by_code.entry(code).or_default().extend(ticks);
        }
        self.batches.push_back(RecentBatch {
            arrived,
            end,
            ticks: counts,
        });
        while self.count > MAX_TICKS && self.batches.len() > 1 {
            metrics::counter!("price_alert_ticks_dropped_total").increment(1);
            self.forget_oldest();
        }
    }

    /// Forgets what is old enough, and returns the place up to which nothing is needed any more.
    pub fn forget(&mut self, now: Instant) -> WatchProgress {
        let is_old = |batch: &RecentBatch| now.saturating_duration_since(batch.arrived) > KEPT_FOR;
        while self.batches.front().is_some_and(is_old) {
            self.forget_oldest();
        }
        self.forgotten
    }

    /// Those of an instrument, oldest first.
    #[must_use]
    pub fn of(&self, code: &str) -> Vec<TickPrice> {
        let ticks = self.by_code.get(code).into_iter().flatten();
        ticks.copied().collect()
    }

    fn forget_oldest(&mut self) {
        let Some(batch) = self.batches.pop_front() else {
            return;
        };
        self.forgotten = batch.end;
        for (code, count) in batch.ticks {
            self.count = self.count.saturating_sub(count);
            if let Some(ticks) = self.by_code.get_mut(&code) {
                ticks.drain(..count.min(ticks.len()));
                if ticks.is_empty() {
                    self.by_code.remove(&code);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proto::market::v1::Tick;

    use super::*;

    fn end(next: u64) -> WatchProgress {
        WatchProgress {
            offset: LogOffset { epoch: 1, next },
            market_time_us: 0,
        }
    }

    fn ticks(code: &str, seqs: &[i64]) -> TicksByCode {
        let of = |seq: &i64| {
            let tick = Tick {
                tick_seq: *seq,
                ..Tick::default()
            };
            TickPrice::of(&tick).unwrap()
        };
        TicksByCode::from([(code.into(), seqs.iter().map(of).collect())])
    }

    #[test]
    fn what_is_old_is_forgotten_and_the_place_behind_it_is_told() {
        let began = Instant::now();
        let mut recent = RecentTicks::after(end(7));
        assert_eq!(recent.forget(began), end(7));
        recent.add(end(8), began, ticks("A", &[1, 2]));
        recent.add(end(9), began + Duration::from_secs(20), ticks("A", &[3]));
        recent.add(end(10), began + Duration::from_secs(20), ticks("B", &[1]));
        let seqs = |recent: &RecentTicks| -> Vec<i64> {
            recent.of("A").iter().map(|tick| tick.seq).collect()
        };
        assert_eq!(recent.forget(began + KEPT_FOR), end(7));
        assert_eq!(seqs(&recent), [1, 2, 3]);
        assert_eq!(recent.forget(began + Duration::from_secs(31)), end(8));
        assert_eq!(seqs(&recent), [3]);
        assert_eq!(recent.forget(began + Duration::from_secs(60)), end(10));
        assert!(recent.of("A").is_empty() && recent.of("B").is_empty());
    }
}
