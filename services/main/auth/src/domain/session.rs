//! How long a session lives and what it means when a refresh token is presented.

use chrono::{DateTime, TimeDelta, Utc};

/// How long the access token of a session is good, in seconds.
pub const ACCESS_TOKEN_S: i64 = 900;

/// The grace in which the token just replaced still gets the successor it has lost.
const GRACE: TimeDelta = TimeDelta::seconds(10);

/// A session unused for so long is over (864000 s, the cookie's age).
const IDLE: TimeDelta = TimeDelta::days(10);

/// A session is over after so long however much it is used.
const ABSOLUTE: TimeDelta = TimeDelta::days(90);

/// Who ends a session tells those who check tokens for so long: all its access tokens have expired
/// by then, and the sise tokens they bought for an hour, also where clocks are ten minutes apart.
pub const TOLD_FOR: TimeDelta = TimeDelta::minutes(75);

/// Why a session ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// The member logged out.
    Logout,
    /// A refresh token that had been replaced came back: someone else has a copy.
    Reuse,
    /// The password was changed or reset.
    PasswordChanged,
}

impl EndCause {
    /// The word in the column and in the event.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Logout => "logout",
            Self::Reuse => "reuse",
            Self::PasswordChanged => "password_changed",
        }
    }
}

/// What the store knows of a presented token and of its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Whether the session was ended.
    pub ended: bool,
    /// When the member logged in.
    pub started_at: DateTime<Utc>,
    /// When the token in force was issued.
    pub refreshed_at: DateTime<Utc>,
    /// The number of the token in force; the first of a session is 0.
    pub current_generation: i32,
    /// The number of the presented token.
    pub generation: i32,
}

/// What to do with a presented token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presented {
    /// It is the token in force.
    Current,
    /// It was replaced a moment ago, and the answer may have been lost: repeat it.
    JustReplaced,
    /// It was replaced long ago. The whole session must end.
    Reused,
    /// The session is too old.
    Expired,
    /// The session was ended.
    Ended,
}

/// Whether a session is over by age alone.
#[must_use]
pub fn is_expired(
    started_at: DateTime<Utc>,
    refreshed_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> bool {
    now - refreshed_at >= IDLE || now - started_at >= ABSOLUTE
}

/// The newest `started_at` of sessions that have been over by age for `retention`.
#[must_use]
pub fn forgotten_before(now: DateTime<Utc>, retention: TimeDelta) -> DateTime<Utc> {
    now - ABSOLUTE - retention
}

impl Facts {
    /// Decides about the presented token.
    #[must_use]
    pub fn judge(self, now: DateTime<Utc>) -> Presented {
        if self.ended {
            Presented::Ended
        } else if is_expired(self.started_at, self.refreshed_at, now) {
            Presented::Expired
        } else if self.generation == self.current_generation {
            Presented::Current
        } else if self.generation + 1 == self.current_generation && now - self.refreshed_at <= GRACE
        {
            // The token in force was issued at the moment this one was replaced.
            Presented::JustReplaced
        } else {
            Presented::Reused
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_700_000_000 + seconds, 0).unwrap()
    }

    const DAY: i64 = 86_400;

    #[rstest]
    #[case(5, 5, 0, 1, Presented::Current)]
    #[case(4, 5, 0, 0, Presented::JustReplaced)]
    #[case(4, 5, 0, 10, Presented::JustReplaced)]
    #[case(4, 5, 0, 11, Presented::Reused)]
    #[case(3, 5, 0, 1, Presented::Reused)]
    #[case(0, 5, 0, 1, Presented::Reused)]
    #[case(5, 5, 0, 10 * DAY - 1, Presented::Current)]
    #[case(5, 5, 0, 10 * DAY, Presented::Expired)]
    #[case(3, 5, 0, 10 * DAY, Presented::Expired)]
    #[case(5, 5, 85 * DAY, 90 * DAY - 1, Presented::Current)]
    #[case(5, 5, 85 * DAY, 90 * DAY, Presented::Expired)]
    // The clock of this machine fell behind: no reason to end a session.
    #[case(4, 5, 0, -300, Presented::JustReplaced)]
    fn a_token_is_judged_by_its_generation_and_age(
        #[case] generation: i32,
        #[case] current_generation: i32,
        #[case] refreshed_s: i64,
        #[case] now_s: i64,
        #[case] expected: Presented,
    ) {
        let facts = Facts {
            ended: false,
            started_at: at(0),
            refreshed_at: at(refreshed_s),
            current_generation,
            generation,
        };
        assert_eq!(facts.judge(at(now_s)), expected);
        let ended = Facts {
            ended: true,
            ..facts
        };
        assert_eq!(ended.judge(at(now_s)), Presented::Ended);
    }
}
