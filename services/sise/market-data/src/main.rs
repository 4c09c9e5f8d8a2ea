//! The market-data process.

use bootstrap::listener;
use market_data::config::{Cli, Command};
use tokio::net::TcpListener;

// As in the gateway.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    match Cli::read().command {
        Command::Run(config) => {
            bootstrap::init("market-data", config.log_format);
            let shutdown = bootstrap::shutdown::token();
            let handover = config.handover_socket.as_deref();
            let (listener, predecessor) = listener::claim(config.listen_addr, handover)?;
            listener.set_nonblocking(true)?;
            let listener = TcpListener::from_std(listener)?;
            // Only one process writes the log; calls wait in the socket's queue until this one
            // serves.
            market_data::run_after(predecessor, *config, listener, shutdown).await
        }
        Command::Migrate(config) => {
            bootstrap::init("market-data", config.log_format);
            market_data::migrate(&config).await
        }
    }
}
