//! How much a member may write in which time.

use chrono::{DateTime, TimeDelta, Utc};

use super::{History, Kind, Refusal};

/// How much a member may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub posts_per_ten_minutes: u32,
    pub posts_per_day: u32,
    /// In the first 24 hours of a member.
    pub posts_on_first_day: u32,
    /// Comments and replies.
    pub comments_per_minute: u32,
    /// Of one text: moderators decide about the version that they have read.
    pub edits_per_ten_minutes: u32,
    /// Of one text.
    pub edits_per_day: u32,
}

impl Limits {
    /// How many texts of a history are enough to judge by.
    #[must_use]
    pub fn longest_history(&self, kind: Kind) -> u32 {
        match kind {
            Kind::Post => self
                .posts_per_day
                .max(self.posts_per_ten_minutes)
                .max(self.posts_on_first_day),
            Kind::Comment => self.comments_per_minute,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            posts_per_ten_minutes: 3,
            posts_per_day: 30,
            posts_on_first_day: 3,
            comments_per_minute: 10,
            edits_per_ten_minutes: 10,
            edits_per_day: 30,
        }
    }
}

pub(super) fn check_rates(
    kind: Kind,
    history: &History,
    limits: &Limits,
    now: DateTime<Utc>,
) -> Result<(), Refusal> {
    let rates = match kind {
        Kind::Post => &[
            (limits.posts_per_ten_minutes, TimeDelta::minutes(10)),
            (limits.posts_per_day, DAY),
        ][..],
        Kind::Comment => &[(limits.comments_per_minute, TimeDelta::minutes(1))][..],
    };
    if kind == Kind::Post
        && is_first_day(history.joined_at, now)
        && count(limits.posts_on_first_day) <= history.written_at.len()
    {
        return Err(Refusal::FirstDayLimit);
    }
    check_windows(rates, &history.written_at, now)
}

/// Adds a change of a text to those of the last day, newest first.
///
/// # Errors
/// [`Refusal::Rate`].
pub fn record_edit(
    edit_times: Vec<DateTime<Utc>>,
    limits: &Limits,
    now: DateTime<Utc>,
) -> Result<Vec<DateTime<Utc>>, Refusal> {
    let rates = [
        (limits.edits_per_ten_minutes, TimeDelta::minutes(10)),
        (limits.edits_per_day, DAY),
    ];
    check_windows(&rates, &edit_times, now)?;
    let of_last_day = edit_times.into_iter().filter(|edit| now - *edit < DAY);
    Ok(std::iter::once(now).chain(of_last_day).collect())
}

/// `times` begin with the newest.
fn check_windows(
    rates: &[(u32, TimeDelta)],
    times: &[DateTime<Utc>],
    now: DateTime<Utc>,
) -> Result<(), Refusal> {
    for (limit, window) in rates {
        // The text that must leave the window first.
        let oldest = count(*limit).checked_sub(1);
        let oldest = oldest.map(|place| times.get(place));
        let free_at = match oldest {
            None => now + *window,
            Some(None) => continue,
            Some(Some(written_at)) => *written_at + *window,
        };
        if free_at > now {
            let left = (free_at - now).num_milliseconds();
            let retry_after = left.saturating_add(999).div_euclid(1_000).max(1);
            return Err(Refusal::Rate { retry_after });
        }
    }
    Ok(())
}

pub(super) fn is_first_day(joined_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
    joined_at.is_some_and(|joined| now - joined < DAY)
}

fn count(limit: u32) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

const DAY: TimeDelta = TimeDelta::hours(24);

#[cfg(test)]
mod tests {
    use super::super::{Judged, judge_new};
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap()
    }

    fn judged(kind: Kind, written_at: &[i64], joined: Option<i64>) -> Result<Judged, Refusal> {
        let history = History {
            joined_at: joined.map(at),
            written_at: written_at.iter().map(|seconds| at(*seconds)).collect(),
            recent_texts: Vec::new(),
        };
        judge_new(kind, "오늘 배운 것", &history, &Limits::default(), at(0))
    }

    #[test]
    fn posts_are_limited_in_ten_minutes_and_a_day() {
        let wait = |retry_after| Err(Refusal::Rate { retry_after });
        assert!(judged(Kind::Post, &[-1, -2], None).is_ok());
        assert_eq!(judged(Kind::Post, &[-1, -2, -100], None), wait(500));
        assert!(judged(Kind::Post, &[-1, -2, -600], None).is_ok());
        let day: Vec<i64> = (1..=30).map(|place| -601 * place).collect();
        assert_eq!(judged(Kind::Post, &day, None), wait(86_400 - 18_030));
        assert!(judged(Kind::Post, &day[..29], None).is_ok());
    }

    #[test]
    fn comments_are_limited_in_a_minute() {
        let ten: Vec<i64> = (1..=10).map(|place| -place).collect();
        assert!(judged(Kind::Comment, &ten[..9], None).is_ok());
        let refused = Refusal::Rate { retry_after: 50 };
        assert_eq!(judged(Kind::Comment, &ten, None), Err(refused));
    }

    #[test]
    fn a_text_is_changed_ten_times_in_ten_minutes_and_thirty_times_a_day() {
        let edited = |seconds: &[i64]| {
            let before = seconds.iter().map(|seconds| at(*seconds)).collect();
            record_edit(before, &Limits::default(), at(0))
        };
        let wait = |retry_after| Err(Refusal::Rate { retry_after });
        let ten: Vec<i64> = (1..=10).map(|place| -place).collect();
        assert!(edited(&ten[..9]).is_ok());
        assert_eq!(edited(&ten), wait(590));
        let day: Vec<i64> = (1..=30).map(|place| -601 * place).collect();
        assert!(edited(&day[..29]).is_ok());
        assert_eq!(edited(&day), wait(86_400 - 18_030));
        assert_eq!(
            edited(&[-1, -86_399, -86_400]),
            Ok(vec![at(0), at(-1), at(-86_399)])
        );
    }

    #[test]
    fn a_new_member_writes_three_posts_on_the_first_day() {
        let three = [-1_000, -2_000, -3_000];
        let joined = |hours: i64| Some(-3_600 * hours);
        assert_eq!(
            judged(Kind::Post, &three, joined(23)),
            Err(Refusal::FirstDayLimit)
        );
        assert!(judged(Kind::Post, &three[..2], joined(23)).is_ok());
        assert!(judged(Kind::Post, &three, joined(24)).is_ok());
        assert!(judged(Kind::Comment, &three, joined(1)).is_ok());
    }
}
