use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "consent")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: MemberId,
    /// `terms`, `privacy`, `age14` or `marketing`.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    pub agreed_at: DateTime<Utc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
