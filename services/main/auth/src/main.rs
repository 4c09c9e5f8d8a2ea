//! The auth process.

use auth::config::{Cli, Command};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match Cli::read().command {
        Command::Run(config) => {
            bootstrap::init("auth", config.log_format);
            let shutdown = bootstrap::shutdown::token();
            let listener = TcpListener::bind(config.listen_addr).await?;
            auth::run(*config, listener, shutdown).await
        }
        Command::Migrate(config) => {
            bootstrap::init("auth", config.log_format);
            auth::migrate(&config).await
        }
    }
}
