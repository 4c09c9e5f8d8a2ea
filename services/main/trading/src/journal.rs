//! The journal of this service's events on the broker: a stream of the last day that every event
//! reaches. It lets an operator read back what was published, and it means that an event is
//! taken even while none of its consumers has a queue.

use std::time::Duration;

use lapin::options::{QueueBindOptions, QueueDeclareOptions};
use lapin::types::{AMQPValue, FieldTable};
use messaging::amqp::EVENTS_EXCHANGE;
use messaging::{Amqp, AmqpError, Link};
use tokio_util::sync::CancellationToken;

const QUEUE: &str = "trading.journal";
const PATTERN: &str = "trading.#";
const KEPT_BYTES: i64 = 500_000_000;
const SEGMENT_BYTES: i64 = 50_000_000;
const RETRY: Duration = Duration::from_secs(1);
/// A broker that lost its data comes back without the journal.
const AGAIN: Duration = Duration::from_secs(60);

/// Declares the journal now and again, until `shutdown`.
pub(crate) async fn declare(amqp: Amqp, shutdown: CancellationToken) {
    loop {
        let Some(link) = shutdown.run_until_cancelled(amqp.channel()).await else {
            return;
        };
        let pause = match bind(&link).await {
            Ok(()) => AGAIN,
            Err(error) => {
                tracing::warn!(%error, "The journal of events is not declared yet");
                RETRY
            }
        };
        if shutdown
            .run_until_cancelled(tokio::time::sleep(pause))
            .await
            .is_none()
        {
            return;
        }
    }
}

async fn bind(link: &Link) -> Result<(), AmqpError> {
    let mut arguments = FieldTable::default();
    let kind = AMQPValue::LongString("stream".into());
    arguments.insert("x-queue-type".into(), kind);
    arguments.insert("x-max-age".into(), AMQPValue::LongString("24h".into()));
    let bytes = AMQPValue::LongLongInt(KEPT_BYTES);
    arguments.insert("x-max-length-bytes".into(), bytes);
    let segment = AMQPValue::LongLongInt(SEGMENT_BYTES);
    arguments.insert("x-stream-max-segment-size-bytes".into(), segment);
    let durable = QueueDeclareOptions {
        durable: true,
        ..QueueDeclareOptions::default()
    };
    link.queue_declare(QUEUE.into(), durable, arguments).await?;
    link.queue_bind(
        QUEUE.into(),
        EVENTS_EXCHANGE.into(),
        PATTERN.into(),
        QueueBindOptions::default(),
        FieldTable::default(),
    )
    .await?;
    Ok(())
}
