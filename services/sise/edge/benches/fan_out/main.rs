//! Fan-out benchmark: starts a price server (the edge, or nginx with nchan), opens sockets that all
//! watch the same codes, publishes ticks at a fixed rate, and prints one line of JSON with what
//! arrived, how old it was, and the server's CPU time and memory.
//!
//! Both servers get the same bytes per tick: the edge from a RabbitMQ stream of this program, nchan
//! by one POST each. About twenty sockets parse what they read; the others discard it, so that this
//! program is not the bottleneck.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::float_arithmetic,
    clippy::as_conversions,
    reason = "a measurement that cannot be made must stop, and its results are rates"
)]

#[path = "../../tests/it/fakes.rs"]
mod fakes;
mod frames;
mod server;
mod sockets;
mod source;

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};

use crate::server::Server;
use crate::sockets::Subscribers;
use crate::source::{PublishTimes, Source};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    Edge,
    /// nginx with nchan.
    Nchan,
}

#[derive(Clone, Debug, Parser)]
pub(crate) struct Settings {
    #[arg(long, value_enum)]
    pub(crate) target: Target,
    /// The address the server listens on.
    #[arg(long)]
    pub(crate) address: std::net::SocketAddr,
    /// Open sockets.
    #[arg(long, default_value_t = 1_000)]
    pub(crate) sockets: usize,
    /// Codes per socket, at most 100.
    #[arg(long, default_value_t = 50)]
    pub(crate) codes: usize,
    /// Milliseconds between two ticks of a code.
    #[arg(long, default_value_t = 50)]
    pub(crate) every_ms: u64,
    /// Measured seconds, after a second of warm-up.
    #[arg(long, default_value_t = 6)]
    pub(crate) seconds: u64,
    /// Percentage of sockets that never read.
    #[arg(long, default_value_t = 0)]
    pub(crate) stalled_percent: usize,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
    /// The server's command line. Addresses of its dependencies are passed in the environment.
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<String>,
}

const WARM_UP: Duration = Duration::from_secs(1);
const SETTLE: Duration = Duration::from_millis(1_500);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let settings = Settings::parse();
    let environment = source::Environment::start().await;
    let server = Server::start(&settings, &environment).await;
    let publish_times = Arc::new(PublishTimes::default());
    let bytes_before = server.own_bytes();
    let subscribers = Subscribers::open(&settings, &publish_times).await;
    tokio::time::sleep(SETTLE).await;
    let bytes_idle = server.own_bytes();

    let source = Source::start(&settings, &environment, Arc::clone(&publish_times)).await;
    tokio::time::sleep(WARM_UP).await;
    subscribers.start_counting();
    let (cpu_before, started) = (server.cpu_seconds(), Instant::now());
    let ticks_before = publish_times.published();
    tokio::time::sleep(Duration::from_secs(settings.seconds)).await;
    let (cpu_s, lasted) = (
        server.cpu_seconds() - cpu_before,
        started.elapsed().as_secs_f64(),
    );
    let offered = (publish_times.published() - ticks_before) as f64 * subscribers.readers() as f64;
    let received = subscribers.stop_counting();
    let bytes_sending = server.own_bytes();
    source.stop();

    let per_socket =
        |bytes: u64| bytes.saturating_sub(bytes_before) as f64 / settings.sockets as f64;
    println!(
        "{}",
        serde_json::json!({
            "sockets": settings.sockets,
            "seconds": lasted,
            "cpuSeconds": cpu_s,
            // Ticks delivered, or superseded by a newer tick of the same code.
            "covered": received.covered,
            "values": received.values,
            "offered": offered,
            "bytes": received.bytes,
            "staleP50Ms": received.staleness_ms(0.50),
            "staleP99Ms": received.staleness_ms(0.99),
            "outOfOrder": received.out_of_order,
            "idleBytesPerSocket": per_socket(bytes_idle),
            "sendingBytesPerSocket": per_socket(bytes_sending),
        })
    );
    drop(server);
}
