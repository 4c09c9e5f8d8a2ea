//! Interest that was booked for a contract, and its tax.

use chrono::NaiveDate;
use kernel::{AccountId, Won};
use rust_decimal::Decimal;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "contract_interest")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub period: String,
    pub earned_to: NaiveDate,
    #[sea_orm(column_type = "Decimal(Some((12, 6)))")]
    pub rate: Decimal,
    pub gross_won: Won,
    pub income_tax_won: Won,
    pub local_tax_won: Won,
    pub journal_id: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
