//! What a member agreed on with a bank, and how far the contract is.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountId, MemberId, Won};
use rust_decimal::Decimal;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "contract")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    pub member_id: MemberId,
    pub product_id: i64,
    pub product_name: String,
    pub bank_code: String,
    pub bank_name: String,
    pub kind: String,
    pub status: String,
    pub compounding: String,
    pub preferential: bool,
    #[sea_orm(column_type = "Decimal(Some((9, 4)))")]
    pub base_rate: Decimal,
    #[sea_orm(column_type = "Decimal(Some((9, 4)))")]
    pub rate: Decimal,
    pub amount_won: Won,
    pub monthly_cap_won: Option<Won>,
    pub transfer_day: Option<i16>,
    pub term_months: i16,
    pub opened_on: NaiveDate,
    pub matures_on: NaiveDate,
    pub maturity_action: String,
    pub paid_in_won: Won,
    pub next_payment: i32,
    pub attempts: i16,
    pub due_at: Option<DateTime<Utc>>,
    pub closed_on: Option<NaiveDate>,
    pub notice: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
