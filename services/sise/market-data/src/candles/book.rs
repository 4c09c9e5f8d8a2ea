//! Aggregates ticks into candles and collects the changes to write.

use std::collections::HashMap;
use std::sync::Arc;

use proto::market::v1::session_record::Kind;
use proto::market::v1::{SessionRecord, Tick};
use rust_decimal::Decimal;

use super::dividend::Dividends;
use super::split::{Split, Splits};

const MINUTE_US: i64 = 60_000_000;

/// A row of `candle_minute`, or of `candle_day` with `start_us` 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandleRow {
    pub code: Arc<str>,
    pub start_us: i64,
    pub trading_day: i32,
    pub price_scale: u32,
    pub volume_scale: u32,
    pub open: i64,
    pub high: i64,
    pub low: i64,
    pub close: i64,
    pub volume: i64,
    /// `tick_seq` of the trade at the close; 0 for a candle that was made without ticks, and of a day.
    pub close_seq: i64,
}

impl CandleRow {
    #[must_use]
    pub fn price(&self, units: i64) -> Decimal {
        Decimal::from_i128_with_scale(i128::from(units), self.price_scale)
    }

    #[must_use]
    pub fn volume(&self) -> Decimal {
        Decimal::from_i128_with_scale(i128::from(self.volume), self.volume_scale)
    }
}

/// The rows to write: the newest state of every changed candle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// By code and start.
    pub minutes: HashMap<(Arc<str>, i64), CandleRow>,
    /// By code and trading day.
    pub days: HashMap<(Arc<str>, i32), CandleRow>,
    pub splits: Splits,
    pub dividends: Dividends,
}

impl Changes {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.minutes.len() + self.days.len() + self.splits.len() + self.dividends.len()
    }

    pub fn merge(mut self, later: Self) -> Self {
        self.minutes.extend(later.minutes);
        self.days.extend(later.days);
        self.splits.extend(later.splits);
        self.dividends.extend(later.dividends);
        self
    }
}

struct RunningCandles {
    minute: CandleRow,
    day: CandleRow,
    changed: bool,
}

/// RunningCandles candles. Feed it every tick once, oldest first.
#[derive(Default)]
pub struct CandleAggregator {
    running: HashMap<String, RunningCandles>,
    closed: Changes,
    changed: usize,
}

impl CandleAggregator {
    /// Continues from the newest stored minutes and the newest ticks, which hold the figures of the
    /// day.
    #[must_use]
    pub fn restored(minutes: Vec<CandleRow>, newest: &[Tick]) -> Self {
        let mut book = Self::default();
        let mut minutes: HashMap<Arc<str>, CandleRow> = minutes
            .into_iter()
            .map(|row| (Arc::clone(&row.code), row))
            .collect();
        for tick in newest {
            let day = day_row(&Arc::from(tick.code.as_str()), tick);
            let minute = minutes.remove(tick.code.as_str());
            let minute = minute.unwrap_or_else(|| minute_row(&day.code, tick));
            let running = RunningCandles {
                minute,
                day,
                changed: false,
            };
            book.running.insert(tick.code.clone(), running);
        }
        book
    }

    pub fn tick(&mut self, tick: &Tick) {
        let Some(running) = self.running.get_mut(&tick.code) else {
            let code: Arc<str> = Arc::from(tick.code.as_str());
            let running = RunningCandles {
                minute: minute_row(&code, tick),
                day: day_row(&code, tick),
                changed: true,
            };
            self.changed += 1;
            self.running.insert(tick.code.clone(), running);
            return;
        };
        let minute = &mut running.minute;
        if minute.start_us == minute_of(tick) && minute.price_scale == tick.price_scale {
            minute.high = minute.high.max(tick.price_units);
            minute.low = minute.low.min(tick.price_units);
            minute.close = tick.price_units;
            minute.close_seq = tick.tick_seq;
            minute.volume = minute.volume.saturating_add(tick.volume_units);
        } else {
            let next = minute_row(&minute.code, tick);
            let ended = std::mem::replace(minute, next);
            if running.changed {
                let key = (Arc::clone(&ended.code), ended.start_us);
                self.closed.minutes.insert(key, ended);
            }
        }
        let day = &mut running.day;
        if day.trading_day != tick.trading_day && running.changed {
            let key = (Arc::clone(&day.code), day.trading_day);
            self.closed.days.insert(key, day.clone());
        }
        day.trading_day = tick.trading_day;
        day.price_scale = tick.price_scale;
        day.volume_scale = tick.volume_scale;
        day.open = tick.open_units;
        day.high = tick.high_units;
        day.low = tick.low_units;
        day.close = tick.price_units;
        day.volume = tick.acc_volume_units;
        if !running.changed {
            running.changed = true;
            self.changed += 1;
        }
    }

