//! How an event leaves: a row in the transaction that made it true, then a relay that publishes
//! rows and deletes them once the broker has taken them.
//!
//! The relay of a database works alone (an advisory lock), so events leave in the order of their
//! ids; rows of one aggregate are ordered because their transactions held that aggregate's lock.
//! `append` wakes the relay of its own process with short polls instead of `NOTIFY`, whose global
//! lock would make every commit of the database wait for the one before it.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use lapin::options::{
    BasicPublishOptions, ConfirmSelectOptions, ExchangeDeclareOptions, QueueBindOptions,
};
use lapin::types::FieldTable;
use lapin::{Channel, ExchangeKind};
use sea_orm::{ConnectionTrait, DbBackend, DbErr, Statement};
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::amqp::{
    Amqp, AmqpError, DEAD_LETTERS, EVENTS_EXCHANGE, FIRST_RETRY, LONGEST_RETRY, Link, within,
};
use crate::backoff::Backoff;
use crate::consumer::declare_dead_letters;
use crate::event::{NewEvent, StoredEvent};

const BATCH: usize = 500;
const POLL: Duration = Duration::from_millis(500);
/// The first poll after an `append`: about the time its transaction needs to commit.
const FIRST_POLL: Duration = Duration::from_millis(5);
/// The least time between the end of a round that sent something and the next one. What is written
/// meanwhile goes together: a round of its own for each event costs as much as the event. Nobody
/// waits for an event as for an answer, and this is less than a person notices.
const REST: Duration = Duration::from_millis(50);
/// How often the age of the oldest event is looked at.
const AGE_EVERY: Duration = Duration::from_secs(15);
/// Less than the 10 s after which the database cuts a transaction in which nothing happens.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(8);
/// How long the relay leaves an event type alone that no queue wanted.
const UNROUTABLE_PAUSE: Duration = Duration::from_secs(1);
/// "outbox" in ASCII: one relay per database holds this lock.
const RELAY_LOCK: i64 = 0x6f75_7462_6f78;

static APPENDED: LazyLock<Notify> = LazyLock::new(Notify::new);

/// Writes an event in the business transaction. It is published if and only if that commits.
///
/// # Errors
/// [`DbErr`] of the database.
pub async fn append(connection: &impl ConnectionTrait, event: NewEvent) -> Result<(), DbErr> {
    let insert = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "insert into outbox (event_id, event_type, aggregate_id, body, traceparent, occurred_at) \
         values ($1, $2, $3, $4, $5, $6)",
        [
            event.event_id.into(),
            event.event_type.into(),
            event.aggregate_id.into(),
            event.body.into(),
            event.traceparent.into(),
            event.occurred_at.into(),
        ],
    );
    connection.execute_raw(insert).await?;
    wake();
    Ok(())
}

/// Tells the relay of this process that rows have been written without [`append`].
pub fn wake() {
    APPENDED.notify_one();
}

/// Publishes the outbox of one service.
pub struct Relay {
    pool: PgPool,
    amqp: Amqp,
    service: &'static str,
    /// Event types for whoever listens at the moment.
    live: &'static [&'static str],
    /// Event types that no queue wanted, and until when they are left alone.
    paused: BTreeMap<String, Instant>,
}

/// What became of one round of the relay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Round {
    /// Rows published, confirmed and deleted.
    sent: usize,
    /// Rows the broker refused or could not route; they stay.
    kept: usize,
}

impl Round {
    /// Whether more may wait than one round takes.
    fn is_full(self) -> bool {
        self.sent > 0 && self.sent.saturating_add(self.kept) >= BATCH
    }
}

#[derive(Debug, thiserror::Error)]
enum RelayError {
    #[error("outbox: {0}")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Amqp(#[from] AmqpError),
}

impl From<lapin::Error> for RelayError {
    fn from(error: lapin::Error) -> Self {
        Self::Amqp(error.into())
    }
}

impl Relay {
    /// A relay for the outbox in `pool`'s database.
    #[must_use]
    pub fn new(pool: PgPool, amqp: Amqp, service: &'static str) -> Self {
        Self {
            pool,
            amqp,
            service,
            live: &[],
            paused: BTreeMap::new(),
        }
    }

