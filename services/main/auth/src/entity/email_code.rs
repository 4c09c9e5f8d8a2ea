//! Verification codes of addresses; the newest of each member.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_code")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: MemberId,
    /// The mail that contains it.
    pub mail_id: Uuid,
    pub asked_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// Remaining tries.
    pub tries_left: i32,
    /// The first of `requests`; `None` from the previous release.
    pub first_asked_at: Option<DateTime<Utc>>,
    /// Codes requested within an hour of the first.
    pub requests: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
