//! Fill model v1 (rule R2): how a batch of the tick log changes the orders that wait.
//!
//! [`book`] keeps the waiting orders and what the log said about each instrument. A batch takes
//! those it could touch out of it to a [`pass`]; running it over them yields [`effect`]s in log
//! order. [`offer`] decides price and quantity for one order at
//! one tick, [`balances`] pays for it. Nothing depends on anything but the log, the orders and the
//! accounts, so running the same batch twice gives the same effects.

pub mod balances;
pub mod book;
pub mod effect;
pub mod model;
pub mod offer;
pub mod pass;
pub mod record;
#[cfg(test)]
pub(crate) mod sample;
pub mod timer;