    /// Names the event types that are for whoever listens at the moment (a phone's screen, say)
    /// and need no queue of their own. With no listener they count as delivered; every other
    /// event without a queue stays in the outbox and is complained of.
    #[must_use]
    pub fn with_live(mut self, event_types: &'static [&'static str]) -> Self {
        self.live = event_types;
        self
    }

    /// Works until `shutdown`, then empties what can be emptied at once. Whatever breaks, the
    /// connection is dropped and the rows that were not confirmed are published again.
    pub async fn run(self, shutdown: CancellationToken) {
        let watched = watch_age(self.pool.clone(), self.service, shutdown.clone());
        tokio::join!(self.forward(shutdown), watched);
    }

    async fn forward(mut self, shutdown: CancellationToken) {
        let mut backoff = Backoff::new(FIRST_RETRY, LONGEST_RETRY);
        while !shutdown.is_cancelled() {
            let Some(link) = shutdown.run_until_cancelled(self.amqp.channel()).await else {
                return;
            };
            match self.relay(&link, &mut backoff, &shutdown).await {
                Ok(()) => return,
                Err(error) => {
                    metrics::counter!("outbox_relay_errors_total", "service" => self.service)
                        .increment(1);
                    tracing::warn!(service = self.service, %error, "The outbox relay starts anew");
                    shutdown.run_until_cancelled(backoff.wait()).await;
                }
            }
        }
    }

    async fn relay(
        &mut self,
        link: &Link,
        backoff: &mut Backoff,
        shutdown: &CancellationToken,
    ) -> Result<(), RelayError> {
        within(CONFIRM_TIMEOUT, prepare(link)).await?;
        let mut pause = FIRST_POLL;
        loop {
            // A round with nothing to send would not notice, and the next event would wait.
            link.check_open()?;
            let round = self.round(link).await?;
            backoff.reset();
            if round.is_full() {
                continue;
            }
            let mut rested = Instant::now();
            if round.sent > 0 {
                rested += REST;
                pause = REST;
            }
            tokio::select! {
                () = shutdown.cancelled() => break,
                () = APPENDED.notified() => {
                    pause = FIRST_POLL;
                    let ready = rested.max(Instant::now() + FIRST_POLL);
                    tokio::time::sleep_until(ready.into()).await;
                }
                () = tokio::time::sleep(pause) => pause = (pause * 4).min(POLL),
            }
        }
        while self.round(link).await?.is_full() {}
        Ok(())
    }

    async fn round(&mut self, channel: &Channel) -> Result<Round, RelayError> {
        let now = Instant::now();
        self.paused.retain(|_, until| *until > now);
        let paused: Vec<String> = self.paused.keys().cloned().collect();

        let mut transaction = self.pool.begin().await?;
        // A row that the holder of the lock deletes meanwhile is skipped when it is to be locked.
        let rows = sqlx::query(
            "with relay as materialized (select pg_try_advisory_xact_lock($3) as is_alone) \
             select id, event_id, event_type, aggregate_id, body, traceparent, occurred_at \
             from outbox where (select is_alone from relay) and event_type <> all($1) \
             order by id limit $2 for update skip locked",
        )
        .bind(&paused)
        .bind(i64::try_from(BATCH).unwrap_or(i64::MAX))
        .bind(RELAY_LOCK)
        .fetch_all(&mut *transaction)
        .await?;
        if rows.is_empty() {
            transaction.commit().await?;
            return Ok(Round::default());
        }
        let events = rows.iter().map(stored).collect::<Result<Vec<_>, _>>()?;
        let (sent, unroutable) =
            within(CONFIRM_TIMEOUT, publish(channel, &events, self.live)).await?;
        let kept = events.len() - sent.len();
        sqlx::query("delete from outbox where id = any($1)")
            .bind(&sent)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;

        self.report(sent.len(), &unroutable);
        Ok(Round {
            sent: sent.len(),
            kept,
        })
    }

    fn report(&mut self, sent: usize, unroutable: &[String]) {
        let sent = u64::try_from(sent).unwrap_or(u64::MAX);
        metrics::counter!("outbox_sent_total", "service" => self.service).increment(sent);
        for event_type in unroutable {
            metrics::counter!("outbox_unroutable_total", "service" => self.service).increment(1);
            let until = Instant::now() + UNROUTABLE_PAUSE;
            if self.paused.insert(event_type.clone(), until).is_none() {
                tracing::warn!(service = self.service, %event_type, "No queue wants this event; it stays in the outbox");
            }
        }
    }
}

