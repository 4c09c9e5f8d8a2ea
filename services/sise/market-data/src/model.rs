//! The price model of the built-in market: pure functions from a seed to prices.
//!
//! Six factors (two Korean indices, one US index, coins, gold, the dollar) move everything; an
//! instrument adds moves of its own, a fund follows what it holds. A random number is a hash of
//! the seed, the name, the day and the minute, so nothing is stored: a restart continues on the
//! same path, and any candle can be made again. Prices leave the model as whole ticks.
//!
//! Reading order: [`noise`] (random numbers), [`session`] (trading days), [`profile`] (how a day
//! is spread), [`bridge`] (paths), [`factor`], [`recipe`] (what drives a price), [`track`] (from
//! one day to the next), [`grid`] (valid prices), [`day`] (trades and candles of one day), [`events`] and
//! [`pause`] (what interrupts them), [`recorded`] (trades of recorded days),
//! [`simulation`] (all of it together).
#![expect(
    clippy::float_arithmetic,
    clippy::as_conversions,
    reason = "a statistical model works on real numbers; they never become money, only prices on a tick"
)]

pub mod bridge;
pub mod day;
pub mod drawn;
pub mod events;
pub mod factor;
pub mod factors;
pub mod grid;
pub mod noise;
pub mod pause;
pub mod profile;
pub mod recipe;
pub mod recorded;
pub mod session;
pub mod simulation;
pub mod track;

pub use day::{InstrumentDay, ModelCandle, Trade};
pub use drawn::DrawnDay;
pub use recipe::{InstrumentSpec, Recipe};
pub use session::{MarketHours, Session};
pub use simulation::Simulation;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
