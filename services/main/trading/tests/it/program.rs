//! The program as it runs in production, and its database as every service's.

use proto::market::v1::market_service_server::MarketServiceServer;
use sqlx::{ConnectOptions, PgPool};
use testkit::{TempStream, schema};
use tonic::service::Routes;

use crate::stream::Market1;

#[sqlx::test(migrations = false)]
async fn the_program_migrates_becomes_ready_and_drains(pool: PgPool) {
    let url = pool.connect_options().to_url_lossy().to_string();
    let market = testkit::serve(Routes::new(MarketServiceServer::new(Market1))).await;
    let stream = TempStream::create().await;
    let program = env!("CARGO_BIN_EXE_trading");
    testkit::program::migrate(program, &url).await;
    let environment = [
        ("DATABASE_URL", url.as_str()),
        ("MARKET_URL", market.url.as_str()),
        ("TICK_STREAM", stream.spec.name.as_str()),
    ];
    testkit::program::assert_becomes_ready_and_drains(program, &environment).await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn common_tables_are_declared_alike(pool: PgPool) {
    let common = [schema::OUTBOX, schema::INBOX, schema::REQUEST];
    schema::assert_declared_alike(&pool, &common).await;
}