/// Tells the metrics how long the oldest event has waited, also while the broker is away.
async fn watch_age(pool: PgPool, service: &'static str, shutdown: CancellationToken) {
    let oldest = "select extract(epoch from now() - occurred_at)::float8 \
                  from outbox order by id limit 1";
    while !shutdown.is_cancelled() {
        // Without an answer the last known age stays: whether the database is well is asked elsewhere.
        if let Ok(age_s) = sqlx::query_scalar::<_, f64>(oldest)
            .fetch_optional(&pool)
            .await
        {
            metrics::gauge!("outbox_oldest_seconds", "service" => service)
                .set(age_s.unwrap_or_default());
        }
        shutdown
            .run_until_cancelled(tokio::time::sleep(AGE_EVERY))
            .await;
    }
}

/// Declares what publishing needs. Queues belong to their consumers.
async fn prepare(channel: &Channel) -> Result<(), AmqpError> {
    declare_exchanges(channel).await?;
    channel
        .confirm_select(ConfirmSelectOptions::default())
        .await?;
    Ok(())
}

/// Declares the exchange of events and the dead letters.
pub(crate) async fn declare_exchanges(channel: &Channel) -> Result<(), AmqpError> {
    let durable = ExchangeDeclareOptions {
        durable: true,
        ..ExchangeDeclareOptions::default()
    };
    for exchange in [EVENTS_EXCHANGE, DEAD_LETTERS] {
        channel
            .exchange_declare(
                exchange.into(),
                ExchangeKind::Topic,
                durable,
                FieldTable::default(),
            )
            .await?;
    }
    declare_dead_letters(channel).await?;
    channel
        .queue_bind(
            DEAD_LETTERS.into(),
            DEAD_LETTERS.into(),
            "#".into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        )
        .await?;
    Ok(())
}

/// Publishes all, then awaits all confirms. A message that comes back unroutable is *confirmed*
/// by the broker, so an ack alone proves nothing.
async fn publish(
    channel: &Channel,
    events: &[StoredEvent],
    live: &[&str],
) -> Result<(Vec<i64>, Vec<String>), AmqpError> {
    let mut confirms = Vec::with_capacity(events.len());
    for event in events {
        // A live event that nobody wants need not come back: it would only be dropped here.
        let options = BasicPublishOptions {
            mandatory: !live.contains(&event.event_type.as_str()),
            ..BasicPublishOptions::default()
        };
        let confirm = channel
            .basic_publish(
                EVENTS_EXCHANGE.into(),
                event.event_type.as_str().into(),
                options,
                &event.payload(),
                event.properties(),
            )
            .await?;
        confirms.push(confirm);
    }
    let mut sent = Vec::with_capacity(events.len());
    let mut unroutable = Vec::new();
    for (event, confirm) in events.iter().zip(confirms) {
        let confirmation = confirm.await?;
        let acked = confirmation.is_ack();
        let returned = confirmation.take_message().is_some();
        if acked && !returned {
            sent.push(event.id);
        } else if returned {
            unroutable.push(event.event_type.clone());
        }
    }
    Ok((sent, unroutable))
}

fn stored(row: &PgRow) -> Result<StoredEvent, sqlx::Error> {
    Ok(StoredEvent {
        id: row.try_get("id")?,
        event_id: row.try_get("event_id")?,
        event_type: row.try_get("event_type")?,
        aggregate_id: row.try_get("aggregate_id")?,
        body: row.try_get("body")?,
        traceparent: row.try_get("traceparent")?,
        occurred_at: row.try_get("occurred_at")?,
    })
}
