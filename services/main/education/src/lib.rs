//! The education service: quizzes, articles, points, streaks and reviews.
//!
//! The content is Markdown files with typed heads below `content/`, whose README describes the
//! format. [`Content::embedded`] reads all of it and rejects an inconsistent one, so a [`Content`]
//! contains no quiz without an answer and no link without a target; [`Library`] is what is served.
//!
//! Reading order: [`domain`] (rules), [`store`] (transactions), [`answers`] (their group commit),
//! [`grpc`] (API), then [`repair`],
//! [`auth_events`], [`trading_events`], [`order_events`], [`contract_events`],
//! [`concentration_events`] and [`jobs`].

pub mod answers;
pub mod auth_events;
pub mod concentration_events;
pub mod config;
pub mod content;
pub mod contract_events;
pub mod domain;
pub mod error;
pub mod events;
pub mod grpc;
pub mod jobs;
pub mod library;
pub mod order_events;
pub mod repair;
pub mod store;
pub mod trading_events;

use std::sync::Arc;

use bootstrap::admin::Readiness;
use bootstrap::service::{Process, Server};
use kernel::{Clock, SystemClock};
use messaging::Amqp;
use messaging::outbox::Relay;
use secrecy::ExposeSecret;
use sqlx::migrate::Migrator;

pub use content::Content;
pub use library::Library;

use config::Config;
use grpc::Service;
use repair::Repairs;
use store::Store;

pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Serves until the shutdown, then finishes the calls in flight.
///
/// # Errors
/// When a setting is unusable or a server cannot start.
pub async fn run(config: Config, process: Process) -> anyhow::Result<()> {
    let shutdown = process.shutdown;
    let library = Arc::new(Library::embedded()?);
    let (pool, _connection) = config.database.connect().await?;
    let amqp = Amqp::new(config.amqp_url.expose_secret())?
        .with_pool_of(config.database.database_max_connections);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let store = Store::new(pool.clone(), library, clock);
    let repairs = Repairs::connect(store.clone(), &config.trading_url)?;

    let mut server = Server::new(&config.service, shutdown.clone());
    let readiness = Readiness::new().check_database(&pool);
    server.serve_admin(readiness.check("broker", amqp.probe()));
    server.spawn(auth_events::follow(
        store.clone(),
        amqp.clone(),
        auth_events::QUEUE,
        shutdown.clone(),
    ));
    server.spawn(trading_events::follow(
        store.clone(),
        amqp.clone(),
        trading_events::QUEUE,
        shutdown.clone(),
    ));
    server.spawn(order_events::follow(
        store.clone(),
        amqp.clone(),
        order_events::QUEUE,
        shutdown.clone(),
    ));
    server.spawn(contract_events::follow(
        store.clone(),
        amqp.clone(),
        contract_events::QUEUE,
        shutdown.clone(),
    ));
    server.spawn(concentration_events::follow(
        store.clone(),
        amqp.clone(),
        concentration_events::QUEUE,
        shutdown.clone(),
    ));
    server.spawn(Relay::new(pool.clone(), amqp, "education").run(shutdown.clone()));
    server.spawn(jobs::run(pool, store.clone(), repairs.clone(), shutdown));

    let service = Service::new(store, repairs);
    server
        .serve(process.listener, service.into_routes())
        .await?;
    server.finish().await
}
