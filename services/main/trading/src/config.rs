//! Command line and environment.

use bootstrap::service::{DatabaseConfig, MigrateConfig, ServiceConfig};
use chrono::NaiveDate;
use clap::{Args, Parser, Subcommand, ValueEnum};
use kernel::Won;
use secrecy::SecretString;

use crate::orders::validation::OrderLimits;
use crate::store::AccountPolicy;

/// Commands beside `run`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Bring the database to the newest schema.
    Migrate(MigrateConfig),
    /// Check every row of the ledger from the first journal on; fails and names the rows that do not
    /// add up.
    Audit(AuditConfig),
    /// Put dead letters back into the queues they came from.
    Redrive(RedriveConfig),
    /// Give a member cash.
    GrantCash(GrantCashConfig),
    /// Make official competitions, and decide objections to their results.
    Competition(CompetitionConfig),
}

/// The trading service: accounts, the ledger, orders and fills.
#[derive(Clone, Debug, Parser)]
#[command(mut_arg("listen_addr", |arg| arg.default_value("127.0.0.1:9102")))]
#[command(mut_arg("admin_addr", |arg| arg.default_value("127.0.0.1:9202")))]
#[command(mut_arg("database_max_connections", |arg| {
    arg.long("database-connections").env("DATABASE_CONNECTIONS").default_value("6")
}))]
pub struct Config {
    #[command(flatten)]
    pub service: ServiceConfig,
    #[command(flatten)]
    pub database: DatabaseConfig,
    /// RabbitMQ.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,
    /// Redis, for the boards of running competitions; without it they are up to an hour old.
    #[arg(
        long,
        env = "REDIS_URL",
        default_value = "redis://127.0.0.1:6379/0",
        hide_default_value = true,
        hide_env_values = true
    )]
    pub redis_url: SecretString,
    /// The market-data service.
    #[arg(long, env = "MARKET_URL", default_value = "http://127.0.0.1:9103")]
    pub market_url: String,
    /// Name of the tick log.
    #[arg(long, env = "TICK_STREAM", default_value = "ticks")]
    pub tick_stream: String,
    /// Number of shards into which the matcher divides the instruments.
    #[arg(long, env = "MATCHER_SHARDS", default_value_t = 1)]
    pub matcher_shards: i32,
    /// Interval of the audit in seconds; 0 disables it.
    #[arg(long, env = "AUDIT_EVERY_S", default_value_t = 300)]
    pub audit_every_s: u64,
    /// Retention of stored replies in days.
    #[arg(long, env = "REQUEST_KEEP_DAYS", default_value_t = 30)]
    pub request_keep_days: i64,
    #[command(flatten)]
    pub policy: PolicyConfig,
}

impl AsRef<ServiceConfig> for Config {
    fn as_ref(&self) -> &ServiceConfig {
        &self.service
    }
}

#[derive(Clone, Copy, Debug, Args)]
pub struct PolicyConfig {
    /// Initial deposit of a new account, in won.
    #[arg(long, env = "INITIAL_DEPOSIT_WON", default_value_t = 5_000_000)]
    pub initial_deposit_won: i64,
    /// Open orders at a time, per member; a competition account has its own.
    #[arg(long, env = "OPEN_ORDERS_MAX", default_value_t = 100)]
    pub open_orders_max: i32,
    /// Accepted orders in a second, per member; a competition account has its own.
    #[arg(long, env = "ORDERS_PER_SECOND", default_value_t = 5)]
    pub orders_per_second: i32,
    /// Accepted orders in a minute, per member, a competition account having its own; also stored
    /// rejections in a minute, per member.
    #[arg(long, env = "ORDERS_PER_MINUTE", default_value_t = 60)]
    pub orders_per_minute: i32,
    /// Whether what a sale of shares brought can be moved, spent and deposited only when it settles: after
    /// two trading days in Korea, one in the US. It buys at once in any case.
    #[arg(long, env = "SETTLEMENT", value_enum, default_value = "off")]
    pub settlement: Switch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

impl PolicyConfig {
    #[must_use]
    pub fn policy(&self) -> AccountPolicy {
        AccountPolicy {
            initial_deposit: Won(self.initial_deposit_won),
            limits: OrderLimits {
                open_orders: self.open_orders_max,
                per_second: self.orders_per_second,
                per_minute: self.orders_per_minute,
            },
            settles_later: self.settlement == Switch::On,
        }
    }
}

#[derive(Debug, Args)]
pub struct RedriveConfig {
    /// The broker.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,
    /// Only this queue, for example `trading.auth-events`; without it the queues of every service.
    #[arg(long)]
    pub queue: Option<String>,
}

#[derive(Debug, Args)]
pub struct GrantCashConfig {
    /// Sid of the member.
    pub member: i64,
    /// 1 to 1,000,000.
    pub amount: i64,
    /// Why, for whoever reads the books.
    pub reason: String,
    /// The same key is granted to a member once; without one every run grants.
    #[arg(long)]
    pub key: Option<String>,
    /// The database of trading.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
}

#[derive(Debug, Args)]
pub struct CompetitionConfig {
    #[command(subcommand)]
    pub command: CompetitionCommand,
    /// The database of trading.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
}

#[derive(Debug, Subcommand)]
pub enum CompetitionCommand {
    /// Make an official event with the usual prizes.
    Create {
        /// 2 to 40 characters.
        title: String,
        /// First day in Korea, by the clock of the market.
        first_day: NaiveDate,
        /// 3 to 100.
        days: i64,
        /// Won of every account.
        #[arg(long, default_value_t = 10_000_000)]
        start_cash: i64,
        /// Entrants see what others own, in percent and a quarter of an hour late.
        #[arg(long)]
        shows_holdings: bool,
    },
    /// Cancel an official event before its last prices are fixed: its accounts close without results, and
    /// nobody receives a prize.
    Cancel {
        /// Sid of the event.
        competition: i64,
        /// 2 to 200 characters, kept with the event.
        reason: String,
    },
    /// List objections that nobody has decided.
    Objections,
    /// Dismiss an objection.
    Dismiss {
        objection: i64,
        /// What the member is told.
        answer: String,
    },
    /// Uphold an objection: results and places stay, and some members receive no prize.
    Uphold {
        objection: i64,
        /// What the member is told.
        answer: String,
        /// Sids of who receives no prize.
        #[arg(long, required = true, num_args = 1..)]
        withhold_from: Vec<i64>,
    },
}

#[derive(Debug, Args)]
pub struct AuditConfig {
    /// The database of trading.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// Oldest age an unsent event may have, in seconds.
    #[arg(long, env = "AUDIT_OUTBOX_AGE_S", default_value_t = 60)]
    pub outbox_age_s: i64,
    /// Database of auth, whose members are compared with the accounts.
    #[arg(long, env = "AUTH_DATABASE_URL", hide_env_values = true)]
    pub auth_database_url: Option<SecretString>,
    /// Database of market-data, whose splits are compared with those applied.
    #[arg(long, env = "MARKET_DATABASE_URL", hide_env_values = true)]
    pub market_database_url: Option<SecretString>,
}
