//! Before the instruments are known, orders get `MARKET_UNAVAILABLE` and the process does not serve.

use std::time::Duration;

use proto::market::v1::market_service_server::MarketServiceServer;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use testkit::TempStream;
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Code, Status};

use crate::stream::{Market1, Process};
use crate::world::{APPLE, SAMSUNG, World, buy, dec, listing, reason};

const ME: i64 = 100_001;

fn awaited() -> (Code, String) {
    (Code::FailedPrecondition, "MARKET_UNAVAILABLE".to_owned())
}

fn code_and_reason(rejected: &Status) -> (Code, String) {
    (rejected.code(), reason(rejected))
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn rejections_before_the_instruments_are_known_are_not_stored(pool: PgPool) {
    let world = World::new(pool).await;
    let resting = world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    let requests = "select count(*) from request";
    let before = world.count(requests).await;
    let mut order = buy(ME, SAMSUNG, "70000", "2");
    order.request_id = "before-instruments".to_owned();
    let change = wire::ModifyOrderRequest {
        member_id: ME,
        request_id: "change-before-instruments".to_owned(),
        order_id: resting.order_id,
        side: resting.side,
        category: resting.category,
        price: dec("69000"),
        ..wire::ModifyOrderRequest::default()
    };
    let shown = wire::PreviewOrderRequest {
        member_id: ME,
        instrument_code: SAMSUNG.to_owned(),
        side: wire::OrderSide::Buy.into(),
        quantity: dec("1"),
        ..wire::PreviewOrderRequest::default()
    };
    let capacity = wire::GetOrderCapacityRequest {
        member_id: ME,
        instrument_code: SAMSUNG.to_owned(),
        ..wire::GetOrderCapacityRequest::default()
    };

    world.market_cache.set_listings([]);
    assert_eq!(world.rejected(order.clone()).await, awaited());
    let (mut client, mut orders) = (world.client.clone(), world.orders.clone());
    let changed = orders.modify_order(change.clone()).await.unwrap_err();
    assert_eq!(code_and_reason(&changed), awaited());
    let rejected = orders.preview_order(shown).await.unwrap_err();
    assert_eq!(code_and_reason(&rejected), awaited());
    let rejected = client.get_order_capacity(capacity).await.unwrap_err();
    assert_eq!(code_and_reason(&rejected), awaited());
    assert_eq!(world.count(requests).await, before);

    world
        .market_cache
        .set_listings([SAMSUNG, APPLE].map(listing));
    assert!(!world.place(order).await.unwrap().replayed);
    let changed = orders.modify_order(change).await.unwrap().into_inner();
    assert!(!changed.replayed);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_process_serves_once_it_knows_the_instruments(pool: PgPool) {
    let stream = TempStream::create().await;
    // Whoever connects waits until it is served.
    let market = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", market.local_addr().unwrap());
    let process = Process::start(&pool, &stream.spec.name, &url).await;
    let mut unknown = buy(ME, SAMSUNG, "70000", "1");
    unknown.instrument_code = "000001".to_owned();
    let placing = process.place(unknown);
    let serving = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let market = Server::builder()
            .add_service(MarketServiceServer::new(Market1))
            .serve_with_incoming(TcpIncoming::from(market));
        market.await.unwrap();
    };
    let rejected = tokio::select! {
        rejected = placing => rejected.unwrap_err(),
        () = serving => panic!("the market is served until the test ends"),
    };
    assert_eq!(rejected, "NOT_TRADABLE");
    process.stop().await;
}
