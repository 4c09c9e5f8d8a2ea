//! What every test begins with.

use std::sync::Arc;

use bootstrap::redis::Redis;
use chrono::{DateTime, NaiveDate, Utc};
use kernel::{Clock, FixedClock};
use market_data::candles::CandleStore;
use market_data::closes::Closes;
use market_data::config::{MarketClock, MarketFeed};
use market_data::exchange::ExchangeRates;
use market_data::feed::LatestRates;
use market_data::grpc::Market;
use market_data::likes::Likes;
use market_data::popular::Popular;
use market_data::quotes::QuoteBoard;
use market_data::savings::Savings;
use market_data::search::SearchIndex;
use market_data::sise::{AccessVerifier, SiseSigner};
use market_data::sparklines::Sparklines;
use market_data::store::Store;
use market_data::trends::Trends;
use market_rules::Calendar;
use proto::auth::v1 as auth;
use proto::auth::v1::auth_service_server::{AuthService, AuthServiceServer};
use proto::common::v1::Market as WireMarket;
use proto::market::v1::alert_service_client::AlertServiceClient;
use proto::market::v1::close_service_client::CloseServiceClient;
use proto::market::v1::like_service_client::LikeServiceClient;
use proto::market::v1::market_service_client::MarketServiceClient;
use proto::market::v1::product_service_client::ProductServiceClient;
use proto::market::v1::search_history_service_client::SearchHistoryServiceClient;
use proto::market::v1::session_record::Kind;
use proto::market::v1::tick_record::Record;
use proto::market::v1::trend_service_client::TrendServiceClient;
use proto::market::v1::{SessionRecord, Tick, TickBatch, TickRecord, Venue};
use sqlx::PgPool;
use testkit::Served;
use tonic::service::Routes;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};

/// A running service on the shipped universe.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) clock: FixedClock,
    pub(crate) board: QuoteBoard,
    pub(crate) rates: LatestRates,
    pub(crate) client: MarketServiceClient<Channel>,
    pub(crate) alerts: AlertServiceClient<Channel>,
    pub(crate) likes: LikeServiceClient<Channel>,
    pub(crate) searches: SearchHistoryServiceClient<Channel>,
    pub(crate) products: ProductServiceClient<Channel>,
    pub(crate) trends: TrendServiceClient<Channel>,
    pub(crate) closes: CloseServiceClient<Channel>,
    _auth: Option<Served>,
    _served: Served,
}

/// When the market began.
const FIRST_DAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();

/// How a service is started.
pub(crate) struct Setup {
    pub(crate) redis: Redis,
    pub(crate) popular_prefix: String,
    /// Whether the auth service answers.
    pub(crate) auth: bool,
    pub(crate) clock: MarketClock,
    pub(crate) price_alerts_max: u32,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            redis: Redis::absent(),
            popular_prefix: "pop:".to_owned(),
            auth: true,
            clock: MarketClock::Practice,
            price_alerts_max: 1_000,
        }
    }
}

pub(crate) fn noon() -> DateTime<Utc> {
    "2026-11-20T03:00:00Z".parse().unwrap()
}

impl World {
    pub(crate) async fn new(pool: PgPool) -> Self {
        Self::with(pool, Setup::default()).await
    }

    pub(crate) async fn with(pool: PgPool, setup: Setup) -> Self {
        let clock = FixedClock::at(noon());
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let store = Store::new(pool.clone());
        let universe = MarketFeed::Builtin.seed().read().unwrap();
        store.apply_seed(&universe, &clock).await.unwrap();
        let catalogue = store.catalogue().await.unwrap();
        let (products, options) = store.savings().await.unwrap();
        let rates = LatestRates::default();
        let board = QuoteBoard::new(catalogue.clone());
        let auth = match setup.auth {
            true => Some(testkit::serve(Routes::new(AuthServiceServer::new(Auth))).await),
            false => None,
        };
        let nowhere = "http://127.0.0.1:1".to_owned();
        let auth_url = auth.as_ref().map_or(nowhere, |served| served.url.clone());
        let candles = CandleStore::new(pool.clone());
        let market = Market {
            likes: Likes::new(store.clone()),
            search: SearchIndex::new(&catalogue),
            popular: Popular::new(
                store.clone(),
                setup.redis.clone(),
                Arc::clone(&shared),
                &setup.popular_prefix,
            ),
            sparklines: Sparklines::new(
                board.clone(),
                candles.clone(),
                setup.clock.hours(FIRST_DAY),
                Calendar::embedded().unwrap(),
            ),
            candles,
            closes: Closes::new(pool),
            savings: Savings::new(products, &options),
            trends: Trends::default(),
            exchange: ExchangeRates::new(catalogue.clone(), rates.clone()),
            rates: rates.clone(),
            verifier: AccessVerifier::new(
                bootstrap::grpc::channel(&auth_url).unwrap(),
                setup.redis,
                Arc::clone(&shared),
            ),
            signer: SiseSigner::from_pem(&testkit::keys::private_key_pem()).unwrap(),
            market_clock: setup.clock,
            feed: MarketFeed::Builtin,
            price_alerts_max: setup.price_alerts_max,
            catalogue,
            board: board.clone(),
            store: store.clone(),
            clock: shared,
        };
        let served = testkit::serve(market.into_routes()).await;
        let channel = Endpoint::from_shared(served.url.clone())
            .unwrap()
            .connect_lazy();
        Self {
            store,
            clock,
            board,
            rates,
            client: MarketServiceClient::new(channel.clone()),
            alerts: AlertServiceClient::new(channel.clone()),
            likes: LikeServiceClient::new(channel.clone()),
            searches: SearchHistoryServiceClient::new(channel.clone()),
            products: ProductServiceClient::new(channel.clone()),
            closes: CloseServiceClient::new(channel.clone()),
            trends: TrendServiceClient::new(channel),
            _auth: auth,
            _served: served,
        }
    }

