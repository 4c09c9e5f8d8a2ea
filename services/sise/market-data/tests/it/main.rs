//! The service from outside: a migrated database per test and a real gRPC server.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod boundary;
mod builtin;
mod catalogue;
mod flow;
mod items;
mod membership;
mod popular;
mod process;
mod replay;
mod world;
