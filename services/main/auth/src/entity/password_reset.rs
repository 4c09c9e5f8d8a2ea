//! Links that set a new password.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "password_reset")]
pub struct Model {
    /// The mail that contains it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub mail_id: Uuid,
    pub member_id: MemberId,
    /// SHA-256 of the token.
    pub token_hash: Vec<u8>,
    pub mailed_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
