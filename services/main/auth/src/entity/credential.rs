//! Password hashes, apart from the members so that no list of members can carry them.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;
use sea_orm::{JoinType, QuerySelect};

/// How one member proves who they are.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "credential")]
pub struct Model {
    /// Whose password it is.
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: MemberId,
    /// PHC string.
    pub password_hash: String,
    /// When it was chosen or hashed anew.
    pub changed_at: DateTime<Utc>,
}

/// A password belongs to a member.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    /// Whose password it is.
    #[sea_orm(
        belongs_to = "super::member::Entity",
        from = "Column::MemberId",
        to = "super::member::Column::Id"
    )]
    Member,
}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    /// The password of the member with this folded address.
    #[must_use]
    pub fn of_email(email: &str) -> Select<Self> {
        Self::find()
            .join(JoinType::InnerJoin, Relation::Member.def())
            .filter(super::member::Column::Email.eq(email))
    }
}
