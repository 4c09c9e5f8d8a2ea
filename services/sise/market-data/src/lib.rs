//! Market data: which instruments there are, what they cost, and what they cost before.
//!
//! One process writes the tick log (from the feed that is configured), reads it back into the
//! quote board and the candles, and answers every question about the market over gRPC. It also
//! keeps the members of the quote service and signs their tokens.

pub mod config;
pub mod error;

pub mod catalogue;
pub mod seed;
pub mod store;

pub mod candles;
pub mod feed;
pub mod model;
pub mod pipeline;
pub mod quotes;

/// The database's whole history, oldest first.
pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();
