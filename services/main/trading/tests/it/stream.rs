//! The whole process on a real tick log: it starts before market-data, fills from the stream,
//! stops, and goes on where it was.

use std::net::TcpListener;
use std::time::Duration;

use bootstrap::service;
use chrono::TimeDelta;
use clap::Parser;
use messaging::ticks::Publisher;
use proto::common::v1::{Currency, Market};
use proto::market::v1 as wire;
use proto::market::v1::market_service_server::{MarketService, MarketServiceServer};
use proto::trading::v1::trading_service_client::TradingServiceClient;
use proto::trading::v1::{GetOrderRequest, OrderStatus, PlaceOrderRequest};
use sqlx::PgPool;
use testkit::{TempStream, eventually};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};
use trading::config::Config;

use crate::world::{DAY, SAMSUNG, buy, morning, reason};

pub(crate) const ME: i64 = 100_001;
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// One instrument, no snapshot: prices come from the log alone.
pub(crate) struct Market1;

type Answer<T> = Result<Response<T>, Status>;

fn absent<T>() -> Answer<T> {
    Err(Status::new(Code::NotFound, "not part of this test"))
}

#[tonic::async_trait]
impl MarketService for Market1 {
    async fn list_instruments(
        &self,
        _request: Request<wire::ListInstrumentsRequest>,
    ) -> Answer<wire::ListInstrumentsResponse> {
        let samsung = wire::Instrument {
            code: SAMSUNG.to_owned(),
            korean_name: "삼성전자".to_owned(),
            market: Market::Kospi.into(),
            currency: Currency::Krw.into(),
            tick_class: "KRX_STOCK".to_owned(),
            warning_code: "00".to_owned(),
            tradable: true,
            leverage: 1,
            ..wire::Instrument::default()
        };
        Ok(Response::new(wire::ListInstrumentsResponse {
            instruments: vec![samsung],
        }))
    }

    async fn get_snapshot(
        &self,
        _request: Request<wire::GetSnapshotRequest>,
    ) -> Answer<wire::Snapshot> {
        Ok(Response::new(wire::Snapshot::default()))
    }

    async fn get_market_info(
        &self,
        _request: Request<wire::GetMarketInfoRequest>,
    ) -> Answer<wire::MarketInfo> {
        Ok(Response::new(wire::MarketInfo {
            clock: "practice".to_owned(),
            ..wire::MarketInfo::default()
        }))
    }

    async fn get_instrument(
        &self,
        _request: Request<wire::GetInstrumentRequest>,
    ) -> Answer<wire::InstrumentDetail> {
        absent()
    }

    async fn browse_items(
        &self,
        _request: Request<wire::BrowseItemsRequest>,
    ) -> Answer<wire::ItemPage> {
        absent()
    }

    async fn list_popular(
        &self,
        _request: Request<wire::ListPopularRequest>,
    ) -> Answer<wire::ItemPage> {
        absent()
    }

    async fn search_items(
        &self,
        _request: Request<wire::SearchItemsRequest>,
    ) -> Answer<wire::ItemPage> {
        absent()
    }

    async fn get_quotes(&self, _request: Request<wire::GetQuotesRequest>) -> Answer<wire::Items> {
        absent()
    }

    async fn get_candles(
        &self,
        _request: Request<wire::GetCandlesRequest>,
    ) -> Answer<wire::Candles> {
        absent()
    }

    async fn get_company_outline(
        &self,
        _request: Request<wire::GetCompanyOutlineRequest>,
    ) -> Answer<wire::CompanyOutline> {
        absent()
    }

    async fn get_exchange_rates(
        &self,
        _request: Request<wire::GetExchangeRatesRequest>,
    ) -> Answer<wire::ExchangeRates> {
        absent()
    }

    async fn note_item_opened(
        &self,
        _request: Request<wire::NoteItemOpenedRequest>,
    ) -> Answer<wire::NoteItemOpenedResponse> {
        absent()
    }

    async fn register_sise_member(
        &self,
        _request: Request<wire::SiseTokenRequest>,
    ) -> Answer<wire::SiseMember> {
        absent()
    }

    async fn issue_sise_token(
        &self,
        _request: Request<wire::SiseTokenRequest>,
    ) -> Answer<wire::SiseToken> {
        absent()
    }

    async fn get_sise_jwks(
        &self,
        _request: Request<wire::GetSiseJwksRequest>,
    ) -> Answer<wire::SiseJwks> {
        absent()
    }
}

pub(crate) struct Process {
    client: TradingServiceClient<Channel>,
    stop: CancellationToken,
    running: JoinHandle<anyhow::Result<()>>,
}

impl Process {
    pub(crate) async fn start(pool: &PgPool, stream: &str, market_url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let url = std::env::var("DATABASE_URL").unwrap();
        let (front, _) = url.rsplit_once('/').unwrap();
        let database = pool.connect_options().get_database().unwrap().to_owned();
        let database_url = format!("{front}/{database}");
        let amqp_url = testkit::amqp_url();
        let config = Config::parse_from([
            "trading",
            "--admin-addr",
            "127.0.0.1:0",
            "--database-url",
            &database_url,
            "--amqp-url",
            &amqp_url,
            "--market-url",
            market_url,
            "--tick-stream",
            stream,
        ]);
        let stop = CancellationToken::new();
        let running = tokio::spawn(trading::run(
            config,
            service::Process::new(listener, stop.clone()),
        ));
        let client = TradingServiceClient::connect(format!("http://{address}"))
            .await
            .unwrap();
        Self {
            client,
            stop,
            running,
        }
    }

