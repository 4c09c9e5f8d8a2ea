//! A member's money account.

use kernel::{AccountCode, AccountId, MemberId, Won};
use sea_orm::entity::prelude::*;

use crate::accounts::account::Cash;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: AccountId,
    pub member_id: MemberId,
    pub code: String,
    pub account_no: String,
    pub initial_deposit_won: Won,
    pub education_deposit_won: Won,
    pub bought_deposit_won: Won,
    pub purchased_items_won: Won,
    pub balance_won: Won,
    pub held_won: Won,
    pub education_points: i64,
    pub cash: i64,
    pub open_orders: i32,
    pub rate_second: i64,
    pub rate_second_count: i32,
    pub rate_minute: i64,
    pub rate_minute_count: i32,
    pub closed_at: Option<ChronoDateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// The two digits as a code.
    ///
    /// # Errors
    /// [`DbErr`] when the row holds another text.
    pub fn account_code(&self) -> Result<AccountCode, DbErr> {
        AccountCode::parse(&self.code)
            .ok_or_else(|| super::inconsistent("account", "code", self.id))
    }

    /// The cash as the domain counts it.
    ///
    /// # Errors
    /// [`DbErr`] when the row holds an unknown code.
    pub fn to_cash(&self) -> Result<Cash, DbErr> {
        Ok(Cash {
            account_id: self.id,
            member_id: self.member_id,
            code: self.account_code()?,
            balance: self.balance_won,
            held: self.held_won,
        })
    }
}
