//! Items that a member bought.

use kernel::{AccountId, Won};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "purchase")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: AccountId,
    pub item_id: i64,
    pub quantity: i32,
    pub currency: String,
    /// In the currency, for all of them.
    pub spent: i64,
    /// Won that packs added to the account.
    pub deposit_won: Won,
    pub status: String,
    pub bought_at: ChronoDateTimeUtc,
    pub delivered_at: Option<ChronoDateTimeUtc>,
    pub refunded_at: Option<ChronoDateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
