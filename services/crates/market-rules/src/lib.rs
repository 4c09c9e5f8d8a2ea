//! The rules of the markets: tick sizes, daily price limits, volatility interruptions, hours and
//! holidays, quantities, fees and taxes, and the interest of deposits.
//!
//! Pure and driven by tables: nothing here reads a clock, a file or a database. What changes over
//! the years carries the date from which it holds. `market-data` uses it to simulate and check
//! prices, `trading` to check and settle orders, and both must agree to the last won.

pub mod calendar;
pub mod dividend;
pub mod fees;
pub mod interest;
pub mod limits;
pub mod quantity;
pub mod tick;
pub mod volatility;

pub use calendar::{Calendar, Phase, TradingHours, Venue};
pub use fees::{FeeRates, FeeTable};
pub use limits::{PriceBand, daily_limits};
pub use quantity::QuantityRule;
pub use tick::{TickClass, TickTable};
