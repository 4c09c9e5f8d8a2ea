//! The service from outside: a migrated database per test and a real gRPC server.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod catalogue;
mod items;
mod membership;
mod popular;
mod world;
