//! Integration tests: a migrated database per test and a real gRPC server.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod alert_expiry;
mod alert_process;
mod alert_watch;
mod alerts;
mod boundary;
mod builtin;
mod candles;
mod catalogue;
mod clocks;
mod closes;
mod erasure;
mod flow;
mod holders;
mod items;
mod likes;
mod lost_log;
mod membership;
mod plans;
mod popular;
mod process;
mod products;
mod replay;
mod searches;
mod sparklines;
mod takeover;
mod trends;
mod two_writers;
mod world;
