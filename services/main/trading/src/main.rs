//! The trading process.

use anyhow::{Context, bail};
use bootstrap::{LogFormat, listener, shutdown};
use clap::Parser;
use tokio::net::TcpListener;
use trading::config::{Cli, Command, Config};
use trading::{MIGRATOR, audit};

// As in the gateway.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let command = match Cli::parse().command {
        Some(command) => command,
        None => Command::Run(Config::parse()),
    };
    match command {
        Command::Run(config) => {
            bootstrap::init("trading", config.log_format);
            let (listener, _) =
                listener::claim(config.listen_addr, config.handover_socket.as_deref())
                    .with_context(|| format!("port {} cannot be used", config.listen_addr))?;
            listener.set_nonblocking(true)?;
            let listener = TcpListener::from_std(listener)?;
            trading::run(config, listener, shutdown::token()).await
        }
        Command::Migrate(config) => {
            bootstrap::init("trading", LogFormat::Text);
            let (pool, _) = bootstrap::database::connect(&config.database_url, 1).await?;
            MIGRATOR.run(&pool).await?;
            bootstrap::database::cut_idle_transactions(&pool).await?;
            Ok(())
        }
        Command::Audit(config) => {
            bootstrap::init("trading", LogFormat::Text);
            let (pool, _) = bootstrap::database::connect(&config.database_url, 1).await?;
            let report = audit::run(&pool, config.outbox_age_s).await?;
            println!("{report}");
            if report.findings.is_empty() {
                Ok(())
            } else {
                bail!("{} rows do not add up", report.findings.len())
            }
        }
    }
}
