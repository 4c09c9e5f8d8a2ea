//! Configuration from the environment and the command line, read once at the start.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use secrecy::SecretString;
use telemetry::LogFormat;

/// Members, credentials and sessions.
#[derive(Debug, Parser)]
#[command(name = "auth", version)]
pub struct Cli {
    /// Defaults to `run`.
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serves until SIGTERM.
    Run(Box<Config>),
    /// Migrates the database to the newest schema.
    Migrate(MigrateConfig),
}

/// Settings of `run`.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Address of the gRPC server.
    #[arg(long, env = "LISTEN_ADDR", default_value = "127.0.0.1:9101")]
    pub listen_addr: SocketAddr,

    /// Unix socket through which a successor takes over the listening socket; without it there is
    /// no handover.
    #[arg(long, env = "HANDOVER_SOCKET")]
    pub handover_socket: Option<PathBuf>,

    /// Address of `/livez`, `/readyz` and `/metrics`.
    #[arg(long, env = "ADMIN_ADDR", default_value = "127.0.0.1:9201")]
    pub admin_addr: SocketAddr,

    /// The service's database, with the role that may not change the schema.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,

    /// Maximum connections to the database.
    #[arg(long, env = "DATABASE_MAX_CONNECTIONS", default_value_t = 10)]
    pub database_max_connections: u32,

    /// Redis; the service runs without it.
    #[arg(long, env = "REDIS_URL", hide_env_values = true)]
    pub redis_url: SecretString,

    /// RabbitMQ; events wait in the outbox while it is unavailable.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,

    /// The Ed25519 key (PKCS#8 PEM) that signs access tokens.
    #[arg(long, env = "SIGNING_KEY_FILE")]
    pub signing_key_file: PathBuf,

    /// The previous key, published until its last tokens expire.
    #[arg(long, env = "PREVIOUS_SIGNING_KEY_FILE")]
    pub previous_signing_key_file: Option<PathBuf>,

    /// The mail server, as `smtp://user:password@host:port` or `smtps://…`; without one mails stay queued.
    #[arg(long, env = "SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<SecretString>,

    /// Sender of mails.
    #[arg(
        long,
        env = "MAIL_FROM",
        default_value = "시드업 <no-reply@seedup.invalid>"
    )]
    pub mail_from: String,

    /// Public origin of the client; links in mails use the first of several.
    #[arg(long, env = "PUBLIC_ORIGIN", default_value = "http://localhost:8080")]
    pub public_origin: String,

    /// Joins per address and hour; a classroom shares an address.
    #[arg(long, env = "JOINS_PER_HOUR", default_value_t = 100)]
    pub joins_per_hour: usize,

    /// Days that ended sessions are kept.
    #[arg(long, env = "SESSION_RETENTION_DAYS", default_value_t = 30)]
    pub session_retention_days: u16,

    /// Seconds for calls in flight to finish after SIGTERM.
    #[arg(long, env = "DRAIN_S", default_value_t = 10)]
    pub drain_s: u64,

    /// `json` or `text`.
    #[arg(long, env = "LOG_FORMAT", default_value_t = LogFormat::Json)]
    pub log_format: LogFormat,
}

/// Settings of `migrate`.
#[derive(Clone, Debug, Args)]
pub struct MigrateConfig {
    /// The service's database, with the role that owns the schema.
    #[arg(long, env = "MIGRATION_DATABASE_URL", hide_env_values = true)]
    pub migration_database_url: SecretString,

    /// `json` or `text`.
    #[arg(long, env = "LOG_FORMAT", default_value_t = LogFormat::Json)]
    pub log_format: LogFormat,
}

impl Cli {
    /// Prints the usage and exits if the configuration is invalid.
    #[must_use]
    pub fn read() -> Self {
        let mut words: Vec<_> = std::env::args_os().collect();
        if words.len() <= 1 {
            words.push("run".into());
        }
        Self::parse_from(words)
    }
}
