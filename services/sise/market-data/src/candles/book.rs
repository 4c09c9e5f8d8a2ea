//! The running candles of every instrument, and what of them has not been written yet.

use std::collections::HashMap;
use std::sync::Arc;

use proto::market::v1::session_record::Kind;
use proto::market::v1::{SessionRecord, Tick};
use rust_decimal::Decimal;

use super::dividend::Dividends;
use super::split::{Split, Splits};

const MINUTE_US: i64 = 60_000_000;

/// A row of `candle_minute` or, with `start_us` 0, of `candle_day`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The instrument.
    pub code: Arc<str>,
    /// Beginning of the minute.
    pub start_us: i64,
    /// The day trades count for.
    pub trading_day: i32,
    /// Decimals of prices.
    pub price_scale: u32,
    /// Decimals of the volume.
    pub volume_scale: u32,
    /// First price.
    pub open: i64,
    /// Highest price.
    pub high: i64,
    /// Lowest price.
    pub low: i64,
    /// Last price.
    pub close: i64,
    /// Quantity traded.
    pub volume: i64,
}

impl Row {
    /// A price of this row as a decimal.
    #[must_use]
    pub fn price(&self, units: i64) -> Decimal {
        Decimal::from_i128_with_scale(i128::from(units), self.price_scale)
    }

    /// The volume as a decimal.
    #[must_use]
    pub fn volume(&self) -> Decimal {
        Decimal::from_i128_with_scale(i128::from(self.volume), self.volume_scale)
    }
}

/// What is to be written: the newest state of every candle that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Minutes by code and beginning.
    pub minutes: HashMap<(Arc<str>, i64), Row>,
    /// Days by code and trading day.
    pub days: HashMap<(Arc<str>, i32), Row>,
    /// Shares that were divided.
    pub splits: Splits,
    /// Dividends that became known.
    pub dividends: Dividends,
}

impl Changes {
    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.minutes.len() + self.days.len() + self.splits.len() + self.dividends.len()
    }

    /// Adds changes that happened later.
    pub fn followed_by(mut self, later: Self) -> Self {
        self.minutes.extend(later.minutes);
        self.days.extend(later.days);
        self.splits.extend(later.splits);
        self.dividends.extend(later.dividends);
        self
    }
}

struct Running {
    minute: Row,
    day: Row,
    changed: bool,
}

/// Running candles. Feed it every tick once, oldest first.
#[derive(Default)]
pub struct CandleBook {
    running: HashMap<String, Running>,
    closed: Changes,
    changed: usize,
}

impl CandleBook {
    /// Continues from the newest stored candles: the last minute and the newest tick, whose
    /// figures are the day's.
    #[must_use]
    pub fn restored(minutes: Vec<Row>, newest: &[Tick]) -> Self {
        let mut book = Self::default();
        let mut minutes: HashMap<Arc<str>, Row> = minutes
            .into_iter()
            .map(|row| (Arc::clone(&row.code), row))
            .collect();
        for tick in newest {
            let day = day_row(&Arc::from(tick.code.as_str()), tick);
            let minute = minutes.remove(tick.code.as_str());
            let minute = minute.unwrap_or_else(|| minute_row(&day.code, tick));
            let running = Running {
                minute,
                day,
                changed: false,
            };
            book.running.insert(tick.code.clone(), running);
        }
        book
    }

    /// Takes a tick into its candles.
    pub fn tick(&mut self, tick: &Tick) {
        let Some(running) = self.running.get_mut(&tick.code) else {
            let code: Arc<str> = Arc::from(tick.code.as_str());
            let running = Running {
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

    /// How many rows wait to be written.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.closed.len() + 2 * self.changed
    }

    /// Notes what a session record says about shares.
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

    /// Takes what has changed since the last time.
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

fn minute_row(code: &Arc<str>, tick: &Tick) -> Row {
    Row {
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
    }
}

fn day_row(code: &Arc<str>, tick: &Tick) -> Row {
    Row {
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(event_time_us: i64, trading_day: i32, price: i64, acc_volume: i64) -> Tick {
        Tick {
            code: "A".to_owned(),
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
    fn minutes_end_and_days_end_but_nothing_is_forgotten() {
        let mut book = CandleBook::default();
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
        assert_eq!(first.volume, 4);
        assert_eq!(minute(MINUTE_US).close, 5);
        assert_eq!(changes.minutes.len(), 3);
        assert_eq!(changes.days[&(Arc::from("A"), 1)].volume, 6);
        assert_eq!(changes.days[&(Arc::from("A"), 2)].volume, 2);
        assert!(book.take_changes().is_empty());
    }

    #[test]
    fn a_restored_minute_goes_on() {
        let mut book = CandleBook::default();
        book.tick(&tick(1, 1, 10, 2));
        let written = book.take_changes();
        let minutes = written.minutes.into_values().collect();
        let mut again = CandleBook::restored(minutes, &[tick(1, 1, 10, 2)]);
        assert_eq!(again.waiting(), 0);
        again.tick(&tick(2, 1, 30, 4));
        let changes = again.take_changes();
        let minute = &changes.minutes[&(Arc::from("A"), 0)];
        assert_eq!(
            (minute.open, minute.high, minute.close, minute.volume),
            (10, 30, 30, 4)
        );
    }
}
