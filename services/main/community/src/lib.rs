//! The community service: posts, comments, likes, and what members are to each other.
//!
//! A text is judged by one pure function before it is stored ([`domain::writing`]): published, held
//! for a decision, or refused with a reason. Counters of likes and comments change in the
//! transaction of the row they count, so they are right after any crash. Lists go along indexes by
//! opaque cursors; those by rank use a stored rank that sinks with time ([`jobs`]). Nothing is
//! really deleted: texts are cleared thirty days later. What a member leaves behind who left for good
//! goes piece by piece ([`erasure`]).
//!
//! Moderators decide by commands ([`moderation`]) about the version of a text that they read: every
//! step is a row that never changes, and whoever it concerns is told by an event
//! ([`decision_events`]). What is seen follows from the newest step of each *cause*
//! ([`domain::causes`]). A *sanction* is what an author has to bear; a *restriction* (임시조치) hides
//! a text for a time because somebody claims a right.
//!
//! Reading order: [`domain`] (rules), [`store`] (transactions), [`likes`] (their group commit),
//! [`pictures`] (files beside the database), [`grpc`] (API), [`moderation`] (commands), then [`auth_events`] and [`jobs`].

pub mod auth_events;
pub mod config;
pub mod decision_events;
pub mod domain;
pub mod erasure;
pub mod error;
pub mod events;
pub mod grpc;
pub mod jobs;
pub mod likes;
pub mod moderation;
pub mod pictures;
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
use grpc::Service;
use pictures::files::Files;
use pictures::removal;
use store::Store;

pub static MIGRATOR: Migrator = sqlx::migrate!();

/// Serves until the shutdown, then finishes the calls in flight.
///
/// # Errors
/// When a setting is unusable or a server cannot start.
pub async fn run(config: Config, process: Process) -> anyhow::Result<()> {
    let shutdown = process.shutdown;
    let (pool, _connection) = config.database.connect().await?;
    let amqp = Amqp::new(config.amqp_url.expose_secret())?
        .with_pool_of(config.database.database_max_connections);
    let store = Store::new(pool.clone(), config.writing.limits(), Arc::new(SystemClock));

    let files = Files::open(&config.files_url, config.files_min_free_bytes())?;

    let mut server = Server::new(&config.service, shutdown.clone());
    let readiness = Readiness::new().check_database(&pool);
    server.serve_admin(readiness.check("broker", amqp.probe()));
    server.spawn(auth_events::follow(
        store.clone(),
        amqp.clone(),
        auth_events::QUEUE,
        shutdown.clone(),
    ));
    server.spawn(auth_events::follow_erasures(
        store.clone(),
        amqp.clone(),
        auth_events::ERASURES_QUEUE,
        shutdown.clone(),
    ));
    server.spawn(Relay::new(pool.clone(), amqp, "community").run(shutdown.clone()));
    server.spawn(jobs::run(store.clone(), shutdown.clone()));
    server.spawn(erasure::run(store.clone(), shutdown.clone()));
    server.spawn(removal::run(store.clone(), files.clone(), shutdown));

    let service = Service::new(store, files)?;
    server
        .serve(process.listener, service.into_routes())
        .await?;
    server.finish().await
}
