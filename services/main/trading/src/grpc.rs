//! The services of this process: translate the request, call the store, translate the result.

mod account_view;
mod call;
mod competitions;
mod contracts;
mod digest;
mod dividends;
mod equity;
mod items;
mod orders;
mod parse;
mod points;
mod profits;
mod seasons;
mod trading;
mod transfers;
mod view;

pub use competitions::Competitions;
pub use contracts::Contracts;
pub use dividends::DividendList;
pub use equity::EquityList;
pub use items::Items;
pub use orders::Orders;
pub use points::{Cash, Points};
pub use profits::Profits;
pub use seasons::SeasonList;
pub use trading::Trading;
pub use transfers::Transfers;
