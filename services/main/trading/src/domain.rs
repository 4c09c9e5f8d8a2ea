//! The rules of trading, pure: no database, no network, no clock. Everything here is a function
//! of its arguments, so a rerun of the tick log with the same orders gives the same fills.

pub mod cost;
pub(crate) mod day;
pub mod market;
#[cfg(test)]
pub(crate) mod sample;
pub mod settlement;
pub mod slippage;
pub mod split;
