//! Matching: the orders that wait, the tick log that fills them, and the rows that both are stored
//! in.
//!
//! Reading order. Pure: [`book`] indexes the waiting orders of a shard and gives each batch of the
//! log those that it may affect, as a [`pass`]. Running the pass yields [`effect`]s in log order:
//! [`offer`] decides price and quantity of one order at one tick, [`balances`] pays for it. The
//! result depends on the log, the orders and the accounts alone, so a repeated batch has the same
//! effects. Loop: [`matcher`] reads the log, [`shard`] runs each batch and stores its effects with
//! the [`checkpoint`], [`slices`] divides large batches, [`settle`] is the transaction. The remaining
//! modules read the rows.

pub mod balances;
pub mod book;
mod book_orders;
pub mod checkpoint;
pub mod effect;
pub mod fill_model;
pub mod instrument_state;
mod matcher;
mod new_orders;
pub mod offer;
mod open_splits;
mod partition;
pub mod pass;
mod queue_position;
pub mod settle;
mod shard;
mod slices;
pub mod split_monitor;
mod stale_positions;
pub mod stale_timer;

pub(crate) use matcher::LOCK_CLASS;
pub use matcher::{CONSUMER, Matcher};
pub use open_splits::OpenSplit;
pub use partition::Partition;
pub use shard::Shard;
pub use stale_positions::StaleQueuePositions;
