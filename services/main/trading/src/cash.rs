//! Cash (캐시): granted by an operator, turned into won of the BASIC account, or spent on items.
//!
//! A row of `cash_change` says why a balance changed and is what its journal is posted for; purchases
//! have rows of their own. Cash belongs to the BASIC account.

mod change;
pub mod exchange;
pub mod grant;

pub use change::CashChangeKind;