    /// Opens every venue and lets each of `trades` (code, price before, price, volume) happen, all
    /// in whole won or cents.
    pub(crate) fn trade(&self, trades: &[(&str, i64, i64, i64)]) {
        let open = |(seq, venue): (i64, Venue)| {
            Record::Session(SessionRecord {
                kind: Kind::Open.into(),
                venue: venue.into(),
                trading_day: 20_261_120,
                event_time_us: noon().timestamp_micros(),
                session_seq: seq,
                ..SessionRecord::default()
            })
        };
        let venues = [Venue::Krx, Venue::Us, Venue::Coin, Venue::Gold];
        let opens = (1..).zip(venues).map(open);
        let ticks = trades.iter().map(|(code, before, price, volume)| {
            let dollars = code.starts_with(|first: char| first.is_ascii_uppercase())
                && !code.starts_with("KRW-");
            Record::Tick(Tick {
                code: (*code).to_owned(),
                market: WireMarket::Kospi.into(),
                tick_seq: 1,
                event_time_us: noon().timestamp_micros(),
                trading_day: 20_261_120,
                price_scale: if dollars { 2 } else { 0 },
                price_units: *price,
                prev_close_units: *before,
                open_units: *before,
                high_units: *price,
                low_units: *before,
                acc_volume_units: *volume,
                fx_rate_e4: if dollars { 14_700_000 } else { 0 },
                ..Tick::default()
            })
        });
        let records = opens.chain(ticks).map(|record| TickRecord {
            record: Some(record),
        });
        let batch = TickBatch {
            producer: "test".to_owned(),
            epoch: 1,
            batch_seq: 1,
            closed_at_us: noon().timestamp_micros(),
            records: records.collect(),
        };
        self.board.apply(0, batch, |_| {});
    }

    /// Another trade of an instrument in won on the same day.
    pub(crate) fn trade_again(&self, code: &str, tick_seq: i64, price: i64) {
        let before = self.board.tick(code).unwrap();
        let tick = Tick {
            tick_seq,
            price_units: price,
            ..before
        };
        let batch = TickBatch {
            producer: "test".to_owned(),
            epoch: 1,
            batch_seq: tick_seq,
            closed_at_us: noon().timestamp_micros(),
            records: vec![TickRecord {
                record: Some(Record::Tick(tick)),
            }],
        };
        let offset = self.board.progress().offset.next;
        self.board.apply(offset, batch, |_| {});
    }
}

/// The reason in a refusal.
pub(crate) fn reason(status: &Status) -> String {
    bootstrap::problem::of(status).unwrap().reason
}

/// An auth service that only publishes the test key.
struct Auth;

#[tonic::async_trait]
impl AuthService for Auth {
    async fn get_jwks(
        &self,
        _request: Request<auth::GetJwksRequest>,
    ) -> Result<Response<auth::Jwks>, Status> {
        let json = testkit::keys::jwks();
        Ok(Response::new(auth::Jwks { json }))
    }

    async fn join(&self, _: Request<auth::JoinRequest>) -> Result<Response<auth::Session>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn login(
        &self,
        _: Request<auth::LoginRequest>,
    ) -> Result<Response<auth::Session>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn refresh(
        &self,
        _: Request<auth::RefreshRequest>,
    ) -> Result<Response<auth::Session>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn issue_access_token(
        &self,
        _: Request<auth::RefreshRequest>,
    ) -> Result<Response<auth::Session>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn logout(
        &self,
        _: Request<auth::LogoutRequest>,
    ) -> Result<Response<auth::LogoutResponse>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn get_member(
        &self,
        _: Request<auth::GetMemberRequest>,
    ) -> Result<Response<auth::Member>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }

    async fn check_session(
        &self,
        _: Request<auth::CheckSessionRequest>,
    ) -> Result<Response<auth::CheckSessionResponse>, Status> {
        Ok(Response::new(auth::CheckSessionResponse { alive: true }))
    }

    async fn check_sessions(
        &self,
        _: Request<auth::CheckSessionsRequest>,
    ) -> Result<Response<auth::CheckSessionsResponse>, Status> {
        Err(Status::unimplemented("not asked for here"))
    }
}
