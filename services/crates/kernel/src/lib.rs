//! The vocabulary every service shares: ids, money, codes, the clock and the wealth levels.
//!
//! Nothing here does input or output, and nothing here knows of a database, a broker or a
//! protocol (the `db` feature only lets these types be columns). A rule belongs here when at
//! least two services must agree on it to the last won.

pub mod account;
pub mod clock;
pub mod code;
pub mod id;
pub mod money;
pub mod request_id;
pub mod wealth;

pub use account::{AccountCode, AccountNo};
pub use clock::{Clock, FixedClock, SteadyClock, SystemClock};
pub use code::{AssetKind, Currency, MarketCode, WarningCode};
pub use id::{AccountId, FillId, MemberId, OrderId};
pub use money::{MoneyError, Points, Price, Quantity, Won};
pub use request_id::RequestId;
