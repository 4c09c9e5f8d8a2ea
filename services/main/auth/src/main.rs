use bootstrap::service::{self, Migrate};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    service::main("auth", auth::run, |Migrate::Migrate(config)| {
        service::migrate("auth", config, &auth::MIGRATOR)
    })
    .await
}
