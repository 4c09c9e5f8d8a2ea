//! What accounts were worth at the end of each Korean day, and what that returned.
//!
//! A day ends at midnight in market time. Once every fill before it is stored, each account is valued
//! at the last prices of the day ([`close`]): its present cash, holdings and base, less what occurred
//! after midnight. A run is stored with its prices and its progress, so that any process goes on with
//! it after a crash, and days of an outage are closed in order.

mod close;
mod list;
mod run;
mod series;
mod worker;

pub use list::{EquityFilter, EquityHistory};
pub use series::{EquityDay, Series};
pub use worker::{EquityError, EquityWorker};
