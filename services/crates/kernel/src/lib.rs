//! Types shared by every service: ids, money, codes, days, the clock and the wealth levels.
//!
//! No I/O and no knowledge of databases, brokers or protocols (the `db` feature only lets these
//! types be columns). A rule belongs here if at least two services must agree on it exactly.

pub mod account;
pub mod clock;
pub mod code;
pub mod day;
pub mod exact;
pub mod hangul;
pub mod id;
pub mod money;
pub mod request_id;
mod text;
pub mod wealth;

pub use account::{AccountCode, AccountNo};
pub use clock::{Clock, FixedClock, SteadyClock, SystemClock};
pub use code::{AssetKind, Currency, MarketCode, WarningCode};
pub use exact::ExactNumber;
pub use id::{AccountId, FillId, MemberId, OrderId};
pub use money::{MoneyError, Price, Quantity, Won};
pub use request_id::RequestId;
