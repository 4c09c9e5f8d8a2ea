//! The rules of trading, pure: no database, no network, no clock. Everything here is a function
//! of its arguments, so a rerun of the tick log with the same orders gives the same fills.

pub mod account;
pub mod cost;
pub mod dividend;
pub mod holding;
pub mod market;
pub mod matching;
pub mod order;
pub mod preview;
pub mod profit;
pub mod reserve;
pub mod settlement;
pub mod split;
pub mod validation;
