//! How a process is watched: log lines, metrics, the trace context that connects them across processes, panics, and which build it is.

pub mod build;
pub mod log;
pub mod metrics;
pub mod panics;
pub mod trace;

pub use log::LogFormat;

/// Starts log lines, also for panics, and the metrics recorder. Later calls change nothing.
pub fn init(service: &'static str, format: LogFormat) {
    log::init(service, format);
    metrics::install_recorder();
    panics::log_all();
}
