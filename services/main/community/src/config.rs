//! Configuration from the environment and the command line, read once at the start.

use bootstrap::service::{DatabaseConfig, ServiceConfig};
use clap::Parser;
use secrecy::SecretString;

use crate::domain::writing::Limits;

/// Posts, comments, and what members are to each other.
#[derive(Clone, Debug, Parser)]
#[command(mut_arg("listen_addr", |arg| arg.default_value("127.0.0.1:9106")))]
#[command(mut_arg("admin_addr", |arg| arg.default_value("127.0.0.1:9206")))]
pub struct Config {
    #[command(flatten)]
    pub service: ServiceConfig,

    #[command(flatten)]
    pub database: DatabaseConfig,

    /// RabbitMQ; members who join meanwhile count as old while it is unavailable.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,

    #[command(flatten)]
    pub limits: Limits,
}

impl AsRef<ServiceConfig> for Config {
    fn as_ref(&self) -> &ServiceConfig {
        &self.service
    }
}
