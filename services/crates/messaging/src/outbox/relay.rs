//! Publishes the rows of an outbox, and deletes them once the broker has confirmed them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lapin::options::{
    BasicPublishOptions, ConfirmSelectOptions, ExchangeDeclareOptions, QueueBindOptions,
};
use lapin::types::FieldTable;
use lapin::{Channel, ExchangeKind};
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};
use tokio_util::sync::CancellationToken;

use super::APPENDED;
use crate::amqp::{
    Amqp, AmqpError, DEAD_LETTERS, DedicatedChannel, EVENTS_EXCHANGE, MAX_BACKOFF, MIN_BACKOFF,
    with_timeout,
};
use crate::backoff::Backoff;
use crate::consumer::declare_dead_letters;
use crate::event::StoredEvent;

const BATCH: usize = 500;
const POLL: Duration = Duration::from_millis(500);
/// Delay of the first poll after an `append`: about the time its transaction needs to commit.
const FIRST_POLL: Duration = Duration::from_millis(5);
/// Minimum time between two batches. Rows written meanwhile are published together, because a batch
/// per event costs as much as the event. The delay is not noticeable for events.
const MIN_INTERVAL: Duration = Duration::from_millis(50);
const AGE_INTERVAL: Duration = Duration::from_secs(15);
/// Less than the 10 s after which the database ends an idle transaction.
const CONFIRM_TIMEOUT: Duration = Duration::from_secs(8);
/// Pause of an event type that was unroutable.
const UNROUTABLE_PAUSE: Duration = Duration::from_secs(1);
/// "outbox" in ASCII; held by one relay per database.
const RELAY_LOCK: i64 = 0x6f75_7462_6f78;

/// Publishes the outbox of one service.
pub struct Relay {
    pool: PgPool,
    amqp: Amqp,
    service: &'static str,
    /// Event types that need no queue.
    live: &'static [&'static str],
    /// Unroutable event types, and the end of their pause.
    paused: BTreeMap<String, Instant>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct BatchOutcome {
    /// Rows published, confirmed and deleted.
    sent: usize,
    /// Rows that the broker refused or could not route.
    unsent: usize,
}

impl BatchOutcome {
    /// Whether more rows may be pending.
    fn is_full(self) -> bool {
        self.sent > 0 && self.sent.saturating_add(self.unsent) >= BATCH
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

    /// Event types for current listeners only (such as a phone's screen), which need no queue.
    /// Without a listener they count as delivered; other events without a queue stay in the outbox
    /// and cause a warning.
    #[must_use]
    pub fn with_live(mut self, event_types: &'static [&'static str]) -> Self {
        self.live = event_types;
        self
    }

    /// Runs until `shutdown`, then publishes the pending rows once. After any error the connection
    /// is dropped and unconfirmed rows are published again.
    pub async fn run(self, shutdown: CancellationToken) {
        let exporting_age = export_age(self.pool.clone(), self.service, shutdown.clone());
        tokio::join!(self.forward(shutdown), exporting_age);
    }

    async fn forward(mut self, shutdown: CancellationToken) {
        let mut backoff = Backoff::new(MIN_BACKOFF, MAX_BACKOFF);
        while !shutdown.is_cancelled() {
            let Some(channel) = shutdown.run_until_cancelled(self.amqp.channel()).await else {
                return;
            };
            match self.relay(&channel, &mut backoff, &shutdown).await {
                Ok(()) => return,
                Err(error) => {
                    metrics::counter!("outbox_relay_errors_total", "service" => self.service)
                        .increment(1);
                    tracing::warn!(service = self.service, %error, "Outbox relay restarted after an error");
                    shutdown.run_until_cancelled(backoff.wait()).await;
                }
            }
        }
    }

