//! Publishes one tick of every code at a fixed interval, to the tick log or to nchan. A tick's
//! price is its number, from which a reader computes its age.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::MarketCode;
use messaging::ticks::Publisher;
use parking_lot::RwLock;
use proto::common::v1::{Currency, Market};
use proto::market::v1::market_service_server::MarketServiceServer;
use proto::market::v1::tick_record::Record;
use proto::market::v1::{SessionState, Snapshot, Tick, TickBatch, TickRecord, Venue, VenueSession};
use proto::trading::v1::trading_service_server::TradingServiceServer;
use testkit::{Served, TempStream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::service::Routes;

use crate::fakes::{FakeMarket, FakeTrading};
use crate::{Settings, Target};

const EPOCH: i64 = 1;

/// The fake market-data lists five hundred such codes.
pub(crate) fn code(number: usize) -> String {
    format!("C{number}")
}

/// The instants at which rounds of ticks were published.
#[derive(Default)]
pub(crate) struct PublishTimes(RwLock<Vec<Instant>>);

impl PublishTimes {
    /// Number of rounds so far.
    pub(crate) fn published(&self) -> usize {
        self.0.read().len()
    }

    /// Time since the round after `number`; `None` when `number` is the newest.
    pub(crate) fn staleness(&self, number: usize) -> Option<Duration> {
        // Rounds are numbered from one, so this index is the round after it.
        self.0.read().get(number).map(Instant::elapsed)
    }

    fn tick(&self) -> usize {
        let mut rounds = self.0.write();
        rounds.push(Instant::now());
        rounds.len()
    }
}

/// The services and the log that the edge depends on.
pub(crate) struct Environment {
    stream: TempStream,
    market: Served,
    trading: Served,
}

impl Environment {
    /// Starts fake services and creates an empty log.
    pub(crate) async fn start() -> Self {
        let market = FakeMarket::default();
        *market.0.snapshot.lock() = Snapshot {
            venues: vec![VenueSession {
                venue: Venue::Coin.into(),
                state: SessionState::Open.into(),
                trading_day: 20_261_121,
            }],
            epoch: EPOCH,
            ..Snapshot::default()
        };
        Self {
            stream: TempStream::create().await,
            market: testkit::serve(Routes::new(MarketServiceServer::new(market))).await,
            trading: testkit::serve(Routes::new(TradingServiceServer::new(
                FakeTrading::default(),
            )))
            .await,
        }
    }

    /// Environment variables for the edge.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("ADMIN_ADDR", "127.0.0.1:0".to_owned()),
            ("MARKET_URL", self.market.url.clone()),
            ("TRADING_URL", self.trading.url.clone()),
            ("TICK_STREAM", self.stream.spec.name.clone()),
            ("WS_HANDSHAKES_PER_S", "100000".to_owned()),
            ("WS_HANDSHAKES_PER_ADDRESS_PER_S", "100000".to_owned()),
            ("WS_SOCKETS_PER_ADDRESS", "1000000".to_owned()),
            ("RUST_LOG", "error".to_owned()),
        ]
    }
}

pub(crate) struct Source(tokio::task::JoinHandle<()>);

impl Source {
    pub(crate) async fn start(
        settings: &Settings,
        environment: &Environment,
        publish_times: Arc<PublishTimes>,
    ) -> Self {
        let mut interval = tokio::time::interval(Duration::from_millis(settings.every_ms));
        let codes: Vec<String> = (0..settings.codes).map(code).collect();
        let task = match settings.target {
            Target::Edge => {
                let stream = &environment.stream;
                let publisher = Arc::new(Publisher::new(stream.amqp.clone(), stream.spec.clone()));
                tokio::spawn(async move {
                    loop {
                        interval.tick().await;
                        let batch = batch(&codes, publish_times.tick());
                        let publisher = Arc::clone(&publisher);
                        tokio::spawn(async move { publisher.publish(&batch).await.unwrap() });
                    }
                })
            }
            Target::Nchan => {
                let socket = TcpStream::connect(settings.address).await.unwrap();
                socket.set_nodelay(true).unwrap();
                let (mut answers, mut posts) = socket.into_split();
                tokio::spawn(async move {
                    let mut buffer = vec![0; 64 * 1_024];
                    while answers.read(&mut buffer).await.is_ok_and(|bytes| bytes > 0) {}
                });
                tokio::spawn(async move {
                    loop {
                        interval.tick().await;
                        let round = round_of_posts(&codes, publish_times.tick());
                        posts.write_all(round.as_bytes()).await.unwrap();
                    }
                })
            }
        };
        Self(task)
    }

    pub(crate) fn stop(self) {
        self.0.abort();
    }
}

fn batch(codes: &[String], number: usize) -> TickBatch {
    let records = codes.iter().map(|code| TickRecord {
        record: Some(Record::Tick(tick(code, number))),
    });
    TickBatch {
        producer: "bench".to_owned(),
        epoch: EPOCH,
        batch_seq: number as i64,
        closed_at_us: number as i64,
        records: records.collect(),
    }
}

/// The values that the edge sends, one POST for each.
fn round_of_posts(codes: &[String], number: usize) -> String {
    let mut posts = String::new();
    for code in codes {
        let tick = tick(code, number);
        let json = edge::tick::to_json(&tick, MarketCode::Coin, "", SessionState::Open).unwrap();
        write!(
            posts,
            "POST /pub?id={code} HTTP/1.1\r\nHost: bench\r\nContent-Length: {}\r\n\r\n{json}",
            json.len()
        )
        .unwrap();
    }
    posts
}

fn tick(code: &str, number: usize) -> Tick {
    let number = number as i64;
    Tick {
        code: code.to_owned(),
        market: Market::Coin.into(),
        tick_seq: number,
        event_time_us: 1_795_219_385_000_000,
        price_units: number,
        prev_close_units: 1_000,
        open_units: 1_000,
        high_units: 1_000,
        low_units: 1_000,
        bid_units: 999,
        ask_units: 1_001,
        volume_units: 15,
        acc_volume_units: 1_234_567,
        has_volume: true,
        session: SessionState::Open.into(),
        currency: Currency::Krw.into(),
        ..Tick::default()
    }
}
