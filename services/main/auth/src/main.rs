//! The auth process.

use std::process::ExitCode;

use anyhow::Context;
use auth::config::{Cli, Command, Config};
use bootstrap::listener;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    let outcome = match Cli::read().command {
        Command::Run(config) => run(*config).await,
        Command::Migrate(config) => {
            bootstrap::init("auth", config.log_format);
            auth::migrate(&config).await
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "Stopped");
            ExitCode::FAILURE
        }
    }
}

async fn run(config: Config) -> anyhow::Result<()> {
    bootstrap::init("auth", config.log_format);
    let shutdown = bootstrap::shutdown::token();
    let address = config.listen_addr;
    let (listener, _) = listener::claim(address, config.handover_socket.as_deref())
        .with_context(|| format!("{address} cannot be listened on"))?;
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    auth::run(config, listener, shutdown).await
}
