//! Looks at the end of the log without reading it.

use std::time::Duration;

use futures_util::StreamExt;
use lapin::Consumer;
use lapin::options::{BasicConsumeOptions, BasicQosOptions};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use prost::Message;
use proto::market::v1::TickBatch;

use crate::amqp::{ANSWER_TIMEOUT, Amqp, AmqpError, Link, ack, within};
use crate::ticks::{LogOffset, StreamSpec, exists, offset_of};

/// A stream delivers what it has at once. One that is silent for so long has nothing there; to be
/// wrong about it costs a new epoch or a longer reading, never a batch.
pub(super) const NOTHING_THERE: Duration = Duration::from_secs(3);
/// The end of a chunk, of which most hold one batch.
const NO_MORE: Duration = Duration::from_millis(300);
const PREFETCH: u16 = 64;

/// The newest batch of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewestBatch {
    /// Its epoch.
    pub epoch: i64,
    /// Its number.
    pub batch_seq: i64,
    /// Where it is.
    pub offset: u64,
    /// Whether the log has what a reader at the offset that was asked about has read.
    pub is_continued: bool,
}

/// The newest batch, and whether the log is the one that `read` is an offset of; `None` when there
/// is no batch, or no stream. Reads until there is silence, so nobody may be writing meanwhile.
///
/// # Errors
/// [`AmqpError`] when the broker is away.
pub async fn newest_batch(
    amqp: &Amqp,
    spec: &StreamSpec,
    read: LogOffset,
) -> Result<Option<NewestBatch>, AmqpError> {
    let link = amqp.try_channel().await?;
    if !within(ANSWER_TIMEOUT, exists(&link, spec)).await? {
        return Ok(None);
    }
    let Some(newest) = newest(amqp, spec, |_| false).await? else {
        return Ok(None);
    };
    // The broker answers an offset that does not exist with the nearest one.
    let is_continued = match read.next.checked_sub(1) {
        None => false,
        Some(last) if newest.offset < last => false,
        Some(last) => {
            let offset = i64::try_from(last).unwrap_or(i64::MAX);
            let mut consumer = consume(&link, spec, AMQPValue::LongLongInt(offset)).await?;
            let seen = next_batch(&mut consumer, NOTHING_THERE).await?;
            seen.is_some_and(|(_, batch)| batch.epoch <= read.epoch)
        }
    };
    Ok(Some(NewestBatch {
        is_continued,
        ..newest
    }))
}

/// The newest batch, or the first one from the last chunk that is `enough`. `None` when the
/// stream, which must be there, is empty.
pub(super) async fn newest(
    amqp: &Amqp,
    spec: &StreamSpec,
    enough: impl Fn(&NewestBatch) -> bool,
) -> Result<Option<NewestBatch>, AmqpError> {
    let link = amqp.try_channel().await?;
    let mut consumer = consume(&link, spec, AMQPValue::LongString("last".into())).await?;
    let mut newest = None;
    let mut patience = NOTHING_THERE;
    while let Some((offset, batch)) = next_batch(&mut consumer, patience).await? {
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
        patience = NO_MORE;
    }
    Ok(newest)
}

async fn consume(link: &Link, spec: &StreamSpec, offset: AMQPValue) -> Result<Consumer, AmqpError> {
    within(ANSWER_TIMEOUT, async {
        link.basic_qos(PREFETCH, BasicQosOptions::default()).await?;
        let mut arguments = FieldTable::default();
        arguments.insert("x-stream-offset".into(), offset);
        let options = BasicConsumeOptions::default();
        let name = spec.name.as_str().into();
        let consumer = link
            .basic_consume(name, ShortString::default(), options, arguments)
            .await?;
        Ok(consumer)
    })
    .await
}

/// The next readable batch; `None` after so much silence.
async fn next_batch(
    consumer: &mut Consumer,
    patience: Duration,
) -> Result<Option<(u64, TickBatch)>, AmqpError> {
    loop {
        let Ok(delivery) = tokio::time::timeout(patience, consumer.next()).await else {
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
