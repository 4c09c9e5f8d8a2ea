//! The tick log: one RabbitMQ stream that market-data appends to and every reader reads at its
//! own position.
//!
//! The broker's cost is per message, so records travel in batches of 50 to 100 ms. Offsets have
//! holes, a truncated offset starts silently at the oldest message, and a resent batch may be
//! there twice: readers go by `batch_seq` and `tick_seq`, never by offsets alone.
//!
//! A log can be lost (the queue deleted, the broker's data gone or cut short). Only the publisher
//! declares the stream, so it knows; it then begins a new epoch, and a reader that finds less than
//! it has read begins at the beginning of what is there.

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

/// What RabbitMQ says of a queue that is not there.
const NOT_FOUND: u16 = 404;

/// Which batch of the log is read next. Ordered by epoch first: a log that was begun anew counts
/// its offsets from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogOffset {
    /// Epoch of the newest batch that was read; 0 before the first.
    pub epoch: i64,
    /// Offset of the first batch that was not read.
    pub next: u64,
}

/// A stream and how much of it is kept. Retention acts whenever a segment is full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamSpec {
    /// Name of the queue.
    pub name: String,
    /// Age after which a segment goes, in RabbitMQ's words: "24h".
    pub max_age: String,
    /// Size of the whole log.
    pub max_bytes: i64,
    /// Size of one segment.
    pub segment_bytes: i64,
}

impl StreamSpec {
    /// The tick log of the product: 24 hours or 2 GB, in segments of 100 MB.
    #[must_use]
    pub fn ticks() -> Self {
        Self::named("ticks")
    }

    /// A tick log under another name.
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

/// Whether the stream is there. When it is not, the broker has closed the channel.
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
    if let ErrorKind::ProtocolError(said) = error.kind()
        && said.get_id() == NOT_FOUND
    {
        return Ok(false);
    }
    Err(error.into())
}

/// The offset that the broker gave a message.
fn offset_of(delivery: &Delivery) -> Option<u64> {
    let headers = delivery.properties.headers().as_ref()?;
    let offset = headers.inner().get("x-stream-offset")?.as_long_long_int()?;
    u64::try_from(offset).ok()
}

/// Declares the stream. Idempotent; another retention than the existing one is refused.
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
