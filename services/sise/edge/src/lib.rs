//! The sise edge: live prices and a member's own fills over `/ws2`, and the sise login.
//!
//! Reading order: [`protocol`] (what is said), [`tick`] and [`slots`] (what there is to say),
//! [`client`] (what one connection decides), `handler` (its loop), [`feed`] (where values come
//! from), [`fills`] and `private` (the private channel), `handshake` (how a socket begins) and
//! `wire` (its bytes). Nothing here is stored: a new process is as good as the old one after a
//! snapshot.

mod callers;
pub mod client;
pub mod config;
pub mod feed;
mod fill_events;
mod fill_json;
pub mod fills;
mod handler;
mod handshake;
mod http;
pub mod json;
mod popular;
mod private;
mod problem;
pub mod protocol;
mod seats;
mod session_events;
pub mod slots;
mod socket;
pub mod tick;
pub mod tokens;
mod wire;

use std::net::TcpListener;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use actix_http::HttpService;
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

use crate::callers::Callers;
use crate::client::Timing;
use crate::config::Config;
use crate::feed::{Feed, MarketState};
use crate::fills::FillHub;
use crate::popular::Popular;
use crate::seats::Seats;
use crate::slots::Board;
use crate::tokens::TokenCheck;

/// Values a slot keeps when every single one is sent.
const UNCONFLATED_DEPTH: usize = 64;
/// Between "not ready" and the end of accepting, so that whoever balances load has seen it.
const DRAIN_NOTICE: Duration = Duration::from_secs(1);
const DRAIN_TIMEOUT: Duration = Duration::from_secs(20);
const DRAIN_LOOK: Duration = Duration::from_millis(20);

/// What every connection shares.
pub(crate) struct Edge {
    board: Arc<Board>,
    state: Arc<MarketState>,
    timing: Timing,
    clock: Arc<dyn Clock>,
    tokens: TokenCheck,
    sessions: SessionCheck,
    popular: Popular,
    market: MarketServiceClient<grpc::Client>,
    trading: TradingServiceClient<grpc::Client>,
    fills: Arc<FillHub>,
    origins: Vec<String>,
    callers: Callers,
    handshakes: DefaultDirectRateLimiter,
    seats: Arc<Seats>,
    shutdown: CancellationToken,
}

impl Edge {
    /// Prepares everything; connections to other processes are made when they are needed.
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
            board: Arc::new(Board::new(depth)),
            state: Arc::new(MarketState::new()),
            timing: config.timing(),
            tokens: TokenCheck::new(market.clone(), clock.clone()),
            sessions: SessionCheck::new(auth, redis::connect(&config.redis_url)),
            clock,
            popular: Popular::new(market.clone()),
            market,
            trading: TradingServiceClient::new(trading),
            fills: Arc::default(),
            origins: config
                .public_origin
                .iter()
                .map(|origin| origin.trim_end_matches('/').to_owned())
                .collect(),
            callers: Callers::new(config),
            handshakes: RateLimiter::direct(Quota::per_second(per_second)),
            seats: Arc::new(Seats::new(config)),
            shutdown,
        })
    }

    /// Whether pages of this origin may talk to us.
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
        edge.board.clone(),
        edge.state.clone(),
    );
    tokio::spawn(feed.run(sockets_close.clone()));
    tokio::spawn(fill_events::run(
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
    let (tidied, until) = (Arc::clone(&edge), sockets_close.clone());
    tokio::spawn(async move { tidied.callers.tidy(until).await });
    let readiness = admin::Readiness::new().check("broker", move || {
        let amqp = amqp.clone();
        async move { amqp.check().await }
    });
    let admin = admin::serve(config.admin_addr, readiness.clone(), shutdown.clone());

    let server = serve(&config, listener, Arc::clone(&edge))?;
    let handle = server.handle();
    tokio::spawn(async move {
        shutdown.cancelled().await;
        readiness.set_draining();
        tokio::time::sleep(DRAIN_NOTICE).await;
        sockets_close.cancel();
        // The server knows nothing of sockets that it gave away.
        let all_closed = async {
            while edge.seats.taken() > 0 {
                tokio::time::sleep(DRAIN_LOOK).await;
            }
        };
        let _late = tokio::time::timeout(DRAIN_TIMEOUT, all_closed).await;
        handle.stop(true).await;
    });
    let admin = async { admin.await.context("the admin port") };
    let public = async { server.await.context("the public port") };
    tokio::try_join!(admin, public)?;
    Ok(())
}

/// The public port: HTTP, and whoever asks for a websocket is handed over.
fn serve(config: &Config, listener: TcpListener, edge: Arc<Edge>) -> anyhow::Result<Server> {
    let builder = Server::build();
    let stopping = builder.graceful_shutdown_signal();
    let server = builder
        .backlog(4_096)
        .max_concurrent_connections(config.ws_max_sockets)
        .shutdown_timeout(DRAIN_TIMEOUT.as_secs())
        .disable_signals()
        .listen("public", listener, move || {
            let stopping = stopping.clone();
            let (app_edge, socket_edge) = (Arc::clone(&edge), Arc::clone(&edge));
            let app = App::new()
                .app_data(web::Data::new(app_edge))
                .wrap(from_fn(http::around))
                .configure(http::routes)
                .into_factory()
                .map_err(|error: actix_web::Error| error.error_response());
            HttpService::build()
                .graceful_shutdown_signal(move || {
                    let stopping = stopping.clone();
                    async move { stopping.notified().await }
                })
                .keep_alive(Duration::from_secs(15))
                .client_request_timeout(Duration::from_secs(5))
                .client_disconnect_timeout(Duration::from_secs(2))
                .on_connect_ext(|stream, _extensions| socket::prepare(stream))
                .upgrade(fn_service(move |(request, framed)| {
                    handshake::take_over(request, framed, Arc::clone(&socket_edge))
                }))
                .finish(map_config(app, |()| AppConfig::default()))
                .tcp()
        })
        .context("the public port")?;
    Ok(server.run())
}
