//! How events arrive: a durable queue per consumer with five tries, or a queue that lives only
//! as long as the process for what every replica must hear.

use std::fmt::Display;
use std::time::Duration;

use futures_util::StreamExt;

use lapin::message::Delivery;
use lapin::options::{BasicConsumeOptions, BasicQosOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{Acker, Channel, Consumer};
use tokio_util::sync::CancellationToken;

use crate::amqp::{
    ANSWER_TIMEOUT, Amqp, AmqpError, DEAD_LETTERS, EVENTS_EXCHANGE, FIRST_RETRY, LONGEST_RETRY,
    Link, ack, nack, within,
};
use crate::backoff::Backoff;
use crate::event::{Event, trace_of};
use crate::outbox::declare_exchanges;
use crate::trace;

/// How often a message is handed to the handler before it is a dead letter.
pub const TRIES: i64 = 5;

/// Waits between tries: together longer than a restart of the database. The messages behind a
/// failing one are handled meanwhile.
pub const RETRY_DELAYS: [Duration; 4] = [
    Duration::from_millis(200),
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(10),
];

/// How long a handler may take. One that hangs is cut off and tried again, or nothing behind it
/// would ever be handled; the database's own limits are far below.
const HANDLER_LIMIT: Duration = Duration::from_secs(30);

/// How a consumer bears with its handler.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long one try may take.
    pub limit: Duration,
    /// Waits between tries.
    pub delays: [Duration; 4],
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            limit: HANDLER_LIMIT,
            delays: RETRY_DELAYS,
        }
    }
}

/// A durable queue and what flows into it.
#[derive(Clone, Copy, Debug)]
pub struct ConsumerSpec {
    /// `<service>.<what it is for>`; replicas of a service share it.
    pub queue: &'static str,
    /// Event types, or topic patterns of them.
    pub bindings: &'static [&'static str],
    /// Messages in flight to this process.
    pub prefetch: u16,
}

/// Handles the events of a durable queue, one after another, until `shutdown`.
///
/// `Ok` acknowledges after the handler is done. `Err`, or no end within 30 s, puts the message
/// back; after [`TRIES`] it goes to the dead letters, as does at once what is no event. The
/// handler runs in the trace of the event and must be idempotent: see [`crate::inbox`].
pub async fn run<H, F, E>(amqp: Amqp, spec: ConsumerSpec, handler: H, shutdown: CancellationToken)
where
    H: Fn(Event) -> F + Send + Sync,
    F: Future<Output = Result<(), E>> + Send,
    E: Display + Send,
{
    run_with(Patience::default(), amqp, spec, handler, shutdown).await;
}

/// As [`run`], with another patience.
pub async fn run_with<H, F, E>(
    patience: Patience,
    amqp: Amqp,
    spec: ConsumerSpec,
    handler: H,
    shutdown: CancellationToken,
) where
    H: Fn(Event) -> F + Send + Sync,
    F: Future<Output = Result<(), E>> + Send,
    E: Display + Send,
{
    // Seen at 0, so that alerts notice the first.
    for counter in ["consumer_unreadable_total", "consumer_failed_total"] {
        metrics::counter!(counter, "queue" => spec.queue).increment(0);
    }
    let mut backoff = Backoff::new(FIRST_RETRY, LONGEST_RETRY);
    while !shutdown.is_cancelled() {
        let Some(link) = shutdown.run_until_cancelled(amqp.channel()).await else {
            return;
        };
        let consumed = async {
            let mut consumer = within(ANSWER_TIMEOUT, subscribe(&link, spec)).await?;
            while let Some(delivery) = shutdown.run_until_cancelled(consumer.next()).await {
                let Some(delivery) = delivery else {
                    return Ok(());
                };
                handle(spec.queue, delivery?, patience, &handler).await?;
                backoff.reset();
            }
            Ok::<(), AmqpError>(())
        };
        if let Err(error) = consumed.await {
            tracing::warn!(queue = spec.queue, %error, "The consumer starts anew");
        }
        if !shutdown.is_cancelled() {
            metrics::counter!("consumer_restarts_total", "queue" => spec.queue).increment(1);
            shutdown.run_until_cancelled(backoff.wait()).await;
        }
    }
}

/// What a broadcast consumer is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Broadcast {
    /// The queue exists from now on; whatever was published before is not in it. Said again
    /// after each reconnect, so that the listener can fetch what it missed.
    Connected,
    /// An event.
    Event(Event),
}

/// Hands every event of `bindings` to this process, through an exclusive queue that vanishes
/// with the connection. Nothing is tried twice.
pub async fn run_broadcast<H, F>(
    amqp: Amqp,
    bindings: &'static [&'static str],
    handler: H,
    shutdown: CancellationToken,
) where
    H: Fn(Broadcast) -> F + Send + Sync,
    F: Future<Output = ()> + Send,
{
    let mut backoff = Backoff::new(FIRST_RETRY, LONGEST_RETRY);
    while !shutdown.is_cancelled() {
        let Some(link) = shutdown.run_until_cancelled(amqp.channel()).await else {
            return;
        };
        let consumed = async {
            let mut consumer = within(ANSWER_TIMEOUT, subscribe_exclusive(&link, bindings)).await?;
            handler(Broadcast::Connected).await;
            while let Some(delivery) = shutdown.run_until_cancelled(consumer.next()).await {
                let Some(delivery) = delivery else {
                    return Ok(());
                };
                let delivery = delivery?;
                match Event::decode(&delivery.data) {
                    Ok(event) => {
                        let context = trace_of(&delivery.properties);
                        trace::scope(context, handler(Broadcast::Event(event))).await;
                    }
                    Err(error) => tracing::error!(%error, "A broadcast message is no event"),
                }
                ack(&delivery.acker).await?;
                backoff.reset();
            }
            Ok::<(), AmqpError>(())
        };
        if let Err(error) = consumed.await {
            tracing::warn!(?bindings, %error, "The broadcast consumer starts anew");
        }
        if !shutdown.is_cancelled() {
            shutdown.run_until_cancelled(backoff.wait()).await;
        }
    }
}

