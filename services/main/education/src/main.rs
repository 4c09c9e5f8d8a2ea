use bootstrap::service::{self, Migrate};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    service::main("education", education::run, |Migrate::Migrate(config)| {
        service::migrate("education", config, &education::MIGRATOR)
    })
    .await
}
