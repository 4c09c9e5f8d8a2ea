use kernel::MemberId;
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "quiz_filter")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: MemberId,
    /// Empty means all.
    pub themes: Words,
    /// Empty means all.
    pub levels: Words,
    /// The version of the last change; 0 while no event has told one.
    pub version: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Words(pub Vec<String>);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
