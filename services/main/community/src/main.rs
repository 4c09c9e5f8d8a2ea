//! The community process.

use bootstrap::service::{self, Migrate};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    service::main("community", community::run, |Migrate::Migrate(config)| {
        service::migrate("community", config, &community::MIGRATOR)
    })
    .await
}
