//! The skeleton of a process: command line, public socket, admin port, background tasks and drain.
//!
//! [`main`] parses the settings, starts the logs, claims the socket and calls the service's `run`
//! with a [`Process`]. `run` builds what is the service's own and gives it to a [`Server`]. Relays
//! and consumers are background tasks of the server, so this crate knows nothing of the broker.

mod command_line;
mod config;
mod server;

use std::net::TcpListener;

use anyhow::Context;
use clap::{Args, CommandFactory, Subcommand};
use sqlx::migrate::Migrator;
use tokio_util::sync::CancellationToken;

use crate::listener::{self, Predecessor};
use crate::{database, shutdown};
use command_line::Command;

pub use config::{DatabaseConfig, Migrate, MigrateConfig, ServiceConfig};
pub use server::Server;

/// What `run` of a service receives beside its settings.
pub struct Process {
    pub listener: TcpListener,
    /// The process that listened before, if it handed the socket over.
    pub predecessor: Option<Predecessor>,
    /// Cancelled by SIGTERM and SIGINT.
    pub shutdown: CancellationToken,
}

impl Process {
    /// Without a predecessor.
    #[must_use]
    pub fn new(listener: TcpListener, shutdown: CancellationToken) -> Self {
        Self {
            listener,
            predecessor: None,
            shutdown,
        }
    }

    fn claim(config: &ServiceConfig) -> anyhow::Result<Self> {
        let shutdown = shutdown::token();
        let address = config.listen_addr;
        let (listener, predecessor) =
            listener::claim(address, config.handover_socket.as_deref())
                .with_context(|| format!("{address} cannot be listened on"))?;
        Ok(Self {
            listener,
            predecessor,
            shutdown,
        })
    }
}

/// Runs the process `name`: the command `run`, which is the default and may be left out, or one of
/// the commands of `X`. A service without further commands takes [`std::convert::Infallible`].
///
/// Prints the usage and exits if the command line or a setting is invalid.
///
/// # Errors
/// The error of the command.
pub async fn main<C, X, R, E>(
    name: &'static str,
    run: impl FnOnce(C, Process) -> R,
    execute: impl FnOnce(X) -> E,
) -> anyhow::Result<()>
where
    C: Args + CommandFactory + AsRef<ServiceConfig>,
    X: Subcommand,
    R: Future<Output = anyhow::Result<()>>,
    E: Future<Output = anyhow::Result<()>>,
{
    let config = match command_line::parse::<C, X>(name, std::env::args_os()) {
        Ok(Command::Run(config)) => *config,
        Ok(Command::Other(command)) => return execute(command).await,
        Err(error) => error.exit(),
    };
    crate::init(name, config.as_ref().log_format);
    let running = async {
        let process = Process::claim(config.as_ref())?;
        run(config, process).await
    };
    running
        .await
        .inspect_err(|error| tracing::error!(error = format!("{error:#}"), "Stopped"))
}

/// Migrates the database of the process `name` to the newest schema.
///
/// # Errors
/// When the database cannot be reached or a migration fails.
pub async fn migrate(
    name: &'static str,
    config: MigrateConfig,
    migrations: &Migrator,
) -> anyhow::Result<()> {
    crate::init(name, config.log_format);
    database::migrate(&config.migration_database_url, migrations).await?;
    tracing::info!(
        migrations = migrations.iter().count(),
        "Migrated to the newest schema"
    );
    Ok(())
}
