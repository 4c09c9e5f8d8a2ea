//! How much a report weighs, and when a text is hidden.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;

/// Reports of a member that weigh anything, in 24 hours: four members could else hide one text after
/// another until nothing is left to see.
pub const WEIGHED_PER_DAY: i64 = 20;

/// `joined_at` is `None` for a member of old. Whoever joined a moment ago may have joined for this.
/// `recent` counts the reports that the member made in the last 24 hours, without this one.
#[must_use]
pub fn weight(
    joined_at: Option<DateTime<Utc>>,
    has_upheld: bool,
    recent: i64,
    now: DateTime<Utc>,
) -> i32 {
    let age = joined_at.map(|joined_at| now - joined_at);
    if age.is_some_and(|age| age < NEW) || recent >= WEIGHED_PER_DAY {
        return 0;
    }
    let is_old = age.is_none_or(|age| age >= OLD);
    if is_old && has_upheld { 2 } else { 1 }
}

/// Whether a text is hidden until somebody decides. What the operator writes never is.
#[must_use]
pub fn is_hidden(total: i32, author: MemberId) -> bool {
    total >= HIDDEN_AT && author != MemberId::OPERATOR
}

const NEW: TimeDelta = TimeDelta::hours(24);
const OLD: TimeDelta = TimeDelta::days(30);
const HIDDEN_AT: i32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_weigh_by_age_and_what_was_upheld() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        for (hours, has_upheld, expected) in [
            (Some(0), true, 0),
            (Some(23), false, 0),
            (Some(24), true, 1),
            (Some(30 * 24 - 1), true, 1),
            (Some(30 * 24), true, 2),
            (Some(30 * 24), false, 1),
            (None, true, 2),
            (None, false, 1),
        ] {
            let joined_at = hours.map(|hours| now - TimeDelta::hours(hours));
            for recent in [0, 19] {
                let weight = weight(joined_at, has_upheld, recent, now);
                assert_eq!(weight, expected, "{hours:?} {recent}");
            }
            assert_eq!(weight(joined_at, has_upheld, 20, now), 0, "{hours:?}");
        }
    }

    #[test]
    fn posts_of_the_operator_are_never_hidden() {
        assert!(is_hidden(4, MemberId(7)) && !is_hidden(3, MemberId(7)));
        assert!(!is_hidden(40, MemberId::OPERATOR));
    }
}
