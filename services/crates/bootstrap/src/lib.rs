//! Shared by every process: health, deadlines, gRPC, database and Redis connections, the listening
//! socket and shutdown.
//!
//! A `main` parses the configuration, calls [`init`], builds its parts and runs until
//! [`shutdown::token`] is cancelled. Each service's `config.rs` is a `clap::Parser` whose fields carry
//! `#[arg(long, env = "NAME")]`; nothing else reads the environment.

pub mod admin;
pub mod caller;
pub mod database;
pub mod deadline;
pub mod drain_body;
pub mod ended_sessions;
pub mod grpc;
pub mod listener;
pub mod problem;
pub mod redis;
pub mod session_check;
pub mod shutdown;

use telemetry::LogFormat;

/// Installs the TLS provider and starts [`telemetry`]. Call it first.
pub fn init(service: &'static str, format: LogFormat) {
    // Fails only if a provider is installed already.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    telemetry::init(service, format);
}
