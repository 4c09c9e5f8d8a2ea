use std::convert::Infallible;
use std::sync::Arc;

use bootstrap::service::{self, Process};
use edge::config::Config;
use kernel::SystemClock;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    service::main("edge", run, |none: Infallible| async move { match none {} }).await
}

async fn run(config: Config, process: Process) -> anyhow::Result<()> {
    let clock = Arc::new(SystemClock);
    edge::run(config, process.listener, clock, process.shutdown).await
}
