//! Prices to many sockets: starts a price server (the edge, or nginx with nchan as its peer),
//! opens sockets that each watch the same codes, publishes ticks at a fixed rate, and says what
//! arrived, how old it was, and what the server spent on it. One line of JSON comes out.
//!
//! Both servers get the same bytes for a tick. The edge reads them from a RabbitMQ stream of this
//! program's own, nchan by one POST each. Every tenth socket is read closely; the others are
//! drained, so that this program does not become the measure.
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
use crate::sockets::Audience;
use crate::source::{Clockwork, Source};

/// Who carries the prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// The edge.
    Edge,
    /// nginx with nchan.
    Nchan,
}

/// What is measured.
#[derive(Clone, Debug, Parser)]
pub(crate) struct Settings {
    /// Who carries the prices.
    #[arg(long, value_enum)]
    pub(crate) target: Target,
    /// Where it listens once it is started.
    #[arg(long)]
    pub(crate) address: std::net::SocketAddr,
    /// Open sockets.
    #[arg(long, default_value_t = 1_000)]
    pub(crate) sockets: usize,
    /// Codes that every socket watches, at most 100.
    #[arg(long, default_value_t = 50)]
    pub(crate) codes: usize,
    /// Milliseconds between two ticks of a code.
    #[arg(long, default_value_t = 50)]
    pub(crate) every_ms: u64,
    /// How long, in seconds, after a second of warm-up.
    #[arg(long, default_value_t = 6)]
    pub(crate) seconds: u64,
    /// Of a hundred sockets, how many never read.
    #[arg(long, default_value_t = 0)]
    pub(crate) stalled_percent: usize,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
    /// The server's command line. It finds the addresses of its surroundings in the environment.
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<String>,
}

const WARM_UP: Duration = Duration::from_secs(1);
const SETTLE: Duration = Duration::from_millis(1_500);

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let settings = Settings::parse();
    let surroundings = source::Surroundings::start().await;
    let server = Server::start(&settings, &surroundings).await;
    let clockwork = Arc::new(Clockwork::default());
    let bytes_before = server.own_bytes();
    let audience = Audience::open(&settings, &clockwork).await;
    tokio::time::sleep(SETTLE).await;
    let bytes_idle = server.own_bytes();

    let source = Source::start(&settings, &surroundings, Arc::clone(&clockwork)).await;
    tokio::time::sleep(WARM_UP).await;
    audience.start_counting();
    let (cpu_before, started) = (server.cpu_seconds(), Instant::now());
    let ticks_before = clockwork.published();
    tokio::time::sleep(Duration::from_secs(settings.seconds)).await;
    let (cpu_s, lasted) = (
        server.cpu_seconds() - cpu_before,
        started.elapsed().as_secs_f64(),
    );
    let offered = (clockwork.published() - ticks_before) as f64 * audience.readers() as f64;
    let heard = audience.stop_counting();
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
            // Ticks that a socket was told of, itself or by a newer one of the same code.
            "covered": heard.covered,
            // Values that were sent.
            "values": heard.values,
            "offered": offered,
            "bytes": heard.bytes,
            "staleP50Ms": heard.staleness_ms(0.50),
            "staleP99Ms": heard.staleness_ms(0.99),
            "outOfOrder": heard.out_of_order,
            "idleBytesPerSocket": per_socket(bytes_idle),
            "sendingBytesPerSocket": per_socket(bytes_sending),
        })
    );
    drop(server);
}
