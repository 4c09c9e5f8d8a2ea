//! What an open order keeps aside.

use kernel::{AccountId, OrderId, Quantity, Won};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "hold")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub order_id: OrderId,
    pub account_id: AccountId,
    pub instrument_code: String,
    pub amount_won: Won,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub quantity: Quantity,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
