//! The tick log: one RabbitMQ stream to which market-data appends; every reader keeps its own
//! offset.
//!
//! The broker's cost is per message, so records are batched over 50 to 100 ms. Offsets have gaps, a
//! truncated offset silently starts at the oldest message, and a batch may be appended twice:
//! readers rely on `batch_seq` and `tick_seq`, not on offsets alone.
//!
//! A log can be lost (the queue deleted, the broker's data lost or truncated). Only the publisher
//! declares the stream, so it detects this and starts a new epoch; a reader that finds less than it
//! has read starts at the oldest batch.

mod newest;
mod publisher;
mod reader;

use lapin::message::Delivery;
use lapin::options::QueueDeclareOptions;
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, ErrorKind};

use crate::amqp::AmqpError;

pub use newest::{NewestBatch, newest_batch};
pub use publisher::{PublishError, Publisher};
pub use reader::{Delivered, ReadFrom, Reader};

/// RabbitMQ's reply code for a missing queue.
const NOT_FOUND: u16 = 404;

/// The next batch to read. Ordered by epoch first, because a new log starts its offsets at zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogOffset {
    /// Epoch of the newest batch that was read; 0 before the first.
    pub epoch: i64,
    /// Offset of the first unread batch.
    pub next: u64,
}

/// A stream and its retention, which applies whenever a segment is full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamSpec {
    pub name: String,
    /// Retention in RabbitMQ's format: "24h".
    pub max_age: String,
    /// Maximum size of the log.
    pub max_bytes: i64,
    pub segment_bytes: i64,
}

impl StreamSpec {
    /// The product's tick log: 24 hours or 2 GB, in segments of 100 MB.
    #[must_use]
    pub fn ticks() -> Self {
        Self::named("ticks")
    }

    /// As [`StreamSpec::ticks`], under another name.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            max_age: "24h".to_owned(),
            max_bytes: 2_000_000_000,
            segment_bytes: 100_000_000,
        }
    }
}

/// Whether the stream exists. If not, the broker closes the channel.
pub(crate) async fn exists(channel: &Channel, spec: &StreamSpec) -> Result<bool, AmqpError> {
    let passive = QueueDeclareOptions {
        passive: true,
        ..QueueDeclareOptions::default()
    };
    let name = spec.name.as_str().into();
    let Err(error) = channel
        .queue_declare(name, passive, FieldTable::default())
        .await
    else {
        return Ok(true);
    };
    if let ErrorKind::ProtocolError(reply) = error.kind()
        && reply.get_id() == NOT_FOUND
    {
        return Ok(false);
    }
    Err(error.into())
}

/// The stream offset of a message.
fn offset_of(delivery: &Delivery) -> Option<u64> {
    let headers = delivery.properties.headers().as_ref()?;
    let offset = headers.inner().get("x-stream-offset")?.as_long_long_int()?;
    u64::try_from(offset).ok()
}

/// Idempotent; a different retention is refused.
///
/// # Errors
/// [`AmqpError`] of the broker.
pub async fn declare(channel: &Channel, spec: &StreamSpec) -> Result<(), AmqpError> {
    let mut arguments = FieldTable::default();
    arguments.insert(
        "x-queue-type".into(),
        AMQPValue::LongString("stream".into()),
    );
    arguments.insert(
        "x-max-age".into(),
        AMQPValue::LongString(spec.max_age.as_str().into()),
    );
    arguments.insert(
        "x-max-length-bytes".into(),
        AMQPValue::LongLongInt(spec.max_bytes),
    );
    arguments.insert(
        "x-stream-max-segment-size-bytes".into(),
        AMQPValue::LongLongInt(spec.segment_bytes),
    );
    let durable = QueueDeclareOptions {
        durable: true,
        ..QueueDeclareOptions::default()
    };
    channel
        .queue_declare(spec.name.as_str().into(), durable, arguments)
        .await?;
    Ok(())
}
