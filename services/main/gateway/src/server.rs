//! The HTTP server: sockets, timeouts, graceful shutdown.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_service::IntoServiceFactory;
use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, HttpServer, web};
use bootstrap::admin::{self, Readiness};
use kernel::Clock;
use tokio_util::sync::CancellationToken;

use crate::app;
use crate::config::Config;
use crate::middleware::headers::SecurityHeaders;
use crate::middleware::load_shed::EarlyLoadShed;
use crate::middleware::trace::trace_request;
use crate::openapi;
use crate::routes;
use crate::state::AppState;

const CLIENT_REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
const CLIENT_DISCONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Between "not ready" and closing the socket, so that a load balancer notices.
const LINGER: Duration = Duration::from_secs(1);
const EXPIRY_INTERVAL: Duration = Duration::from_secs(60);

/// Serves on `listener` until `shutdown`, then finishes running requests.
///
/// # Errors
/// When an address in `config` is unusable or a socket cannot be opened.
pub async fn run(
    config: Config,
    listener: TcpListener,
    clock: Arc<dyn Clock>,
    shutdown: CancellationToken,
) -> anyhow::Result<()> {
    let security = web::Data::new(SecurityHeaders::new(&config)?);
    let service = config.service.clone();
    let address = listener.local_addr()?;
    let max_connections = config.max_connections;
    let state = web::Data::new(AppState::new(config, clock)?);
    let document = web::Data::from(openapi::shared_document());
    let readiness = Readiness::new();

    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let load_shed = EarlyLoadShed::new(
        state.clone(),
        &routes::endpoints(),
        &security,
        shutdown.clone(),
    );
    let app_state = state.clone();
    let app_shutdown = web::Data::new(shutdown.clone());
    let server = HttpServer::new(move || {
        let application = App::new()
            .app_data(app_state.clone())
            .app_data(security.clone())
            .app_data(document.clone())
            .app_data(app_shutdown.clone())
            .configure(app::configure)
            .wrap(Compress::default())
            .wrap(from_fn(trace_request));
        load_shed.clone().wrap(application.into_factory())
    })
    .workers(workers)
    .max_connections(max_connections.div_ceil(workers))
    .client_request_timeout(CLIENT_REQUEST_TIMEOUT)
    .client_disconnect_timeout(CLIENT_DISCONNECT_TIMEOUT)
    .keep_alive(KEEP_ALIVE)
    .shutdown_timeout(service.drain_s)
    .disable_signals()
    .listen(listener)?
    .run();

    tracing::info!(address = %address, "Serving");
    let handle = server.handle();
    let draining = readiness.clone();
    let stopping = shutdown.clone();
    tokio::spawn(async move {
        stopping.cancelled().await;
        draining.set_draining();
        tokio::time::sleep(LINGER).await;
        handle.stop(true).await;
    });
    tokio::spawn(remove_expired_limits(state, shutdown.clone()));
    let admin = admin::serve(service.admin_addr, readiness, shutdown);
    let (served, administered) = tokio::join!(server, admin);
    served?;
    administered?;
    Ok(())
}

async fn remove_expired_limits(state: web::Data<AppState>, shutdown: CancellationToken) {
    let mut ticks = tokio::time::interval(EXPIRY_INTERVAL);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        state.rate_limits.remove_expired();
    }
}
