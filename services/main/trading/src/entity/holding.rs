//! What an account owns of one instrument.

use kernel::{AccountId, Currency, MarketCode, MemberId, Quantity, Won};
use rust_decimal::Decimal;
use sea_orm::entity::prelude::*;

use crate::accounts::holding::{Holding, HoldingLabel};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "holding")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub instrument_code: String,
    pub member_id: MemberId,
    pub instrument_name: String,
    pub market: String,
    pub currency: String,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub quantity: Quantity,
    #[sea_orm(column_type = "Decimal(Some((28, 8)))")]
    pub held_quantity: Quantity,
    pub cost_won: Won,
    #[sea_orm(column_type = "Decimal(Some((38, 16)))")]
    pub cost_quote: Decimal,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// The quantities and costs.
    #[must_use]
    pub fn to_holding(&self) -> Holding {
        Holding {
            quantity: self.quantity,
            held: self.held_quantity,
            cost_won: self.cost_won,
            cost_quote: self.cost_quote,
        }
    }

    /// The names that travel with it.
    ///
    /// # Errors
    /// [`DbErr`] when the row holds an unknown market or currency.
    pub fn label(&self) -> Result<HoldingLabel, DbErr> {
        let fault = |column| super::inconsistent("holding", column, &self.instrument_code);
        Ok(HoldingLabel {
            name: self.instrument_name.clone(),
            market: MarketCode::parse(&self.market).ok_or_else(|| fault("market"))?,
            currency: Currency::parse(&self.currency).ok_or_else(|| fault("currency"))?,
        })
    }
}
