//! The price model of the built-in market: pure functions from a seed to prices.
//!
//! Six factors (two Korean indices, one US index, coins, gold, the dollar) drive all prices; each
//! instrument adds a move of its own, and a fund follows its underlying. Random numbers are hashes
//! of the seed, the name, the day and the minute, so the model has no state: after a restart it
//! continues on the same path, and any candle can be computed again. Prices are whole ticks.
//!
//! Reading order: [`noise`] (random numbers), [`session`] (trading days), [`profile`] (intraday
//! distribution), [`bridge`] (paths), [`factor`], [`spec`] (parameters of an instrument), [`track`]
//! (day to day), [`grid`] (valid prices), [`day`] (trades and candles of one day), [`events`] and
//! [`pause`] (corporate actions, halts, interruptions), [`recorded`] (trades of recorded days),
//! [`simulation`] (the whole market).
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
pub mod recorded;
pub mod session;
pub mod simulation;
pub mod spec;
pub mod track;

pub use day::{InstrumentDay, ModelCandle, Trade};
pub use drawn::DrawnDay;
pub use session::{MarketHours, SimulatedSession};
pub use simulation::Simulation;
pub use spec::{InstrumentSpec, PriceDriver};

#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
