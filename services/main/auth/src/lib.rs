//! The auth service: members, credentials and sessions.
//!
//! Reading order: [`domain`] (rules), [`store`] (transactions), [`grpc`] (API), then
//! [`hashing`], [`signing`], [`attempts`], [`joins`], [`password_changes`], [`deny_list`],
//! [`events`], [`trading_events`], [`notifications`], [`mailer`] and [`push`].

pub mod attempts;
pub mod config;
pub mod deny_list;
pub mod domain;
pub mod entity;
pub mod error;
pub mod events;
pub mod grpc;
pub mod hashing;
pub mod hourly_limit;
pub mod joins;
pub mod mailer;
pub mod notifications;
pub mod password_changes;
pub mod push;
pub mod signing;
pub mod store;
pub mod trading_events;

use std::sync::Arc;
use std::time::Duration;

use bootstrap::admin::Readiness;
use bootstrap::redis;
use bootstrap::service::{Process, Server};
use chrono::TimeDelta;
use kernel::{Clock, SystemClock};
use messaging::Amqp;
use messaging::consumer::run_broadcast;
use messaging::outbox::Relay;
use secrecy::ExposeSecret;
use sqlx::migrate::Migrator;
use tokio_util::sync::CancellationToken;

use attempts::Attempts;
use config::Config;
use deny_list::DenyList;
use error::AuthError;
use grpc::Service;
use hashing::Hasher;
use joins::Joins;
use mailer::Mailer;
use password_changes::PasswordChanges;
use push::Providers;
use push::sender::PushSender;
use signing::Signer;
use store::Store;

pub static MIGRATOR: Migrator = sqlx::migrate!();

const CLEANUP_INTERVAL: Duration = Duration::from_secs(3_600);

/// Serves until the shutdown, then finishes the calls in flight.
///
/// # Errors
/// When a setting is unusable or a server cannot start.
pub async fn run(config: Config, process: Process) -> anyhow::Result<()> {
    let shutdown = process.shutdown;
    let previous = config.previous_signing_key_file.as_deref();
    let signer = Signer::load(&config.signing_key_file, previous)?;
    let (pool, connection) = config.database.connect().await?;
    let redis = redis::connect(config.redis_url.expose_secret());
    let amqp = Amqp::new(config.amqp_url.expose_secret())?
        .with_pool_of(config.database.database_max_connections);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let store = Store::new(connection, Arc::clone(&clock));

    let mut server = Server::new(&config.service, shutdown.clone());
    let readiness = Readiness::new().check_database(&pool);
    server.serve_admin(readiness.check("broker", amqp.probe()));
    let deny_list = DenyList::new(redis.clone());
    server.spawn(deny_list.clone().run(store.clone(), shutdown.clone()));
    server.spawn(follow_ended_sessions(
        amqp.clone(),
        deny_list.clone(),
        shutdown.clone(),
    ));
    server.spawn(trading_events::follow(
        store.clone(),
        amqp.clone(),
        trading_events::QUEUE,
        shutdown.clone(),
    ));
    for queue in notifications::consumer::QUEUES {
        server.spawn(notifications::consumer::follow(
            store.clone(),
            amqp.clone(),
            queue,
            shutdown.clone(),
        ));
    }
    let live = &[events::SESSION_ENDED, events::NOTIFICATION_CREATED];
    let relay = Relay::new(pool, amqp, "auth").with_live(live);
    server.spawn(relay.run(shutdown.clone()));
    let retention = TimeDelta::days(config.session_retention_days.into());
    server.spawn(delete_old(store.clone(), retention, shutdown.clone()));
    server.spawn(announce_quiz_filters(store.clone(), shutdown.clone()));

    let mailer = Mailer::new(
        &config,
        store.clone(),
        signer.mailed_secret().clone(),
        &clock,
    )?;
    server.spawn(mailer.run(shutdown.clone()));
    let push = Providers::new(&config.push, &clock)?;
    server.spawn(PushSender::new(&store, &push, &clock).run(shutdown));

    let service = Service {
        store,
        hasher: Hasher::new()?,
        signer: Arc::new(signer),
        attempts: Attempts::new(redis.clone(), Arc::clone(&clock)),
        joins: Joins::new(redis.clone(), config.joins_per_hour, Arc::clone(&clock)),
        password_changes: PasswordChanges::new(redis, Arc::clone(&clock)),
        deny_list,
        push,
        clock,
    };
    server
        .serve(process.listener, service.into_routes())
        .await?;
    server.finish().await
}

/// Adds the sessions that other processes of the service end to the deny list.
async fn follow_ended_sessions(amqp: Amqp, deny_list: DenyList, shutdown: CancellationToken) {
    let handle = move |broadcast| {
        let deny_list = deny_list.clone();
        async move { deny_list.handle_event(broadcast).await }
    };
    run_broadcast(amqp, &[events::SESSION_ENDED], handle, shutdown).await;
}

/// Deletes rows past their retention, every hour.
async fn delete_old(store: Store, retention: TimeDelta, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(CLEANUP_INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        // Independently, so that an error in one does not hold up the others.
        let tokens = || store.delete_old_tokens();
        report(
            "refresh tokens",
            until_none_is_left(tokens, &shutdown).await,
        );
        let ended = || store.delete_ended_sessions(retention);
        report("ended sessions", until_none_is_left(ended, &shutdown).await);
        let expired = || store.delete_expired_sessions(retention);
        report(
            "expired sessions",
            until_none_is_left(expired, &shutdown).await,
        );
        let mails = || store.delete_old_mails();
        report("mails", until_none_is_left(mails, &shutdown).await);
        let notifications = || store.delete_old_notifications();
        report(
            "notifications",
            until_none_is_left(notifications, &shutdown).await,
        );
        let told = || store.forget_events();
        report("events", until_none_is_left(told, &shutdown).await);
    }
}

/// Tells education of filters that a process of the release before versions stored, every hour.
async fn announce_quiz_filters(store: Store, shutdown: CancellationToken) {
    let mut every = tokio::time::interval(CLEANUP_INTERVAL);
    while shutdown.run_until_cancelled(every.tick()).await.is_some() {
        let announce = || store.announce_quiz_filters();
        match until_none_is_left(announce, &shutdown).await {
            Ok(0) => {}
            Ok(filters) => tracing::info!(filters, "Announced quiz filters"),
            Err(error) => tracing::warn!(?error, "Quiz filters could not be announced"),
        }
    }
}

fn report(what: &str, deleted: Result<u64, AuthError>) {
    match deleted {
        Ok(0) => {}
        Ok(rows) => tracing::info!(what, rows, "Deleted old rows"),
        Err(error) => tracing::warn!(what, ?error, "Old rows could not be deleted"),
    }
}

async fn until_none_is_left<F>(
    step: impl Fn() -> F,
    shutdown: &CancellationToken,
) -> Result<u64, AuthError>
where
    F: Future<Output = Result<u64, AuthError>>,
{
    let mut sum = 0;
    loop {
        let rows = step().await?;
        sum += rows;
        if rows == 0 || shutdown.is_cancelled() {
            return Ok(sum);
        }
    }
}
