//! The start of a trading day in the newest tick of an instrument.

use crate::market::v1::{DayBase, Tick};

impl Tick {
    /// Resets a tick of an earlier day to the base price of `trading_day`, and says whether it was
    /// one. Before its first trade a day has no open, high, low or volume, and after a split the
    /// best bid and ask of the day before are in old shares. Number and time stay those of the
    /// trade.
    pub fn begin_day(&mut self, trading_day: i32, base: &DayBase) -> bool {
        if self.trading_day >= trading_day {
            return false;
        }
        let before = rescaled(base.base_units, base.price_scale, self.price_scale);
        self.trading_day = trading_day;
        self.prev_close_units = before;
        self.price_units = before;
        self.open_units = before;
        self.high_units = before;
        self.low_units = before;
        self.bid_units = 0;
        self.ask_units = 0;
        self.bid_size_units = 0;
        self.ask_size_units = 0;
        self.volume_units = 0;
        self.acc_volume_units = 0;
        true
    }
}

/// Converts units to another scale; saturates.
fn rescaled(units: i64, from: u32, to: u32) -> i64 {
    let power = |digits: u32| 10_i64.checked_pow(digits).unwrap_or(1);
    if to >= from {
        units.saturating_mul(power(to - from))
    } else {
        units / power(from - to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traded() -> Tick {
        Tick {
            code: "005930".to_owned(),
            tick_seq: 7,
            event_time_us: 9,
            trading_day: 20_261_120,
            price_scale: 2,
            price_units: 26_000_000,
            prev_close_units: 25_000_000,
            open_units: 25_100_000,
            high_units: 26_200_000,
            low_units: 24_900_000,
            bid_units: 25_900_000,
            ask_units: 26_000_000,
            bid_size_units: 5,
            ask_size_units: 6,
            volume_units: 3,
            acc_volume_units: 1_000,
            has_volume: true,
            ..Tick::default()
        }
    }

    fn base(price_scale: u32, base_units: i64) -> DayBase {
        DayBase {
            code: "005930".to_owned(),
            price_scale,
            base_units,
            ..DayBase::default()
        }
    }

    #[test]
    fn a_later_day_has_its_base_price_alone() {
        for base in [base(2, 5_200_000), base(0, 52_000), base(4, 520_000_000)] {
            let mut tick = traded();
            assert!(tick.begin_day(20_261_121, &base));
            let begun = Tick {
                code: "005930".to_owned(),
                tick_seq: 7,
                event_time_us: 9,
                trading_day: 20_261_121,
                price_scale: 2,
                price_units: 5_200_000,
                prev_close_units: 5_200_000,
                open_units: 5_200_000,
                high_units: 5_200_000,
                low_units: 5_200_000,
                has_volume: true,
                ..Tick::default()
            };
            assert_eq!(tick, begun);
        }
    }

    #[test]
    fn a_day_begins_once() {
        for trading_day in [20_261_119, 20_261_120] {
            let mut tick = traded();
            assert!(!tick.begin_day(trading_day, &base(2, 5_200_000)));
            assert_eq!(tick, traded());
        }
    }
}
