//! The hours in which only urgent pushes arrive, and the morning for which the others wait.

use chrono::{DateTime, TimeDelta, Timelike, Utc};
use kernel::clock::KST;

const MINUTES_OF_DAY: i16 = 24 * 60;

/// Minutes of the Korean day, from the first one that is quiet to the first one that is not. Equal ones
/// mean no quiet hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    from: i16,
    until: i16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("quiet hours are minutes of a day")]
pub struct InvalidQuietHours;

impl Default for QuietHours {
    /// 21:00 to 08:00.
    fn default() -> Self {
        Self {
            from: 21 * 60,
            until: 8 * 60,
        }
    }
}

impl QuietHours {
    /// # Errors
    /// [`InvalidQuietHours`] for minutes that no day has.
    pub fn new(from: i16, until: i16) -> Result<Self, InvalidQuietHours> {
        let is_minute = |minute: i16| (0..MINUTES_OF_DAY).contains(&minute);
        if is_minute(from) && is_minute(until) {
            Ok(Self { from, until })
        } else {
            Err(InvalidQuietHours)
        }
    }

    /// Those of a member who chose `from` and `until`, or the default.
    #[must_use]
    pub fn chosen(from: Option<i16>, until: Option<i16>) -> Self {
        let chosen = from.zip(until);
        let hours = chosen.and_then(|(from, until)| Self::new(from, until).ok());
        hours.unwrap_or_default()
    }

    #[must_use]
    pub fn from(self) -> i16 {
        self.from
    }

    #[must_use]
    pub fn until(self) -> i16 {
        self.until
    }

    /// `now`, or the end of the quiet hours that `now` is in.
    #[must_use]
    pub fn end(self, now: DateTime<Utc>) -> DateTime<Utc> {
        let minute = minute_of_day(now);
        let is_quiet = if self.from <= self.until {
            (self.from..self.until).contains(&minute)
        } else {
            minute >= self.from || minute < self.until
        };
        if is_quiet { self.next_end(now) } else { now }
    }

    /// The next instant at which quiet hours end, later than `now`.
    #[must_use]
    pub fn next_end(self, now: DateTime<Utc>) -> DateTime<Utc> {
        let minutes = (self.until - minute_of_day(now)).rem_euclid(MINUTES_OF_DAY);
        let minutes = if minutes == 0 {
            MINUTES_OF_DAY
        } else {
            minutes
        };
        let into_minute = i64::from(now.second()) * 1_000_000_000 + i64::from(now.nanosecond());
        now + TimeDelta::minutes(minutes.into()) - TimeDelta::nanoseconds(into_minute)
    }
}

fn minute_of_day(now: DateTime<Utc>) -> i16 {
    let there = now.with_timezone(&KST);
    i16::try_from(there.hour() * 60 + there.minute()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        format!("{text}+09:00").parse().unwrap()
    }

    #[rstest]
    #[case("2026-11-27T20:59:59", "2026-11-27T20:59:59")]
    #[case("2026-11-27T21:00:00", "2026-11-28T08:00:00")]
    #[case("2026-11-27T23:59:59.999999", "2026-11-28T08:00:00")]
    #[case("2026-11-28T00:00:00", "2026-11-28T08:00:00")]
    #[case("2026-11-28T07:59:59", "2026-11-28T08:00:00")]
    #[case("2026-11-28T08:00:00", "2026-11-28T08:00:00")]
    #[case("2026-12-31T22:00:00", "2027-01-01T08:00:00")]
    fn nights_end_in_the_morning(#[case] now: &str, #[case] end: &str) {
        assert_eq!(QuietHours::default().end(at(now)), at(end));
    }

    #[rstest]
    #[case("2026-11-27T12:59:00", "2026-11-27T12:59:00")]
    #[case("2026-11-27T13:00:00", "2026-11-27T14:30:00")]
    #[case("2026-11-27T14:29:59", "2026-11-27T14:30:00")]
    #[case("2026-11-27T14:30:00", "2026-11-27T14:30:00")]
    fn they_may_be_within_a_day(#[case] now: &str, #[case] end: &str) {
        let siesta = QuietHours::new(13 * 60, 14 * 60 + 30).unwrap();
        assert_eq!(siesta.end(at(now)), at(end));
    }

    #[test]
    fn equal_times_are_no_quiet_hours() {
        let none = QuietHours::new(480, 480).unwrap();
        let now = at("2026-11-27T08:00:00");
        assert_eq!(none.end(now), now);
        assert_eq!(none.next_end(now), at("2026-11-28T08:00:00"));
        assert_eq!(QuietHours::new(1440, 0), Err(InvalidQuietHours));
        assert_eq!(QuietHours::new(0, -1), Err(InvalidQuietHours));
    }
}
