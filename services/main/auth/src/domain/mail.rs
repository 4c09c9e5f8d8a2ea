//! Kinds of mails, their retries, and the fingerprint of devices.

use chrono::{DateTime, TimeDelta, Utc};

/// Validity of a link after its mail was sent.
pub const LINK_LIVES: TimeDelta = TimeDelta::minutes(30);
/// Validity of a code after its mail was sent.
pub const CODE_LIVES: TimeDelta = TimeDelta::minutes(10);
/// Tries per code.
pub const CODE_TRIES: i32 = 5;
/// Minimum interval between two mails that one caller requests.
pub const PAUSE: TimeDelta = TimeDelta::minutes(1);
/// Links mailed to a member per hour, whoever requests them.
pub const LINKS_PER_HOUR: u64 = 5;
/// Codes mailed to a member per hour: the address may be a stranger's, and each code can be guessed
/// [`CODE_TRIES`] times.
const CODES_PER_HOUR: i32 = 5;

/// Mails of new devices to a member within [`DEVICE_MAILS_WITHIN`]: whoever knows the password can
/// name any number of devices.
pub const DEVICE_MAILS: i64 = 3;
pub const DEVICE_MAILS_WITHIN: TimeDelta = TimeDelta::hours(24);
/// Those to an address that is not verified, in all: it may be a stranger's.
pub const UNVERIFIED_DEVICE_MAILS: i64 = 3;
/// Devices of a member that are remembered.
pub const KNOWN_DEVICES: i64 = 50;

/// Tries after which a mail is given up.
const MOST_TRIES: i32 = 12;
const FIRST_WAIT: TimeDelta = TimeDelta::seconds(5);
/// Upper limit of the delay.
pub const LONGEST_WAIT: TimeDelta = TimeDelta::hours(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailKind {
    /// A link that sets a new password.
    PasswordReset,
    /// A code that verifies the address.
    EmailCode,
    /// A login from a new device.
    NewDevice,
}

impl MailKind {
    pub const ALL: [Self; 3] = [Self::PasswordReset, Self::EmailCode, Self::NewDevice];

    /// The value in the column and in metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PasswordReset => "password_reset",
            Self::EmailCode => "email_code",
            Self::NewDevice => "new_device",
        }
    }

    /// `None` for an unknown value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The codes that a member requested within an hour of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeRequests {
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
    pub count: i32,
}

impl CodeRequests {
    /// The requests with one more at `now`.
    ///
    /// # Errors
    /// The wait, when the last request or the first of [`CODES_PER_HOUR`] is too recent.
    pub fn add(earlier: Option<Self>, now: DateTime<Utc>) -> Result<Self, TimeDelta> {
        let first = Self {
            first_at: now,
            last_at: now,
            count: 1,
        };
        // One later than now was made before the clock was set back.
        let Some(earlier) = earlier.filter(|earlier| earlier.last_at <= now) else {
            return Ok(first);
        };
        let hour_ends_at = earlier.first_at + TimeDelta::hours(1);
        let next_at = if earlier.count < CODES_PER_HOUR {
            earlier.last_at + PAUSE
        } else {
            hour_ends_at.max(earlier.last_at + PAUSE)
        };
        if now < next_at {
            Err(next_at - now)
        } else if now < hour_ends_at {
            Ok(Self {
                first_at: earlier.first_at,
                last_at: now,
                count: earlier.count + 1,
            })
        } else {
            Ok(first)
        }
    }
}

/// The delay after the `tries`th failed try, counted from 1: from 5 seconds to an hour; `None` when
/// the mail is given up.
#[must_use]
pub fn wait_after(tries: i32) -> Option<TimeDelta> {
    if tries >= MOST_TRIES {
        return None;
    }
    let doublings = u32::try_from(tries.saturating_sub(1)).unwrap_or_default();
    let wait = FIRST_WAIT.num_seconds() << doublings.min(20);
    Some(TimeDelta::seconds(wait).min(LONGEST_WAIT))
}

/// The user agent without its numbers, which stays the same when the client is updated.
#[must_use]
pub fn device(user_agent: Option<&str>) -> String {
    user_agent
        .unwrap_or_default()
        .chars()
        .filter(|symbol| !symbol.is_ascii_digit() && !matches!(symbol, '.' | '_'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_waits_grow_and_end() {
        let waits: Vec<_> = (1..=12)
            .map(|tries| wait_after(tries).map(|wait| wait.num_seconds()))
            .collect();
        let first: Vec<_> = [5, 10, 20, 40].map(Some).to_vec();
        assert_eq!(waits[..4], first);
        assert_eq!(waits[10], Some(3_600));
        assert_eq!(waits[11], None);
    }

    #[test]
    fn a_day_has_at_most_five_codes_an_hour() {
        let start = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let (mut requests, mut granted) = (None, Vec::new());
        for minute in 0..24 * 60 {
            let now = start + TimeDelta::minutes(minute);
            if let Ok(next) = CodeRequests::add(requests, now) {
                requests = Some(next);
                granted.push(minute);
            }
        }
        assert_eq!(granted[..7], [0, 1, 2, 3, 4, 60, 61]);
        assert_eq!(granted.len(), 120);
        let in_pause = CodeRequests::add(requests, start + TimeDelta::minutes(23 * 60 + 5));
        assert_eq!(in_pause, Err(TimeDelta::minutes(55)));
        // The clock was set back.
        let earlier = CodeRequests::add(requests, start).unwrap();
        assert_eq!((earlier.last_at, earlier.count), (start, 1));
    }

    #[test]
    fn an_update_makes_no_new_device() {
        let chrome = |version: &str| format!("Mozilla/5.0 (Linux; Android 14) Chrome/{version}");
        let of = |text: &str| device(Some(text));
        assert_eq!(of(&chrome("131.0.1.2")), of(&chrome("132.0")));
        assert_ne!(of(&chrome("131.0")), of("Mozilla/5.0 (iPhone) Safari/605"));
        assert_eq!(device(None), "");
    }

    #[test]
    fn every_kind_survives_its_word() {
        for kind in [
            MailKind::PasswordReset,
            MailKind::EmailCode,
            MailKind::NewDevice,
        ] {
            assert_eq!(MailKind::parse(kind.as_str()), Some(kind));
        }
        assert_eq!(MailKind::parse("newsletter"), None);
    }
}
