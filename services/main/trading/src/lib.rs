//! Accounts, the one ledger, orders, fills and holdings.
//!
//! Reading order: [`domain`] (the rules, pure), [`store`] (one method, one transaction),
//! [`market_cache`] (the market as it is known here), [`matching`] (ticks into fills), [`committer`]
//! (concurrent orders into one commit), [`dividends`] (from announcement to account), [`splits`]
//! (those that the log did not tell), [`grpc`] (the service), [`audit`] (proof that every won
//! adds up).

pub mod audit;
pub mod committer;
pub mod config;
pub mod dividends;
pub mod domain;
pub mod entity;
pub mod error;
pub mod events;
pub mod grpc;
pub mod market_cache;
pub mod matching;
mod service;
pub mod splits;
pub mod store;
pub mod ticklog;
pub mod view;

pub use service::run;

/// The schema of the database, forward only.
pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();
