//! Accounts, the one ledger, orders, fills and holdings.
//!
//! One module per capability: [`orders`], [`accounts`], [`transfers`], [`contracts`], [`points`],
//! [`cash`], [`items`], [`dividends`], [`profits`],
//! [`seasons`], [`competitions`], [`equity`], [`concentration`] and [`matching`] (ticks into fills). They share [`domain`]
//! (pure rules), [`ledger`] (the only writer of money), [`store`] (locks and writes), [`entity`]
//! (tables), [`market_cache`] (listings and quotes), [`tick_log`] (decoding) and [`grpc`] (the
//! wire). [`audit`] proves that every won adds up.

pub mod accounts;
pub mod audit;
mod auth_events;
pub mod cash;
pub mod competitions;
pub mod concentration;
pub mod config;
pub mod contracts;
pub mod dividends;
pub mod domain;
pub mod education_events;
pub mod entity;
pub mod equity;
pub mod error;
pub mod events;
pub mod grpc;
pub mod items;
pub mod ledger;
pub mod market_cache;
pub mod matching;
mod named;
pub mod orders;
pub mod points;
pub mod profits;
pub mod refusal;
pub mod seasons;
mod service;
pub mod store;
pub mod tick_log;
pub mod transfers;

pub use service::run;

/// The schema of the database, forward only.
pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();
