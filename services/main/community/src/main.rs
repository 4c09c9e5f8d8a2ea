//! The community process.

use std::sync::Arc;

use bootstrap::service;
use community::config::Command;
use community::domain::writing::Limits;
use community::moderation;
use community::pictures::files::{Copied, Files};
use community::store::Store;
use kernel::SystemClock;
use telemetry::LogFormat;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    service::main("community", community::run, execute).await
}

async fn execute(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Migrate(config) => {
            service::migrate("community", config, &community::MIGRATOR).await
        }
        Command::Moderation(config) => {
            bootstrap::init("community", LogFormat::Text);
            let (pool, _) = bootstrap::database::connect(&config.database_url, 1).await?;
            let store = Store::new(pool, Limits::default(), Arc::new(SystemClock));
            let printed = moderation::execute(&store, &config.files_url, &config.command);
            println!("{}", printed.await?);
            Ok(())
        }
        Command::CopyFiles(config) => {
            bootstrap::init("community", LogFormat::Text);
            let (from, to) = (Files::open(&config.from, 0)?, Files::open(&config.to, 0)?);
            let Copied { copied, present } = from.copy_to(&to).await?;
            println!("{copied} files copied, {present} were there");
            Ok(())
        }
    }
}
