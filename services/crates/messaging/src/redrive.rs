//! Dead letters back into their queues: after five tries a message waits in the queue
//! `seedup.dead` until somebody has mended what kept it from its effect.

use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

use lapin::BasicProperties;
use lapin::message::Delivery;
use lapin::options::{
    BasicGetOptions, BasicPublishOptions, ConfirmSelectOptions, QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable, ShortString};

use crate::amqp::{ANSWER_TIMEOUT, Amqp, AmqpError, DEAD_LETTERS, Link, ack, within};
use crate::outbox::declare_exchanges;

/// What the broker notes on a message that it puts among the dead letters.
const DEATHS: &str = "x-death";

/// What became of the dead letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redriven {
    /// How many each queue has got back.
    pub put_back: BTreeMap<String, u64>,
    /// Letters whose queue was not wanted, is unknown or does not exist: they are dead letters
    /// still.
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

/// Puts the dead letters that are there now back into the queues they came from, or only those of
/// `queue`. A letter leaves the dead ones when the broker has confirmed that its queue has it; if
/// this breaks off in between, its consumer gets it twice and has its effect once.
///
/// # Errors
/// [`AmqpError`]; what was put back so far stays there.
pub async fn run(amqp: &Amqp, queue: Option<&str>) -> Result<Redriven, AmqpError> {
    let link = amqp.try_channel().await?;
    within(ANSWER_TIMEOUT, prepare(&link)).await?;
    let mut redriven = Redriven::default();
    // Letters that die again meanwhile come after these, and are not for this time.
    for _ in 0..within(ANSWER_TIMEOUT, count(&link)).await? {
        let got = within(ANSWER_TIMEOUT, get(&link)).await?;
        let Some(letter) = got else {
            break;
        };
        let home = home(&letter).filter(|home| queue.is_none_or(|queue| queue == home));
        // What is kept stays unacknowledged until the channel ends, or it would come next.
        match home {
            Some(home) if within(ANSWER_TIMEOUT, publish(&link, &letter, &home)).await? => {
                ack(&letter.acker).await?;
                *redriven.put_back.entry(home).or_default() += 1;
            }
            Some(_) | None => redriven.kept += 1,
        }
    }
    Ok(redriven)
}

async fn prepare(link: &Link) -> Result<(), AmqpError> {
    declare_exchanges(link).await?;
    link.confirm_select(ConfirmSelectOptions::default()).await?;
    Ok(())
}

async fn count(link: &Link) -> Result<u32, AmqpError> {
    let options = QueueDeclareOptions {
        passive: true,
        ..QueueDeclareOptions::default()
    };
    let queue = link
        .queue_declare(DEAD_LETTERS.into(), options, FieldTable::default())
        .await?;
    Ok(queue.message_count())
}

async fn get(link: &Link) -> Result<Option<Delivery>, AmqpError> {
    let options = BasicGetOptions::default();
    let got = link.basic_get(DEAD_LETTERS.into(), options).await?;
    Ok(got.map(|got| got.delivery))
}

/// The queue in which it died last.
fn home(letter: &Delivery) -> Option<String> {
    let headers = letter.properties.headers().as_ref()?;
    let deaths = headers.inner().get(DEATHS)?.as_array()?;
    let AMQPValue::FieldTable(last) = deaths.as_slice().first()? else {
        return None;
    };
    let queue = last.inner().get("queue")?;
    let text = queue.as_long_string()?;
    String::from_utf8(text.as_bytes().to_vec()).ok()
}

/// Whether the queue `home` has it now.
async fn publish(link: &Link, letter: &Delivery, home: &str) -> Result<bool, AmqpError> {
    let options = BasicPublishOptions {
        mandatory: true,
        ..BasicPublishOptions::default()
    };
    // Through the default exchange, so that only the consumer that failed gets it again.
    let confirm = link
        .basic_publish(
            ShortString::default(),
            home.into(),
            options,
            &letter.data,
            as_new(&letter.properties),
        )
        .await?;
    let confirmation = confirm.await?;
    Ok(confirmation.is_ack() && confirmation.take_message().is_none())
}

/// The message as it was before its first try.
fn as_new(properties: &BasicProperties) -> BasicProperties {
    let mut headers = FieldTable::default();
    let noted = properties.headers().iter().flat_map(FieldTable::inner);
    for (name, value) in noted {
        if !name.as_str().starts_with("x-") {
            headers.insert(name.clone(), value.clone());
        }
    }
    properties.clone().with_headers(headers)
}
