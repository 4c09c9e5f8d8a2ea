//! Tests of the crate with real servers.
#![expect(clippy::unwrap_used, reason = "a test stops where it is surprised")]

mod calls;
mod ended_sessions;
mod handover;
mod migrations;
mod network;
mod panics;
mod server;
mod session_check;
mod stores;
