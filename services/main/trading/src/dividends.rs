//! Dividends: received from market-data, claimed by the owners of the shares, paid once.

pub mod claims;
pub(crate) mod lapse;
pub mod list;
pub mod pay;
pub mod payout;
mod worker;

use kernel::Currency;
use sea_orm::DbErr;

pub use worker::DividendWorker;

fn currency(name: &str) -> Result<Currency, DbErr> {
    Currency::parse(name).ok_or_else(|| DbErr::Custom(format!("a dividend in {name}")))
}
