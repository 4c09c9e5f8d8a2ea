//! A log and callers of a newer version: what is not known yet is passed over, and the rest counts.

use messaging::ticks::Delivered;
use prost::Message;
use proto::common::v1::{Currency, Market};
use proto::market::v1 as wire;
use proto::market::v1::session_record::Kind;
use proto::trading::v1::order_service_client::OrderServiceClient;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use sqlx::PgPool;
use testkit::newer::{inside, message, unknown_fields};
use trading::domain::market::TradingSession;
use trading::grpc::{Service, Trading};
use trading::orders::committer::Committer;
use trading::tick_log;
use trading::tick_log::{LogRecord, SessionRecordKind};

use crate::world::{DAY, SAMSUNG, World, buy, number};

/// An enum value that no version has.
const LATER: i32 = 4_711;

fn tick(session: i32) -> wire::Tick {
    wire::Tick {
        code: SAMSUNG.to_owned(),
        market: Market::Kospi.into(),
        currency: Currency::Krw.into(),
        tick_seq: 7,
        event_time_us: 1_795_219_385_000_000,
        trading_day: DAY,
        price_units: 71_300,
        prev_close_units: 71_000,
        session,
        ..wire::Tick::default()
    }
}

/// The records of a batch as a newer version writes them, unknown fields at every level.
fn read(records: &[Vec<u8>]) -> Vec<LogRecord> {
    let head = wire::TickBatch {
        producer: "builtin".to_owned(),
        epoch: 1,
        batch_seq: 1,
        closed_at_us: 1_795_219_385_000_000,
        records: Vec::new(),
    };
    let records = records.iter().map(|record| inside(5, record));
    let bytes = [message(&head), records.collect::<Vec<_>>().concat()].concat();
    let delivered = Delivered {
        offset: 3,
        batch: wire::TickBatch::decode(bytes.as_slice()).unwrap(),
        missed_batches: 0,
    };
    let batch = tick_log::decode(&delivered).unwrap();
    assert_eq!((batch.offset, batch.epoch), (3, 1));
    batch.records
}

fn tick_record(tick: &wire::Tick) -> Vec<u8> {
    [inside(1, &message(tick)), unknown_fields()].concat()
}

fn session_record(session: &wire::SessionRecord) -> Vec<u8> {
    [inside(2, &message(session)), unknown_fields()].concat()
}

#[test]
fn records_of_a_newer_log_are_read_as_far_as_they_are_known() {
    let open = wire::SessionRecord {
        kind: Kind::Open.into(),
        venue: wire::Venue::Krx.into(),
        trading_day: DAY,
        event_time_us: 1_795_219_385_000_000,
        ..wire::SessionRecord::default()
    };
    let of_kind = |kind| wire::SessionRecord {
        kind,
        ..open.clone()
    };
    let of_venue = |venue| wire::SessionRecord {
        venue,
        ..open.clone()
    };
    let known = wire::SessionState::Auction.into();
    let records = read(&[
        tick_record(&tick(known)),
        // A record of a kind that has no number here.
        inside(3, b"tomorrow"),
        session_record(&open),
        session_record(&of_kind(LATER)),
        session_record(&of_venue(LATER)),
        // In a state that is not known nothing may be bought or sold.
        tick_record(&tick(LATER)),
    ]);
    let [
        LogRecord::Tick(tick),
        LogRecord::Session(opened),
        LogRecord::Session(elsewhere),
    ] = &records[..]
    else {
        panic!("{records:?}");
    };
    assert_eq!((tick.seq, tick.session), (7, TradingSession::Auction));
    assert_eq!(opened.kind, SessionRecordKind::Open(Vec::new()));
    assert!(opened.scope.is_some());
    assert_eq!(elsewhere.scope, None, "what opens there is nobody's here");
}

#[test]
fn a_tick_of_an_unknown_market_or_currency_fills_nothing() {
    let session = wire::SessionState::Open.into();
    let elsewhere = wire::Tick {
        market: LATER,
        ..tick(session)
    };
    assert_eq!(read(&[tick_record(&elsewhere)]), []);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn requests_of_a_newer_gateway_are_served(pool: PgPool) {
    let mut world = World::new(pool).await;
    let committer = Committer::start(&world.store);
    let routes = Service::routes(world.store.clone())
        .add_service(Trading::server(world.store.clone(), committer));
    let newer = testkit::newer::serve(routes).await;
    world.client = TradingServiceClient::connect(newer.url.clone())
        .await
        .unwrap();
    world.orders = OrderServiceClient::connect(newer.url.clone())
        .await
        .unwrap();

    let mut request = buy(100_001, SAMSUNG, "", "3");
    request.request_id = "newer-gateway".to_owned();
    let order = world.placed(request.clone()).await;
    assert!(world.place(request.clone()).await.unwrap().replayed);
    world.trade(SAMSUNG, "71300", 1_000).await;
    let held = world.holdings(100_001).await;
    assert_eq!(number(&held[0].quantity), 3.into());
    let detail = world.detail(100_001, order.order_id).await;
    assert_eq!(detail.fills.len(), 1);

    // A word that is not known yet is refused, and does nothing.
    request.request_id = "newer-word".to_owned();
    request.side = LATER;
    world.place(request).await.unwrap_err();
    assert_eq!(world.count("select count(*) from trade_order").await, 1);
    world.audit().await;
}
