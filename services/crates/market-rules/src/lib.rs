//! The rules of the markets: tick sizes, price limits, volatility interruptions, hours and
//! holidays, quantities, bounds of fills, fees and taxes, dividends, interest, and contracts of deposits
//! and savings.
//!
//! Pure functions over tables: no clock, file or database. Values that change over the years have
//! the date from which they apply. `market-data` simulates and validates prices with these rules
//! and `trading` validates and settles orders, so both agree to the won.

pub mod calendar;
pub mod contract;
pub mod dividend;
pub mod fees;
pub mod fill;
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
