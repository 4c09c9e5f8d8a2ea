//! Builds the process from its configuration and runs it until it is asked to stop.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::admin::{self, Readiness};
use bootstrap::{database, grpc};
use chrono::TimeDelta;
use kernel::{Clock, MemberId, SystemClock};
use messaging::consumer::{self, ConsumerSpec};
use messaging::outbox::Relay;
use messaging::ticks::{ReadFrom, StreamSpec};
use messaging::{Amqp, Event};
use prost::Message;
use proto::auth::v1::MemberJoined;
use secrecy::ExposeSecret;
use sqlx::PgPool;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tonic::service::Routes;

use crate::audit;
use crate::config::Config;
use crate::dividends::Dividends;
use crate::error::TradingError;
use crate::events;
use crate::grpc::{DividendList, Orders, Trading};
use crate::market_cache::{MarketCache, MarketFeed};
use crate::matching::Matcher;
use crate::matching::split_monitor::Splits;
use crate::orders::committer::Committer;
use crate::store::Store;

const DRAIN: Duration = Duration::from_secs(10);
/// How long the process waits for the instruments before it is served: as long as market-data takes
/// to be replaced, and then without them.
const MARKET_AWAITED: Duration = Duration::from_secs(10);
const TIDY_EVERY: Duration = Duration::from_secs(3600);
/// No letter that is put back is older.
const EVENTS_KEPT: TimeDelta = TimeDelta::days(90);
/// Unsent events older than this are a finding of the running audit, in seconds.
const OUTBOX_AGE_S: i64 = 60;

const JOINED: ConsumerSpec = ConsumerSpec {
    queue: "trading.auth-events",
    bindings: &["auth.member.joined.v1"],
    prefetch: 50,
};

/// Serves on `listener` until `shutdown`.
///
/// # Errors
/// Whatever keeps the process from starting.
pub async fn run(
    config: Config,
    listener: TcpListener,
    shutdown: CancellationToken,
) -> anyhow::Result<()> {
    let (pool, db) = database::connect(&config.database_url, config.database_connections).await?;
    let amqp = Amqp::new(config.amqp_url.expose_secret())?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let market_cache = Arc::new(MarketCache::default());
    let store = Store::new(
        db,
        Arc::clone(&market_cache),
        Arc::clone(&clock),
        config.policy.policy(),
    );
    let stream = StreamSpec::named(&config.tick_stream);

    let tasks = TaskTracker::new();
    let market = grpc::channel(&config.market_url)?;
    let dividends = Dividends::new(store.clone(), config.matcher_shards);
    tasks.spawn(dividends.run(market.clone(), shutdown.clone()));
    tasks.spawn(audit::observe(
        pool.clone(),
        Arc::clone(&market_cache),
        shutdown.clone(),
    ));
    let splits = Splits::new(store.clone(), config.matcher_shards);
    tasks.spawn(splits.run(market.clone(), shutdown.clone()));
    let feed = MarketFeed::new(
        Arc::clone(&market_cache),
        market.clone(),
        amqp.clone(),
        stream.clone(),
    );
    tasks.spawn(feed.run(shutdown.clone()));
    let matcher = Matcher {
        store: store.clone(),
        pool: pool.clone(),
        amqp: amqp.clone(),
        stream,
        shards: config.matcher_shards,
        start: ReadFrom::Next,
        market,
    };
    tasks.spawn(matcher.run(shutdown.clone()));
    let relay = Relay::new(pool.clone(), amqp.clone(), "trading").with_live(&events::LIVE);
    tasks.spawn(relay.run(shutdown.clone()));
    tasks.spawn(open_accounts(store.clone(), amqp.clone(), shutdown.clone()));
    tasks.spawn(audit::run_regularly(
        pool.clone(),
        config.audit_every_s,
        OUTBOX_AGE_S,
        shutdown.clone(),
    ));
    tasks.spawn(tidy_regularly(
        store.clone(),
        clock,
        config.request_keep_days,
        shutdown.clone(),
    ));

    let _stopped = shutdown
        .run_until_cancelled(await_market(&market_cache, MARKET_AWAITED))
        .await;
    let readiness = readiness(pool, amqp);
    let admin = tokio::spawn(admin::serve(config.admin_addr, readiness, shutdown.clone()));
    let committer = Committer::start(&store);
    let routes = Routes::new(Orders::server(store.clone()))
        .add_service(DividendList::server(store.clone()))
        .add_service(Trading::server(store, committer));
    tracing::info!(address = %config.listen_addr, "Trading is served");
    grpc::serve(listener, routes, shutdown.clone(), DRAIN).await?;
    tasks.close();
    // What is under way either commits or is rolled back; nobody waits longer than the drain.
    let _late = tokio::time::timeout(DRAIN, tasks.wait()).await;
    admin.await??;
    Ok(())
}

/// Waits until orders can be decided: so long the predecessor is served. While market-data is away
/// everything else is served after a while, and orders are asked to come again.
async fn await_market(market_cache: &MarketCache, at_most: Duration) {
    let listed = tokio::time::timeout(at_most, market_cache.listed()).await;
    if listed.is_err() {
        tracing::warn!("Served without instruments; market-data does not answer");
    }
}

fn readiness(pool: PgPool, amqp: Amqp) -> Readiness {
    Readiness::new()
        .check("database", move || {
            let pool = pool.clone();
            async move { sqlx::query("select 1").execute(&pool).await.map(drop) }
        })
        .check("broker", move || {
            let amqp = amqp.clone();
            async move { amqp.check().await }
        })
}

async fn open_accounts(store: Store, amqp: Amqp, shutdown: CancellationToken) {
    let handler = |event: Event| {
        let store = store.clone();
        async move {
            let joined = MemberJoined::decode(event.body).map_err(|error| error.to_string())?;
            let opened = store.open_for_joined(event.event_id, MemberId(joined.member_id));
            opened
                .await
                .map_err(|error: TradingError| error.to_string())
        }
    };
    consumer::run(amqp, JOINED, handler, shutdown).await;
}

async fn tidy_regularly(
    store: Store,
    clock: Arc<dyn Clock>,
    keep_days: i64,
    shutdown: CancellationToken,
) {
    while shutdown
        .run_until_cancelled(tokio::time::sleep(TIDY_EVERY))
        .await
        .is_some()
    {
        if let Err(error) = store.forget_places().await {
            tracing::warn!(%error, "Places of ended orders could not be forgotten");
        }
        let requests = clock.now() - TimeDelta::days(keep_days);
        forget("requests", || store.delete_requests_before(requests)).await;
        let events = clock.now() - EVENTS_KEPT;
        forget("events", || store.delete_events_before(events)).await;
    }
}

/// Forgets slice after slice until nothing old is left.
async fn forget<F>(what: &'static str, mut slice: impl FnMut() -> F)
where
    F: Future<Output = Result<u64, TradingError>>,
{
    loop {
        match slice().await {
            Ok(0) => return,
            Ok(_more) => {}
            Err(error) => {
                tracing::warn!(what, %error, "What is old could not be forgotten");
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_market_that_does_not_answer_keeps_nobody_from_starting() {
        await_market(&MarketCache::default(), Duration::from_millis(1)).await;
    }
}
