//! Items that a member may wear.

use kernel::MemberId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "wearable")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub member_id: MemberId,
    /// Unique among all items.
    #[sea_orm(primary_key, auto_increment = false)]
    pub picture: String,
    /// `FRAME`, `PLATE` or `THEME`.
    pub slot: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
