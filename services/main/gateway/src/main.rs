use std::sync::Arc;

use bootstrap::service::{self, Process};
use gateway::config::{Command, Config};
use kernel::SystemClock;

// The system allocator took an eighth of the gateway's time. Auth and the edge keep it: their
// allocations are large or long-lived.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[actix_web::main]
async fn main() -> anyhow::Result<()> {
    service::main("gateway", run, execute).await
}

async fn run(config: Config, process: Process) -> anyhow::Result<()> {
    let clock = Arc::new(SystemClock);
    gateway::run(config, process.listener, clock, process.shutdown).await
}

async fn execute(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Openapi => println!("{}", gateway::openapi::document().to_pretty_json()?),
    }
    Ok(())
}
