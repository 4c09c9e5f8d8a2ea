//! Appends batches to the tick log and awaits the broker's confirms.

use std::time::Duration;

use lapin::BasicProperties;
use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use prost::Message;
use proto::market::v1::TickBatch;
use tokio::sync::Mutex;

use crate::amqp::{Amqp, AmqpError, Link, within};
use crate::ticks::newest::newest;
use crate::ticks::{StreamSpec, declare, exists};

const CONFIRM_TIMEOUT: Duration = Duration::from_secs(5);

/// Appends to one stream. Its connection is opened with the first batch and dropped on any error.
pub struct Publisher {
    amqp: Amqp,
    spec: StreamSpec,
    writing: Mutex<Writing>,
}

#[derive(Default)]
struct Writing {
    link: Option<Link>,
    /// Epoch and number of the newest batch that the log must have.
    appended: Option<(i64, i64)>,
}

/// The batches may or may not be in the log. Publish them again: readers ignore repeats.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The connection failed before every confirm had come.
    #[error(transparent)]
    Amqp(#[from] AmqpError),
    /// The broker refused a batch, or there was no stream to take it.
    #[error("the stream {0} did not take a batch")]
    Refused(String),
    /// The log does not have what was appended to it. Publish under a new epoch, so that readers
    /// know: what is published next is taken for the beginning of another log.
    #[error("the stream {0} has lost what was appended to it")]
    Lost(String),
}

impl Publisher {
    /// A publisher for the stream of `spec`, which it declares when there is none.
    #[must_use]
    pub fn new(amqp: Amqp, spec: StreamSpec) -> Self {
        Self {
            amqp,
            spec,
            writing: Mutex::default(),
        }
    }

    /// Goes on after a batch (epoch and number) that the log has.
    #[must_use]
    pub fn after(mut self, batch: (i64, i64)) -> Self {
        self.writing.get_mut().appended = Some(batch);
        self
    }

    /// Appends one batch; returns when the broker has it.
    ///
    /// # Errors
    /// [`PublishError`]: publish the same batch again.
    pub async fn publish(&self, batch: &TickBatch) -> Result<(), PublishError> {
        self.publish_many(std::slice::from_ref(batch)).await
    }

    /// Appends batches in their order, without waiting between them; returns when the broker has
    /// them all. Tries the connection once, so the caller decides how to wait.
    ///
    /// # Errors
    /// [`PublishError`]: publish all of them again.
    pub async fn publish_many(&self, batches: &[TickBatch]) -> Result<(), PublishError> {
        let mut writing = self.writing.lock().await;
        let link = match writing.link.take() {
            Some(link) if link.status().connected() => link,
            Some(_) | None => self.open(&mut writing).await?,
        };
        match within(CONFIRM_TIMEOUT, self.append(&link, batches)).await {
            Ok(true) => {
                let newest = batches.last().map(|batch| (batch.epoch, batch.batch_seq));
                writing.appended = newest.or(writing.appended);
                writing.link = Some(link);
                Ok(())
            }
            Ok(false) => Err(PublishError::Refused(self.spec.name.clone())),
            Err(error) => Err(error.into()),
        }
    }

    /// Connects, and looks whether the log still ends where this publisher left it: a broker that
    /// came back may have lost all of it or its end.
    async fn open(&self, writing: &mut Writing) -> Result<Link, PublishError> {
        let mut link = self.amqp.try_channel().await?;
        let is_there = within(CONFIRM_TIMEOUT, exists(&link, &self.spec)).await?;
        if !is_there {
            link = self.amqp.try_channel().await?;
            within(CONFIRM_TIMEOUT, declare(&link, &self.spec)).await?;
        }
        if let Some(appended) = writing.appended {
            let reaches = |epoch, batch_seq| (epoch, batch_seq) >= appended;
            let newest = match is_there {
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
                tracing::error!(stream = %self.spec.name, ?appended, ?newest, "The tick log has lost what was appended to it");
                writing.appended = None;
                return Err(PublishError::Lost(self.spec.name.clone()));
            }
        }
        within(CONFIRM_TIMEOUT, async {
            link.confirm_select(ConfirmSelectOptions::default()).await?;
            Ok(())
        })
        .await?;
        Ok(link)
    }

    /// Whether every batch was stored.
    async fn append(&self, link: &Link, batches: &[TickBatch]) -> Result<bool, AmqpError> {
        let mandatory = BasicPublishOptions {
            mandatory: true,
            ..BasicPublishOptions::default()
        };
        let mut confirms = Vec::with_capacity(batches.len());
        for batch in batches {
            let confirm = link
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
