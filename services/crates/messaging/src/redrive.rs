//! Redrives dead letters: a message that failed five deliveries waits in `seedup.dead` until an
//! operator has fixed the cause.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

use lapin::BasicProperties;
use lapin::message::Delivery;
use lapin::options::{
    BasicGetOptions, BasicPublishOptions, ConfirmSelectOptions, QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable, ShortString};

use crate::amqp::{
    Amqp, AmqpError, DEAD_LETTERS, DedicatedChannel, RESPONSE_TIMEOUT, ack, with_timeout,
};
use crate::outbox::declare_exchanges;

/// The header in which the broker records dead-lettering.
const DEATHS: &str = "x-death";

/// The outcome of a redrive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redriven {
    /// Redriven messages per queue.
    pub put_back: BTreeMap<String, u64>,
    /// Messages that stay dead letters because their queue was not selected, is unknown or does not
    /// exist.
    pub kept: u64,
}

impl Display for Redriven {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        for (queue, count) in &self.put_back {
            writeln!(f, "{count} put back into {queue}")?;
        }
        write!(f, "{} kept", self.kept)
    }
}

/// Moves the present dead letters back to the queues they came from, or only those of `queue`. A
/// message is removed after its queue has confirmed it; if this is interrupted in between, the
/// consumer receives it twice and processes it once.
///
/// # Errors
/// [`AmqpError`]; messages that were moved stay moved.
pub async fn run(amqp: &Amqp, queue: Option<&str>) -> Result<Redriven, AmqpError> {
    let channel = amqp.try_channel().await?;
    with_timeout(RESPONSE_TIMEOUT, prepare(&channel)).await?;
    let mut redriven = Redriven::default();
    // Messages that are dead-lettered again meanwhile queue behind these and are not processed in
    // this run.
    for _ in 0..with_timeout(RESPONSE_TIMEOUT, count(&channel)).await? {
        let received = with_timeout(RESPONSE_TIMEOUT, get(&channel)).await?;
        let Some(letter) = received else {
            break;
        };
        let source_queue = source_queue(&letter)
            .filter(|source_queue| queue.is_none_or(|queue| queue == source_queue));
        // A kept message stays unacknowledged until the channel ends; otherwise it would be
        // received again.
        match source_queue {
            Some(source_queue)
                if with_timeout(RESPONSE_TIMEOUT, publish(&channel, &letter, &source_queue))
                    .await? =>
            {
                ack(&letter.acker).await?;
                *redriven.put_back.entry(source_queue).or_default() += 1;
            }
            Some(_) | None => redriven.kept += 1,
        }
    }
    Ok(redriven)
}

async fn prepare(channel: &DedicatedChannel) -> Result<(), AmqpError> {
    declare_exchanges(channel).await?;
    channel
        .confirm_select(ConfirmSelectOptions::default())
        .await?;
    Ok(())
}

async fn count(channel: &DedicatedChannel) -> Result<u32, AmqpError> {
    let options = QueueDeclareOptions {
        passive: true,
        ..QueueDeclareOptions::default()
    };
    let queue = channel
        .queue_declare(DEAD_LETTERS.into(), options, FieldTable::default())
        .await?;
    Ok(queue.message_count())
}

async fn get(channel: &DedicatedChannel) -> Result<Option<Delivery>, AmqpError> {
    let options = BasicGetOptions::default();
    let received = channel.basic_get(DEAD_LETTERS.into(), options).await?;
    Ok(received.map(|received| received.delivery))
}

/// The queue of the last dead-lettering.
fn source_queue(letter: &Delivery) -> Option<String> {
    let headers = letter.properties.headers().as_ref()?;
    let deaths = headers.inner().get(DEATHS)?.as_array()?;
    let AMQPValue::FieldTable(last) = deaths.as_slice().first()? else {
        return None;
    };
    let queue = last.inner().get("queue")?;
    let text = queue.as_long_string()?;
    String::from_utf8(text.as_bytes().to_vec()).ok()
}

/// Whether the queue has confirmed the message.
async fn publish(
    channel: &DedicatedChannel,
    letter: &Delivery,
    source_queue: &str,
) -> Result<bool, AmqpError> {
    let options = BasicPublishOptions {
        mandatory: true,
        ..BasicPublishOptions::default()
    };
    // Through the default exchange, so that only the failed consumer receives it.
    let confirm = channel
        .basic_publish(
            ShortString::default(),
            source_queue.into(),
            options,
            &letter.data,
            without_delivery_headers(&letter.properties),
        )
        .await?;
    let confirmation = confirm.await?;
    Ok(confirmation.is_ack() && confirmation.take_message().is_none())
}

/// The properties without the broker's delivery headers.
fn without_delivery_headers(properties: &BasicProperties) -> BasicProperties {
    let mut headers = FieldTable::default();
    let all_headers = properties.headers().iter().flat_map(FieldTable::inner);
    for (name, value) in all_headers {
        if !name.as_str().starts_with("x-") {
            headers.insert(name.clone(), value.clone());
        }
    }
    properties.clone().with_headers(headers)
}
