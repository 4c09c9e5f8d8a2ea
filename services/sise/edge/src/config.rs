//! The settings of the edge, read from the environment once.

use std::time::Duration;

use bootstrap::service::ServiceConfig;
use clap::Parser;

use crate::client::Timing;

/// `/ws2` and the sise login.
#[derive(Clone, Debug, Parser)]
#[command(mut_arg("listen_addr", |arg| arg.default_value("0.0.0.0:8081")))]
#[command(mut_arg("admin_addr", |arg| arg.default_value("127.0.0.1:9204")))]
#[command(mut_arg("drain_s", |arg| arg.default_value("20")))]
pub struct Config {
    #[command(flatten)]
    pub service: ServiceConfig,
    /// gRPC of market-data.
    #[arg(long, env = "MARKET_URL", default_value = "http://127.0.0.1:9103")]
    pub market_url: String,
    /// gRPC of trading.
    #[arg(long, env = "TRADING_URL", default_value = "http://127.0.0.1:9102")]
    pub trading_url: String,
    /// gRPC of auth, asked about ended sessions when Redis does not know them.
    #[arg(long, env = "AUTH_URL", default_value = "http://127.0.0.1:9101")]
    pub auth_url: String,
    /// Holds the list of ended sessions; optional.
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
    /// Joins and logins per minute and address; a classroom may share one address.
    #[arg(long, env = "SISE_LOGINS_PER_MINUTE", default_value_t = 300)]
    pub sise_logins_per_minute: u32,
    /// Number of our proxies in front of the edge. The caller's address is that many entries from
    /// the right of `X-Forwarded-For`; with 0 the header is ignored.
    #[arg(long, env = "TRUSTED_PROXIES", default_value_t = 0)]
    pub trusted_proxies: usize,
    /// Minimum time between two updates of a code on one socket, in milliseconds; 0 sends every
    /// update.
    #[arg(long, env = "CONFLATION_MS", default_value_t = 200)]
    pub conflation_ms: u64,
    /// A socket without any client frame is closed after this time, in milliseconds.
    #[arg(long, env = "WS_SILENCE_MS", default_value_t = 75_000)]
    pub ws_silence_ms: u64,
    /// A client that reads nothing is disconnected after this time, in milliseconds.
    #[arg(long, env = "WS_WRITE_LIMIT_MS", default_value_t = 5_000)]
    pub ws_write_limit_ms: u64,
    /// A client that subscribes to nothing gets the popular items after this time, in
    /// milliseconds.
    #[arg(long, env = "WS_DEFAULTS_AFTER_MS", default_value_t = 3_000)]
    pub ws_defaults_after_ms: u64,
    /// Maximum number of open sockets.
    #[arg(long, env = "WS_MAX_SOCKETS", default_value_t = 18_000)]
    pub ws_max_sockets: usize,
    /// Maximum handshakes per second.
    #[arg(long, env = "WS_HANDSHAKES_PER_S", default_value_t = 500)]
    pub ws_handshakes_per_s: u32,
    /// Maximum open sockets per address; a school of a thousand phones may share one address.
    #[arg(long, env = "WS_SOCKETS_PER_ADDRESS", default_value_t = 2_000)]
    pub ws_sockets_per_address: usize,
    /// Maximum handshakes per second and address.
    #[arg(long, env = "WS_HANDSHAKES_PER_ADDRESS_PER_S", default_value_t = 100)]
    pub ws_handshakes_per_address_per_s: u32,
}

impl AsRef<ServiceConfig> for Config {
    fn as_ref(&self) -> &ServiceConfig {
        &self.service
    }
}

impl Config {
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
