//! A clock for what may never go back, whatever is done to the machine's clock.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use chrono::{DateTime, TimeDelta, Utc};

use super::Clock;

/// Shows what another clock shows, and never an earlier time than before. When the other one is
/// set back, this one goes on at half its pace, by the time that really passes, until the other
/// has caught up: five minutes too many are gone after ten. Whoever follows it neither sees a
/// time twice nor waits for one to come again.
pub struct SteadyClock {
    followed: Arc<dyn Clock>,
    shown: Mutex<Shown>,
}

#[derive(Clone, Copy)]
struct Shown {
    time: DateTime<Utc>,
    at: Instant,
}

impl SteadyClock {
    /// Follows `followed`, and begins no earlier than at `earliest`.
    #[must_use]
    pub fn after(earliest: DateTime<Utc>, followed: Arc<dyn Clock>) -> Self {
        Self {
            followed,
            shown: Mutex::new(Shown {
                time: earliest,
                at: Instant::now(),
            }),
        }
    }
}

impl Clock for SteadyClock {
    fn now(&self) -> DateTime<Utc> {
        // Both fields are written at once, so there is nothing that a panic could leave between.
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let (told, at) = (self.followed.now(), Instant::now());
        let time = if told < shown.time {
            let passed = TimeDelta::from_std(at.saturating_duration_since(shown.at));
            let half = passed.unwrap_or_default() / 2;
            shown.time.checked_add_signed(half).unwrap_or(shown.time)
        } else {
            told
        };
        *shown = Shown { time, at };
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
