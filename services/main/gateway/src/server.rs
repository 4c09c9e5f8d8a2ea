//! The HTTP server around the application: sockets, time limits and an orderly end.

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
use crate::door::Doorkeeper;
use crate::error::Reason;
use crate::headers::{self, SecurityHeaders};
use crate::refusal::Refusal;
use crate::state::Gateway;

const CLIENT_REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
const CLIENT_DISCONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const DRAIN_S: u64 = 20;
/// Between saying "not ready" and refusing connections, so that a balancer has looked.
const LINGER: Duration = Duration::from_secs(1);
const TIDY_EVERY: Duration = Duration::from_secs(60);

/// Serves on `listener` until `shutdown`, then finishes what is under way.
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
    let admin_addr = config.admin_addr;
    let max_connections = config.max_connections;
    let gateway = web::Data::new(Gateway::new(config, clock)?);
    let readiness = Readiness::new();

    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let doorkeeper = Doorkeeper {
        gateway: gateway.clone(),
        refusal: Arc::new(Refusal::of(Reason::Unavailable, &security)),
        ends: shutdown.clone(),
    };
    let server = HttpServer::new(move || {
        let application = App::new()
            .app_data(doorkeeper.gateway.clone())
            .app_data(security.clone())
            .app_data(web::Data::new(doorkeeper.ends.clone()))
            .configure(app::configure)
            .wrap(Compress::default())
            .wrap(from_fn(headers::around));
        doorkeeper.clone().before(application.into_factory())
    })
    .workers(workers)
    .max_connections(max_connections.div_ceil(workers))
    .client_request_timeout(CLIENT_REQUEST_TIMEOUT)
    .client_disconnect_timeout(CLIENT_DISCONNECT_TIMEOUT)
    .keep_alive(KEEP_ALIVE)
    .shutdown_timeout(DRAIN_S)
    .disable_signals()
    .listen(listener)?
    .run();

    let handle = server.handle();
    let draining = readiness.clone();
    let asked_to_stop = shutdown.clone();
    tokio::spawn(async move {
        asked_to_stop.cancelled().await;
        draining.set_draining();
        tokio::time::sleep(LINGER).await;
        handle.stop(true).await;
    });
    tokio::spawn(tidy(gateway, shutdown.clone()));
    let admin = admin::serve(admin_addr, readiness, shutdown);
    let (served, administered) = tokio::join!(server, admin);
    served?;
    administered?;
    Ok(())
}

async fn tidy(gateway: web::Data<Gateway>, shutdown: CancellationToken) {
    let mut ticks = tokio::time::interval(TIDY_EVERY);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        gateway.tidy();
    }
}
