//! Days as the number yyyymmdd, the form in which they are stored and sent.

use chrono::{Datelike, NaiveDate};

/// The date that yyyymmdd means; the first of the calendar for what is no date.
#[must_use]
pub(crate) fn date_of(day: i32) -> NaiveDate {
    let part = |value: i32| u32::try_from(value).unwrap_or(0);
    NaiveDate::from_ymd_opt(day / 10_000, part(day / 100 % 100), part(day % 100))
        .unwrap_or(NaiveDate::MIN)
}

#[must_use]
pub(crate) fn yyyymmdd(day: NaiveDate) -> i32 {
    let month = i32::try_from(day.month()).unwrap_or(0);
    let number = i32::try_from(day.day()).unwrap_or(0);
    day.year() * 10_000 + month * 100 + number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_date_is_the_first_day() {
        assert_eq!(date_of(0), NaiveDate::MIN);
        let day = date_of(20_261_121);
        assert_eq!(day.to_string(), "2026-11-21");
        assert_eq!(yyyymmdd(day), 20_261_121);
    }
}
