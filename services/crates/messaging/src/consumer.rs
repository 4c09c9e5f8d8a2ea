//! Event consumers: a durable queue per consumer with five deliveries, or an exclusive queue for
//! events that every replica receives.

mod delivery;
mod turns;

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use lapin::options::{BasicConsumeOptions, BasicQosOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{Channel, Consumer};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::amqp::{
    Amqp, AmqpError, DEAD_LETTERS, DedicatedChannel, EVENTS_EXCHANGE, MAX_BACKOFF, MIN_BACKOFF,
    RESPONSE_TIMEOUT, ack, with_timeout,
};
use crate::backoff::Backoff;
use crate::event::{Event, trace_of};
use crate::outbox::declare_exchanges;
use telemetry::trace;
use turns::Turns;

pub use delivery::HandlerError;

/// Deliveries of a message before it becomes a dead letter.
pub const TRIES: i64 = 5;

/// Delays between deliveries. Later messages are handled meanwhile.
pub const RETRY_DELAYS: [Duration; 4] = [
    Duration::from_millis(200),
    Duration::from_secs(1),
    Duration::from_secs(4),
    Duration::from_secs(10),
];

/// Events of a queue that a process handles at once; fewer where [`Amqp::with_pool_of`] leaves fewer
/// to all queues together.
pub const AT_ONCE: usize = 3;

/// Unacknowledged messages of a queue that a process has at most. The broker counts a delivery of each
/// of them when their channel is lost, also of those that nobody has looked at, so these are few; but
/// some may wait for another try while as many as ever are handled.
pub const MOST_PREFETCHED: u16 = 12;

/// A handler that takes longer is cancelled and the message redelivered, so that it cannot block
/// the queue. The database's own timeouts are far below.
const HANDLER_TIMEOUT: Duration = Duration::from_secs(30);

/// Timeout and retry delays of a handler.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    pub handler_timeout: Duration,
    pub delays: [Duration; 4],
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            handler_timeout: HANDLER_TIMEOUT,
            delays: RETRY_DELAYS,
        }
    }
}

/// A durable queue and its bindings.
#[derive(Clone, Copy, Debug)]
pub struct ConsumerSpec {
    /// `<service>.<purpose>`; shared by the replicas of a service.
    pub queue: &'static str,
    /// Event types or topic patterns.
    pub bindings: &'static [&'static str],
    /// Unacknowledged messages per process, at most [`MOST_PREFETCHED`].
    pub prefetch: u16,
}

/// Handles the events of a durable queue until `shutdown`: those of one aggregate one after another,
/// in the order in which they are delivered, and up to [`AT_ONCE`] of different ones at a time. Replicas
/// of a service share the queue and know nothing of each other's order.
///
/// `Ok` acknowledges the message. After [`HandlerError::Failed`], or a timeout of 30 s, it is
/// redelivered; after [`TRIES`] deliveries it becomes a dead letter, and so does an undecodable
/// message at once. After [`HandlerError::Unavailable`] the consumer waits and calls the handler
/// again, as long as it takes. What has begun at `shutdown` is finished. The handler runs in the event's
/// trace and must be idempotent: see [`crate::inbox`].
pub async fn run<H, F, E>(amqp: Amqp, spec: ConsumerSpec, handler: H, shutdown: CancellationToken)
where
    H: Fn(Event) -> F + Send + Sync,
    F: Future<Output = Result<(), E>> + Send,
    E: Into<HandlerError> + Send,
{
    run_with(RetryPolicy::default(), amqp, spec, handler, shutdown).await;
}

/// As [`run`], with another retry policy.
pub async fn run_with<H, F, E>(
    policy: RetryPolicy,
    amqp: Amqp,
    spec: ConsumerSpec,
    handler: H,
    shutdown: CancellationToken,
) where
    H: Fn(Event) -> F + Send + Sync,
    F: Future<Output = Result<(), E>> + Send,
    E: Into<HandlerError> + Send,
{
    // Exported as 0, so that alerts see the first increment.
    for counter in [
        "consumer_unreadable_total",
        "consumer_failed_total",
        "consumer_waits_total",
    ] {
        metrics::counter!(counter, "queue" => spec.queue).increment(0);
    }
    let mut backoff = Backoff::new(MIN_BACKOFF, MAX_BACKOFF);
    while !shutdown.is_cancelled() {
        let Some(channel) = shutdown.run_until_cancelled(amqp.channel()).await else {
            return;
        };
        let consumed = async {
            let consumer = with_timeout(RESPONSE_TIMEOUT, subscribe(&channel, spec)).await?;
            let limits = (policy, &*amqp.handlers);
            handle_all(consumer, spec, limits, &handler, &shutdown, &mut backoff).await
        };
        if let Err(error) = consumed.await {
            tracing::warn!(queue = spec.queue, %error, "Consumer restarted after an error");
        }
        if !shutdown.is_cancelled() {
            metrics::counter!("consumer_restarts_total", "queue" => spec.queue).increment(1);
            shutdown.run_until_cancelled(backoff.wait()).await;
        }
    }
}