    /// Rows that are not written yet.
    #[must_use]
    pub fn pending_rows(&self) -> usize {
        self.closed.len() + 2 * self.changed
    }

    pub fn session(&mut self, record: &SessionRecord) {
        if let (Kind::Dividend, Some(dividend)) = (record.kind(), &record.dividend) {
            let key = (Arc::from(dividend.code.as_str()), dividend.ex_day);
            self.closed.dividends.insert(key, dividend.clone());
        }
        let split = Split {
            new_shares: record.split_numerator,
            old_shares: record.split_denominator,
            at_us: record.event_time_us,
        };
        let is_possible = split.new_shares > 0 && split.old_shares > 0;
        if record.kind() == Kind::Split && !record.code.is_empty() && is_possible {
            let key = (Arc::from(record.code.as_str()), record.trading_day);
            self.closed.splits.insert(key, split);
        }
    }

    /// Returns the changes since the last call.
    pub fn take_changes(&mut self) -> Changes {
        let mut changes = std::mem::take(&mut self.closed);
        self.changed = 0;
        for running in self.running.values_mut().filter(|running| running.changed) {
            running.changed = false;
            let (minute, day) = (&running.minute, &running.day);
            let key = (Arc::clone(&minute.code), minute.start_us);
            changes.minutes.insert(key, minute.clone());
            let key = (Arc::clone(&day.code), day.trading_day);
            changes.days.insert(key, day.clone());
        }
        changes
    }
}

fn minute_of(tick: &Tick) -> i64 {
    tick.event_time_us - tick.event_time_us.rem_euclid(MINUTE_US)
}

fn minute_row(code: &Arc<str>, tick: &Tick) -> CandleRow {
    CandleRow {
        code: Arc::clone(code),
        start_us: minute_of(tick),
        trading_day: tick.trading_day,
        price_scale: tick.price_scale,
        volume_scale: tick.volume_scale,
        open: tick.price_units,
        high: tick.price_units,
        low: tick.price_units,
        close: tick.price_units,
        volume: tick.volume_units,
        close_seq: tick.tick_seq,
    }
}

fn day_row(code: &Arc<str>, tick: &Tick) -> CandleRow {
    CandleRow {
        code: Arc::clone(code),
        start_us: 0,
        trading_day: tick.trading_day,
        price_scale: tick.price_scale,
        volume_scale: tick.volume_scale,
        open: tick.open_units,
        high: tick.high_units,
        low: tick.low_units,
        close: tick.price_units,
        volume: tick.acc_volume_units,
        close_seq: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(event_time_us: i64, trading_day: i32, price: i64, acc_volume: i64) -> Tick {
        Tick {
            code: "A".to_owned(),
            tick_seq: event_time_us + 1_000,
            event_time_us,
            trading_day,
            price_units: price,
            open_units: 10,
            high_units: 30,
            low_units: 5,
            volume_units: 2,
            acc_volume_units: acc_volume,
            ..Tick::default()
        }
    }

    #[test]
    fn finished_minutes_and_days_are_kept_until_written() {
        let mut book = CandleAggregator::default();
        book.tick(&tick(1, 1, 10, 2));
        book.tick(&tick(59_999_999, 1, 30, 4));
        book.tick(&tick(MINUTE_US, 1, 5, 6));
        book.tick(&tick(2 * MINUTE_US, 2, 7, 2));
        let changes = book.take_changes();
        let minute = |start: i64| changes.minutes[&(Arc::from("A"), start)].clone();
        let first = minute(0);
        assert_eq!(
            (first.open, first.high, first.low, first.close),
            (10, 30, 10, 30)
        );
        assert_eq!((first.volume, first.close_seq), (4, 60_000_999));
        assert_eq!(minute(MINUTE_US).close, 5);
        assert_eq!(changes.minutes.len(), 3);
        assert_eq!(changes.days[&(Arc::from("A"), 1)].volume, 6);
        assert_eq!(changes.days[&(Arc::from("A"), 2)].volume, 2);
        assert!(book.take_changes().is_empty());
    }

    #[test]
    fn a_restored_minute_continues() {
        let mut book = CandleAggregator::default();
        book.tick(&tick(1, 1, 10, 2));
        let written = book.take_changes();
        let minutes = written.minutes.into_values().collect();
        let mut again = CandleAggregator::restored(minutes, &[tick(1, 1, 10, 2)]);
        assert_eq!(again.pending_rows(), 0);
        again.tick(&tick(2, 1, 30, 4));
        let changes = again.take_changes();
        let minute = &changes.minutes[&(Arc::from("A"), 0)];
        assert_eq!(
            (minute.open, minute.high, minute.close, minute.volume),
            (10, 30, 30, 4)
        );
    }
}
