//! Finds the newest batch without reading the whole log.

use std::time::Duration;

use futures_util::StreamExt;
use lapin::Consumer;
use lapin::options::{BasicConsumeOptions, BasicQosOptions};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use prost::Message;
use proto::market::v1::TickBatch;

use crate::amqp::{Amqp, AmqpError, DedicatedChannel, RESPONSE_TIMEOUT, ack, with_timeout};
use crate::ticks::{LogOffset, StreamSpec, exists, offset_of};

/// A stream delivers existing messages at once, so it has none after this time. A wrong guess costs
/// a new epoch or a longer read, but no batch.
pub(super) const EMPTY_TIMEOUT: Duration = Duration::from_secs(3);
/// After the last batch of a chunk; most chunks have one batch.
const CHUNK_TIMEOUT: Duration = Duration::from_millis(300);
const PREFETCH: u16 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewestBatch {
    pub epoch: i64,
    pub batch_seq: i64,
    pub offset: u64,
    /// Whether the log contains what a reader at the given offset has read.
    pub is_continued: bool,
}

/// The newest batch, and whether `read` is an offset of this log; `None` when there is no batch or
/// no stream. Reads until no further batch arrives, so nobody may be writing.
///
/// # Errors
/// [`AmqpError`] when the broker is unavailable.
pub async fn newest_batch(
    amqp: &Amqp,
    spec: &StreamSpec,
    read: LogOffset,
) -> Result<Option<NewestBatch>, AmqpError> {
    let channel = amqp.try_channel().await?;
    if !with_timeout(RESPONSE_TIMEOUT, exists(&channel, spec)).await? {
        return Ok(None);
    }
    let Some(newest) = newest(amqp, spec, |_| false).await? else {
        return Ok(None);
    };
    // For an offset that does not exist the broker starts at the nearest one.
    let is_continued = match read.next.checked_sub(1) {
        None => false,
        Some(last) if newest.offset < last => false,
        Some(last) => {
            let offset = i64::try_from(last).unwrap_or(i64::MAX);
            let mut consumer = consume(&channel, spec, AMQPValue::LongLongInt(offset)).await?;
            let seen = next_batch(&mut consumer, EMPTY_TIMEOUT).await?;
            seen.is_some_and(|(_, batch)| batch.epoch <= read.epoch)
        }
    };
    Ok(Some(NewestBatch {
        is_continued,
        ..newest
    }))
}

/// The newest batch, or the first one of the last chunk that is `enough`. `None` when the stream,
/// which must exist, is empty.
pub(super) async fn newest(
    amqp: &Amqp,
    spec: &StreamSpec,
    enough: impl Fn(&NewestBatch) -> bool,
) -> Result<Option<NewestBatch>, AmqpError> {
    let channel = amqp.try_channel().await?;
    let mut consumer = consume(&channel, spec, AMQPValue::LongString("last".into())).await?;
    let mut newest = None;
    let mut timeout = EMPTY_TIMEOUT;
    while let Some((offset, batch)) = next_batch(&mut consumer, timeout).await? {
        let end = NewestBatch {
            epoch: batch.epoch,
            batch_seq: batch.batch_seq,
            offset,
            is_continued: false,
        };
        newest = Some(end);
        if enough(&end) {
            break;
        }
        timeout = CHUNK_TIMEOUT;
    }
    Ok(newest)
}

async fn consume(
    channel: &DedicatedChannel,
    spec: &StreamSpec,
    offset: AMQPValue,
) -> Result<Consumer, AmqpError> {
    with_timeout(RESPONSE_TIMEOUT, async {
        channel
            .basic_qos(PREFETCH, BasicQosOptions::default())
            .await?;
        let mut arguments = FieldTable::default();
        arguments.insert("x-stream-offset".into(), offset);
        let options = BasicConsumeOptions::default();
        let name = spec.name.as_str().into();
        let consumer = channel
            .basic_consume(name, ShortString::default(), options, arguments)
            .await?;
        Ok(consumer)
    })
    .await
}

/// The next valid batch; `None` after the timeout.
async fn next_batch(
    consumer: &mut Consumer,
    timeout: Duration,
) -> Result<Option<(u64, TickBatch)>, AmqpError> {
    loop {
        let Ok(delivery) = tokio::time::timeout(timeout, consumer.next()).await else {
            return Ok(None);
        };
        let delivery = delivery.ok_or(AmqpError::Closed)??;
        ack(&delivery.acker).await?;
        let batch = TickBatch::decode(&*delivery.data).ok();
        if let Some(found) = offset_of(&delivery).zip(batch) {
            return Ok(Some(found));
        }
    }
}
