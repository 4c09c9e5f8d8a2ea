//! A database, a market cache with known prices, a matcher fed by hand, and the service on a free port.

mod samples;

use std::sync::Arc;

use bootstrap::redis::Redis;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Currency, FixedClock, Price, Quantity};
use proto::trading::v1 as wire;
use proto::trading::v1::order_service_client::OrderServiceClient;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use proto::trading::v1::transfer_service_client::TransferServiceClient;
use rust_decimal::Decimal;
use sea_orm::{DatabaseConnection, SqlxPostgresConnector};
use sqlx::PgPool;
use testkit::Served;
use tonic::transport::Channel;
use tonic::{Code, Status};
use trading::audit;
use trading::competitions::LiveBoards;
use trading::domain::market::TradingSession;
use trading::grpc::{Competitions, Service, Trading};
use trading::market_cache::MarketCache;
use trading::matching::{Partition, Shard};
use trading::orders::committer::Committer;
use trading::orders::validation::OrderLimits;
use trading::store::{AccountPolicy, Store};
use trading::tick_log::{Batch, LogRecord, Scope, SessionRecord, SessionRecordKind, Tick, Venue};

pub(crate) use samples::*;

use crate::connected::Connected;
use crate::tables;

pub(crate) const DAY: i32 = 20_261_120;
pub(crate) const SAMSUNG: &str = "005930";
pub(crate) const APPLE: &str = "AAPL";
pub(crate) const BITCOIN: &str = "KRW-BTC";
pub(crate) const GOLD: &str = "04020000";

pub(crate) struct World {
    pub(crate) pool: PgPool,
    pub(crate) store: Store,
    pub(crate) market_cache: Arc<MarketCache>,
    pub(crate) clock: FixedClock,
    pub(crate) client: TradingServiceClient<Channel>,
    pub(crate) orders: OrderServiceClient<Channel>,
    pub(crate) transfers: TransferServiceClient<Channel>,
    pub(crate) shard: Shard,
    pub(crate) offset: i64,
    /// Of the log that batches are appended to.
    pub(crate) epoch: i64,
    history: Vec<Batch>,
    pub(crate) now: DateTime<Utc>,
    pub(crate) served: Served,
}

/// High enough never to apply: the limits have a test of their own.
pub(crate) const LAX: OrderLimits = OrderLimits {
    open_orders: 1_000_000,
    per_second: 1_000_000,
    per_minute: 1_000_000,
};

impl World {
    pub(crate) fn db(&self) -> DatabaseConnection {
        SqlxPostgresConnector::from_sqlx_postgres_pool(self.pool.clone())
    }

    pub(crate) async fn new(pool: PgPool) -> Self {
        Self::with(pool, LAX).await
    }

    pub(crate) async fn with(pool: PgPool, limits: OrderLimits) -> Self {
        Self::of_policy(
            pool,
            AccountPolicy {
                limits,
                ..AccountPolicy::default()
            },
        )
        .await
    }

    pub(crate) async fn of_policy(pool: PgPool, policy: AccountPolicy) -> Self {
        let market_cache = Arc::new(MarketCache::default());
        let codes = [SAMSUNG, APPLE, BITCOIN, GOLD];
        market_cache.set_listings(codes.map(listing));
        let clock = FixedClock::at(morning());
        let db = SqlxPostgresConnector::from_sqlx_postgres_pool(pool.clone());
        let store = Store::new(
            db,
            Arc::clone(&market_cache),
            Arc::new(clock.clone()),
            policy,
        );
        let committer = Committer::start(&store);
        let routes = Service::routes(store.clone())
            .add_service(Competitions::server(
                store.clone(),
                LiveBoards::new(Redis::absent()),
            ))
            .add_service(Trading::server(store.clone(), committer));
        let served = testkit::serve(routes).await;
        let client = TradingServiceClient::connect(served.url.clone());
        let client = client.await.unwrap();
        let orders = OrderServiceClient::connect(served.url.clone());
        let orders = orders.await.unwrap();
        let transfers = TransferServiceClient::connect(served.url.clone());
        let transfers = transfers.await.unwrap();
        let shard = Shard::load(&store, Partition { index: 0, count: 1 });
        let shard = shard.await.unwrap();
        let mut world = Self {
            pool,
            store,
            market_cache,
            clock,
            client,
            orders,
            transfers,
            shard,
            offset: 0,
            epoch: 1,
            history: Vec::new(),
            now: morning(),
            served,
        };
        let openings = [Venue::Krx, Venue::Us, Venue::Coin, Venue::Gold].map(|venue| {
            let of_venue = codes
                .into_iter()
                .filter(|code| Venue::of_market(listing(code).market) == venue);
            let bases = of_venue.map(|code| (code.to_owned(), band(code))).collect();
            (SessionRecordKind::Open(bases), Scope::Venue(venue))
        });
        for (kind, scope) in openings {
            let session_record = world.session_record(kind, scope, DAY);
            world.log(vec![session_record]).await;
        }
        for code in codes {
            let tick = world.tick(code, base_price(code), 1_000);
            world.log(vec![tick]).await;
        }
        world
    }

    pub(crate) fn session_record(
        &self,
        kind: SessionRecordKind,
        scope: Scope,
        trading_day: i32,
    ) -> LogRecord {
        LogRecord::Session(SessionRecord {
            kind,
            scope: Some(scope),
            trading_day,
            time: self.now,
            seq: 0,
        })
    }

