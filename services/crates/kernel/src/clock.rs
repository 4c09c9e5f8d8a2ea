//! Time as a dependency: tests move a clock instead of sleeping.

mod steady;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use chrono_tz::{Asia::Seoul, Tz};

pub use steady::SteadyClock;

pub trait Clock: Send + Sync + 'static {
    fn now(&self) -> DateTime<Utc>;

    /// Today's date in Korea, which limits and practice markets use.
    fn today_kst(&self) -> NaiveDate {
        self.now().with_timezone(&Seoul).date_naive()
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place where the ambient time enters"
    )]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }
}

/// Stands still until it is moved. Clones share the time.
#[derive(Clone, Debug)]
pub struct FixedClock {
    micros: Arc<AtomicI64>,
}

impl FixedClock {
    /// Truncates `instant` to microseconds, as PostgreSQL does.
    #[must_use]
    pub fn at(instant: DateTime<Utc>) -> Self {
        Self {
            micros: Arc::new(AtomicI64::new(instant.timestamp_micros())),
        }
    }

    /// Moves the clock forward (or back, for a negative step).
    pub fn advance(&self, step: TimeDelta) {
        let micros = step.num_microseconds().unwrap_or(i64::MAX);
        self.micros.fetch_add(micros, Ordering::SeqCst);
    }

    /// Sets the clock to `instant`.
    pub fn set(&self, instant: DateTime<Utc>) {
        self.micros
            .store(instant.timestamp_micros(), Ordering::SeqCst);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.micros.load(Ordering::SeqCst)).unwrap_or_default()
    }
}

/// Korea's time zone: nine hours ahead of UTC, no daylight saving.
pub const KST: Tz = Seoul;

/// New York's time zone, which keys every US trading day.
pub const NEW_YORK: Tz = chrono_tz::America::New_York;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_korean_day_turns_at_fifteen_hundred_utc() {
        let clock = FixedClock::at("2026-11-20T14:59:59Z".parse().unwrap());
        assert_eq!(clock.today_kst().to_string(), "2026-11-20");
        clock.advance(TimeDelta::seconds(1));
        assert_eq!(clock.today_kst().to_string(), "2026-11-21");
    }
}
