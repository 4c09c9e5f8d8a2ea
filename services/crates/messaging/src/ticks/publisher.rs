//! Appends batches to the tick log with publisher confirms.

use std::time::Duration;

use lapin::BasicProperties;
use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use prost::Message;
use proto::market::v1::TickBatch;
use tokio::sync::Mutex;

use crate::amqp::{Amqp, AmqpError, DedicatedChannel, with_timeout};
use crate::ticks::newest::newest;
use crate::ticks::{StreamSpec, declare, exists};

const CONFIRM_TIMEOUT: Duration = Duration::from_secs(5);

/// Connects with the first batch, and again after any error.
pub struct Publisher {
    amqp: Amqp,
    spec: StreamSpec,
    state: Mutex<PublisherState>,
}

#[derive(Default)]
struct PublisherState {
    channel: Option<DedicatedChannel>,
    /// Epoch and sequence number of the newest confirmed batch.
    appended: Option<(i64, i64)>,
}

/// The batches may or may not be in the log. Publish them again: readers ignore duplicates.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The connection failed before every confirm arrived.
    #[error(transparent)]
    Amqp(#[from] AmqpError),
    /// The broker refused a batch, or the stream does not exist.
    #[error("the stream {0} did not take a batch")]
    Refused(String),
    /// The log has lost confirmed batches. Publish under a new epoch, so that readers know: the
    /// next batch counts as the start of another log.
    #[error("the stream {0} has lost what was appended to it")]
    Lost(String),
}

impl Publisher {
    /// Declares the stream if it does not exist.
    #[must_use]
    pub fn new(amqp: Amqp, spec: StreamSpec) -> Self {
        Self {
            amqp,
            spec,
            state: Mutex::default(),
        }
    }

    /// Continues after a batch (epoch and sequence number) that the log contains.
    #[must_use]
    pub fn after(mut self, batch: (i64, i64)) -> Self {
        self.state.get_mut().appended = Some(batch);
        self
    }

    /// Returns when the broker has confirmed the batch.
    ///
    /// # Errors
    /// [`PublishError`]: publish the same batch again.
    pub async fn publish(&self, batch: &TickBatch) -> Result<(), PublishError> {
        self.publish_many(std::slice::from_ref(batch)).await
    }

    /// Appends batches in order without waiting in between; returns when all are confirmed.
    /// Connects without retries, so the caller decides how to wait.
    ///
    /// # Errors
    /// [`PublishError`]: publish all of them again.
    pub async fn publish_many(&self, batches: &[TickBatch]) -> Result<(), PublishError> {
        let mut state = self.state.lock().await;
        let channel = match state.channel.take() {
            Some(channel) if channel.status().connected() => channel,
            Some(_) | None => self.open(&mut state).await?,
        };
        match with_timeout(CONFIRM_TIMEOUT, self.append(&channel, batches)).await {
            Ok(true) => {
                let newest = batches.last().map(|batch| (batch.epoch, batch.batch_seq));
                state.appended = newest.or(state.appended);
                state.channel = Some(channel);
                Ok(())
            }
            Ok(false) => Err(PublishError::Refused(self.spec.name.clone())),
            Err(error) => Err(error.into()),
        }
    }

    /// Connects, and checks that the log still contains the newest confirmed batch: a broker may
    /// have lost all or the end of its data.
    async fn open(&self, state: &mut PublisherState) -> Result<DedicatedChannel, PublishError> {
        let mut channel = self.amqp.try_channel().await?;
        let stream_exists = with_timeout(CONFIRM_TIMEOUT, exists(&channel, &self.spec)).await?;
        if !stream_exists {
            channel = self.amqp.try_channel().await?;
            with_timeout(CONFIRM_TIMEOUT, declare(&channel, &self.spec)).await?;
        }
        if let Some(appended) = state.appended {
            let reaches = |epoch, batch_seq| (epoch, batch_seq) >= appended;
            let newest = match stream_exists {
                true => {
                    newest(&self.amqp, &self.spec, |end| {
                        reaches(end.epoch, end.batch_seq)
                    })
                    .await?
                }
                false => None,
            };
            if !newest.is_some_and(|end| reaches(end.epoch, end.batch_seq)) {
                metrics::counter!("ticks_logs_lost_total").increment(1);
                tracing::error!(stream = %self.spec.name, ?appended, ?newest, "Tick log has lost confirmed batches");
                state.appended = None;
                return Err(PublishError::Lost(self.spec.name.clone()));
            }
        }
        with_timeout(CONFIRM_TIMEOUT, async {
            channel
                .confirm_select(ConfirmSelectOptions::default())
                .await?;
            Ok(())
        })
        .await?;
        Ok(channel)
    }

    /// Whether the broker stored every batch.
    async fn append(
        &self,
        channel: &DedicatedChannel,
        batches: &[TickBatch],
    ) -> Result<bool, AmqpError> {
        let mandatory = BasicPublishOptions {
            mandatory: true,
            ..BasicPublishOptions::default()
        };
        let mut confirms = Vec::with_capacity(batches.len());
        for batch in batches {
            let confirm = channel
                .basic_publish(
                    "".into(),
                    self.spec.name.as_str().into(),
                    mandatory,
                    &batch.encode_to_vec(),
                    BasicProperties::default().with_delivery_mode(2),
                )
                .await?;
            confirms.push(confirm);
        }
        let mut stored = true;
        for confirm in confirms {
            let confirmation = confirm.await?;
            let acked = confirmation.is_ack();
            stored &= acked && confirmation.take_message().is_none();
        }
        Ok(stored)
    }
}
