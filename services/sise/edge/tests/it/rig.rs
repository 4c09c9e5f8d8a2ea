//! Runs one edge with fake services, and a client for it.

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use edge::config::Config;
use futures_util::{SinkExt, StreamExt};
use kernel::SystemClock;
use messaging::ticks::Publisher;
use parking_lot::Mutex;
use proto::auth::v1::auth_service_server::AuthServiceServer;
use proto::common::v1::{Currency, Market};
use proto::market::v1::market_service_server::MarketServiceServer;
use proto::market::v1::tick_record::Record;
use proto::market::v1::{SessionState, Snapshot, Tick, TickBatch, TickRecord, Venue, VenueSession};
use proto::trading::v1::trading_service_server::TradingServiceServer;
use serde_json::{Value, json};
use testkit::{Served, TempStream};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use crate::document::{self, Sender};
use crate::fake_auth::FakeAuth;
use crate::fakes::{FakeMarket, FakeTrading, LISTED};

pub(crate) const SOON: Duration = Duration::from_secs(10);
pub(crate) const EPOCH: i64 = 3;

pub(crate) struct Rig {
    pub(crate) address: SocketAddr,
    pub(crate) market: FakeMarket,
    pub(crate) trading: FakeTrading,
    pub(crate) auth: FakeAuth,
    pub(crate) stream: TempStream,
    publisher: Publisher,
    batch_seq: Mutex<i64>,
    shutdown: CancellationToken,
    thread: Option<std::thread::JoinHandle<()>>,
    _market_server: Served,
    _trading_server: Served,
    _auth_server: Served,
}

impl Rig {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// An edge with further command line arguments; the market has one tick of every instrument.
    pub(crate) async fn start_with(arguments: &[&str]) -> Self {
        Self::start_with_servers(arguments, testkit::serve, testkit::serve).await
    }

    pub(crate) async fn start_with_newer_services() -> Self {
        Self::start_with_servers(&[], testkit::newer::serve, testkit::newer::serve).await
    }

