//! What the fakes answer.

pub(super) mod community;
pub(super) mod education;
pub(super) mod market_data;
pub(crate) mod trading;

use proto::auth::v1 as auth;
use proto::common::v1::Decimal;

/// The member whose token the tests carry.
pub(crate) const MEMBER: i64 = 100_000;

pub(crate) const OTHER: i64 = 100_001;

/// A session that its member has ended.
pub(crate) const ENDED_SESSION: &str = "9f0c1c0e-8a55-4d0c-9f0e-3f4b1f0f3a11";

/// 2026-11-21 09:03:00 in Korea.
pub(in crate::fakes) const INSTANT_US: i64 = 1_795_219_380_000_000;

pub(super) fn session(refresh_token: &str) -> auth::Session {
    auth::Session {
        member_id: MEMBER,
        access_token: "access-1".to_owned(),
        refresh_token: refresh_token.to_owned(),
        expires_in_s: 900,
    }
}

/// A member whom auth does not know any more.
pub(in crate::fakes) const GONE: i64 = 100_999;

pub(super) fn public_profile(member_id: i64) -> auth::PublicProfile {
    auth::PublicProfile {
        member_id,
        nickname: "김씨앗".to_owned(),
        frame: "frame-gold".to_owned(),
        plate: String::new(),
    }
}

pub(super) fn member(member_id: i64) -> auth::Member {
    auth::Member {
        member_id,
        email: "kim@example.com".to_owned(),
        nickname: "김씨앗".to_owned(),
        birth_year: 1999,
        os: "web".to_owned(),
        joined_at_us: INSTANT_US,
        ..auth::Member::default()
    }
}

fn decimal(text: &str) -> Option<Decimal> {
    Some(Decimal {
        value: text.to_owned(),
    })
}
