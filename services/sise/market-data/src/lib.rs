//! Market data: instruments, current prices and price history.
//!
//! One process publishes the configured feed to the tick log, reads the log back into the quote
//! board and the candles, and serves them over gRPC. It also stores the members of sise and signs
//! their tokens.
//!
//! Reading order: [`catalogue`], [`seed`] and [`store`] (instruments); [`feed`], [`pipeline`],
//! [`quotes`] and [`candles`] (from a price to a chart), started by [`live`]; then the queries:
//! [`listing`], [`likes`], [`alerts`], [`popular`], [`search`], [`trends`], [`savings`], [`exchange`],
//! [`sise`], served by [`grpc`]. [`erasure`] deletes what members who left for good have in them.

pub mod config;
pub mod error;

pub mod catalogue;
pub mod seed;
pub mod store;

pub mod candles;
pub mod feed;
pub mod live;
pub mod model;
pub mod pipeline;
pub mod quotes;
pub mod sessions;

pub mod alerts;
pub mod closes;
pub mod erasure;
pub mod exchange;
pub mod holders;
pub mod index_constituents;
pub mod likes;
pub mod listing;
pub mod popular;
pub mod savings;
pub mod search;
pub mod sise;
pub mod sparklines;
pub mod trends;

pub mod grpc;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use bootstrap::admin::Readiness;
use bootstrap::redis;
use bootstrap::service::{Process, Server};
use chrono::TimeDelta;
use kernel::{Clock, SystemClock};
use market_rules::Calendar;
use market_rules::calendar::practice_day;
use messaging::Amqp;
use messaging::outbox::Relay;
use messaging::ticks::StreamSpec;
use secrecy::ExposeSecret;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use alerts::leader::AlertWatch;
use alerts::recent::WatchProgress;
use candles::CandleStore;
use closes::Closes;
use config::Config;
use exchange::ExchangeRates;
use feed::LatestRates;
use grpc::Market;
use likes::Likes;
use live::Restored;
use popular::Popular;
use quotes::QuoteBoard;
use savings::Savings;
use search::SearchIndex;
use sise::{AccessVerifier, SiseSigner};
use sparklines::Sparklines;
use store::Store;
use trends::Trends;

pub static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();

const CLEANUP_INTERVAL: Duration = Duration::from_secs(3_600);
/// Popular lists count one day; a second one is kept for diagnosis.
const OPENINGS_KEPT_FOR: TimeDelta = TimeDelta::days(2);
/// Longer than any outage of the broker after which an event may be redelivered.
const EVENTS_KEPT_FOR: TimeDelta = TimeDelta::days(30);

/// Serves until the shutdown, then finishes the calls in flight. The tick log is written only after
/// the predecessor has ended. Until then the predecessor serves; afterwards this process serves with
/// the last stored prices while it reads the newest.
///
/// # Errors
/// When a setting is unusable, the seed is wrong, the database holds another market, or a server
/// cannot start.
pub async fn run(config: Config, process: Process) -> anyhow::Result<()> {
    let shutdown = process.shutdown;
    let signer = SiseSigner::load(&config.signing_key_file)?;
    let market_clock = config.clock_of_feed()?;
    let seed = live::master_seed(config.market_seed_file.as_ref())?;
    let universe = config.market_feed.seed().read()?;
    let (pool, _connection) = config.database.connect().await?;
    let redis = redis::connect(config.redis_url.expose_secret());
    let amqp = Amqp::new(config.amqp_url.expose_secret())?
        .with_pool_of(config.database.database_max_connections);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let store = Store::new(pool.clone());
    let began_at = store
        .claim_market(market_clock, config.market_feed, clock.as_ref())
        .await?;
    if store.apply_seed(&universe, clock.as_ref()).await? {
        tracing::info!(instruments = universe.instruments.len(), "Wrote the seed");
    }
    let catalogue = store.catalogue().await?;
    let (products, options) = store.savings().await?;
    let board = QuoteBoard::new(catalogue.clone());
    let rates = LatestRates::default();

    let dependencies = live::Dependencies {
        pool: pool.clone(),
        amqp: amqp.clone(),
        clock: Arc::clone(&clock),
        board: board.clone(),
        rates: rates.clone(),
        market_clock,
        market_feed: config.market_feed,
        began_at,
        seed,
        config: config.feed,
    };
    let stream = StreamSpec::named(dependencies.config.tick_stream.as_str());
    let watch = AlertWatch {
        pool: pool.clone(),
        amqp: amqp.clone(),
        stream,
        catalogue: catalogue.clone(),
        clock: Arc::clone(&clock),
        start: WatchProgress::default(),
    };
    let alert_board = board.clone();
    let prepared = live::prepare(dependencies)?;

    let prices_flow = Arc::new(AtomicBool::new(false));
    let mut server = Server::new(&config.service, shutdown.clone());
    server.serve_admin(readiness(&pool, &amqp, &prices_flow));
    server.spawn(cleanup(store.clone(), Arc::clone(&clock), shutdown.clone()));
    server.spawn(Relay::new(pool.clone(), amqp.clone(), "market-data").run(shutdown.clone()));
    let auth = bootstrap::grpc::channel(&config.auth_url)
        .with_context(|| format!("AUTH_URL {} is not an address", config.auth_url))?;
    let candles = CandleStore::new(pool.clone());
    let market = Market {
        likes: Likes::new(store.clone()),
        search: SearchIndex::new(&catalogue),
        popular: Popular::new(store.clone(), redis.clone(), Arc::clone(&clock), "pop:"),
        savings: Savings::new(products, &options),
        trends: Trends::default(),
        sparklines: Sparklines::new(
            board.clone(),
            candles.clone(),
            market_clock.hours(practice_day(began_at)),
            Calendar::embedded().context("the calendar cannot be read")?,
        ),
        exchange: ExchangeRates::new(catalogue.clone(), rates.clone()),
        rates,
        verifier: AccessVerifier::new(auth, redis, Arc::clone(&clock)),
        candles,
        closes: Closes::new(pool),
        feed: config.market_feed,
        price_alerts_max: config.price_alerts_max,
        market_clock,
        catalogue,
        board,
        store: store.clone(),
        signer,
        clock: Arc::clone(&clock),
    };

    let is_successor = process.predecessor.is_some();
    if let Some(predecessor) = process.predecessor {
        let gone = shutdown.run_until_cancelled(predecessor.gone()).await;
        gone.transpose()?;
    }
    server.spawn(holders::apply_splits(store.clone(), shutdown.clone()));
    server.spawn(erasure::run(
        amqp.clone(),
        store.clone(),
        Arc::clone(&clock),
        shutdown.clone(),
    ));
    server.spawn(holders::run(amqp, store, clock, shutdown.clone()));
    let restoring = prepared.restore(&shutdown);
    if let Some(restored) = shutdown.run_until_cancelled(restoring).await {
        let restored = restored?;
        let serves_early = is_successor && restored.shows_prices();
        let starting = start_prices(restored, &prices_flow, (&alert_board, watch), &shutdown);
        let serving = server.serve(process.listener, market.into_routes());
        let tasks = if serves_early {
            tokio::try_join!(starting, serving)?.0
        } else {
            let tasks = starting.await?;
            if tasks.is_some() {
                serving.await?;
            }
            tasks
        };
        if let Some(tasks) = tasks {
            tasks.wait().await;
        }
    }
    server.finish().await
}

