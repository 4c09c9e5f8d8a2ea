//! Reads the tick log from a position of the caller's own and keeps reading through failures of
//! the broker.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::StreamExt;
use lapin::Consumer;
use lapin::message::Delivery;
use lapin::options::{BasicConsumeOptions, BasicQosOptions, QueueDeclareOptions};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use prost::Message;
use proto::market::v1::TickBatch;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::amqp::{ANSWER_TIMEOUT, Amqp, AmqpError, Link, ack_up_to, within};
use crate::backoff::Backoff;
use crate::ticks::{StreamSpec, declare};

/// Where reading begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFrom {
    /// The oldest batch there is.
    First,
    /// Only what is appended from now on. What is appended while a connection that has not
    /// delivered anything yet is lost is missed.
    Next,
    /// The batch with this offset. If it is gone already, the oldest one there is; if it does not
    /// exist yet, reading waits for it.
    Offset(u64),
}

/// A batch and its place in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivered {
    /// Store this; continue at `Offset(offset + 1)`.
    pub offset: u64,
    /// The batch.
    pub batch: TickBatch,
    /// How many batches of the same producer and epoch lie between this one and the one before
    /// it and were never seen. More than 0 means that ticks are lost to this reader.
    pub missed_batches: u64,
}

/// Reads one stream in a task of its own, so that [`Reader::next`] may be cancelled at any time.
pub struct Reader {
    received: mpsc::Receiver<Delivered>,
    task: JoinHandle<()>,
}

impl Reader {
    /// Starts reading. At most `prefetch` batches are on their way and as many wait here.
    #[must_use]
    pub fn open(amqp: Amqp, spec: StreamSpec, from: ReadFrom, prefetch: u16) -> Self {
        let (sender, received) = mpsc::channel(usize::from(prefetch.max(1)));
        let position = Position {
            amqp,
            spec,
            from,
            prefetch: prefetch.max(1),
            is_missing: false,
            last_seq: HashMap::new(),
        };
        Self {
            received,
            task: tokio::spawn(position.read(sender)),
        }
    }

    /// The next batch; waits for it as long as it takes. Cancelling loses nothing.
    pub async fn next(&mut self) -> Delivered {
        match self.received.recv().await {
            Some(delivered) => delivered,
            // The task ends only with the runtime.
            None => std::future::pending().await,
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Position {
    amqp: Amqp,
    spec: StreamSpec,
    from: ReadFrom,
    prefetch: u16,
    /// The stream was not there a moment ago.
    is_missing: bool,
    /// Newest batch by producer and epoch.
    last_seq: HashMap<(String, i64), i64>,
}

impl Position {
    async fn read(mut self, sender: mpsc::Sender<Delivered>) {
        let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(2));
        loop {
            let link = self.amqp.channel().await;
            let before = self.from;
            if let Err(error) = self.read_link(&link, &sender).await {
                metrics::counter!("ticks_reader_errors_total").increment(1);
                tracing::warn!(stream = %self.spec.name, %error, from = ?self.from, "The tick log reader starts anew");
            }
            if self.from != before {
                backoff.reset();
            }
            backoff.wait().await;
        }
    }

    async fn read_link(
        &mut self,
        link: &Link,
        sender: &mpsc::Sender<Delivered>,
    ) -> Result<(), AmqpError> {
        let mut consumer = within(ANSWER_TIMEOUT, self.subscribe(link)).await?;
        let mut unacked = 0;
        while let Some(delivery) = consumer.next().await {
            let delivery = delivery?;
            if let Some(delivered) = self.accept(&delivery)
                && sender.send(delivered).await.is_err()
            {
                return Ok(());
            }
            // An ack of a stream is credit for more, not a position: one for several deliveries does,
            // long before credit runs out.
            unacked += 1;
            if unacked >= self.prefetch.div_ceil(4) {
                ack_up_to(&delivery.acker).await?;
                unacked = 0;
            }
        }
        Ok(())
    }

    /// Retention is the publisher's to decide, so a reader takes the stream as it is and makes
    /// one only when there is none.
    async fn find_stream(&mut self, link: &Link) -> Result<(), AmqpError> {
        if std::mem::take(&mut self.is_missing) {
            return declare(link, &self.spec).await;
        }
        let passive = QueueDeclareOptions {
            passive: true,
            ..QueueDeclareOptions::default()
        };
        let name = self.spec.name.as_str().into();
        let found = link
            .queue_declare(name, passive, FieldTable::default())
            .await;
        self.is_missing = found.is_err();
        found?;
        Ok(())
    }

    async fn subscribe(&mut self, link: &Link) -> Result<Consumer, AmqpError> {
        self.find_stream(link).await?;
        link.basic_qos(self.prefetch, BasicQosOptions::default())
            .await?;
        let mut arguments = FieldTable::default();
        arguments.insert("x-stream-offset".into(), offset_argument(self.from));
        let consumer = link
            .basic_consume(
                self.spec.name.as_str().into(),
                ShortString::default(),
                BasicConsumeOptions::default(),
                arguments,
            )
            .await?;
        Ok(consumer)
    }

    /// The batch of a delivery, unless it lies before the position or cannot be read.
    fn accept(&mut self, delivery: &Delivery) -> Option<Delivered> {
        let offset = offset_of(delivery)?;
        if let ReadFrom::Offset(wanted) = self.from
            && offset < wanted
        {
            return None;
        }
        self.from = ReadFrom::Offset(offset + 1);
        let batch = match TickBatch::decode(&*delivery.data) {
            Ok(batch) => batch,
            Err(error) => {
                metrics::counter!("ticks_unreadable_total").increment(1);
                tracing::error!(stream = %self.spec.name, offset, %error, "A message of the tick log is no batch");
                return None;
            }
        };
        let missed_batches = self.note_sequence(&batch);
        Some(Delivered {
            offset,
            batch,
            missed_batches,
        })
    }

    fn note_sequence(&mut self, batch: &TickBatch) -> u64 {
        let key = (batch.producer.clone(), batch.epoch);
        let Some(last) = self.last_seq.get_mut(&key) else {
            // The epochs before are history.
            self.last_seq
                .retain(|(producer, _), _| *producer != batch.producer);
            self.last_seq.insert(key, batch.batch_seq);
            return 0;
        };
        let step = batch.batch_seq.saturating_sub(*last);
        if step <= 0 {
            metrics::counter!("ticks_repeated_batches_total").increment(1);
            return 0;
        }
        *last = batch.batch_seq;
        let missed = u64::try_from(step - 1).unwrap_or(0);
        if missed > 0 {
            metrics::counter!("ticks_missed_batches_total").increment(missed);
            tracing::error!(stream = %self.spec.name, missed, batch_seq = batch.batch_seq, "The tick log has a hole");
        }
        missed
    }
}

fn offset_argument(from: ReadFrom) -> AMQPValue {
    match from {
        ReadFrom::First => AMQPValue::LongString("first".into()),
        ReadFrom::Next => AMQPValue::LongString("next".into()),
        ReadFrom::Offset(offset) => {
            AMQPValue::LongLongInt(i64::try_from(offset).unwrap_or(i64::MAX))
        }
    }
}

fn offset_of(delivery: &Delivery) -> Option<u64> {
    let headers = delivery.properties.headers().as_ref()?;
    let offset = headers.inner().get("x-stream-offset")?.as_long_long_int()?;
    u64::try_from(offset).ok()
}
