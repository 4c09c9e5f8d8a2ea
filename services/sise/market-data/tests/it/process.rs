//! The whole process against real servers: it migrates, seeds, serves prices, stops and restarts.

use std::net::TcpListener;
use std::time::Duration;

use bootstrap::database;
use bootstrap::service::Process;
use clap::Parser;
use market_data::MIGRATOR;
use market_data::config::{Config, MarketFeed};
use messaging::Amqp;
use messaging::ticks::StreamSpec;
use proto::market::v1 as wire;
use proto::market::v1::market_service_client::MarketServiceClient;
use sqlx::{ConnectOptions, PgPool};
use testkit::{TempStream, schema};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::transport::{Channel, Endpoint};

struct Running {
    client: MarketServiceClient<Channel>,
    shutdown: CancellationToken,
    running: JoinHandle<anyhow::Result<()>>,
}

impl Running {
    fn start(config: &Config) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let shutdown = CancellationToken::new();
        let serving = market_data::run(config.clone(), Process::new(listener, shutdown.clone()));
        Self {
            client: MarketServiceClient::new(Endpoint::from_shared(url).unwrap().connect_lazy()),
            shutdown,
            running: tokio::spawn(serving),
        }
    }

    async fn price_seq(&mut self) -> Option<i64> {
        let code = "AAPL".to_owned();
        let codes = vec![code];
        let member_ids = Vec::new();
        let found = self
            .client
            .get_quotes(wire::GetQuotesRequest { codes, member_ids })
            .await;
        let item = found.ok()?.into_inner().items.pop()?;
        Some(item.quote?.tick_seq)
    }

    /// Waits for a tick after `seen`.
    async fn tick_after(&mut self, seen: i64) -> i64 {
        let mut newest = seen;
        testkit::eventually(Duration::from_secs(60), async || {
            newest = self.price_seq().await.unwrap_or(seen);
            newest > seen
        })
        .await;
        newest
    }

    async fn stop(self) -> anyhow::Result<()> {
        self.shutdown.cancel();
        self.running.await.unwrap()
    }
}

#[sqlx::test(migrations = false)]
async fn the_process_serves_prices_stops_and_continues(pool: PgPool) {
    let database_url = pool.connect_options().to_url_lossy().to_string();
    let owner = database_url.clone().into();
    database::migrate(&owner, &MIGRATOR).await.unwrap();
    database::migrate(&owner, &MIGRATOR).await.unwrap();

    // Declared by the process with its own limits; deleted at the end.
    let stream = TempStream {
        spec: StreamSpec::named(testkit::unique("test-ticks")),
        amqp: Amqp::new(&testkit::amqp_url()).unwrap(),
    };
    let key_file = std::env::temp_dir().join(testkit::unique("sise-key"));
    std::fs::write(&key_file, testkit::keys::private_key_pem()).unwrap();
    let (amqp, redis) = (testkit::amqp_url(), testkit::redis_url());
    let words = [
        ("--database-url", database_url.as_str()),
        ("--amqp-url", amqp.as_str()),
        ("--redis-url", redis.as_str()),
        ("--signing-key-file", key_file.to_str().unwrap()),
        ("--admin-addr", "127.0.0.1:0"),
        ("--tick-stream", stream.spec.name.as_str()),
        ("--market-feed", "replay"),
        ("--drain-s", "2"),
    ];
    let words = words.into_iter().flat_map(|(name, value)| [name, value]);
    let config = Config::parse_from(std::iter::once("market-data").chain(words));

    let mut process = Running::start(&config);
    let seen = process.tick_after(0).await;
    let info = process
        .client
        .get_market_info(wire::GetMarketInfoRequest {})
        .await
        .unwrap();
    let info = info.into_inner();
    assert_eq!(
        (info.clock.as_str(), info.feed.as_str(), info.simulated),
        ("replay", "replay", false)
    );
    let request = wire::GetCandlesRequest {
        code: "IBM".to_owned(),
        period: wire::CandlePeriod::Year.into(),
        before_us: 0,
    };
    let chart = process
        .client
        .get_candles(request)
        .await
        .unwrap()
        .into_inner();
    assert!(chart.candles.len() > 200, "{} candles", chart.candles.len());
    process.stop().await.unwrap();

    let mut process = Running::start(&config);
    process.tick_after(seen).await;
    process.stop().await.unwrap();

    let other = Config {
        market_feed: MarketFeed::Builtin,
        ..config
    };
    let refused = Running::start(&other).running.await.unwrap().unwrap_err();
    assert!(refused.to_string().contains("make reset"), "{refused}");
    std::fs::remove_file(key_file).unwrap();
}

#[sqlx::test(migrations = false)]
async fn the_program_migrates_becomes_ready_and_drains(pool: PgPool) {
    let url = pool.connect_options().to_url_lossy().to_string();
    let stream = TempStream {
        spec: StreamSpec::named(testkit::unique("test-ticks")),
        amqp: Amqp::new(&testkit::amqp_url()).unwrap(),
    };
    let key_file = std::env::temp_dir().join(testkit::unique("sise-key"));
    std::fs::write(&key_file, testkit::keys::private_key_pem()).unwrap();
    let program = env!("CARGO_BIN_EXE_market-data");
    testkit::program::migrate(program, &url).await;
    let environment = [
        ("DATABASE_URL", url.as_str()),
        ("SIGNING_KEY_FILE", key_file.to_str().unwrap()),
        ("TICK_STREAM", stream.spec.name.as_str()),
        ("MARKET_FEED", "replay"),
    ];
    testkit::program::assert_becomes_ready_and_drains(program, &environment).await;
    std::fs::remove_file(&key_file).unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn common_tables_are_declared_alike(pool: PgPool) {
    schema::assert_declared_alike(&pool, &[schema::OUTBOX, schema::INBOX, schema::REQUEST]).await;
}
