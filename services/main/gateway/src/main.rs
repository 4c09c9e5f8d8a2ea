use std::sync::Arc;

use anyhow::Context;
use clap::Parser;
use gateway::config::{Cli, Command};
use kernel::SystemClock;

// The system allocator took an eighth of the gateway's time. Auth and the edge keep it: their
// allocations are large or long-lived.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[actix_web::main]
async fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    match cli.command.unwrap_or_default() {
        Command::Openapi => {
            println!("{}", gateway::openapi::document().to_pretty_json()?);
            Ok(())
        }
        Command::Run => {
            bootstrap::init("gateway", cli.config.log_format);
            let address = cli.config.listen_addr;
            let handover = cli.config.handover_socket.as_deref();
            let (listener, _) = bootstrap::listener::claim(address, handover)
                .with_context(|| format!("cannot listen on {address}"))?;
            tracing::info!(address = %listener.local_addr()?, "gateway listens");
            let shutdown = bootstrap::shutdown::token();
            gateway::run(cli.config, listener, Arc::new(SystemClock), shutdown).await
        }
    }
}
