//! A lost tick log: fills resume by themselves in the next one.

use std::time::Duration;

use proto::market::v1::market_service_server::MarketServiceServer;
use sqlx::PgPool;
use testkit::TempStream;
use tonic::service::Routes;

use crate::stream::{Log, ME, Market1, Process, TIMEOUT, filled, placed_at_first_price};
use crate::world::{SAMSUNG, buy};

/// What a member may have to wait for a fill after the log was lost.
const SOON: Duration = Duration::from_secs(30);

async fn delete(stream: &TempStream) {
    let link = stream.amqp.channel().await;
    let name = stream.spec.name.as_str().into();
    link.queue_delete(name, Default::default()).await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn fills_resume_in_a_new_log(pool: PgPool) {
    let stream = TempStream::create().await;
    let market = testkit::serve(Routes::new(MarketServiceServer::new(Market1))).await;
    let process = Process::start(&pool, &stream.spec.name, &market.url).await;
    let mut log = Log::new(&stream);
    let first = placed_at_first_price(&process, &mut log, buy(ME, SAMSUNG, "72000", "10")).await;
    filled(&process, &mut log, first, TIMEOUT).await;

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
