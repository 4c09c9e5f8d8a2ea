//! People who joined, and the operator.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;

/// One member.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "member")]
pub struct Model {
    /// `memberSid`.
    #[sea_orm(primary_key)]
    pub id: MemberId,
    /// Folded address.
    pub email: String,
    /// The name others see.
    pub nickname: String,
    /// The name that must be unique.
    pub nickname_key: String,
    /// Nobody but the operator lacks it.
    pub birth_year: Option<i16>,
    /// `M` or `F`.
    pub gender: Option<String>,
    /// `ios`, `android` or `web`.
    pub os: Option<String>,
    /// The recommender's code as it was entered.
    pub entered_recommend_code: Option<String>,
    /// Whether the address was proved.
    pub email_verified: bool,
    /// Whether the tutorial was finished or skipped.
    pub tutorial_done: bool,
    /// Whether the welcome popup was closed.
    pub welcome_popup_seen: bool,
    /// Consent to news.
    pub subscribe: bool,
    /// Whether the member is in competition mode.
    pub competition_mode: bool,
    /// When the member joined.
    pub joined_at: DateTime<Utc>,
    /// When the nickname was last changed; nothing for the one chosen at joining.
    pub nickname_changed_at: Option<DateTime<Utc>>,
}

/// No relation is needed: every query of this service reads one table or is written out.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The member with this folded address.
    #[must_use]
    pub fn with_email(email: &str) -> Select<Self> {
        Self::find().filter(Column::Email.eq(email))
    }

    /// The member whose nickname has this unique key.
    #[must_use]
    pub fn with_nickname_key(key: &str) -> Select<Self> {
        Self::find().filter(Column::NicknameKey.eq(key))
    }
}