/// Publishes and reads prices from now on, and watches price alerts behind them. Returns the tasks, or
/// `None` at a shutdown.
async fn start_prices(
    restored: Restored,
    prices_flow: &AtomicBool,
    (board, mut watch): (&QuoteBoard, AlertWatch),
    shutdown: &CancellationToken,
) -> anyhow::Result<Option<TaskTracker>> {
    let started = shutdown.run_until_cancelled(restored.start(shutdown));
    let tasks = started.await.transpose()?;
    prices_flow.store(tasks.is_some(), Ordering::SeqCst);
    if let Some(tasks) = &tasks {
        // The history knows every split now.
        let read = board.progress();
        watch.start = WatchProgress {
            offset: read.offset,
            market_time_us: read.market_time_us,
        };
        tasks.spawn(watch.run(shutdown.clone()));
    }
    Ok(tasks)
}

fn readiness(pool: &PgPool, amqp: &Amqp, prices_flow: &Arc<AtomicBool>) -> Readiness {
    let prices_flow = Arc::clone(prices_flow);
    let prices = move || {
        let flow = prices_flow.load(Ordering::SeqCst);
        std::future::ready(if flow {
            Ok(())
        } else {
            Err("no prices are published yet")
        })
    };
    Readiness::new()
        .check("prices", prices)
        .check_database(pool)
        .check("broker", amqp.probe())
}

/// Deletes old rows, and warns when the calendar of closures ends soon.
async fn cleanup(store: Store, clock: Arc<dyn Clock>, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(CLEANUP_INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        let deleted = store.delete_old_openings(OPENINGS_KEPT_FOR, clock.as_ref());
        if let Err(error) = deleted.await {
            tracing::warn!(%error, "Old openings could not be deleted");
        }
        let deleted = store.delete_old_events(EVENTS_KEPT_FOR, clock.as_ref());
        if let Err(error) = deleted.await {
            tracing::warn!(%error, "Old events could not be deleted");
        }
        if let Err(error) = store.delete_old_alerts(clock.as_ref()).await {
            tracing::warn!(%error, "Old price alerts could not be deleted");
        }
        if let Err(error) = store.delete_old_requests(clock.as_ref()).await {
            tracing::warn!(%error, "Old requests could not be deleted");
        }
        match erasure::finish(&store, clock.as_ref()).await {
            Ok(0) => {}
            Ok(members) => tracing::info!(members, "Finished erasures of members who left"),
            Err(error) => tracing::warn!(%error, "Erasures could not be finished"),
        }
        warn_of_calendar(clock.as_ref());
    }
}

fn warn_of_calendar(clock: &dyn Clock) {
    match Calendar::embedded() {
        Ok(calendar) => {
            for (venue, days) in calendar.running_out(clock.today_kst()) {
                let venue = venue.as_str();
                tracing::warn!(venue, days, "The calendar of closures ends soon");
            }
        }
        Err(error) => tracing::error!(%error, "The calendar cannot be read"),
    }
}
