//! Notes of members.
//!
//! Reading order: [`store`] (transactions), [`grpc`] (API), [`events`].

pub mod config;
pub mod entity;
pub mod events;
pub mod grpc;
pub mod store;

use std::sync::Arc;

use bootstrap::admin::Readiness;
use bootstrap::service::{Process, Server};
use kernel::SystemClock;
use messaging::Amqp;
use messaging::outbox::Relay;
use secrecy::ExposeSecret;
use sqlx::migrate::Migrator;

use config::Config;
use grpc::Notes;
use store::Store;

pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Serves until the shutdown, then finishes the calls in flight.
///
/// # Errors
/// When a setting is unusable or a server cannot start.
pub async fn run(config: Config, process: Process) -> anyhow::Result<()> {
    let shutdown = process.shutdown;
    let (pool, database) = config.database.connect().await?;
    let amqp = Amqp::new(config.amqp_url.expose_secret())?;

    let mut server = Server::new(&config.service, shutdown.clone());
    let readiness = Readiness::new().check_database(&pool);
    server.serve_admin(readiness.check("broker", amqp.probe()));
    server.spawn(Relay::new(pool, amqp, "community").run(shutdown));

    let notes = Notes::new(Store::new(database, Arc::new(SystemClock)));
    server.serve(process.listener, notes.into_routes()).await?;
    server.finish().await
}
