use bootstrap::service::{self, Migrate};

// As in the gateway.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    service::main(
        "market-data",
        market_data::run,
        |Migrate::Migrate(config)| service::migrate("market-data", config, &market_data::MIGRATOR),
    )
    .await
}
