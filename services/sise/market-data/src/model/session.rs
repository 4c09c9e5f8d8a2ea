//! Trading days of the simulated market: exchange hours or practice days.

use chrono::NaiveDate;
use market_rules::{Calendar, TradingHours, Venue, calendar::practice_hours};

use super::profile::Shape;

pub use kernel::day::yyyymmdd;

pub const MINUTE_US: i64 = 60_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarketHours {
    /// Every market is open around the clock from this Korean day on; before it exchange hours.
    Practice {
        from: NaiveDate,
    },
    Exchange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedSession {
    pub day: NaiveDate,
    /// Start of the opening auction; equal to `open_us` where there is none.
    pub auction_from_us: i64,
    /// Start of continuous trading.
    pub open_us: i64,
    /// End of continuous trading and start of the closing auction.
    pub end_us: i64,
    /// End of the session.
    pub close_us: i64,
    pub shape: Shape,
    /// False when the previous session ends where this one starts.
    pub overnight: bool,
}

impl SimulatedSession {
    fn new(hours: &TradingHours, around_the_clock: bool) -> Self {
        Self {
            day: hours.trading_day,
            auction_from_us: hours.auction_from.timestamp_micros(),
            open_us: hours.open.timestamp_micros(),
            end_us: hours.closing_auction_from.timestamp_micros(),
            close_us: hours.close.timestamp_micros(),
            shape: if around_the_clock {
                Shape::AllDay
            } else {
                Shape::Session
            },
            overnight: !around_the_clock,
        }
    }

    /// Minutes of continuous trading, rounded up.
    #[must_use]
    pub fn minutes(&self) -> usize {
        let minutes = (self.end_us - self.open_us + MINUTE_US - 1) / MINUTE_US;
        usize::try_from(minutes).unwrap_or(0)
    }

    /// The minute of `time_us`, counted from the open and clamped to the session.
    #[must_use]
    pub fn minute_at(&self, time_us: i64) -> usize {
        let minute = (time_us - self.open_us).max(0) / MINUTE_US;
        let last = self.minutes().saturating_sub(1);
        usize::try_from(minute).unwrap_or(0).min(last)
    }

    #[must_use]
    pub fn minute_start_us(&self, minute: usize) -> i64 {
        let minute = i64::try_from(minute).unwrap_or(i64::MAX / MINUTE_US);
        (self.open_us + minute * MINUTE_US).min(self.end_us)
    }

    /// The day as yyyymmdd.
    #[must_use]
    pub fn trading_day(&self) -> i32 {
        yyyymmdd(self.day)
    }
}

impl MarketHours {
    /// `None` when the venue does not trade. An exchange session that would extend into the first
    /// practice day (New York's evening) is left out.
    #[must_use]
    pub fn session(
        self,
        calendar: &Calendar,
        venue: Venue,
        day: NaiveDate,
    ) -> Option<SimulatedSession> {
        let exchange = || {
            let hours = calendar.hours(venue, day)?;
            Some(SimulatedSession::new(&hours, venue == Venue::Coin))
        };
        match self {
            Self::Exchange => exchange(),
            Self::Practice { from } if day >= from => {
                Some(SimulatedSession::new(&practice_hours(day), true))
            }
            Self::Practice { from } => {
                let first_open_us = practice_hours(from).open.timestamp_micros();
                exchange().filter(|session| session.close_us <= first_open_us)
            }
        }
    }

    /// The sessions with `from <= day <= until`, oldest first.
    pub fn sessions(
        self,
        calendar: &Calendar,
        venue: Venue,
        from: NaiveDate,
        until: NaiveDate,
    ) -> impl Iterator<Item = SimulatedSession> {
        from.iter_days()
            .take_while(move |day| *day <= until)
            .filter_map(move |day| self.session(calendar, venue, day))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn practice_days_follow_exchange_days_without_overlap() {
        let calendar = Calendar::embedded().unwrap();
        let clock = MarketHours::Practice {
            from: day("2026-11-21"),
        };
        for venue in Venue::ALL {
            let sessions: Vec<SimulatedSession> = clock
                .sessions(&calendar, venue, day("2026-11-10"), day("2026-11-23"))
                .collect();
            for pair in sessions.windows(2) {
                assert!(pair[0].close_us <= pair[1].open_us, "{venue:?} {pair:?}");
            }
            let practice = sessions.iter().filter(|s| s.day >= day("2026-11-21"));
            assert_eq!(
                practice.map(SimulatedSession::minutes).collect::<Vec<_>>(),
                [1440; 3]
            );
        }
        // New York's Friday session ends at 06:00 in Korea on the first practice day.
        let friday = clock.session(&calendar, Venue::Us, day("2026-11-20"));
        assert_eq!(friday, None);
    }

    #[test]
    fn a_korean_session_has_380_minutes_and_an_auction_at_each_end() {
        let calendar = Calendar::embedded().unwrap();
        let session = MarketHours::Exchange
            .session(&calendar, Venue::Krx, day("2026-11-20"))
            .unwrap();
        assert_eq!(session.minutes(), 380);
        assert_eq!(session.open_us - session.auction_from_us, 30 * MINUTE_US);
        assert_eq!(session.close_us - session.end_us, 10 * MINUTE_US);
        assert_eq!(session.trading_day(), 20_261_120);
    }
}