/// Handles what one channel delivers until `shutdown` or the end of the channel.
async fn handle_all<H, F, E>(
    mut consumer: Consumer,
    spec: ConsumerSpec,
    limits: (RetryPolicy, &Semaphore),
    handler: &H,
    shutdown: &CancellationToken,
    backoff: &mut Backoff,
) -> Result<(), AmqpError>
where
    H: Fn(Event) -> F + Send + Sync,
    F: Future<Output = Result<(), E>> + Send,
    E: Into<HandlerError> + Send,
{
    let at_once = usize::from(spec.prefetch).clamp(1, AT_ONCE);
    // Those that wait are unacknowledged, so the prefetch bounds them.
    let mut turns = Turns::default();
    let mut in_hand = FuturesUnordered::new();
    let ended = loop {
        while in_hand.len() < at_once
            && let Some((aggregate, (delivery, event))) = turns.begin()
        {
            in_hand.push(async move {
                let handled =
                    delivery::handle(spec.queue, delivery, event, limits, handler, shutdown).await;
                (aggregate, handled)
            });
        }
        tokio::select! {
            () = shutdown.cancelled() => break Ok(()),
            Some((aggregate, handled)) = in_hand.next() => match handled {
                Ok(()) => {
                    turns.end(&aggregate);
                    backoff.reset();
                }
                Err(error) => break Err(error),
            },
            delivered = consumer.next() => match delivered {
                Some(Ok(delivery)) => match delivery::open(spec.queue, &delivery).await {
                    Ok(Some(event)) => {
                        turns.wait(event.aggregate_id.clone(), (delivery, event));
                    }
                    Ok(None) => {}
                    Err(error) => break Err(error),
                },
                Some(Err(error)) => break Err(error.into()),
                None => break Ok(()),
            },
        }
    };
    // Without a channel their acknowledgements fail, and the broker delivers them again.
    while in_hand.next().await.is_some() {}
    ended
}

#[derive(Clone, Debug, PartialEq)]
pub enum Broadcast {
    /// The queue exists from now on and contains nothing published before. Sent after every
    /// reconnect, so that the handler can fetch what it missed.
    Connected,
    Event(Event),
}

/// Handles every event of `bindings` in this process, from an exclusive queue that ends with the
/// connection. Without retries.
pub async fn run_broadcast<H, F>(
    amqp: Amqp,
    bindings: &'static [&'static str],
    handler: H,
    shutdown: CancellationToken,
) where
    H: Fn(Broadcast) -> F + Send + Sync,
    F: Future<Output = ()> + Send,
{
    let mut backoff = Backoff::new(MIN_BACKOFF, MAX_BACKOFF);
    while !shutdown.is_cancelled() {
        let Some(channel) = shutdown.run_until_cancelled(amqp.channel()).await else {
            return;
        };
        let consumed = async {
            let mut consumer =
                with_timeout(RESPONSE_TIMEOUT, subscribe_exclusive(&channel, bindings)).await?;
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
                    Err(error) => tracing::error!(%error, "Broadcast message could not be decoded"),
                }
                ack(&delivery.acker).await?;
                backoff.reset();
            }
            Ok::<(), AmqpError>(())
        };
        if let Err(error) = consumed.await {
            tracing::warn!(?bindings, %error, "Broadcast consumer restarted after an error");
        }
        if !shutdown.is_cancelled() {
            shutdown.run_until_cancelled(backoff.wait()).await;
        }
    }
}

pub(crate) async fn declare_dead_letters(channel: &Channel) -> Result<(), AmqpError> {
    let mut arguments = FieldTable::default();
    arguments.insert("x-queue-type".into(), text("quorum"));
    channel
        .queue_declare(DEAD_LETTERS.into(), durable(), arguments)
        .await?;
    Ok(())
}

async fn subscribe(channel: &DedicatedChannel, spec: ConsumerSpec) -> Result<Consumer, AmqpError> {
    declare_exchanges(channel).await?;
    let mut arguments = FieldTable::default();
    arguments.insert("x-queue-type".into(), text("quorum"));
    // The limit counts redeliveries: four of them make five deliveries.
    arguments.insert("x-delivery-limit".into(), AMQPValue::LongLongInt(TRIES - 1));
    arguments.insert("x-dead-letter-exchange".into(), text(DEAD_LETTERS));
    arguments.insert("x-dead-letter-strategy".into(), text("at-least-once"));
    arguments.insert("x-overflow".into(), text("reject-publish"));
    channel
        .queue_declare(spec.queue.into(), durable(), arguments)
        .await?;
    bind(channel, spec.queue.into(), spec.bindings).await?;
    channel
        .basic_qos(
            spec.prefetch.min(MOST_PREFETCHED),
            BasicQosOptions::default(),
        )
        .await?;
    consume(channel, spec.queue.into()).await
}

async fn subscribe_exclusive(
    channel: &DedicatedChannel,
    bindings: &[&str],
) -> Result<Consumer, AmqpError> {
    const PREFETCH: u16 = 256;
    declare_exchanges(channel).await?;
    let options = QueueDeclareOptions {
        exclusive: true,
        auto_delete: true,
        ..QueueDeclareOptions::default()
    };
    let queue = channel
        .queue_declare(ShortString::default(), options, FieldTable::default())
        .await?;
    bind(channel, queue.name().clone(), bindings).await?;
    channel
        .basic_qos(PREFETCH, BasicQosOptions::default())
        .await?;
    consume(channel, queue.name().clone()).await
}

async fn bind(
    channel: &DedicatedChannel,
    queue: ShortString,
    bindings: &[&str],
) -> Result<(), AmqpError> {
    for binding in bindings {
        channel
            .queue_bind(
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

async fn consume(channel: &DedicatedChannel, queue: ShortString) -> Result<Consumer, AmqpError> {
    let consumer = channel
        .basic_consume(
            queue,
            ShortString::default(),
            BasicConsumeOptions::default(),
            FieldTable::default(),
        )
        .await?;
    Ok(consumer)
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
