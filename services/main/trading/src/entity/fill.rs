//! An execution of an order, with its receipt.

use kernel::{AccountId, FillId, MemberId, OrderId, Price, Quantity, Won};
use rust_decimal::Decimal;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "fill")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: FillId,
    pub order_id: OrderId,
    pub account_id: AccountId,
    pub member_id: MemberId,
    pub member_seq: i64,
    pub instrument_code: String,
    pub side: String,
    pub tick_seq: i64,
    pub event_time: ChronoDateTimeUtc,
    pub trading_day: i32,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub tick_price: Price,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub bid: Option<Price>,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub ask: Option<Price>,
    pub rule: String,
    pub slippage_ticks: i32,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub cap_quantity: Option<Quantity>,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub quantity: Quantity,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub price: Price,
    pub amount_won: Won,
    pub base_won: Won,
    pub fee_won: Won,
    pub tax_won: Won,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub fx_rate: Option<Decimal>,
    pub cost_won: Won,
    pub model_version: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
