//! Reads the tick log from an offset of the caller, across failures of the broker.

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

use crate::amqp::{Amqp, AmqpError, DedicatedChannel, RESPONSE_TIMEOUT, ack_up_to, with_timeout};
use crate::backoff::Backoff;
use crate::ticks::newest::EMPTY_TIMEOUT;
use crate::ticks::{LogOffset, StreamSpec, exists, offset_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFrom {
    First,
    /// Only new batches. Batches that are appended while a connection that has not delivered
    /// anything is lost are missed.
    Next,
    /// The first unread batch: of a newer epoch, or of the same epoch at this offset. If it has
    /// expired, the oldest one; if it does not exist yet, reading waits.
    Offset(LogOffset),
}

/// A batch and its offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Delivered {
    /// Store it with the batch's epoch; continue at `Offset` of the epoch and `offset + 1`.
    pub offset: u64,
    pub batch: TickBatch,
    /// Batches that this reader has missed before this one. An upper bound where only offsets are
    /// known, which have gaps; 1 when the number is unknown.
    pub missed_batches: u64,
}

/// Reads in a task of its own, so that [`Reader::next`] is cancel safe.
pub struct Reader {
    received: mpsc::Receiver<Delivered>,
    task: JoinHandle<()>,
}

impl Reader {
    /// Starts reading. At most `prefetch` batches are in flight and as many are buffered.
    #[must_use]
    pub fn open(amqp: Amqp, spec: StreamSpec, from: ReadFrom, prefetch: u16) -> Self {
        let (sender, received) = mpsc::channel(usize::from(prefetch.max(1)));
        let task_state = ReaderTask {
            amqp,
            spec,
            from,
            prefetch: prefetch.max(1),
            is_verifying: false,
            is_rereading: false,
            last_seq: None,
        };
        Self {
            received,
            task: tokio::spawn(task_state.read(sender)),
        }
    }

    /// Waits for the next batch. Cancel safe.
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

struct ReaderTask {
    amqp: Amqp,
    spec: StreamSpec,
    from: ReadFrom,
    prefetch: u16,
    /// Whether the batch before `from` was requested, to verify that this is the same log, and has
    /// not arrived yet.
    is_verifying: bool,
    /// Whether the log did not contain that batch and is read from its start.
    is_rereading: bool,
    /// Sequence number of the newest batch; continues across epochs.
    last_seq: Option<i64>,
}

impl ReaderTask {
    async fn read(mut self, sender: mpsc::Sender<Delivered>) {
        let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(2));
        loop {
            let channel = self.amqp.channel().await;
            let before = (self.from, self.is_rereading);
            if let Err(error) = self.read_link(&channel, &sender).await {
                metrics::counter!("ticks_reader_errors_total").increment(1);
                tracing::warn!(stream = %self.spec.name, %error, from = ?self.from, "Tick log reader reconnected after an error");
            }
            if (self.from, self.is_rereading) != before {
                backoff.reset();
            }
            backoff.wait().await;
        }
    }

    async fn read_link(
        &mut self,
        channel: &DedicatedChannel,
        sender: &mpsc::Sender<Delivered>,
    ) -> Result<(), AmqpError> {
        if !with_timeout(RESPONSE_TIMEOUT, exists(channel, &self.spec)).await? {
            // Everything in a stream that is declared later is new.
            if self.from == ReadFrom::Next {
                self.from = ReadFrom::First;
            }
            tracing::info!(stream = %self.spec.name, "Waiting for the tick log");
            return Ok(());
        }
        let mut consumer = with_timeout(RESPONSE_TIMEOUT, self.subscribe(channel)).await?;
        let mut unacked = 0;
        loop {
            let next = match self.is_verifying {
                true => tokio::time::timeout(EMPTY_TIMEOUT, consumer.next()).await,
                false => Ok(consumer.next().await),
            };
            let Ok(next) = next else {
                self.reread_from_start();
                return Ok(());
            };
            let Some(delivery) = next else {
                return Ok(());
            };
            let delivery = delivery?;
            let accepted = self.accept(&delivery);
            if self.is_rereading && self.is_verifying {
                return Ok(());
            }
            self.is_verifying = false;
            if let Some(delivered) = accepted
                && sender.send(delivered).await.is_err()
            {
                return Ok(());
            }
            // An ack on a stream only grants credit, so one for several deliveries suffices, well
            // before the credit is used up.
            unacked += 1;
            if unacked >= self.prefetch.div_ceil(4) {
                ack_up_to(&delivery.acker).await?;
                unacked = 0;
            }
        }
    }

