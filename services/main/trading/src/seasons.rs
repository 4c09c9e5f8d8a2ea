//! Seasons: a member begins again with the initial deposit, and what was before stays readable.
//!
//! A reset ends the present season in one transaction under the locks of all accounts of the member
//! ([`reset`]). Orders, fills and journals draw their numbers under the same locks, so a season is a
//! range of numbers ([`span`]); nothing that happens later is written into it.

mod accounts;
pub(crate) mod holdings;
pub mod list;
pub(crate) mod orders;
pub mod reset;
mod settle;
pub mod span;
pub(crate) mod view;

pub use list::{Season, Seasons};
pub use reset::Reset;
