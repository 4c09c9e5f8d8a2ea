//! Profit and loss: what accounts gained and lost by their history alone, and what that cost.
//!
//! Every gain and every cost is read from the row that caused it: fills, splits that paid out a part
//! of a share, dividends and interest ([`gains`]). What is owned counts at the latest prices. Of
//! everything that an account ever did, realized and unrealized gains and income less fees, taxes
//! and exchange spread are exactly what it is worth less its base.

pub mod filter;
mod gains;
pub mod list;
mod owned;

pub use filter::{ProfitFilter, ProfitGrouping, ProfitKind, ProfitScope, ProfitWindow, Span};
pub use list::{CapitalFlows, ProfitPage, ProfitRow, ProfitSums};