    /// Reads the log from its start from now on, because it does not contain what was read.
    fn reread_from_start(&mut self) {
        if !std::mem::replace(&mut self.is_rereading, true) {
            metrics::counter!("ticks_logs_suspect_total").increment(1);
            tracing::error!(
                stream = %self.spec.name, from = ?self.from,
                "Tick log does not contain what was read, reading it from the start"
            );
        }
    }

    async fn subscribe(&mut self, channel: &DedicatedChannel) -> Result<Consumer, AmqpError> {
        channel
            .basic_qos(self.prefetch, BasicQosOptions::default())
            .await?;
        let (offset, is_verifying) = self.offset_argument();
        self.is_verifying = is_verifying;
        let mut arguments = FieldTable::default();
        arguments.insert("x-stream-offset".into(), offset);
        let consumer = channel
            .basic_consume(
                self.spec.name.as_str().into(),
                ShortString::default(),
                BasicConsumeOptions::default(),
                arguments,
            )
            .await?;
        Ok(consumer)
    }

    /// The offset to request, and whether the first delivery verifies that this is the same log.
    /// For an offset beyond the end the broker waits until the log is as long, which may take a day
    /// for a new log; so the last read batch is requested.
    fn offset_argument(&self) -> (AMQPValue, bool) {
        let named = |name: &str| (AMQPValue::LongString(name.into()), false);
        match self.from {
            ReadFrom::First => named("first"),
            ReadFrom::Next => named("next"),
            ReadFrom::Offset(_) if self.is_rereading => named("first"),
            ReadFrom::Offset(from) => match from.next.checked_sub(1) {
                None => named("first"),
                Some(last) => {
                    let last = i64::try_from(last).unwrap_or(i64::MAX);
                    (AMQPValue::LongLongInt(last), true)
                }
            },
        }
    }

    /// The batch of a delivery, unless it was read before, comes from a superseded writer, or is
    /// invalid.
    fn accept(&mut self, delivery: &Delivery) -> Option<Delivered> {
        let offset = offset_of(delivery)?;
        let batch = match TickBatch::decode(&*delivery.data) {
            Ok(batch) => batch,
            Err(error) => {
                self.skip_invalid(offset, &error);
                return None;
            }
        };
        let this = LogOffset {
            epoch: batch.epoch,
            next: offset,
        };
        if let ReadFrom::Offset(from) = self.from {
            if self.is_verifying && offset < from.next && batch.epoch > from.epoch {
                // The offset that was read belonged to an older epoch.
                self.reread_from_start();
                return None;
            }
            if this < from {
                self.record_known_batch(from, offset, &batch);
                return None;
            }
        }
        let missed_batches = self.count_missed(offset, &batch);
        self.from = ReadFrom::Offset(LogOffset {
            epoch: batch.epoch,
            next: offset + 1,
        });
        self.is_rereading = false;
        Some(Delivered {
            offset,
            batch,
            missed_batches,
        })
    }

    fn skip_invalid(&mut self, offset: u64, error: &prost::DecodeError) {
        metrics::counter!("ticks_unreadable_total").increment(1);
        tracing::error!(stream = %self.spec.name, offset, %error, "Message of the tick log could not be decoded");
        if let ReadFrom::Offset(from) = &mut self.from
            && !self.is_rereading
        {
            from.next = from.next.max(offset + 1);
        }
    }

    fn record_known_batch(&mut self, from: LogOffset, offset: u64, batch: &TickBatch) {
        if offset >= from.next && !self.is_rereading {
            metrics::counter!("ticks_superseded_batches_total").increment(1);
            tracing::error!(stream = %self.spec.name, offset, epoch = batch.epoch, newest = from.epoch, "Superseded writer still appends to the tick log");
        } else if batch.epoch == from.epoch {
            self.last_seq = self.last_seq.max(Some(batch.batch_seq));
        }
    }

    /// The number of missed batches between the last one and this one.
    fn count_missed(&mut self, offset: u64, batch: &TickBatch) -> u64 {
        let missed = match (self.last_seq, self.from) {
            (Some(last), _) => batch.batch_seq.saturating_sub(last).saturating_sub(1),
            (None, ReadFrom::Offset(from)) if from.next > 0 && batch.epoch == from.epoch => {
                i64::try_from(offset.saturating_sub(from.next)).unwrap_or(i64::MAX)
            }
            // The log was lost or expired while this reader was down.
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
        // Also for 0: alerts see the first increment only after a 0.
        metrics::counter!("ticks_missed_batches_total").increment(missed);
        if missed > 0 {
            tracing::error!(stream = %self.spec.name, missed, batch_seq = batch.batch_seq, "Batches of the tick log are missing");
        }
        missed
    }
}
