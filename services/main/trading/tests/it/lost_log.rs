//! A tick log that is lost: fills go on by themselves in the next one.

use std::time::Duration;

use proto::market::v1::market_service_server::MarketServiceServer;
use proto::trading::v1::OrderStatus;
use sqlx::PgPool;
use testkit::{TempStream, eventually};
use tonic::service::Routes;

use crate::stream::{Log, ME, Market1, PATIENCE, Process};
use crate::world::{SAMSUNG, buy};

/// What a member may have to wait for a fill after the log was lost.
const SOON: Duration = Duration::from_secs(30);

async fn delete(stream: &TempStream) {
    let link = stream.amqp.channel().await;
    let name = stream.spec.name.as_str().into();
    link.queue_delete(name, Default::default()).await.unwrap();
}

/// Trades at a price at which nothing waits, until the order is filled.
async fn filled(process: &Process, log: &mut Log, order_id: i64, within: Duration) {
    eventually(within, async || {
        log.trade(71_300).await;
        process.status(order_id).await == OrderStatus::Filled
    })
    .await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn fills_go_on_in_a_log_that_was_made_anew(pool: PgPool) {
    let stream = TempStream::create().await;
    let market = testkit::serve(Routes::new(MarketServiceServer::new(Market1))).await;
    let process = Process::start(&pool, &stream.spec.name, &market.url).await;
    let mut log = Log::new(&stream);
    let mut first = Err(String::new());
    eventually(PATIENCE, async || {
        log.trade(71_300).await;
        first = process.place(buy(ME, SAMSUNG, "72000", "10")).await;
        first.is_ok()
    })
    .await;
    filled(&process, &mut log, first.unwrap(), PATIENCE).await;

    // Under a running process.
    delete(&stream).await;
    let second = process.place(buy(ME, SAMSUNG, "72000", "10")).await;
    filled(&process, &mut log, second.unwrap(), SOON).await;

    // While nobody reads.
    let third = process.place(buy(ME, SAMSUNG, "72000", "10")).await;
    process.stop().await;
    delete(&stream).await;
    log.trade(71_300).await;
    let process = Process::start(&pool, &stream.spec.name, &market.url).await;
    filled(&process, &mut log, third.unwrap(), SOON).await;
    process.stop().await;
    let report = trading::audit::run(&pool, 60).await.unwrap();
    assert!(report.findings.is_empty(), "{report}");
}
