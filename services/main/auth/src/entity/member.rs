//! Members, including the operator.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "member")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: MemberId,
    pub email: String,
    /// Shown to others.
    pub nickname: String,
    /// Unique.
    pub nickname_key: String,
    /// `None` for the operator only.
    pub birth_year: Option<i16>,
    /// `M` or `F`.
    pub gender: Option<String>,
    /// `ios`, `android` or `web`.
    pub os: Option<String>,
    /// As it was entered.
    pub entered_recommend_code: Option<String>,
    /// Whether the address was verified.
    pub email_verified: bool,
    /// Whether the tutorial was finished or skipped.
    pub tutorial_done: bool,
    /// Whether the welcome popup was closed.
    pub welcome_popup_seen: bool,
    /// Consent to marketing.
    pub subscribe: bool,
    /// Whether the member is in competition mode.
    pub competition_mode: bool,
    /// Name of the picture of the worn frame.
    pub frame: Option<String>,
    /// Likewise of the name plate.
    pub plate: Option<String>,
    /// Likewise of the theme.
    pub theme: Option<String>,
    pub joined_at: DateTime<Utc>,
    /// `None` for the nickname chosen at joining.
    pub nickname_changed_at: Option<DateTime<Utc>>,
}

/// No relations: queries read one table or are hand-written.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    #[must_use]
    pub fn with_email(email: &str) -> Select<Self> {
        Self::find().filter(Column::Email.eq(email))
    }

    /// By the unique key of the nickname.
    #[must_use]
    pub fn with_nickname_key(key: &str) -> Select<Self> {
        Self::find().filter(Column::NicknameKey.eq(key))
    }
}
