//! What the process reads from its environment and arguments, once, at the start.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use bootstrap::LogFormat;
use chrono::NaiveDate;
use clap::{Parser, Subcommand, ValueEnum};
use secrecy::SecretString;

use crate::feed::FeedConfig;
use crate::model::MarketHours;
use crate::seed::{self, SeedFiles};

/// The command line. Everything can be said by environment variables instead.
#[derive(Debug, Parser)]
#[command(
    name = "market-data",
    version,
    about = "Instruments, prices, candles and search"
)]
pub struct Cli {
    /// What to do; `run` when nothing is said.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve until SIGTERM.
    Run(Box<Config>),
    /// Bring the database to the newest schema and leave.
    Migrate(MigrateConfig),
}

impl Cli {
    /// Reads the command line and the environment; explains itself and ends the process when
    /// they are wrong.
    #[must_use]
    pub fn read() -> Self {
        let mut words: Vec<OsString> = std::env::args_os().collect();
        let says_what = words
            .get(1)
            .and_then(|word| word.to_str())
            .is_some_and(|word| {
                matches!(
                    word,
                    "run" | "migrate" | "help" | "-h" | "--help" | "-V" | "--version"
                )
            });
        if !says_what {
            words.insert(1.min(words.len()), OsString::from("run"));
        }
        Self::parse_from(words)
    }
}

/// Settings of `migrate`.
#[derive(Debug, Parser)]
pub struct MigrateConfig {
    /// PostgreSQL as the role that owns the tables.
    #[arg(long, env = "MIGRATION_DATABASE_URL", hide_env_values = true)]
    pub migration_database_url: SecretString,

    /// How log lines look: json or text.
    #[arg(long, env = "LOG_FORMAT", default_value_t = LogFormat::Json)]
    pub log_format: LogFormat,
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

    /// The hours of a market whose first day was `first_live_day`.
    #[must_use]
    pub fn hours(self, first_live_day: NaiveDate) -> MarketHours {
        match self {
            Self::Practice => MarketHours::Practice {
                from: first_live_day,
            },
            Self::Exchange | Self::Replay => MarketHours::Exchange,
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

    /// Whether its prices are made up (rather than recorded).
    #[must_use]
    pub fn is_simulated(self) -> bool {
        match self {
            Self::Builtin => true,
            Self::Replay => false,
        }
    }

    /// The instruments it has prices for.
    #[must_use]
    pub fn seed(self) -> SeedFiles {
        match self {
            Self::Builtin => seed::MARKET,
            Self::Replay => seed::REPLAY,
        }
    }
}

/// Settings of `run`.
#[derive(Clone, Debug, Parser)]
pub struct Config {
    /// Where gRPC is served.
    #[arg(long, env = "LISTEN_ADDR", default_value = "127.0.0.1:9103")]
    pub listen_addr: SocketAddr,

    /// Where a successor asks for the public socket; without it the socket ends with the process.
    #[arg(long, env = "HANDOVER_SOCKET")]
    pub handover_socket: Option<PathBuf>,

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

    /// Seconds that calls have to finish after SIGTERM.
    #[arg(long, env = "DRAIN_S", default_value_t = 10)]
    pub drain_s: u64,

    /// Settings of the feed, the tick log and the history.
    #[command(flatten)]
    pub feed: FeedConfig,

    /// How log lines look: json or text.
    #[arg(long, env = "LOG_FORMAT", default_value_t = LogFormat::Json)]
    pub log_format: LogFormat,
}

impl Config {
    /// The clock the market runs on: recorded days have one of their own.
    ///
    /// # Errors
    /// When `MARKET_CLOCK=replay` is asked for without the feed that replays.
    pub fn clock_of_feed(&self) -> anyhow::Result<MarketClock> {
        match (self.market_feed, self.market_clock) {
            (MarketFeed::Replay, _) => Ok(MarketClock::Replay),
            (MarketFeed::Builtin, MarketClock::Replay) => {
                anyhow::bail!("MARKET_CLOCK=replay needs MARKET_FEED=replay")
            }
            (MarketFeed::Builtin, clock) => Ok(clock),
        }
    }
}
