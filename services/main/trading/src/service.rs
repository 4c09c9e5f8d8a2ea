//! Builds the process from its configuration and runs it until shutdown.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::admin::Readiness;
use bootstrap::service::{Process, Server};
use bootstrap::shutdown::elapsed;
use bootstrap::{grpc, redis};
use chrono::TimeDelta;
use kernel::{Clock, SystemClock};
use messaging::Amqp;
use messaging::outbox::Relay;
use messaging::ticks::{ReadFrom, StreamSpec};
use secrecy::ExposeSecret;
use tokio_util::sync::CancellationToken;

use crate::audit;
use crate::auth_events;
use crate::competitions::{CompetitionWorker, LiveBoards};
use crate::concentration;
use crate::config::Config;
use crate::contracts::offer::Products;
use crate::contracts::{CmaWorker, ContractWorker};
use crate::dividends::DividendWorker;
use crate::education_events;
use crate::equity::EquityWorker;
use crate::events;
use crate::grpc::{Competitions, Contracts, Service, Trading};
use crate::market_cache::{MarketCache, MarketFeed};
use crate::matching::split_monitor::SplitMonitor;
use crate::matching::{Matcher, StaleQueuePositions};
use crate::orders::committer::Committer;
use crate::store::Store;

/// How long the start waits for the instruments. Market-data takes at most this long to be replaced.
const MARKET_TIMEOUT: Duration = Duration::from_secs(10);
/// Bounds a command that writes a part of a board.
const BOARD_TIMEOUT: Duration = Duration::from_secs(5);
const CLEANUP_INTERVAL: Duration = Duration::from_secs(3600);
/// Age in seconds from which an unsent event is a finding of the audit.
const OUTBOX_AGE_S: i64 = 60;

/// Serves until the shutdown.
///
/// # Errors
/// Any failure to start.
pub async fn run(config: Config, process: Process) -> anyhow::Result<()> {
    let shutdown = process.shutdown;
    let (pool, db) = config.database.connect().await?;
    let amqp = Amqp::new(config.amqp_url.expose_secret())?
        .with_pool_of(config.database.database_max_connections);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let market_cache = Arc::new(MarketCache::default());
    let store = Store::new(
        db,
        Arc::clone(&market_cache),
        Arc::clone(&clock),
        config.policy.policy(),
    );
    let stream = StreamSpec::named(&config.tick_stream);

    let mut server = Server::new(&config.service, shutdown.clone());
    let market = grpc::channel(&config.market_url)?;
    let dividends = DividendWorker::new(store.clone(), config.matcher_shards);
    server.spawn(dividends.run(market.clone(), shutdown.clone()));
    let products = Products::new(market.clone());
    let contracts = ContractWorker::new(store.clone(), products.clone());
    server.spawn(contracts.run(shutdown.clone()));
    server.spawn(CmaWorker::new(store.clone()).run(shutdown.clone()));
    server.spawn(concentration::run(
        store.clone(),
        pool.clone(),
        shutdown.clone(),
    ));
    let equity = EquityWorker::new(
        store.clone(),
        pool.clone(),
        market.clone(),
        config.matcher_shards,
    );
    server.spawn(equity.run(shutdown.clone()));
    let redis = redis::connect(config.redis_url.expose_secret());
    let competitions = CompetitionWorker::new(
        store.clone(),
        pool.clone(),
        market.clone(),
        LiveBoards::new(redis.clone().with_timeout(BOARD_TIMEOUT)),
        config.matcher_shards,
    );
    server.spawn(competitions.run(shutdown.clone()));
    server.spawn(audit::observe(
        pool.clone(),
        Arc::clone(&market_cache),
        shutdown.clone(),
    ));
    let splits = SplitMonitor::new(store.clone(), config.matcher_shards);
    server.spawn(splits.run(market.clone(), shutdown.clone()));
    let feed = MarketFeed::new(
        Arc::clone(&market_cache),
        market.clone(),
        amqp.clone(),
        stream.clone(),
    );
    server.spawn(feed.run(shutdown.clone()));
    let matcher = Matcher {
        store: store.clone(),
        pool: pool.clone(),
        amqp: amqp.clone(),
        stream,
        shards: config.matcher_shards,
        start: ReadFrom::Next,
        market,
    };
    server.spawn(matcher.run(shutdown.clone()));
    let relay = Relay::new(pool.clone(), amqp.clone(), "trading").with_live(&events::LIVE);
    server.spawn(relay.run(shutdown.clone()));
    server.spawn(auth_events::follow(
        store.clone(),
        amqp.clone(),
        shutdown.clone(),
    ));
    let learned = education_events::follow(
        store.clone(),
        amqp.clone(),
        education_events::QUEUE,
        shutdown.clone(),
    );
    server.spawn(learned);
    server.spawn(audit::run_regularly(
        pool.clone(),
        config.audit_every_s,
        OUTBOX_AGE_S,
        shutdown.clone(),
    ));
    server.spawn(clean_up_regularly(
        store.clone(),
        config.request_keep_days,
        shutdown.clone(),
    ));

    let _stopped = shutdown
        .run_until_cancelled(await_market(&market_cache, MARKET_TIMEOUT))
        .await;
    let readiness = Readiness::new().check_database(&pool);
    server.serve_admin(readiness.check("broker", amqp.probe()));
    let committer = Committer::start(&store);
    let routes = Service::routes(store.clone())
        .add_service(Competitions::server(store.clone(), LiveBoards::new(redis)))
        .add_service(Contracts::server(store.clone(), products))
        .add_service(Trading::server(store, committer));
    server.serve(process.listener, routes).await?;
    // Transactions in flight commit or are rolled back within the drain time.
    server.finish().await
}

/// Waits until the instruments are known; meanwhile a predecessor goes on serving. After the timeout
/// the process serves without them, and orders get `MARKET_UNAVAILABLE`.
async fn await_market(market_cache: &MarketCache, timeout: Duration) {
    let listed = tokio::time::timeout(timeout, market_cache.listed()).await;
    if listed.is_err() {
        tracing::warn!("Serving without instruments: market-data does not respond");
    }
}

async fn clean_up_regularly(store: Store, keep_days: i64, shutdown: CancellationToken) {
    let mut queue_positions = StaleQueuePositions::default();
    while elapsed(&shutdown, CLEANUP_INTERVAL).await {
        if let Err(error) = queue_positions.delete(&store).await {
            tracing::warn!(%error, "Queue positions of ended orders could not be deleted");
        }
        store.rejection_limit.forget_idle();
        store.clean_up(TimeDelta::days(keep_days)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_start_does_not_wait_for_an_unreachable_market() {
        await_market(&MarketCache::default(), Duration::from_millis(1)).await;
    }
}
