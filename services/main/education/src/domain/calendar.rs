//! Days and hours of learning, in Korean time.

use chrono::{DateTime, Datelike, Days, NaiveDate, TimeDelta, TimeZone, Timelike, Utc};
use kernel::clock::KST;

pub use kernel::day::day_of;

/// How long a set goes on after the end of its day.
const GRACE: TimeDelta = TimeDelta::minutes(30);
/// Hour of the day from which a streak at risk is told.
const EVENING: u32 = 20;
/// After the end of a day, until it is judged and answers of it are no longer accepted.
const JUDGED_AFTER: TimeDelta = TimeDelta::hours(12);

#[must_use]
pub fn next(day: NaiveDate) -> NaiveDate {
    day.checked_add_days(Days::new(1)).unwrap_or(day)
}

#[must_use]
pub fn previous(day: NaiveDate) -> NaiveDate {
    day.checked_sub_days(Days::new(1)).unwrap_or(day)
}

/// When the next day begins.
#[must_use]
pub fn end_of(day: NaiveDate) -> DateTime<Utc> {
    let midnight = next(day).and_time(chrono::NaiveTime::MIN);
    let local = KST.from_local_datetime(&midnight).single();
    local.map_or(DateTime::<Utc>::MAX_UTC, |instant| instant.to_utc())
}

/// The last day that is judged at `now`.
#[must_use]
pub fn judged_until(now: DateTime<Utc>) -> NaiveDate {
    previous(day_of(now - JUDGED_AFTER))
}

#[must_use]
pub fn judged_at(day: NaiveDate) -> DateTime<Utc> {
    end_of(day) + JUDGED_AFTER
}

/// Whether an answer counts for the set of `day` that was handed out at `handed_at`.
///
/// `claimed` is when the client says that it was given; it is taken to lie between `handed_at` and
/// `now`.
#[must_use]
pub fn is_in_time(
    day: NaiveDate,
    handed_at: DateTime<Utc>,
    claimed: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> bool {
    let given = claimed.unwrap_or(now).min(now).max(handed_at);
    given < end_of(day) + GRACE && now < judged_at(day)
}

/// Whether the day is nearly over: from 20:00.
#[must_use]
pub fn is_evening(now: DateTime<Utc>) -> bool {
    now.with_timezone(&KST).hour() >= EVENING
}

/// The Monday after `day`.
#[must_use]
pub fn next_monday(day: NaiveDate) -> NaiveDate {
    let ahead = 7_u64.saturating_sub(day.weekday().num_days_from_monday().into());
    day.checked_add_days(Days::new(ahead)).unwrap_or(day)
}

/// 1 (Monday) to 7.
#[must_use]
pub fn weekday(day: NaiveDate) -> i16 {
    i16::try_from(day.weekday().number_from_monday()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kst(text: &str) -> DateTime<Utc> {
        format!("{text}:00+09:00").parse().unwrap()
    }

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn a_day_is_judged_at_noon_of_the_next() {
        assert_eq!(judged_until(kst("2026-11-25T11:59")), date("2026-11-23"));
        assert_eq!(judged_until(kst("2026-11-25T12:00")), date("2026-11-24"));
        assert_eq!(judged_at(date("2026-11-24")), kst("2026-11-25T12:00"));
    }

    #[test]
    fn a_set_goes_on_for_half_an_hour_and_late_answers_come_until_noon() {
        let day = date("2026-11-24");
        let handed = kst("2026-11-24T23:50");
        let in_time =
            |claimed: Option<&str>, now: &str| is_in_time(day, handed, claimed.map(kst), kst(now));
        assert!(in_time(None, "2026-11-25T00:29"));
        assert!(!in_time(None, "2026-11-25T00:30"));
        assert!(in_time(Some("2026-11-24T23:55"), "2026-11-25T11:59"));
        assert!(!in_time(Some("2026-11-24T23:55"), "2026-11-25T12:00"));
        // Claims before the set was handed out, and from the future.
        assert!(in_time(Some("2026-11-20T10:00"), "2026-11-25T09:00"));
        assert!(!in_time(Some("2026-11-26T10:00"), "2026-11-25T09:00"));
    }

    #[test]
    fn a_change_takes_effect_on_the_next_monday() {
        assert_eq!(next_monday(date("2026-11-25")), date("2026-11-30"));
        assert_eq!(next_monday(date("2026-11-23")), date("2026-11-30"));
        assert_eq!(weekday(date("2026-11-29")), 7);
    }
}
