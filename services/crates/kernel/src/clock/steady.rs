//! A clock that never goes back when the machine's clock is set back.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use chrono::{DateTime, TimeDelta, Utc};

use super::Clock;

/// Follows another clock but never goes back. When the other clock is set back, this one advances
/// at half the pace of the monotonic clock until the other has caught up: a step of five minutes is
/// absorbed in ten. So its readers see no time twice, and time never stops for them.
pub struct SteadyClock {
    source: Arc<dyn Clock>,
    last: Mutex<Reading>,
}

#[derive(Clone, Copy)]
struct Reading {
    time: DateTime<Utc>,
    at: Instant,
}

impl SteadyClock {
    /// Follows `source`, starting no earlier than `earliest`.
    #[must_use]
    pub fn after(earliest: DateTime<Utc>, source: Arc<dyn Clock>) -> Self {
        Self {
            source,
            last: Mutex::new(Reading {
                time: earliest,
                at: Instant::now(),
            }),
        }
    }
}

impl Clock for SteadyClock {
    fn now(&self) -> DateTime<Utc> {
        // A panic cannot leave the value inconsistent, as it is written whole.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (source_time, at) = (self.source.now(), Instant::now());
        let time = if source_time < last.time {
            let passed = TimeDelta::from_std(at.saturating_duration_since(last.at));
            let half = passed.unwrap_or_default() / 2;
            last.time.checked_add_signed(half).unwrap_or(last.time)
        } else {
            source_time
        };
        *last = Reading { time, at };
        time
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::FixedClock;

    fn noon() -> DateTime<Utc> {
        "2026-11-21T03:00:00Z".parse().unwrap()
    }

    #[test]
    fn it_shows_the_same_while_time_goes_forward() {
        let machine = FixedClock::at(noon());
        let steady = SteadyClock::after(DateTime::UNIX_EPOCH, Arc::new(machine.clone()));
        assert_eq!(steady.now(), noon());
        machine.advance(TimeDelta::minutes(5));
        assert_eq!(steady.now(), noon() + TimeDelta::minutes(5));
        assert_eq!(steady.now(), noon() + TimeDelta::minutes(5));
    }

    #[test]
    fn it_goes_on_and_never_back_when_the_other_is_set_back() {
        let machine = FixedClock::at(noon());
        let steady = SteadyClock::after(DateTime::UNIX_EPOCH, Arc::new(machine.clone()));
        let really = Instant::now();
        let mut before = steady.now();
        machine.advance(-TimeDelta::minutes(5));
        for _ in 0..100 {
            std::thread::sleep(Duration::from_micros(100));
            let now = steady.now();
            assert!(now > before);
            before = now;
        }
        // At half the pace, so that the other one catches up.
        let passed = TimeDelta::from_std(really.elapsed()).unwrap();
        assert!(before - noon() >= TimeDelta::milliseconds(4));
        assert!(before - noon() <= passed / 2);
        machine.set(noon() + TimeDelta::hours(1));
        assert_eq!(steady.now(), noon() + TimeDelta::hours(1));
    }

    #[test]
    fn it_begins_where_it_was_left() {
        let machine = FixedClock::at(noon());
        let left = noon() + TimeDelta::minutes(5);
        let steady = SteadyClock::after(left, Arc::new(machine));
        assert!(steady.now() >= left);
    }
}
