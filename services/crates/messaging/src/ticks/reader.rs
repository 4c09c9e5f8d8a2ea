//! Reads the tick log from a position of the caller's own and keeps reading through failures of
//! the broker.

use std::time::Duration;

use futures_util::StreamExt;
use lapin::Consumer;
use lapin::message::Delivery;
use lapin::options::{BasicConsumeOptions, BasicQosOptions};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use prost::Message;
use proto::market::v1::TickBatch;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::amqp::{ANSWER_TIMEOUT, Amqp, AmqpError, Link, ack_up_to, within};
use crate::backoff::Backoff;
use crate::ticks::newest::NOTHING_THERE;
use crate::ticks::{LogOffset, StreamSpec, exists, offset_of};

/// Where reading begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFrom {
    /// The oldest batch there is.
    First,
    /// Only what is appended from now on. What is appended while a connection that has not
    /// delivered anything yet is lost is missed.
    Next,
    /// The first batch that was not read: one of a newer epoch, or of the same epoch with this
    /// offset. If it is gone already, the oldest one there is; if it does not exist yet, reading
    /// waits for it.
    Offset(LogOffset),
}

/// A batch and its place in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivered {
    /// Store this with the batch's epoch; continue at `Offset` of the epoch and `offset + 1`.
    pub offset: u64,
    /// The batch.
    pub batch: TickBatch,
    /// How many batches lie between this one and the one before it and were never seen. Where only
    /// offsets tell, which have holes, it is no fewer; 1 where nobody knows. More than 0 means that
    /// ticks are lost to this reader.
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
        let reading = Reading {
            amqp,
            spec,
            from,
            prefetch: prefetch.max(1),
            is_unconfirmed: false,
            is_doubted: false,
            last_seq: None,
        };
        Self {
            received,
            task: tokio::spawn(reading.read(sender)),
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

struct Reading {
    amqp: Amqp,
    spec: StreamSpec,
    from: ReadFrom,
    prefetch: u16,
    /// Whether the batch before `from` was asked for, to see that this is the log it was read in,
    /// and has not come yet.
    is_unconfirmed: bool,
    /// Whether the log did not have that batch, and is read from its beginning.
    is_doubted: bool,
    /// Number of the newest batch. Numbers go on from epoch to epoch.
    last_seq: Option<i64>,
}

impl Reading {
    async fn read(mut self, sender: mpsc::Sender<Delivered>) {
        let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(2));
        loop {
            let link = self.amqp.channel().await;
            let before = (self.from, self.is_doubted);
            if let Err(error) = self.read_link(&link, &sender).await {
                metrics::counter!("ticks_reader_errors_total").increment(1);
                tracing::warn!(stream = %self.spec.name, %error, from = ?self.from, "The tick log reader connects again");
            }
            if (self.from, self.is_doubted) != before {
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
        if !within(ANSWER_TIMEOUT, exists(link, &self.spec)).await? {
            // All that a stream will hold that has still to be made is new.
            if self.from == ReadFrom::Next {
                self.from = ReadFrom::First;
            }
            tracing::info!(stream = %self.spec.name, "Waiting for a tick log");
            return Ok(());
        }
        let mut consumer = within(ANSWER_TIMEOUT, self.subscribe(link)).await?;
        let mut unacked = 0;
        loop {
            let next = match self.is_unconfirmed {
                true => tokio::time::timeout(NOTHING_THERE, consumer.next()).await,
                false => Ok(consumer.next().await),
            };
            let Ok(next) = next else {
                self.doubt();
                return Ok(());
            };
            let Some(delivery) = next else {
                return Ok(());
            };
            let delivery = delivery?;
            let accepted = self.accept(&delivery);
            if self.is_doubted && self.is_unconfirmed {
                return Ok(());
            }
            self.is_unconfirmed = false;
            if let Some(delivered) = accepted
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
    }

    /// Reads the log from its beginning from now on, because it does not have what was read.
    fn doubt(&mut self) {
        if !std::mem::replace(&mut self.is_doubted, true) {
            metrics::counter!("ticks_logs_doubted_total").increment(1);
            tracing::error!(
                stream = %self.spec.name, from = ?self.from,
                "The tick log does not have what was read in it, reading all that it has"
            );
        }
    }

    async fn subscribe(&mut self, link: &Link) -> Result<Consumer, AmqpError> {
        link.basic_qos(self.prefetch, BasicQosOptions::default())
            .await?;
        let (offset, is_unconfirmed) = self.offset_argument();
        self.is_unconfirmed = is_unconfirmed;
        let mut arguments = FieldTable::default();
        arguments.insert("x-stream-offset".into(), offset);
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

    /// What the broker is asked for, and whether the first delivery tells if this is still the log
    /// that was read. Of an offset behind its end a broker says nothing: it waits until the log is
    /// as long, which may take a day where the log was begun anew.
    fn offset_argument(&self) -> (AMQPValue, bool) {
        let named = |name: &str| (AMQPValue::LongString(name.into()), false);
        match self.from {
            ReadFrom::First => named("first"),
            ReadFrom::Next => named("next"),
            ReadFrom::Offset(_) if self.is_doubted => named("first"),
            ReadFrom::Offset(from) => match from.next.checked_sub(1) {
                None => named("first"),
                Some(last) => {
                    let last = i64::try_from(last).unwrap_or(i64::MAX);
                    (AMQPValue::LongLongInt(last), true)
                }
            },
        }
    }

    /// The batch of a delivery, unless it was read before, comes from a writer that another one has
    /// followed, or cannot be read.
    fn accept(&mut self, delivery: &Delivery) -> Option<Delivered> {
        let offset = offset_of(delivery)?;
        let batch = match TickBatch::decode(&*delivery.data) {
            Ok(batch) => batch,
            Err(error) => {
                self.pass_over(offset, &error);
                return None;
            }
        };
        let this = LogOffset {
            epoch: batch.epoch,
            next: offset,
        };
        if let ReadFrom::Offset(from) = self.from {
            if self.is_unconfirmed && offset < from.next && batch.epoch > from.epoch {
                // What was read here was of an older epoch.
                self.doubt();
                return None;
            }
            if this < from {
                self.note_read_before(from, offset, &batch);
                return None;
            }
        }
        let missed_batches = self.note_sequence(offset, &batch);
        self.from = ReadFrom::Offset(LogOffset {
            epoch: batch.epoch,
            next: offset + 1,
        });
        self.is_doubted = false;
        Some(Delivered {
            offset,
            batch,
            missed_batches,
        })
    }

    fn pass_over(&mut self, offset: u64, error: &prost::DecodeError) {
        metrics::counter!("ticks_unreadable_total").increment(1);
        tracing::error!(stream = %self.spec.name, offset, %error, "A message of the tick log is no batch");
        if let ReadFrom::Offset(from) = &mut self.from
            && !self.is_doubted
        {
            from.next = from.next.max(offset + 1);
        }
    }

    fn note_read_before(&mut self, from: LogOffset, offset: u64, batch: &TickBatch) {
        if offset >= from.next && !self.is_doubted {
            metrics::counter!("ticks_superseded_batches_total").increment(1);
            tracing::error!(stream = %self.spec.name, offset, epoch = batch.epoch, newest = from.epoch, "A writer that another one has followed still writes the tick log");
        } else if batch.epoch == from.epoch {
            self.last_seq = self.last_seq.max(Some(batch.batch_seq));
        }
    }

    /// How many batches between the last one and this one are lost to this reader.
    fn note_sequence(&mut self, offset: u64, batch: &TickBatch) -> u64 {
        let missed = match (self.last_seq, self.from) {
            (Some(last), _) => batch.batch_seq.saturating_sub(last).saturating_sub(1),
            (None, ReadFrom::Offset(from)) if from.next > 0 && batch.epoch == from.epoch => {
                i64::try_from(offset.saturating_sub(from.next)).unwrap_or(i64::MAX)
            }
            // The log was lost, or outlived its retention, while this reader was away.
            (None, ReadFrom::Offset(from)) if from.next > 0 => 1,
            (None, _) => 0,
        };
        let is_new_epoch =
            !matches!(self.from, ReadFrom::Offset(from) if from.epoch == batch.epoch);
        if missed < 0 && !is_new_epoch {
            metrics::counter!("ticks_repeated_batches_total").increment(1);
            return 0;
        }
        self.last_seq = Some(batch.batch_seq);
        let missed = u64::try_from(missed).unwrap_or(0);
        // Also when there were none: alerts notice the first only after a 0.
        metrics::counter!("ticks_missed_batches_total").increment(missed);
        if missed > 0 {
            tracing::error!(stream = %self.spec.name, missed, batch_seq = batch.batch_seq, "The tick log has a hole");
        }
        missed
    }
}
