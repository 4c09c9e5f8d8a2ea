//! Why a member's cash changed, but for items.

use kernel::{AccountId, Won};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "cash_change")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: AccountId,
    pub kind: String,
    pub cash: i64,
    pub source_key: Option<String>,
    pub reason: String,
    pub won: Won,
    pub occurred_at: ChronoDateTimeUtc,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
