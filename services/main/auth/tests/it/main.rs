//! The service from outside: a migrated database per test, a real gRPC server, a clock that
//! stands still until it is moved.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where the world is not as it says"
)]

mod clocks;
mod ended_sessions;
mod front;
mod join;
mod login;
mod mails;
mod passwords;
mod plans;
mod process;
mod profile;
mod session;
mod world;
