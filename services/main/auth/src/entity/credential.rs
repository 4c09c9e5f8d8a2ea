//! Password hashes, separate from members so that no member query can return them.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;
use sea_orm::{JoinType, QuerySelect};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "credential")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: MemberId,
    /// PHC string.
    pub password_hash: String,
    /// When it was chosen or rehashed.
    pub changed_at: DateTime<Utc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(
        belongs_to = "super::member::Entity",
        from = "Column::MemberId",
        to = "super::member::Column::Id"
    )]
    Member,
}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// By the member's folded address.
    #[must_use]
    pub fn of_email(email: &str) -> Select<Self> {
        Self::find()
            .join(JoinType::InnerJoin, Relation::Member.def())
            .filter(super::member::Column::Email.eq(email))
    }
}
