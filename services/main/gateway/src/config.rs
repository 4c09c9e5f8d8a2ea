//! The only file that reads the environment.

use std::path::PathBuf;

use bootstrap::service::ServiceConfig;
use chrono::{DateTime, FixedOffset};
use clap::{Parser, Subcommand};

/// Commands beside `run`.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum Command {
    /// Print the OpenAPI document and end; needs no server.
    Openapi,
}

/// The public API of the product.
#[derive(Clone, Debug, Parser)]
#[command(mut_arg("listen_addr", |arg| arg.default_value("0.0.0.0:8080")))]
#[command(mut_arg("admin_addr", |arg| arg.default_value("127.0.0.1:9200")))]
#[command(mut_arg("drain_s", |arg| arg.default_value("20")))]
pub struct Config {
    #[command(flatten)]
    pub service: ServiceConfig,
    /// The auth service.
    #[arg(long, env = "AUTH_URL", default_value = "http://127.0.0.1:9101")]
    pub auth_url: String,
    /// The trading service.
    #[arg(long, env = "TRADING_URL", default_value = "http://127.0.0.1:9102")]
    pub trading_url: String,
    /// The market-data service.
    #[arg(long, env = "MARKET_URL", default_value = "http://127.0.0.1:9103")]
    pub market_url: String,
    /// The education service.
    #[arg(long, env = "EDUCATION_URL", default_value = "http://127.0.0.1:9105")]
    pub education_url: String,
    /// The community service.
    #[arg(long, env = "COMMUNITY_URL", default_value = "http://127.0.0.1:9106")]
    pub community_url: String,
    /// Ended sessions and shared rate limits; the gateway works without it.
    #[arg(long, env = "REDIS_URL", default_value = "redis://127.0.0.1:6379/0")]
    pub redis_url: String,
    /// Scheme, host and port members type, separated by commas where there are several. `https` of
    /// the first turns on secure cookies and HSTS.
    #[arg(
        long,
        env = "PUBLIC_ORIGIN",
        value_delimiter = ',',
        default_value = "http://localhost:8080"
    )]
    pub public_origin: Vec<String>,
    /// Scheme, host and port of the sise edge, as the client reaches it: one for all origins, or
    /// one for each in their order.
    #[arg(
        long,
        env = "SISE_ORIGIN",
        value_delimiter = ',',
        default_value = "http://localhost:8081"
    )]
    pub sise_origin: Vec<String>,
    /// The built client. Absent = only the API is served.
    #[arg(long, env = "CLIENT_DIR")]
    pub client_dir: Option<PathBuf>,
    /// Requests a second that one member (or an address without a token of ours) may burst.
    #[arg(long, env = "RATE_LIMIT_PER_SECOND", default_value_t = 20)]
    pub rate_limit_per_second: u32,
    /// Requests a minute that one member (or an address without a token of ours) may make.
    #[arg(long, env = "RATE_LIMIT_PER_MINUTE", default_value_t = 300)]
    pub rate_limit_per_minute: u32,
    /// Refreshes of tokens a minute and address; a school of a thousand phones may share one.
    #[arg(long, env = "REFRESHES_PER_MINUTE", default_value_t = 3_000)]
    pub refreshes_per_minute: u32,
    /// Passwords a minute and address that auth hashes, with a token or without; twice as many for a
    /// /48 of IPv6. A change of a password counts as two.
    #[arg(long, env = "HASHES_PER_MINUTE", default_value_t = 240)]
    pub hashes_per_minute: u32,
    /// How many proxies of ours stand before the gateway. The caller's address is then that many
    /// entries from the right of `X-Forwarded-For`; 0 = nobody's word is taken.
    #[arg(long, env = "TRUSTED_PROXIES", default_value_t = 0)]
    pub trusted_proxies: usize,
    /// Open sockets at most.
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 10_000)]
    pub max_connections: usize,
    /// While set, the API is closed for maintenance and members are told that it opens again then
    /// (RFC 3339). It is open as soon as the gateway runs without it.
    #[arg(long, env = "MAINTENANCE_UNTIL")]
    pub maintenance_until: Option<DateTime<FixedOffset>>,
    /// The oldest iOS app that is still served, as `1.4`; an older one asks for its update.
    #[arg(long, env = "LEAST_IOS_APP")]
    pub least_ios_app: Option<String>,
    /// The same of the Android app.
    #[arg(long, env = "LEAST_ANDROID_APP")]
    pub least_android_app: Option<String>,
}

impl AsRef<ServiceConfig> for Config {
    fn as_ref(&self) -> &ServiceConfig {
        &self.service
    }
}

impl Config {
    /// Whether members come over TLS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        let first = self.public_origin.first();
        first.is_some_and(|origin| origin.starts_with("https://"))
    }
}
