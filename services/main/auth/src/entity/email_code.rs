//! Codes that prove an address; the newest of each member.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;

/// The code of a member.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_code")]
pub struct Model {
    /// Whose address it proves.
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: MemberId,
    /// The mail that carries it.
    pub mail_id: Uuid,
    /// When it was asked for.
    pub asked_at: DateTime<Utc>,
    /// Until when it is good.
    pub expires_at: DateTime<Utc>,
    /// Wrong tries it still bears.
    pub tries_left: i32,
}

/// See [`super::member::Relation`].
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
