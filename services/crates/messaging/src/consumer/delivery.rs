//! Handles one delivery: acknowledges it, requeues it after a delay, or keeps it while what its
//! handler needs is unavailable.

use std::time::Duration;

use bootstrap::database::Outage;
use lapin::Acker;
use lapin::message::Delivery;
use lapin::types::AMQPValue;
use sea_orm::DbErr;
use telemetry::trace;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::RetryPolicy;
use crate::amqp::{AmqpError, MAX_BACKOFF, MIN_BACKOFF, ack, nack};
use crate::backoff::Backoff;
use crate::event::{Event, trace_of};

/// The reason why a handler could not handle an event, for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandlerError {
    /// What every event of the queue needs is unavailable, such as the database. The queue waits
    /// for it, and the delivery does not count as failed unless its channel is lost meanwhile.
    Unavailable(String),
    /// This event cannot be handled, or not now.
    Failed(String),
}

impl HandlerError {
    pub fn failed(error: impl ToString) -> Self {
        Self::Failed(error.to_string())
    }

    /// A statement that was stopped counts as failed: that may be the fault of its event.
    fn of_database(error: &(impl Outage + ToString)) -> Self {
        if error.is_outage() {
            Self::Unavailable(error.to_string())
        } else {
            Self::failed(error.to_string())
        }
    }
}

impl From<prost::DecodeError> for HandlerError {
    fn from(error: prost::DecodeError) -> Self {
        Self::failed(error)
    }
}

impl From<sqlx::Error> for HandlerError {
    fn from(error: sqlx::Error) -> Self {
        Self::of_database(&error)
    }
}

impl From<DbErr> for HandlerError {
    fn from(error: DbErr) -> Self {
        Self::of_database(&error)
    }
}

/// Handles a delivery. Returns without an acknowledgement when `shutdown` comes while it waits.
pub(super) async fn handle<H, F, E>(
    queue: &'static str,
    delivery: Delivery,
    event: Event,
    (policy, handlers): (RetryPolicy, &Semaphore),
    handler: &H,
    shutdown: &CancellationToken,
) -> Result<(), AmqpError>
where
    H: Fn(Event) -> F + Send + Sync,
    F: Future<Output = Result<(), E>> + Send,
    E: Into<HandlerError> + Send,
{
    let event_id = event.event_id;
    let context = trace_of(&delivery.properties);
    let mut backoff = Backoff::new(MIN_BACKOFF, MAX_BACKOFF);
    loop {
        let Some(turn) = shutdown.run_until_cancelled(handlers.acquire()).await else {
            return Ok(());
        };
        let work = trace::scope(context, handler(event.clone()));
        let outcome = match tokio::time::timeout(policy.handler_timeout, work).await {
            Ok(outcome) => outcome.map_err(E::into),
            Err(_elapsed) => Err(HandlerError::Failed(format!(
                "timed out after {:?}",
                policy.handler_timeout
            ))),
        };
        // What waits for an outage to end keeps no other queue waiting.
        drop(turn);
        match outcome {
            Ok(()) => {
                metrics::counter!("consumer_handled_total", "queue" => queue).increment(1);
                return ack(&delivery.acker).await;
            }
            Err(HandlerError::Unavailable(error)) => {
                metrics::counter!("consumer_waits_total", "queue" => queue).increment(1);
                tracing::warn!(queue, %event_id, %error, "Queue waits for what its handler needs");
                if shutdown.run_until_cancelled(backoff.wait()).await.is_none() {
                    return Ok(());
                }
            }
            Err(HandlerError::Failed(error)) => {
                let failed_before = delivery_count(&delivery);
                metrics::counter!("consumer_failed_total", "queue" => queue).increment(1);
                let report = async {
                    tracing::warn!(queue, %event_id, failed_before, %error, "Event could not be handled");
                };
                trace::scope(context, report).await;
                let delay = policy
                    .delays
                    .get(failed_before)
                    .copied()
                    .unwrap_or_default();
                tokio::spawn(requeue_after(delivery.acker, delay));
                return Ok(());
            }
        }
    }
}

/// The event of a delivery, which becomes a dead letter at once where there is none.
pub(super) async fn open(
    queue: &'static str,
    delivery: &Delivery,
) -> Result<Option<Event>, AmqpError> {
    match Event::decode(&delivery.data) {
        Ok(event) => Ok(Some(event)),
        Err(error) => {
            metrics::counter!("consumer_unreadable_total", "queue" => queue).increment(1);
            tracing::error!(queue, %error, "Message could not be decoded, dead-lettering it");
            nack(&delivery.acker, false).await?;
            Ok(None)
        }
    }
}

/// Requeues a message after a delay. If the connection has ended, the broker has requeued it
/// already.
async fn requeue_after(acker: Acker, delay: Duration) {
    tokio::time::sleep(delay).await;
    if let Err(error) = nack(&acker, true).await {
        tracing::debug!(%error, "Message was already requeued by the broker");
    }
}

/// Earlier deliveries of this message.
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
