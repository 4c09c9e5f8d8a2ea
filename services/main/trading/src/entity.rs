//! The tables as sea-orm models with the types of the vocabulary, and their way into the domain.

pub mod account;
pub mod balance;
pub mod cash_change;
pub mod contract;
pub mod contract_interest;
pub mod contract_payment;
pub mod fill;
pub mod hold;
pub mod holding;
pub mod item;
pub mod member_item;
pub mod point_change;
pub mod point_total;
pub mod purchase;
pub mod streak_freeze;
pub mod trade_order;

use sea_orm::DbErr;

/// A column that does not hold what its CHECK allows.
fn inconsistent(table: &str, column: &str, row: impl std::fmt::Display) -> DbErr {
    DbErr::Custom(format!(
        "{table}.{column} of row {row} is not a known value"
    ))
}