/// Declares the queue of dead letters.
pub(crate) async fn declare_dead_letters(channel: &Channel) -> Result<(), AmqpError> {
    let mut arguments = FieldTable::default();
    arguments.insert("x-queue-type".into(), text("quorum"));
    channel
        .queue_declare(DEAD_LETTERS.into(), durable(), arguments)
        .await?;
    Ok(())
}

async fn subscribe(link: &Link, spec: ConsumerSpec) -> Result<Consumer, AmqpError> {
    declare_exchanges(link).await?;
    let mut arguments = FieldTable::default();
    arguments.insert("x-queue-type".into(), text("quorum"));
    // The limit counts redeliveries: four of them are five tries.
    arguments.insert("x-delivery-limit".into(), AMQPValue::LongLongInt(TRIES - 1));
    arguments.insert("x-dead-letter-exchange".into(), text(DEAD_LETTERS));
    arguments.insert("x-dead-letter-strategy".into(), text("at-least-once"));
    arguments.insert("x-overflow".into(), text("reject-publish"));
    link.queue_declare(spec.queue.into(), durable(), arguments)
        .await?;
    bind(link, spec.queue.into(), spec.bindings).await?;
    link.basic_qos(spec.prefetch, BasicQosOptions::default())
        .await?;
    consume(link, spec.queue.into()).await
}

async fn subscribe_exclusive(link: &Link, bindings: &[&str]) -> Result<Consumer, AmqpError> {
    const PREFETCH: u16 = 256;
    declare_exchanges(link).await?;
    let options = QueueDeclareOptions {
        exclusive: true,
        auto_delete: true,
        ..QueueDeclareOptions::default()
    };
    let queue = link
        .queue_declare(ShortString::default(), options, FieldTable::default())
        .await?;
    bind(link, queue.name().clone(), bindings).await?;
    link.basic_qos(PREFETCH, BasicQosOptions::default()).await?;
    consume(link, queue.name().clone()).await
}

async fn bind(link: &Link, queue: ShortString, bindings: &[&str]) -> Result<(), AmqpError> {
    for binding in bindings {
        link.queue_bind(
            queue.clone(),
            EVENTS_EXCHANGE.into(),
            (*binding).into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        )
        .await?;
    }
    Ok(())
}

async fn consume(link: &Link, queue: ShortString) -> Result<Consumer, AmqpError> {
    let consumer = link
        .basic_consume(
            queue,
            ShortString::default(),
            BasicConsumeOptions::default(),
            FieldTable::default(),
        )
        .await?;
    Ok(consumer)
}

async fn handle<H, F, E>(
    queue: &'static str,
    delivery: Delivery,
    patience: Patience,
    handler: &H,
) -> Result<(), AmqpError>
where
    H: Fn(Event) -> F + Send + Sync,
    F: Future<Output = Result<(), E>> + Send,
    E: Display + Send,
{
    let event = match Event::decode(&delivery.data) {
        Ok(event) => event,
        Err(error) => {
            metrics::counter!("consumer_unreadable_total", "queue" => queue).increment(1);
            tracing::error!(queue, %error, "A message is no event and becomes a dead letter");
            return nack(&delivery.acker, false).await;
        }
    };
    let event_id = event.event_id;
    let context = trace_of(&delivery.properties);
    let work = trace::scope(context, handler(event));
    let outcome = match tokio::time::timeout(patience.limit, work).await {
        Ok(outcome) => outcome.map_err(|error| error.to_string()),
        Err(_elapsed) => Err(format!("no end within {:?}", patience.limit)),
    };
    match outcome {
        Ok(()) => {
            metrics::counter!("consumer_handled_total", "queue" => queue).increment(1);
            ack(&delivery.acker).await?;
        }
        Err(error) => {
            let failed_before = delivery_count(&delivery);
            metrics::counter!("consumer_failed_total", "queue" => queue).increment(1);
            let report = async {
                tracing::warn!(queue, %event_id, failed_before, %error, "An event could not be handled");
            };
            trace::scope(context, report).await;
            let delay = patience
                .delays
                .get(failed_before)
                .copied()
                .unwrap_or_default();
            tokio::spawn(put_back(delivery.acker, delay));
        }
    }
    Ok(())
}

/// Puts a message back later. If the connection is gone by then, the broker has done it already.
async fn put_back(acker: Acker, delay: Duration) {
    tokio::time::sleep(delay).await;
    if let Err(error) = nack(&acker, true).await {
        tracing::debug!(%error, "The message was put back by the broker itself");
    }
}

/// How often this message was put back before.
fn delivery_count(delivery: &Delivery) -> usize {
    delivery
        .properties
        .headers()
        .as_ref()
        .and_then(|headers| headers.inner().get("x-delivery-count"))
        .and_then(AMQPValue::as_long_long_int)
        .and_then(|count| usize::try_from(count).ok())
        .unwrap_or(0)
}

fn durable() -> QueueDeclareOptions {
    QueueDeclareOptions {
        durable: true,
        ..QueueDeclareOptions::default()
    }
}

fn text(value: &str) -> AMQPValue {
    AMQPValue::LongString(value.into())
}