    async fn relay(
        &mut self,
        channel: &DedicatedChannel,
        backoff: &mut Backoff,
        shutdown: &CancellationToken,
    ) -> Result<(), RelayError> {
        with_timeout(CONFIRM_TIMEOUT, prepare(channel)).await?;
        let mut pause = FIRST_POLL;
        loop {
            // Checked here because an empty batch does not use the channel.
            channel.check_open()?;
            let outcome = self.publish_batch(channel).await?;
            backoff.reset();
            if outcome.is_full() {
                continue;
            }
            let mut next_allowed = Instant::now();
            if outcome.sent > 0 {
                next_allowed += MIN_INTERVAL;
                pause = MIN_INTERVAL;
            }
            tokio::select! {
                () = shutdown.cancelled() => break,
                () = APPENDED.notified() => {
                    pause = FIRST_POLL;
                    let ready = next_allowed.max(Instant::now() + FIRST_POLL);
                    tokio::time::sleep_until(ready.into()).await;
                }
                () = tokio::time::sleep(pause) => pause = (pause * 4).min(POLL),
            }
        }
        while self.publish_batch(channel).await?.is_full() {}
        Ok(())
    }

    async fn publish_batch(&mut self, channel: &Channel) -> Result<BatchOutcome, RelayError> {
        let now = Instant::now();
        self.paused.retain(|_, until| *until > now);
        let paused: Vec<String> = self.paused.keys().cloned().collect();

        let mut transaction = self.pool.begin().await?;
        // A row that the lock holder deletes meanwhile is skipped by `skip locked`.
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
            return Ok(BatchOutcome::default());
        }
        let events = rows.iter().map(decode_row).collect::<Result<Vec<_>, _>>()?;
        let (sent, unroutable) =
            with_timeout(CONFIRM_TIMEOUT, publish(channel, &events, self.live)).await?;
        let unsent = events.len() - sent.len();
        sqlx::query("delete from outbox where id = any($1)")
            .bind(&sent)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;

        self.report(sent.len(), &unroutable);
        Ok(BatchOutcome {
            sent: sent.len(),
            unsent,
        })
    }

    fn report(&mut self, sent: usize, unroutable: &[String]) {
        let sent = u64::try_from(sent).unwrap_or(u64::MAX);
        metrics::counter!("outbox_sent_total", "service" => self.service).increment(sent);
        for event_type in unroutable {
            metrics::counter!("outbox_unroutable_total", "service" => self.service).increment(1);
            let until = Instant::now() + UNROUTABLE_PAUSE;
            if self.paused.insert(event_type.clone(), until).is_none() {
                tracing::warn!(service = self.service, %event_type, "Event is unroutable, keeping it in the outbox");
            }
        }
    }
}

/// Exports the age of the oldest event, also while the broker is unavailable.
async fn export_age(pool: PgPool, service: &'static str, shutdown: CancellationToken) {
    let oldest = "select extract(epoch from now() - occurred_at)::float8 \
                  from outbox order by id limit 1";
    while !shutdown.is_cancelled() {
        // After an error the last value stays; the database has its own health check.
        if let Ok(age_s) = sqlx::query_scalar::<_, f64>(oldest)
            .fetch_optional(&pool)
            .await
        {
            metrics::gauge!("outbox_oldest_seconds", "service" => service)
                .set(age_s.unwrap_or_default());
        }
        shutdown
            .run_until_cancelled(tokio::time::sleep(AGE_INTERVAL))
            .await;
    }
}

/// Declares the exchanges. Queues belong to their consumers.
async fn prepare(channel: &Channel) -> Result<(), AmqpError> {
    declare_exchanges(channel).await?;
    channel
        .confirm_select(ConfirmSelectOptions::default())
        .await?;
    Ok(())
}

/// Declares the exchanges of events and dead letters.
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

/// Publishes all events, then awaits the confirms. An unroutable message is returned *and*
/// confirmed, so an ack alone proves nothing.
async fn publish(
    channel: &Channel,
    events: &[StoredEvent],
    live: &[&str],
) -> Result<(Vec<i64>, Vec<String>), AmqpError> {
    let mut confirms = Vec::with_capacity(events.len());
    for event in events {
        // An event without a listener need not be returned: it would be dropped here.
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

fn decode_row(row: &PgRow) -> Result<StoredEvent, sqlx::Error> {
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