    pub(crate) async fn place(&self, request: PlaceOrderRequest) -> Result<i64, String> {
        let reply = self.client.clone().place_order(request).await;
        reply
            .map(|reply| reply.into_inner().order.unwrap().order_id)
            .map_err(|status| reason(&status))
    }

    pub(crate) async fn status(&self, order_id: i64) -> OrderStatus {
        let request = GetOrderRequest {
            member_id: ME,
            order_id,
        };
        let detail = self.client.clone().get_order(request).await.unwrap();
        detail.into_inner().order.unwrap().status()
    }

    pub(crate) async fn stop(self) {
        self.stop.cancel();
        self.running.await.unwrap().unwrap();
    }
}

pub(crate) struct Log {
    publisher: Publisher,
    epoch: i64,
    seq: i64,
}

impl Log {
    pub(crate) fn new(stream: &TempStream) -> Self {
        Self {
            publisher: Publisher::new(stream.amqp.clone(), stream.spec.clone()),
            epoch: 1,
            seq: 0,
        }
    }

    /// A trade; in another epoch when the log was lost.
    pub(crate) async fn trade(&mut self, price: i64) {
        self.seq += 1;
        let at = morning() + TimeDelta::milliseconds(100 * self.seq);
        let tick = wire::Tick {
            code: SAMSUNG.to_owned(),
            market: Market::Kospi.into(),
            tick_seq: self.seq,
            event_time_us: at.timestamp_micros(),
            trading_day: DAY,
            price_units: price,
            prev_close_units: 71_000,
            volume_units: 1_000,
            has_volume: true,
            session: wire::SessionState::Open.into(),
            currency: Currency::Krw.into(),
            ..wire::Tick::default()
        };
        let mut batch = wire::TickBatch {
            producer: "test".to_owned(),
            epoch: self.epoch,
            batch_seq: self.seq,
            closed_at_us: at.timestamp_micros(),
            records: vec![wire::TickRecord {
                record: Some(wire::tick_record::Record::Tick(tick)),
            }],
        };
        while self.publisher.publish(&batch).await.is_err() {
            self.epoch += 1;
            batch.epoch = self.epoch;
        }
    }
}

/// Until the first price there is nothing to trade at: tries to place `order` while prices come.
pub(crate) async fn placed_at_first_price(
    process: &Process,
    log: &mut Log,
    order: PlaceOrderRequest,
) -> i64 {
    let mut placed = Err(String::new());
    eventually(TIMEOUT, async || {
        log.trade(71_300).await;
        placed = process.place(order.clone()).await;
        placed.is_ok()
    })
    .await;
    placed.unwrap()
}

/// Trades at a price at which nothing waits, until the order is filled.
pub(crate) async fn filled(process: &Process, log: &mut Log, order_id: i64, within: Duration) {
    eventually(within, async || {
        log.trade(71_300).await;
        process.status(order_id).await == OrderStatus::Filled
    })
    .await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_process_fills_from_the_stream_and_resumes_after_a_stop(pool: PgPool) {
    let stream = TempStream::create().await;
    let market = testkit::serve(Routes::new(MarketServiceServer::new(Market1))).await;
    let process = Process::start(&pool, &stream.spec.name, &market.url).await;
    let mut log = Log::new(&stream);

    let order_id = placed_at_first_price(&process, &mut log, buy(ME, SAMSUNG, "", "10")).await;
    filled(&process, &mut log, order_id, TIMEOUT).await;

    let resting = process.place(buy(ME, SAMSUNG, "70000", "5")).await.unwrap();
    log.trade(71_300).await;
    eventually(TIMEOUT, async || {
        let taken = "select count(*) from order_taken, unnest(order_ids)";
        log.trade(71_300).await;
        sqlx::query_scalar::<_, i64>(taken)
            .fetch_one(&pool)
            .await
            .unwrap()
            == 2
    })
    .await;
    process.stop().await;

    // The price goes through the limit while nobody looks.
    log.trade(69_000).await;
    log.trade(71_300).await;
    let process = Process::start(&pool, &stream.spec.name, &market.url).await;
    eventually(TIMEOUT, async || {
        process.status(resting).await == OrderStatus::Filled
    })
    .await;
    // The relay has sent every event that has a listener or needs none.
    eventually(TIMEOUT, async || {
        let waiting = "select count(*) from outbox";
        sqlx::query_scalar::<_, i64>(waiting)
            .fetch_one(&pool)
            .await
            .unwrap()
            == 0
    })
    .await;
    process.stop().await;
    let report = trading::audit::run(&pool, 60).await.unwrap();
    assert!(report.findings.is_empty(), "{report}");
}
