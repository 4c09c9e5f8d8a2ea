//! Members and their sessions.

use proto::auth::v1 as auth;
use proto::convert::InvalidField;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::time::{kst, kst_if_set};
use super::words::Platform;

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
    pub(crate) os: Option<Platform>,
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
    /// When the nickname may be changed again; null when it may be now.
    nickname_changeable_at: Option<String>,
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
            nickname_changeable_at: kst_if_set(
                member.nickname_changeable_at_us,
                "nickname_changeable_at_us",
            )?,
        })
    }
}

/// What changes about a member; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProfileBody {
    /// The caller.
    #[expect(dead_code, reason = "the guard reads it; this describes it")]
    pub(crate) member_sid: i64,
    /// 2 to 12 characters: 한글, English letters, digits. Once in 30 days.
    pub(crate) nickname: Option<String>,
    pub(crate) birth_year: Option<i32>,
    /// M or F; null takes it back.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, required = false)]
    pub(crate) gender: Option<Option<String>>,
}

/// Tells a null that was sent from a field that was not.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// The client in use.
#[derive(Deserialize, ToSchema)]
pub(crate) struct OsBody {
    /// Without one nothing changes.
    pub(crate) os: Option<Platform>,
}

/// An empty object; a request without a body means the same.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NothingBody {}

/// Which questions a member wants.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct QuizChoice {
    /// At most 20 of at most 40 characters; none means all.
    pub(crate) themes: Vec<String>,
    /// EASY, NORMAL and HARD; none means all.
    pub(crate) levels: Vec<String>,
}

/// A new choice.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QuizFilterBody {
    pub(crate) quiz_filter: QuizChoice,
}

/// The choice of a member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QuizFilter {
    member_sid: i64,
    quiz_filter: QuizChoice,
}

impl From<auth::QuizFilter> for QuizFilter {
    fn from(filter: auth::QuizFilter) -> Self {
        Self {
            member_sid: filter.member_id,
            quiz_filter: QuizChoice {
                themes: filter.themes,
                levels: filter.levels,
            },
        }
    }
}
