//! The sise edge: live prices and a member's own fills over `/ws2`, and the sise login.
//!
//! Reading order: [`protocol`] (the messages), [`tick`] and [`price_cache`] (the latest prices),
//! [`client`] (the state of one connection), `handler` (its loop), [`feed`] (the reader of the tick
//! log), [`fills`] and `private` (the private channel), `handshake` (the upgrade) and `wire`
//! (websocket frames). The edge stores nothing: a new process needs only a snapshot.

pub mod client;
pub mod config;
mod connection_limit;
pub mod feed;
mod fill_events;
mod fill_json;
pub mod fills;
mod handler;
mod handshake;
mod http;
pub mod json;
mod notice_events;
mod popular;
pub mod price_cache;
mod private;
mod problem;
pub mod protocol;
mod rate_limit;
mod session_events;
mod socket;
pub mod tick;
pub mod tokens;
mod wire;

use std::net::TcpListener;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use actix_http::{HttpService, KeepAlive};
use actix_server::Server;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_web::dev::AppConfig;
use actix_web::http::header::HeaderValue;
use actix_web::middleware::from_fn;
use actix_web::{App, web};
use anyhow::Context;
use bootstrap::session_check::SessionCheck;
use bootstrap::{admin, grpc, redis};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use kernel::Clock;
use messaging::Amqp;
use messaging::ticks::StreamSpec;
use proto::market::v1::market_service_client::MarketServiceClient;
use proto::trading::v1::trading_service_client::TradingServiceClient;
use tokio_util::sync::CancellationToken;

use crate::client::Timing;
use crate::config::Config;
use crate::connection_limit::ConnectionLimit;
use crate::feed::{Feed, MarketState};
use crate::fills::FillHub;
use crate::popular::PopularItems;
use crate::price_cache::PriceCache;
use crate::rate_limit::RateLimits;
use crate::tokens::TokenCheck;

/// Values kept per slot when conflation is off.
const UNCONFLATED_DEPTH: usize = 64;
/// Time for load balancers to notice `/readyz` before the sockets close.
const DRAIN_NOTICE: Duration = Duration::from_secs(1);
const DRAIN_POLL: Duration = Duration::from_millis(20);

/// Shared by all connections.
pub(crate) struct Edge {
    cache: Arc<PriceCache>,
    state: Arc<MarketState>,
    timing: Timing,
    clock: Arc<dyn Clock>,
    tokens: TokenCheck,
    sessions: SessionCheck,
    popular: PopularItems,
    market: MarketServiceClient<grpc::Client>,
    trading: TradingServiceClient<grpc::Client>,
    fills: Arc<FillHub>,
    origins: Vec<String>,
    rate_limits: RateLimits,
    handshakes: DefaultDirectRateLimiter,
    connection_limit: Arc<ConnectionLimit>,
    shutdown: CancellationToken,
}

impl Edge {
    /// Connects to the other services lazily.
    pub(crate) fn build(
        config: &Config,
        clock: Arc<dyn Clock>,
        shutdown: CancellationToken,
    ) -> anyhow::Result<Self> {
        let market = grpc::channel(&config.market_url).context("MARKET_URL")?;
        let market = MarketServiceClient::new(market).max_decoding_message_size(64 << 20);
        let trading = grpc::channel(&config.trading_url).context("TRADING_URL")?;
        let auth = grpc::channel(&config.auth_url).context("AUTH_URL")?;
        let per_second = NonZeroU32::new(config.ws_handshakes_per_s).unwrap_or(NonZeroU32::MIN);
        let depth = if config.conflation_ms == 0 {
            UNCONFLATED_DEPTH
        } else {
            1
        };
        Ok(Self {
            cache: Arc::new(PriceCache::new(depth)),
            state: Arc::new(MarketState::new()),
            timing: config.timing(),
            tokens: TokenCheck::new(market.clone(), clock.clone()),
            sessions: SessionCheck::new(auth, redis::connect(&config.redis_url)),
            clock,
            popular: PopularItems::new(market.clone()),
            market,
            trading: TradingServiceClient::new(trading),
            fills: Arc::default(),
            origins: config
                .public_origin
                .iter()
                .map(|origin| origin.trim_end_matches('/').to_owned())
                .collect(),
            rate_limits: RateLimits::new(config),
            handshakes: RateLimiter::direct(Quota::per_second(per_second)),
            connection_limit: Arc::new(ConnectionLimit::new(config)),
            shutdown,
        })
    }

