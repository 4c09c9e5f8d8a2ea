//! What every process does the same way: logs, metrics, health, deadlines, gRPC, database and
//! Redis connections, its public socket, shutdown.
//!
//! A `main` reads: parse the configuration, [`init`], build, run until [`shutdown::token`] is
//! cancelled. Each service's `config.rs` is a `clap::Parser` whose fields carry
//! `#[arg(long, env = "NAME")]`; nothing else reads the environment.

pub mod admin;
pub mod build;
pub mod caller;
pub mod database;
pub mod deadline;
pub mod ended_sessions;
pub mod grpc;
pub mod listener;
pub mod panics;
pub mod problem;
pub mod redis;
pub mod session_check;
pub mod shutdown;
pub mod telemetry;

/// The W3C trace context; it lives in `messaging`, which carries it through the broker.
pub use messaging::trace;

pub use telemetry::LogFormat;

/// Prepares the process: the TLS provider, log lines, also for panics, and the metrics recorder. Call it first.
pub fn init(service: &'static str, format: LogFormat) {
    // Fails only when a provider is installed already, which is just as well.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    telemetry::init(service, format);
    admin::install_recorder();
    panics::log_all();
}
