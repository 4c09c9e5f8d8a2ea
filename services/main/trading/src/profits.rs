//! Profit and loss: what accounts gained and lost by their history alone, and what that cost.
//!
//! Every gain and every cost is read from the row that caused it: fills, splits that paid out a part
//! of a share, dividends and interest ([`gains`]). What is owned counts at the latest prices. Of
//! everything that an account ever did, realized and unrealized gains and income less fees, taxes
//! and exchange spread are exactly what it is worth less its base.
//!
//! A page reads the fills of its own groups ([`rows`]); sums over all pages are computed once ([`totals`]).

pub mod filter;
mod gains;
pub mod list;
mod owned;
mod question;
mod rows;
pub(crate) mod totals;

pub use filter::{ProfitFilter, ProfitGrouping, ProfitKind, ProfitScope, ProfitWindow, Span};
pub use list::{CapitalFlows, ProfitPage, ProfitRow, ProfitSums};
