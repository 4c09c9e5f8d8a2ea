//! Appends batches to the tick log and awaits the broker's confirms.

use std::time::Duration;

use lapin::BasicProperties;
use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use prost::Message;
use proto::market::v1::TickBatch;
use tokio::sync::Mutex;

use crate::amqp::{Amqp, AmqpError, Link, within};
use crate::ticks::{StreamSpec, declare};

const CONFIRM_TIMEOUT: Duration = Duration::from_secs(5);

/// Appends to one stream. Its connection is opened with the first batch and dropped on any error.
pub struct Publisher {
    amqp: Amqp,
    spec: StreamSpec,
    link: Mutex<Option<Link>>,
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
}

impl Publisher {
    /// A publisher for the stream of `spec`, which it declares when it connects.
    #[must_use]
    pub fn new(amqp: Amqp, spec: StreamSpec) -> Self {
        Self {
            amqp,
            spec,
            link: Mutex::default(),
        }
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
        let mut slot = self.link.lock().await;
        let link = match slot.take() {
            Some(link) if link.status().connected() => link,
            Some(_) | None => self.open().await?,
        };
        match within(CONFIRM_TIMEOUT, self.append(&link, batches)).await {
            Ok(true) => {
                *slot = Some(link);
                Ok(())
            }
            Ok(false) => Err(PublishError::Refused(self.spec.name.clone())),
            Err(error) => Err(error.into()),
        }
    }

    async fn open(&self) -> Result<Link, AmqpError> {
        let link = self.amqp.try_channel().await?;
        within(CONFIRM_TIMEOUT, async {
            declare(&link, &self.spec).await?;
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
