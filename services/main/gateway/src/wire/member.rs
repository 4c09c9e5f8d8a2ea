//! Members, and bodies that several of their routes take.

use proto::auth::v1 as auth;
use proto::convert::InvalidField;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::item::non_empty;
use super::time::{kst, kst_if_set};

/// The kind of client a member uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Platform {
    Ios,
    Android,
    Web,
}

impl Platform {
    /// As auth stores it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Ios => "ios",
            Self::Android => "android",
            Self::Web => "web",
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
    /// Null while trading cannot be asked: what was known last counts.
    competition_mode: Option<bool>,
    /// Account of the current competition; null while the mode is off.
    competition_account_sid: Option<i64>,
    operator: bool,
    email_verified: bool,
    insert_time: String,
    /// When the nickname may be changed again; null when it may be now.
    nickname_changeable_at: Option<String>,
    /// Pictures of what is worn; null for nothing.
    frame: Option<String>,
    plate: Option<String>,
    theme: Option<String>,
}

impl TryFrom<auth::Member> for Member {
    type Error = InvalidField;

    fn try_from(member: auth::Member) -> Result<Self, InvalidField> {
        Ok(Self {
            sid: member.member_id,
            email: member.email,
            nickname: member.nickname,
            gender: non_empty(member.gender),
            birth_year: member.birth_year,
            os: non_empty(member.os),
            tutorial: member.tutorial_done,
            welcome_popup: member.welcome_popup_seen,
            subscribe: member.subscribe,
            competition_mode: None,
            competition_account_sid: None,
            operator: member.operator,
            email_verified: member.email_verified,
            insert_time: kst(member.joined_at_us, "joined_at_us")?,
            nickname_changeable_at: kst_if_set(
                member.nickname_changeable_at_us,
                "nickname_changeable_at_us",
            )?,
            frame: non_empty(member.frame),
            plate: non_empty(member.plate),
            theme: non_empty(member.theme),
        })
    }
}

impl Member {
    /// Sets the mode, which another service knows.
    pub(crate) fn compete(&mut self, is_on: bool, account_sid: Option<i64>) {
        self.competition_mode = Some(is_on);
        self.competition_account_sid = account_sid;
    }
}

/// An empty object; a request without a body means the same.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NothingBody {}
