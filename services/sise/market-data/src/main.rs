//! The market-data process.

use market_data::config::{Cli, Command};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match Cli::read().command {
        Command::Run(config) => {
            bootstrap::init("market-data", config.log_format);
            let shutdown = bootstrap::shutdown::token();
            let listener = TcpListener::bind(config.listen_addr).await?;
            market_data::run(*config, listener, shutdown).await
        }
        Command::Migrate(config) => {
            bootstrap::init("market-data", config.log_format);
            market_data::migrate(&config).await
        }
    }
}
