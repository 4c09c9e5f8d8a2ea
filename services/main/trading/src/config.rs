//! The environment, read once.

use std::net::SocketAddr;
use std::path::PathBuf;

use bootstrap::LogFormat;
use clap::{Args, Parser, Subcommand};
use kernel::Won;
use secrecy::SecretString;

use crate::orders::validation::OrderLimits;
use crate::store::AccountPolicy;

/// The trading service: accounts, the ledger, orders and fills.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Cli {
    /// What to do; without a word, run.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve (the default).
    Run(Config),
    /// Bring the database to the newest schema.
    Migrate(MigrateConfig),
    /// Prove that every won adds up, from the first journal on; fails and names the row when one
    /// does not.
    Audit(AuditConfig),
    /// Put dead letters back into the queues they came from.
    Redrive(RedriveConfig),
}

/// Settings of a running service.
#[derive(Clone, Debug, Parser)]
pub struct Config {
    /// Where gRPC is served.
    #[arg(long, env = "LISTEN_ADDR", default_value = "127.0.0.1:9102")]
    pub listen_addr: SocketAddr,
    /// Where a successor asks for the public socket; without it the socket ends with the process.
    #[arg(long, env = "HANDOVER_SOCKET")]
    pub handover_socket: Option<PathBuf>,
    /// Where health and metrics are served.
    #[arg(long, env = "ADMIN_ADDR", default_value = "127.0.0.1:9202")]
    pub admin_addr: SocketAddr,
    /// The database of this service.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// Connections to it. Together the services should not hold many more than two a core.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = 6)]
    pub database_connections: u32,
    /// The broker.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,
    /// The market-data service.
    #[arg(long, env = "MARKET_URL", default_value = "http://127.0.0.1:9103")]
    pub market_url: String,
    /// Name of the tick log.
    #[arg(long, env = "TICK_STREAM", default_value = "ticks")]
    pub tick_stream: String,
    /// Into how many parts the matcher divides the instruments.
    #[arg(long, env = "MATCHER_SHARDS", default_value_t = 1)]
    pub matcher_shards: i32,
    /// How log lines look: json or text.
    #[arg(long, env = "LOG_FORMAT", default_value = "json")]
    pub log_format: LogFormat,
    /// How often the books are audited, in seconds; 0 never.
    #[arg(long, env = "AUDIT_EVERY_S", default_value_t = 300)]
    pub audit_every_s: u64,
    /// How long answers to money requests are kept, in days.
    #[arg(long, env = "REQUEST_KEEP_DAYS", default_value_t = 30)]
    pub request_keep_days: i64,
    /// Numbers of the business.
    #[command(flatten)]
    pub policy: PolicyConfig,
}

/// Numbers of the business that an operator may change.
#[derive(Clone, Copy, Debug, Args)]
pub struct PolicyConfig {
    /// What a new account receives, in won.
    #[arg(long, env = "INITIAL_DEPOSIT_WON", default_value_t = 5_000_000)]
    pub initial_deposit_won: i64,
    /// Orders that may wait at a time, per account.
    #[arg(long, env = "OPEN_ORDERS_MAX", default_value_t = 100)]
    pub open_orders_max: i32,
    /// Accepted orders in a second, per account.
    #[arg(long, env = "ORDERS_PER_SECOND", default_value_t = 5)]
    pub orders_per_second: i32,
    /// Accepted orders in a minute, per account.
    #[arg(long, env = "ORDERS_PER_MINUTE", default_value_t = 60)]
    pub orders_per_minute: i32,
}

impl PolicyConfig {
    /// The numbers as the store takes them.
    #[must_use]
    pub fn policy(&self) -> AccountPolicy {
        AccountPolicy {
            initial_deposit: Won(self.initial_deposit_won),
            limits: OrderLimits {
                open_orders: self.open_orders_max,
                per_second: self.orders_per_second,
                per_minute: self.orders_per_minute,
            },
        }
    }
}

/// Settings of a migration.
#[derive(Debug, Parser)]
pub struct MigrateConfig {
    /// The database, as the owner of its tables.
    #[arg(long, env = "MIGRATION_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
}

/// Settings of putting dead letters back.
#[derive(Debug, Parser)]
pub struct RedriveConfig {
    /// The broker.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,
    /// Only those of this queue, for example `trading.auth-events`; without it those of every
    /// service.
    #[arg(long)]
    pub queue: Option<String>,
}

/// Settings of an audit.
#[derive(Debug, Parser)]
pub struct AuditConfig {
    /// The database.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// Oldest age an unsent event may have, in seconds.
    #[arg(long, env = "AUDIT_OUTBOX_AGE_S", default_value_t = 60)]
    pub outbox_age_s: i64,
    /// The database of auth: accounts are compared with the members that it knows.
    #[arg(long, env = "AUTH_DATABASE_URL", hide_env_values = true)]
    pub auth_database_url: Option<SecretString>,
    /// The database of market-data: splits are compared with those that it told.
    #[arg(long, env = "MARKET_DATABASE_URL", hide_env_values = true)]
    pub market_database_url: Option<SecretString>,
}
