//! Members and their sessions.

use proto::auth::v1 as auth;
use proto::convert::InvalidField;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time::kst;

/// A new membership.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JoinBody {
    pub(crate) email: String,
    /// 10 to 128 characters, any.
    pub(crate) password: String,
    /// 2 to 12 characters: 한글, English letters, digits.
    pub(crate) nickname: String,
    pub(crate) birth_year: i32,
    /// M or F.
    pub(crate) gender: Option<String>,
    /// ios, android or web.
    pub(crate) os: Option<String>,
    pub(crate) terms_agreed: bool,
    pub(crate) privacy_agreed: bool,
    /// 만 14세 이상이에요.
    pub(crate) age14: bool,
    pub(crate) marketing_agreed: Option<bool>,
    pub(crate) recomm_code: Option<String>,
}

/// Credentials.
#[derive(Deserialize, ToSchema)]
pub(crate) struct LoginBody {
    pub(crate) email: String,
    pub(crate) password: String,
}

/// A refresh token. Browsers leave it out: theirs is in a cookie that scripts cannot read.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RefreshBody {
    pub(crate) refresh_token: Option<String>,
}

/// A session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    member_sid: i64,
    /// Bearer token of the other calls.
    access_token: String,
    /// Null when the one at hand stays valid.
    refresh_token: Option<String>,
    /// Seconds the access token lives.
    expires_in: i64,
}

impl From<auth::Session> for Session {
    fn from(session: auth::Session) -> Self {
        Self {
            member_sid: session.member_id,
            access_token: session.access_token,
            refresh_token: super::item::filled(session.refresh_token),
            expires_in: session.expires_in_s,
        }
    }
}

/// A member, for the member alone.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Member {
    sid: i64,
    email: String,
    nickname: String,
    /// M, F or null.
    gender: Option<String>,
    birth_year: i32,
    /// ios, android, web or null.
    os: Option<String>,
    /// Whether the tutorial is done.
    tutorial: bool,
    /// Whether the welcome message was seen.
    welcome_popup: bool,
    subscribe: bool,
    competition_mode: bool,
    /// Account of the current competition.
    competition_account_sid: Option<i64>,
    operator: bool,
    email_verified: bool,
    insert_time: String,
}

impl TryFrom<auth::Member> for Member {
    type Error = InvalidField;

    fn try_from(member: auth::Member) -> Result<Self, InvalidField> {
        Ok(Self {
            sid: member.member_id,
            email: member.email,
            nickname: member.nickname,
            gender: super::item::filled(member.gender),
            birth_year: member.birth_year,
            os: super::item::filled(member.os),
            tutorial: member.tutorial_done,
            welcome_popup: member.welcome_popup_seen,
            subscribe: member.subscribe,
            competition_mode: member.competition_mode,
            competition_account_sid: None,
            operator: member.operator,
            email_verified: member.email_verified,
            insert_time: kst(member.joined_at_us, "joined_at_us")?,
        })
    }
}