    /// A tick one millisecond after the last one, with a sequence number that rises with time.
    pub(crate) fn tick(&mut self, code: &str, price: Decimal, volume: i64) -> LogRecord {
        self.now += TimeDelta::milliseconds(1);
        let listing = listing(code);
        let dollars = listing.currency == Currency::Usd;
        LogRecord::Tick(Tick {
            code: code.to_owned(),
            market: listing.market,
            seq: self.now.timestamp_millis(),
            time: self.now,
            trading_day: DAY,
            price: Price(price),
            prev_close: Price(base_price(code)),
            bid: None,
            ask: None,
            bid_size: None,
            ask_size: None,
            volume: Some(Quantity(Decimal::from(volume))),
            day_volume: None,
            fx_rate: dollars.then(|| Decimal::from(1_470)),
            session: TradingSession::Open,
        })
    }

    pub(crate) fn batch(&mut self, records: Vec<LogRecord>) -> Batch {
        self.now += TimeDelta::milliseconds(50);
        let batch = Batch {
            offset: self.offset,
            epoch: self.epoch,
            closed_at: self.now,
            records,
        };
        self.offset += 1;
        self.history.push(batch.clone());
        batch
    }

    /// Appends a batch to the log: market cache and matcher read it.
    pub(crate) async fn log(&mut self, records: Vec<LogRecord>) {
        let batch = self.batch(records);
        self.market_cache.apply(&batch);
        self.shard.process(batch).await.unwrap();
    }

    /// One trade; orders placed before it count for the next one only, so an empty batch first
    /// takes them.
    pub(crate) async fn trade(&mut self, code: &str, price: &str, volume: i64) {
        self.log(Vec::new()).await;
        let tick = self.tick(code, price.parse().unwrap(), volume);
        self.log(vec![tick]).await;
    }

    /// The matcher after a crash: loaded from the database and fed the log from its checkpoint,
    /// except the newest `unread` batches.
    pub(crate) async fn restart_matcher(&mut self, unread: usize) {
        let shard = Shard::load(&self.store, Partition { index: 0, count: 1 });
        self.shard = shard.await.unwrap();
        let known = self.history.len() - unread;
        for batch in &self.history[..known] {
            if batch.offset >= self.shard.replay_from() {
                self.shard.process(batch.clone()).await.unwrap();
            }
        }
    }

    pub(crate) async fn place(
        &self,
        request: wire::PlaceOrderRequest,
    ) -> Result<wire::OrderReply, Status> {
        self.connected().place(request).await
    }

    pub(crate) async fn placed(&self, request: wire::PlaceOrderRequest) -> wire::Order {
        self.place(request).await.unwrap().order.unwrap()
    }

    pub(crate) async fn rejected(&self, request: wire::PlaceOrderRequest) -> (Code, String) {
        let status = self.place(request).await.unwrap_err();
        (status.code(), reason(&status))
    }

    pub(crate) async fn cancel(
        &self,
        order: &wire::Order,
        member: i64,
    ) -> Result<wire::OrderReply, Status> {
        self.connected().cancel(order, member).await
    }

    pub(crate) async fn detail(&self, member: i64, order_id: i64) -> wire::OrderDetail {
        let request = wire::GetOrderRequest {
            member_id: member,
            order_id,
        };
        self.client
            .clone()
            .get_order(request)
            .await
            .unwrap()
            .into_inner()
    }

    pub(crate) async fn summary(&self, member: i64) -> wire::AccountSummary {
        let request = wire::GetAccountSummaryRequest { member_id: member };
        let answer = self.client.clone().get_account_summary(request).await;
        answer.unwrap().into_inner()
    }

    pub(crate) async fn basic(&self, member: i64) -> wire::Account {
        self.summary(member).await.accounts.remove(0)
    }

    pub(crate) async fn holdings(&self, member: i64) -> Vec<wire::Holding> {
        let request = wire::ListHoldingsRequest {
            member_id: member,
            ..wire::ListHoldingsRequest::default()
        };
        let answer = self.client.clone().list_holdings(request).await;
        answer.unwrap().into_inner().holdings
    }

    pub(crate) async fn waiting(&self, member: i64) -> Vec<wire::Order> {
        let request = wire::ListWaitingOrdersRequest {
            member_id: member,
            ..wire::ListWaitingOrdersRequest::default()
        };
        let answer = self.client.clone().list_waiting_orders(request).await;
        answer.unwrap().into_inner().orders
    }

    pub(crate) async fn count(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&self.pool).await.unwrap()
    }

    /// A second client of the same service, for what happens at the same time.
    pub(crate) fn connected(&self) -> Connected {
        Connected {
            client: self.client.clone(),
        }
    }

    /// Keeps a copy of the rows that [`World::restore`] puts back.
    pub(crate) async fn keep(&self) {
        sqlx::raw_sql(tables::KEEP)
            .execute(&self.pool)
            .await
            .unwrap();
    }

    /// Puts back what a test has tampered with.
    pub(crate) async fn restore(&self) {
        sqlx::raw_sql(tables::RESTORE)
            .execute(&self.pool)
            .await
            .unwrap();
    }

    /// An empty database again, with its sequences at their beginning.
    pub(crate) async fn empty(self) {
        sqlx::raw_sql(tables::EMPTY)
            .execute(&self.pool)
            .await
            .unwrap();
    }

    /// Asserts that the audit finds nothing.
    pub(crate) async fn audit(&self) {
        // Nothing relays the outbox here, so events may be as old as they like.
        let report = audit::run(&self.pool, i64::from(u32::MAX)).await.unwrap();
        assert!(report.findings.is_empty(), "{report}");
    }
}
