//! Shared by every process: health, deadlines, gRPC, database and Redis connections, the listening
//! socket, priorities of threads and shutdown.
//!
//! [`service`] is the skeleton of a process: what a service adds is its settings, its routes and its
//! background tasks. Each service's `config.rs` is a `clap::Parser` that flattens
//! [`service::ServiceConfig`] and whose other fields carry `#[arg(long, env = "NAME")]`; nothing else
//! reads the environment.

pub mod admin;
pub mod caller;
pub mod database;
pub mod deadline;
pub mod drain_body;
pub mod ended_sessions;
pub mod group_commit;
pub mod grpc;
pub mod listener;
pub mod priority;
pub mod problem;
pub mod redis;
pub mod request;
pub mod service;
pub mod session_check;
pub mod shutdown;

use telemetry::LogFormat;

/// Installs the TLS provider and starts [`telemetry`]. A command that does not run in
/// [`service::main`] calls it first.
pub fn init(service: &'static str, format: LogFormat) {
    // Fails only if a provider is installed already.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    telemetry::init(service, format);
}
