//! The settings that services share.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Subcommand};
use sea_orm::DatabaseConnection;
use secrecy::SecretString;
use sqlx::PgPool;
use telemetry::LogFormat;

use crate::database;

/// Settings of `run` that every process has. A service flattens them and overrides defaults with
/// `#[command(mut_arg("listen_addr", |arg| arg.default_value("…")))]`.
#[derive(Clone, Debug, Args)]
pub struct ServiceConfig {
    /// Address on which the process serves.
    #[arg(long, env = "LISTEN_ADDR", default_value = "127.0.0.1:0")]
    pub listen_addr: SocketAddr,
    /// Unix socket through which a successor takes over the listening socket; without it there is
    /// no handover.
    #[arg(long, env = "HANDOVER_SOCKET")]
    pub handover_socket: Option<PathBuf>,
    /// Address of `/livez`, `/readyz` and `/metrics`, for operators only.
    #[arg(long, env = "ADMIN_ADDR", default_value = "127.0.0.1:0")]
    pub admin_addr: SocketAddr,
    /// Seconds for requests in flight to finish after SIGTERM.
    #[arg(long, env = "DRAIN_S", default_value = "10")]
    pub drain_s: u64,
    /// Format of the log: `json` or `text`.
    #[arg(long, env = "LOG_FORMAT", default_value_t = LogFormat::Json)]
    pub log_format: LogFormat,
}

impl ServiceConfig {
    #[must_use]
    pub fn drain(&self) -> Duration {
        Duration::from_secs(self.drain_s)
    }
}

/// The pool of a service that owns a database.
#[derive(Clone, Debug, Args)]
pub struct DatabaseConfig {
    /// The service's own PostgreSQL database, with the role that may not change the schema.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// Maximum connections to the database. All services together should not hold many more than
    /// two per core.
    #[arg(long, env = "DATABASE_MAX_CONNECTIONS", default_value = "4")]
    pub database_max_connections: u32,
}

impl DatabaseConfig {
    /// Opens the pool, as [`database::connect`].
    ///
    /// # Errors
    /// When the address is malformed or the connection fails.
    pub async fn connect(&self) -> anyhow::Result<(PgPool, DatabaseConnection)> {
        database::connect(&self.database_url, self.database_max_connections)
            .await
            .context("the database cannot be reached")
    }
}

/// The commands of a service that owns a database and has no others.
#[derive(Debug, Subcommand)]
pub enum Migrate {
    /// Migrates the database to the newest schema and ends.
    Migrate(MigrateConfig),
}

/// Settings of `migrate`.
#[derive(Clone, Debug, Args)]
pub struct MigrateConfig {
    /// The service's database, with the role that owns the schema.
    #[arg(long, env = "MIGRATION_DATABASE_URL", hide_env_values = true)]
    pub migration_database_url: SecretString,
    /// Format of the log: `json` or `text`.
    #[arg(long, env = "LOG_FORMAT", default_value_t = LogFormat::Json)]
    pub log_format: LogFormat,
}
