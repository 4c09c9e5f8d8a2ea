//! Accounts: opening and resolving them, their holdings, totals and the change of the day.

pub mod account;
pub mod day;
pub mod holding;
pub mod holdings;
pub mod levels;
pub mod open;
pub mod profit;
pub mod summary;
pub(crate) mod units;
pub(crate) mod unsettled;
pub(crate) mod value;
