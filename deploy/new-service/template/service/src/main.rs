//! The sample process.

use bootstrap::service::{self, Migrate};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    service::main("sample", sample::run, |Migrate::Migrate(config)| {
        service::migrate("sample", config, &sample::MIGRATOR)
    })
    .await
}
