//! The settings of the edge, read from the environment once.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use bootstrap::LogFormat;
use clap::{Parser, Subcommand};

use crate::client::Timing;

/// `/ws2` and the sise login.
#[derive(Clone, Debug, Parser)]
#[command(version, about)]
pub struct Config {
    /// What to do; `run` when it is left out.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Public address.
    #[arg(long, env = "LISTEN_ADDR", default_value = "0.0.0.0:8081")]
    pub listen_addr: SocketAddr,
    /// Where a successor asks for the public socket; without it the socket ends with the process.
    #[arg(long, env = "HANDOVER_SOCKET")]
    pub handover_socket: Option<PathBuf>,
    /// Address of `/livez`, `/readyz` and `/metrics`.
    #[arg(long, env = "ADMIN_ADDR", default_value = "127.0.0.1:9204")]
    pub admin_addr: SocketAddr,
    /// gRPC of market-data.
    #[arg(long, env = "MARKET_URL", default_value = "http://127.0.0.1:9103")]
    pub market_url: String,
    /// gRPC of trading.
    #[arg(long, env = "TRADING_URL", default_value = "http://127.0.0.1:9102")]
    pub trading_url: String,
    /// gRPC of auth, which knows the sessions that ended where Redis does not.
    #[arg(long, env = "AUTH_URL", default_value = "http://127.0.0.1:9101")]
    pub auth_url: String,
    /// Ended sessions; the edge works without it.
    #[arg(
        long,
        env = "REDIS_URL",
        hide_env_values = true,
        default_value = "redis://127.0.0.1:6379/0"
    )]
    pub redis_url: String,
    /// RabbitMQ.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: String,
    /// Name of the tick stream.
    #[arg(long, env = "TICK_STREAM", default_value = "ticks")]
    pub ticks_stream: String,
    /// Origins of the client, separated by commas: they may open `/ws2` and call the sise login.
    #[arg(
        long,
        env = "PUBLIC_ORIGIN",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:8080,http://localhost:8080"
    )]
    pub public_origin: Vec<String>,
    /// Joins and logins a minute that one address may make; a classroom shares one.
    #[arg(long, env = "SISE_LOGINS_PER_MINUTE", default_value_t = 300)]
    pub sise_logins_per_minute: u32,
    /// How many proxies of ours stand before the edge. The caller's address is then that many
    /// entries from the right of `X-Forwarded-For`; 0 = nobody's word is taken.
    #[arg(long, env = "TRUSTED_PROXIES", default_value_t = 0)]
    pub trusted_proxies: usize,
    /// Least time between two updates of a code on one socket, in milliseconds; 0 sends each.
    #[arg(long, env = "CONFLATION_MS", default_value_t = 200)]
    pub conflation_ms: u64,
    /// A socket without any frame of its client is closed after this time, in milliseconds.
    #[arg(long, env = "WS_SILENCE_MS", default_value_t = 75_000)]
    pub ws_silence_ms: u64,
    /// A client that takes nothing is closed after this time, in milliseconds.
    #[arg(long, env = "WS_WRITE_LIMIT_MS", default_value_t = 5_000)]
    pub ws_write_limit_ms: u64,
    /// A client that subscribes to nothing gets the popular items after this time, in
    /// milliseconds.
    #[arg(long, env = "WS_DEFAULTS_AFTER_MS", default_value_t = 3_000)]
    pub ws_defaults_after_ms: u64,
    /// Most open sockets.
    #[arg(long, env = "WS_MAX_SOCKETS", default_value_t = 18_000)]
    pub ws_max_sockets: usize,
    /// Most handshakes in a second.
    #[arg(long, env = "WS_HANDSHAKES_PER_S", default_value_t = 500)]
    pub ws_handshakes_per_s: u32,
    /// Most open sockets of one address; a school of a thousand phones shares one.
    #[arg(long, env = "WS_SOCKETS_PER_ADDRESS", default_value_t = 2_000)]
    pub ws_sockets_per_address: usize,
    /// Most handshakes in a second from one address.
    #[arg(long, env = "WS_HANDSHAKES_PER_ADDRESS_PER_S", default_value_t = 100)]
    pub ws_handshakes_per_address_per_s: u32,
    /// `json` or `text`.
    #[arg(long, env = "LOG_FORMAT", default_value_t = LogFormat::Json)]
    pub log_format: LogFormat,
}

/// What the process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Serve until SIGTERM.
    Run,
}

impl Config {
    /// The time limits of a connection.
    #[must_use]
    pub fn timing(&self) -> Timing {
        Timing {
            conflation: Duration::from_millis(self.conflation_ms),
            silence: Duration::from_millis(self.ws_silence_ms),
            write_limit: Duration::from_millis(self.ws_write_limit_ms),
            defaults_after: Duration::from_millis(self.ws_defaults_after_ms),
        }
    }
}
