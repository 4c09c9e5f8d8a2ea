//! What the process reads from its environment and arguments, once, at the start.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use secrecy::SecretString;

/// Instruments, prices, candles and search.
#[derive(Debug, Parser)]
#[command(name = "market-data", version)]
pub struct Arguments {
    /// What to do; `run` when absent.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve until SIGTERM.
    Run(Box<Config>),
    /// Bring the database up to date and leave.
    Migrate(MigrateConfig),
}

/// Settings of `migrate`.
#[derive(Debug, Parser)]
pub struct MigrateConfig {
    /// PostgreSQL as the role that owns the tables.
    #[arg(long, env = "MIGRATION_DATABASE_URL", hide_env_values = true)]
    pub migration_database_url: SecretString,
}

/// Which time the markets follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MarketClock {
    /// Every market is open all day; a Korean calendar day is a trading day.
    Practice,
    /// Real sessions, auctions and holidays.
    Exchange,
    /// Recorded days, one after another.
    Replay,
}

impl MarketClock {
    /// The spelling in settings, columns and messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Practice => "practice",
            Self::Exchange => "exchange",
            Self::Replay => "replay",
        }
    }
}

/// Where prices come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MarketFeed {
    /// The simulated market.
    Builtin,
    /// Recorded daily prices.
    Replay,
}

impl MarketFeed {
    /// The spelling in settings, columns and messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Replay => "replay",
        }
    }
}

/// Settings of `run`.
#[derive(Clone, Debug, Parser)]
pub struct Config {
    /// Where gRPC is served.
    #[arg(long, env = "LISTEN_ADDR", default_value = "127.0.0.1:9103")]
    pub listen_addr: SocketAddr,

    /// Where health and metrics are served.
    #[arg(long, env = "ADMIN_ADDR", default_value = "127.0.0.1:9203")]
    pub admin_addr: SocketAddr,

    /// PostgreSQL, this service's own database.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,

    /// Connections to PostgreSQL at most.
    #[arg(long, env = "DATABASE_MAX_CONNECTIONS", default_value_t = 4)]
    pub database_max_connections: u32,

    /// Redis: short caches and popularity, which may vanish.
    #[arg(long, env = "REDIS_URL", hide_env_values = true)]
    pub redis_url: SecretString,

    /// RabbitMQ: the tick log.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,

    /// The auth service, whose public keys verify a member's main access token.
    #[arg(long, env = "AUTH_URL", default_value = "http://127.0.0.1:9101")]
    pub auth_url: String,

    /// Ed25519 private key (PKCS#8 PEM) that signs tokens of the quote service.
    #[arg(long, env = "SIGNING_KEY_FILE")]
    pub signing_key_file: PathBuf,

    /// The built-in market's master seed (64 hex digits), made once per installation. Without
    /// it the market is a well-known one, which members could predict.
    #[arg(long, env = "MARKET_SEED_FILE")]
    pub market_seed_file: Option<PathBuf>,

    /// Which time the markets follow. Fixed once there is data.
    #[arg(long, env = "MARKET_CLOCK", value_enum, default_value = "practice")]
    pub market_clock: MarketClock,

    /// Where prices come from. Fixed once there is data.
    #[arg(long, env = "MARKET_FEED", value_enum, default_value = "builtin")]
    pub market_feed: MarketFeed,

    /// Settings of the feed, the tick log and the history.
    #[command(flatten)]
    pub feed: crate::feed::FeedConfig,

    /// How log lines are written.
    #[arg(long, env = "LOG_FORMAT", default_value = "json")]
    pub log_format: String,
}
