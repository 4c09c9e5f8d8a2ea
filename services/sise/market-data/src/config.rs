//! Configuration from the environment and the command line, read once at the start.

use std::path::PathBuf;

use bootstrap::service::{DatabaseConfig, ServiceConfig};
use chrono::NaiveDate;
use clap::{Parser, ValueEnum};
use secrecy::SecretString;

use crate::feed::FeedConfig;
use crate::model::MarketHours;
use crate::seed::{self, SeedFiles};

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

/// Instruments, prices, candles and search.
#[derive(Clone, Debug, Parser)]
#[command(mut_arg("listen_addr", |arg| arg.default_value("127.0.0.1:9103")))]
#[command(mut_arg("admin_addr", |arg| arg.default_value("127.0.0.1:9203")))]
pub struct Config {
    #[command(flatten)]
    pub service: ServiceConfig,

    #[command(flatten)]
    pub database: DatabaseConfig,

    /// Redis, for caches and popularity scores; its data may be lost.
    #[arg(long, env = "REDIS_URL", hide_env_values = true)]
    pub redis_url: SecretString,

    /// RabbitMQ: the tick log.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,

    /// Auth, whose public keys verify the access tokens of main.
    #[arg(long, env = "AUTH_URL", default_value = "http://127.0.0.1:9101")]
    pub auth_url: String,

    /// Ed25519 private key (PKCS#8 PEM) that signs the tokens of sise.
    #[arg(long, env = "SIGNING_KEY_FILE")]
    pub signing_key_file: PathBuf,

    /// Master seed of the built-in market (64 hex digits), generated once per installation.
    /// Without it the seed is public, and members could predict prices.
    #[arg(long, env = "MARKET_SEED_FILE")]
    pub market_seed_file: Option<PathBuf>,

    /// The clock of the markets. Cannot change once there is data.
    #[arg(long, env = "MARKET_CLOCK", value_enum, default_value = "practice")]
    pub market_clock: MarketClock,

    /// The source of prices. Cannot change once there is data.
    #[arg(long, env = "MARKET_FEED", value_enum, default_value = "builtin")]
    pub market_feed: MarketFeed,

    /// Price alerts of all members that wait at a time, for ninety days at most. The process that
    /// watches prices holds each in about 160 bytes: a million, as many as 20,000 members with full
    /// lists have, in 160 MB.
    #[arg(long, env = "PRICE_ALERTS_MAX", default_value_t = 1_000_000)]
    pub price_alerts_max: u32,

    /// Settings of the feed, the tick log and the history.
    #[command(flatten)]
    pub feed: FeedConfig,
}

impl AsRef<ServiceConfig> for Config {
    fn as_ref(&self) -> &ServiceConfig {
        &self.service
    }
}

impl Config {
    /// The effective clock: a replay has its own.
    ///
    /// # Errors
    /// When `MARKET_CLOCK=replay` is set without `MARKET_FEED=replay`.
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
