//! The sise edge process.

use std::sync::Arc;

use anyhow::Context;
use bootstrap::listener;
use clap::Parser;
use edge::config::Config;
use kernel::SystemClock;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config = Config::parse();
    bootstrap::init("edge", config.log_format);
    let (listener, _) = listener::claim(config.listen_addr, config.handover_socket.as_deref())
        .with_context(|| format!("the port {} is taken", config.listen_addr))?;
    let shutdown = bootstrap::shutdown::token();
    tracing::info!(address = %config.listen_addr, "Serving /ws2");
    edge::run(config, listener, Arc::new(SystemClock), shutdown).await
}