    async fn start_with_servers(
        arguments: &[&str],
        serve_market: impl AsyncFnOnce(Routes) -> Served,
        serve_trading: impl AsyncFnOnce(Routes) -> Served,
    ) -> Self {
        let stream = TempStream::create().await;
        let market = FakeMarket::default();
        *market.0.snapshot.lock() = snapshot(EPOCH);
        let trading = FakeTrading::default();
        let market_server =
            serve_market(Routes::new(MarketServiceServer::new(market.clone()))).await;
        let trading_server =
            serve_trading(Routes::new(TradingServiceServer::new(trading.clone()))).await;
        let auth = FakeAuth::default();
        let auth_server = testkit::serve(Routes::new(AuthServiceServer::new(auth.clone()))).await;
        let mut line = vec![
            "edge".to_owned(),
            "--admin-addr=127.0.0.1:0".to_owned(),
            format!("--market-url={}", market_server.url),
            format!("--trading-url={}", trading_server.url),
            // Only the fake auth knows ended sessions here: the list in Redis is shared.
            "--redis-url=redis://127.0.0.1:1/0".to_owned(),
            format!("--ticks-stream={}", stream.spec.name),
            "--public-origin=http://client.test".to_owned(),
        ];
        for (name, url) in [
            ("--amqp-url", testkit::amqp_url()),
            ("--auth-url", auth_server.url.clone()),
        ] {
            if !arguments.iter().any(|argument| argument.starts_with(name)) {
                line.push(format!("{name}={url}"));
            }
        }
        line.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        let config = Config::parse_from(line);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        let stop = shutdown.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let local = tokio::task::LocalSet::new();
            let running = edge::run(config, listener, Arc::new(SystemClock), stop);
            local.block_on(&runtime, running).unwrap();
        });
        let rig = Self {
            address,
            publisher: Publisher::new(stream.amqp.clone(), stream.spec.clone()),
            market,
            trading,
            auth,
            stream,
            batch_seq: Mutex::new(0),
            shutdown,
            thread: Some(thread),
            _market_server: market_server,
            _trading_server: trading_server,
            _auth_server: auth_server,
        };
        rig.wait_for_prices().await;
        rig
    }

    pub(crate) fn url(&self) -> String {
        format!("ws://{}/ws2", self.address)
    }

    pub(crate) async fn connect(&self) -> Client {
        let (socket, _) = connect_async(self.url()).await.unwrap();
        Client::of(socket)
    }

    /// Appends a batch of the current epoch to the log.
    pub(crate) async fn publish(&self, ticks: Vec<Tick>) {
        let records = ticks.into_iter().map(Record::Tick).collect();
        self.publish_records(EPOCH, records).await;
    }

    pub(crate) async fn publish_records(&self, epoch: i64, records: Vec<Record>) {
        let batch_seq = {
            let mut next = self.batch_seq.lock();
            *next += 1;
            *next
        };
        let records = records.into_iter().map(|record| TickRecord {
            record: Some(record),
        });
        let batch = TickBatch {
            producer: "test".to_owned(),
            epoch,
            batch_seq,
            closed_at_us: batch_seq,
            records: records.collect(),
        };
        self.publisher.publish(&batch).await.unwrap();
    }

    /// The next batch has the number after the next one.
    pub(crate) fn lose_batch(&self) {
        *self.batch_seq.lock() += 1;
    }

    pub(crate) fn stop(&self) {
        self.shutdown.cancel();
    }

    async fn wait_for_prices(&self) {
        testkit::eventually(SOON, async || {
            let Ok((socket, _)) = connect_async(self.url()).await else {
                return false;
            };
            let mut client = Client::of(socket);
            client.subscribe("/coin/realData", &["BTC"]).await;
            tokio::time::timeout(Duration::from_millis(500), client.prices("/coin/realData"))
                .await
                .is_ok()
        })
        .await;
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        self.shutdown.cancel();
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

pub(crate) fn snapshot(epoch: i64) -> Snapshot {
    let ticks = LISTED
        .into_iter()
        .map(|(code, _, market)| tick(code, market, 10, 1_000));
    let venue = |venue: Venue, state: SessionState| VenueSession {
        venue: venue.into(),
        state: state.into(),
        trading_day: 20_261_121,
    };
    Snapshot {
        ticks: ticks.collect(),
        venues: vec![
            venue(Venue::Krx, SessionState::Open),
            venue(Venue::Us, SessionState::Closed),
            venue(Venue::Coin, SessionState::Open),
            venue(Venue::Gold, SessionState::Auction),
        ],
        epoch,
        ..Snapshot::default()
    }
}

pub(crate) fn tick(code: &str, market: Market, tick_seq: i64, price_units: i64) -> Tick {
    Tick {
        code: code.to_owned(),
        market: market.into(),
        tick_seq,
        event_time_us: 1_795_219_385_000_000,
        price_units,
        prev_close_units: 1_000,
        open_units: 1_000,
        high_units: 1_000,
        low_units: 1_000,
        session: SessionState::Open.into(),
        currency: Currency::Krw.into(),
        ..Tick::default()
    }
}

pub(crate) fn bitcoin(tick_seq: i64, price_units: i64) -> Tick {
    tick("BTC", Market::Coin, tick_seq, price_units)
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Validates every message against the AsyncAPI document.
pub(crate) struct Client {
    pub(crate) socket: Socket,
    /// Names of the messages exchanged so far.
    pub(crate) exchanged: BTreeSet<&'static str>,
}

impl Client {
    fn of(socket: Socket) -> Self {
        let exchanged = BTreeSet::new();
        Self { socket, exchanged }
    }

    /// A JSON string is sent as the bare word.
    pub(crate) async fn send(&mut self, message: Value) {
        let name = document::message(Sender::Client, &message);
        self.exchanged.insert(name);
        let text = message.as_str().map(str::to_owned);
        let text = text.unwrap_or_else(|| message.to_string());
        self.socket.send(Message::Text(text.into())).await.unwrap();
    }

    pub(crate) async fn subscribe(&mut self, destination: &str, codes: &[&str]) {
        self.send(json!({"type": "SUBSCRIBE", "destination": destination, "codes": codes}))
            .await;
    }

    /// The next JSON message. Answers pings.
    pub(crate) async fn receive(&mut self) -> Value {
        let receiving = async {
            loop {
                match self
                    .socket
                    .next()
                    .await
                    .expect("the socket is open")
                    .unwrap()
                {
                    Message::Text(text) => return serde_json::from_str::<Value>(&text).unwrap(),
                    Message::Ping(_) => self.socket.flush().await.unwrap(),
                    Message::Pong(_) => {}
                    Message::Binary(_) | Message::Close(_) | Message::Frame(_) => {
                        panic!("neither text nor a ping")
                    }
                }
            }
        };
        let message = tokio::time::timeout(SOON, receiving)
            .await
            .expect("a message");
        let name = document::message(Sender::Server, &message);
        self.exchanged.insert(name);
        message
    }

    /// The next message that satisfies `wanted`.
    pub(crate) async fn receive_until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.receive().await;
            if wanted(&message) {
                return message;
            }
        }
    }

    /// The next price frame of a destination.
    pub(crate) async fn prices(&mut self, destination: &str) -> Value {
        self.receive_until(|message| message["destination"] == destination)
            .await
    }

    /// Waits for the close frame.
    pub(crate) async fn close_code(&mut self) -> u16 {
        let closing = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
                    Some(Ok(_)) => {}
                    Some(Err(Error::Io(_) | Error::Protocol(_))) | None => return 0,
                    Some(Err(error)) => panic!("{error}"),
                }
            }
        };
        tokio::time::timeout(SOON, closing)
            .await
            .expect("a close frame")
    }
}
