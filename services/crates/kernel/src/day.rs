//! Days of Korea, and the number yyyymmdd, the form in which days are stored and sent.

use chrono::{DateTime, Datelike, NaiveDate, Utc};

use crate::clock::KST;

/// The Korean day of an instant.
#[must_use]
pub fn day_of(instant: DateTime<Utc>) -> NaiveDate {
    instant.with_timezone(&KST).date_naive()
}

#[must_use]
pub fn yyyymmdd(day: NaiveDate) -> i32 {
    let [month, number] = [day.month(), day.day()].map(|part| i32::try_from(part).unwrap_or(0));
    day.year() * 10_000 + month * 100 + number
}

/// The date that yyyymmdd means; `None` for what is no date.
#[must_use]
pub fn date_of(yyyymmdd: i32) -> Option<NaiveDate> {
    let month = u32::try_from(yyyymmdd / 100 % 100).ok()?;
    let day = u32::try_from(yyyymmdd % 100).ok()?;
    NaiveDate::from_ymd_opt(yyyymmdd / 10_000, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_date_and_back() {
        let day = date_of(20_261_121).unwrap();
        assert_eq!(day.to_string(), "2026-11-21");
        assert_eq!(yyyymmdd(day), 20_261_121);
        assert_eq!(date_of(20_261_301), None);
        assert_eq!(date_of(0), None);
    }

    #[test]
    fn a_day_begins_at_midnight_in_korea() {
        let evening: DateTime<Utc> = "2026-11-20T15:00:00Z".parse().unwrap();
        assert_eq!(day_of(evening).to_string(), "2026-11-21");
    }
}
