//! The lifetime of sessions and the validity of refresh tokens.

use chrono::{DateTime, TimeDelta, Utc};

/// Lifetime of an access token in seconds.
pub const ACCESS_TOKEN_S: i64 = 900;

/// A token replaced within this time still returns its successor, whose response may be lost.
const GRACE: TimeDelta = TimeDelta::seconds(10);

/// How far behind the clock of the process that replaced a token another process, or the same one
/// after its clock was set back, may be. A longer step back must not prolong the grace period.
const CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(5);

/// A session expires after this time without use (864000 s, the cookie's age).
pub const IDLE: TimeDelta = TimeDelta::days(10);

/// A session expires after this time even if it is used.
pub const ABSOLUTE: TimeDelta = TimeDelta::days(90);

/// Sessions of a member that go on at a time. Whoever knows a password can log in any number of
/// times, and a change of the password ends every session in one transaction.
pub const MAX_SESSIONS: u64 = 50;

/// How long a refresh token is kept after its issue.
///
/// It is valid for ten days at most, and that long its reuse ends the session. Afterwards no client
/// sends it any more (the cookie has expired), and it gets nobody in, so it need not be told from an
/// unknown one. The limit is an age and not a number of tokens per session, or a thief could refresh
/// until the member's own token is forgotten and its reuse remains undetected. A day more for
/// clocks that differ.
pub const TOKEN_RETENTION: TimeDelta = TimeDelta::days(11);

/// How long an ended session stays on the deny list: until its access tokens and the sise tokens
/// issued for them (an hour) have expired, also where clocks differ by ten minutes.
pub const DENY_LIST_RETENTION: TimeDelta = TimeDelta::minutes(75);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndCause {
    Logout,
    /// A replaced refresh token was used again: someone else has a copy.
    Reuse,
    /// The password was changed or reset.
    PasswordChanged,
    /// It made room for a newer one of the member.
    TooMany,
}

impl EndCause {
    /// The value in the column and in the event.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Logout => "logout",
            Self::Reuse => "reuse",
            Self::PasswordChanged => "password_changed",
            Self::TooMany => "too_many",
        }
    }
}

/// A presented refresh token and its session, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresentedToken {
    pub ended: bool,
    pub started_at: DateTime<Utc>,
    /// When the current token was issued.
    pub refreshed_at: DateTime<Utc>,
    /// Number of the current token; the first of a session is 0.
    pub current_generation: i32,
    pub generation: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenState {
    Current,
    /// Replaced within the grace period; the response may be lost, so it is repeated.
    JustReplaced,
    /// Replaced earlier: the whole session must end.
    Reused,
    Expired,
    Ended,
}

#[must_use]
pub fn is_expired(
    started_at: DateTime<Utc>,
    refreshed_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> bool {
    now - refreshed_at >= IDLE || now - started_at >= ABSOLUTE
}

/// The newest `started_at` of sessions that expired `retention` ago.
#[must_use]
pub fn deletable_before(now: DateTime<Utc>, retention: TimeDelta) -> DateTime<Utc> {
    now - ABSOLUTE - retention
}

impl PresentedToken {
    #[must_use]
    pub fn state(self, now: DateTime<Utc>) -> TokenState {
        if self.ended {
            TokenState::Ended
        } else if is_expired(self.started_at, self.refreshed_at, now) {
            TokenState::Expired
        } else if self.generation == self.current_generation {
            TokenState::Current
        } else if self.generation + 1 == self.current_generation
            // The current token was issued when this one was replaced.
            && (-CLOCK_DIFFERENCE..=GRACE).contains(&(now - self.refreshed_at))
        {
            TokenState::JustReplaced
        } else {
            TokenState::Reused
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
    #[case(5, 5, 0, 1, TokenState::Current)]
    #[case(4, 5, 0, 0, TokenState::JustReplaced)]
    #[case(4, 5, 0, 10, TokenState::JustReplaced)]
    #[case(4, 5, 0, 11, TokenState::Reused)]
    #[case(3, 5, 0, 1, TokenState::Reused)]
    #[case(0, 5, 0, 1, TokenState::Reused)]
    #[case(5, 5, 0, 10 * DAY - 1, TokenState::Current)]
    #[case(5, 5, 0, 10 * DAY, TokenState::Expired)]
    #[case(3, 5, 0, 10 * DAY, TokenState::Expired)]
    #[case(5, 5, 85 * DAY, 90 * DAY - 1, TokenState::Current)]
    #[case(5, 5, 85 * DAY, 90 * DAY, TokenState::Expired)]
    // A clock that is behind must not end a session.
    #[case(4, 5, 0, -300, TokenState::JustReplaced)]
    #[case(4, 5, 0, -301, TokenState::Reused)]
    #[case(4, 5, 0, -DAY, TokenState::Reused)]
    #[case(5, 5, 0, -DAY, TokenState::Current)]
    fn the_state_follows_from_generation_and_age(
        #[case] generation: i32,
        #[case] current_generation: i32,
        #[case] refreshed_s: i64,
        #[case] now_s: i64,
        #[case] expected: TokenState,
    ) {
        let presented = PresentedToken {
            ended: false,
            started_at: at(0),
            refreshed_at: at(refreshed_s),
            current_generation,
            generation,
        };
        assert_eq!(presented.state(at(now_s)), expected);
        let ended = PresentedToken {
            ended: true,
            ..presented
        };
        assert_eq!(ended.state(at(now_s)), TokenState::Ended);
    }
}