    /// Whether `origin` is one of the configured origins.
    pub(crate) fn allows(&self, origin: &HeaderValue) -> bool {
        self.origins.iter().any(|allowed| origin == allowed)
    }
}

/// Serves on `listener` until `shutdown`, then closes every socket with 1001 and drains.
///
/// # Errors
/// When an address is malformed or a port cannot be served.
pub async fn run(
    config: Config,
    listener: TcpListener,
    clock: Arc<dyn Clock>,
    shutdown: CancellationToken,
) -> anyhow::Result<()> {
    let amqp = Amqp::new(&config.amqp_url).context("AMQP_URL")?;
    let sockets_close = CancellationToken::new();
    let edge = Arc::new(Edge::build(&config, clock, sockets_close.clone())?);

    let feed = Feed::new(
        edge.market.clone(),
        amqp.clone(),
        StreamSpec::named(&config.ticks_stream),
        edge.cache.clone(),
        edge.state.clone(),
    );
    tokio::spawn(feed.run(sockets_close.clone()));
    tokio::spawn(fill_events::run(
        amqp.clone(),
        edge.fills.clone(),
        sockets_close.clone(),
    ));
    tokio::spawn(notice_events::run(
        amqp.clone(),
        edge.fills.clone(),
        sockets_close.clone(),
    ));
    tokio::spawn(session_events::run(
        amqp.clone(),
        edge.fills.clone(),
        edge.sessions.clone(),
        sockets_close.clone(),
    ));
    let (evicting, until) = (Arc::clone(&edge), sockets_close.clone());
    tokio::spawn(async move { evicting.rate_limits.evict_idle(until).await });
    let readiness = admin::Readiness::new().check("broker", amqp.probe());
    let admin = admin::serve(
        config.service.admin_addr,
        readiness.clone(),
        shutdown.clone(),
    );

    let drain = config.service.drain();
    tracing::info!(address = %listener.local_addr()?, "Serving /ws2");
    let server = serve(&config, listener, Arc::clone(&edge))?;
    let handle = server.handle();
    tokio::spawn(async move {
        shutdown.cancelled().await;
        readiness.set_draining();
        tokio::time::sleep(DRAIN_NOTICE).await;
        sockets_close.cancel();
        // The HTTP server does not track upgraded connections.
        let sockets_closed = async {
            while edge.connection_limit.open_sockets() > 0 {
                tokio::time::sleep(DRAIN_POLL).await;
            }
        };
        let _late = tokio::time::timeout(drain, sockets_closed).await;
        handle.stop(true).await;
    });
    let admin = async { admin.await.context("the admin port") };
    let public = async { server.await.context("the public port") };
    tokio::try_join!(admin, public)?;
    Ok(())
}

/// Serves HTTP and hands upgrade requests to [`handshake`].
fn serve(config: &Config, listener: TcpListener, edge: Arc<Edge>) -> anyhow::Result<Server> {
    let builder = Server::build();
    let stopping = builder.graceful_shutdown_signal();
    let server = builder
        .backlog(4_096)
        .max_concurrent_connections(config.ws_max_sockets)
        .shutdown_timeout(config.service.drain_s)
        .disable_signals()
        .listen("public", listener, move || {
            let stopping = stopping.clone();
            let (app_edge, socket_edge) = (Arc::clone(&edge), Arc::clone(&edge));
            let app = App::new()
                .app_data(web::Data::new(app_edge))
                .wrap(from_fn(http::request_context))
                .configure(http::routes)
                .into_factory()
                .map_err(|error: actix_web::Error| error.error_response());
            HttpService::build()
                .graceful_shutdown_signal(move || {
                    let stopping = stopping.clone();
                    async move { stopping.notified().await }
                })
                // A connection without a handshake counts for no address, so none outlives its answer.
                .keep_alive(KeepAlive::Disabled)
                .client_request_timeout(Duration::from_secs(5))
                .client_disconnect_timeout(Duration::from_secs(2))
                .on_connect_ext(|stream, _extensions| socket::set_options(stream))
                .upgrade(fn_service(move |(request, framed)| {
                    handshake::upgrade(request, framed, Arc::clone(&socket_edge))
                }))
                .finish(map_config(app, |()| AppConfig::default()))
                .tcp()
        })
        .context("the public port")?;
    Ok(server.run())
}
