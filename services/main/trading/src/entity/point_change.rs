//! Why a member's education points changed.

use kernel::{AccountId, Won};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "point_change")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: AccountId,
    pub kind: String,
    pub points: i64,
    pub source_key: Option<String>,
    pub reason: String,
    pub won: Won,
    pub multiplier_tenths: Option<i16>,
    pub occurred_at: ChronoDateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
