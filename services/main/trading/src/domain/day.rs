//! Days as the number yyyymmdd, the form in which they are stored and sent.

use chrono::NaiveDate;

pub(crate) use kernel::day::yyyymmdd;

/// The date that yyyymmdd means; the first of the calendar for what is no date.
#[must_use]
pub(crate) fn date_of(day: i32) -> NaiveDate {
    kernel::day::date_of(day).unwrap_or(NaiveDate::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_date_is_the_first_day() {
        assert_eq!(date_of(0), NaiveDate::MIN);
        assert_eq!(date_of(20_261_121).to_string(), "2026-11-21");
    }
}
