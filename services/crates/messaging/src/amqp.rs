//! Connections to RabbitMQ.
//!
//! Each long-running user (a relay, a consumer, a publisher, a reader) has a connection of its
//! own, so that an error of one never disturbs another. Nobody repairs a channel: on any error
//! the [`Link`] is dropped and a new one is opened.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use lapin::options::{BasicAckOptions, BasicNackOptions};
use lapin::uri::AMQPUri;
use lapin::{Acker, Channel, Connection, ConnectionProperties};
use tokio::sync::Mutex;

use crate::backoff::Backoff;

/// Topic exchange that carries every event; the routing key is the event type.
pub const EVENTS_EXCHANGE: &str = "seedup.events";
/// Exchange and queue of messages that failed every try.
pub const DEAD_LETTERS: &str = "seedup.dead";

/// How often either side says that it is there. Two of them without a word, and the connection is
/// taken for dead.
const HEARTBEAT_S: u16 = 10;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// For a request and its answer, such as a declaration.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// For handing an acknowledgement to the connection. When the connection dies in that instant,
/// the client library never says so.
const ACK_TIMEOUT: Duration = Duration::from_secs(1);
const CHECK_TIMEOUT: Duration = Duration::from_secs(1);
pub(crate) const FIRST_RETRY: Duration = Duration::from_millis(100);
/// After an outage of any length things go on as soon as this.
pub(crate) const LONGEST_RETRY: Duration = Duration::from_secs(2);

/// Something went wrong between us and the broker.
#[derive(Debug, thiserror::Error)]
pub enum AmqpError {
    /// The address is not an AMQP address.
    #[error("AMQP address: {0}")]
    Address(String),
    /// The broker said so, or the connection broke.
    #[error("AMQP: {0}")]
    Broker(#[from] lapin::Error),
    /// The broker did not answer in time.
    #[error("AMQP: no answer within {0:?}")]
    Timeout(Duration),
    /// The broker closed the channel, or the connection ended, while nothing was asked of it.
    #[error("AMQP: the channel was closed")]
    Closed,
}

/// Where the broker is. Cheap to clone.
#[derive(Clone)]
pub struct Amqp {
    uri: Arc<AMQPUri>,
    // Kept open for `check` alone.
    probe: Arc<Mutex<Option<Connection>>>,
}

impl Amqp {
    /// Remembers the address, for example `amqp://user:password@127.0.0.1:5672/%2f`. Nothing is
    /// connected yet. Heartbeats are 10 s apart unless the address ends with `?heartbeat=<s>`.
    ///
    /// # Errors
    /// [`AmqpError::Address`] when `url` is not an AMQP address.
    pub fn new(url: &str) -> Result<Self, AmqpError> {
        let mut uri: AMQPUri = url.parse().map_err(AmqpError::Address)?;
        uri.query.heartbeat.get_or_insert(HEARTBEAT_S);
        Ok(Self {
            uri: Arc::new(uri),
            probe: Arc::default(),
        })
    }

    /// Opens a connection with one channel, trying until the broker is there.
    pub async fn channel(&self) -> Link {
        let mut backoff = Backoff::new(FIRST_RETRY, LONGEST_RETRY);
        loop {
            match self.try_channel().await {
                Ok(link) => return link,
                Err(error) => {
                    metrics::counter!("amqp_connect_errors_total").increment(1);
                    tracing::warn!(%error, "The broker cannot be reached, trying again");
                    backoff.wait().await;
                }
            }
        }
    }

    /// Opens a connection with one channel, trying once.
    ///
    /// # Errors
    /// [`AmqpError`] when the broker refuses, or does not answer within five seconds.
    pub async fn try_channel(&self) -> Result<Link, AmqpError> {
        let open = async {
            let connection = self.connect().await?;
            let channel = connection.create_channel().await?;
            Ok(Link {
                channel,
                _connection: connection,
            })
        };
        within(CONNECT_TIMEOUT, open).await
    }

    /// Whether the broker answers: for readiness. Keeps one connection of its own.
    ///
    /// # Errors
    /// [`AmqpError`] when the broker refuses, or does not answer within a second.
    pub async fn check(&self) -> Result<(), AmqpError> {
        let mut probe = self.probe.lock().await;
        let opened = async {
            if let Some(connection) = probe.take()
                && connection.status().connected()
            {
                let channel = connection.create_channel().await?;
                channel.close(200, "OK".into()).await?;
                return Ok(connection);
            }
            self.connect().await
        };
        *probe = Some(within(CHECK_TIMEOUT, opened).await?);
        Ok(())
    }

    async fn connect(&self) -> Result<Connection, AmqpError> {
        let uri = AMQPUri::clone(&self.uri);
        Ok(Connection::connect_uri(uri, ConnectionProperties::default()).await?)
    }
}

/// A channel together with the connection that is its own. Dropping it closes both.
pub struct Link {
    channel: Channel,
    _connection: Connection,
}

impl Link {
    /// Whether the channel can still be used.
    ///
    /// # Errors
    /// [`AmqpError::Closed`] when it cannot.
    pub(crate) fn check_open(&self) -> Result<(), AmqpError> {
        if self.channel.status().connected() {
            Ok(())
        } else {
            Err(AmqpError::Closed)
        }
    }
}

impl Deref for Link {
    type Target = Channel;

    fn deref(&self) -> &Channel {
        &self.channel
    }
}

/// Tells the broker that a message is done with.
///
/// # Errors
/// [`AmqpError`] when the connection is gone; the broker then delivers the message again.
pub(crate) async fn ack(acker: &Acker) -> Result<(), AmqpError> {
    acknowledge(acker, BasicAckOptions::default()).await
}

/// Tells the broker that a message and all before it on its channel are done with.
///
/// # Errors
/// [`AmqpError`] when the connection is gone; the broker then delivers the messages again.
pub(crate) async fn ack_up_to(acker: &Acker) -> Result<(), AmqpError> {
    acknowledge(acker, BasicAckOptions { multiple: true }).await
}

async fn acknowledge(acker: &Acker, options: BasicAckOptions) -> Result<(), AmqpError> {
    within(ACK_TIMEOUT, async {
        acker.ack(options).await?;
        Ok(())
    })
    .await
}

/// Puts a message back into its queue, or with `requeue` false among the dead letters.
///
/// # Errors
/// [`AmqpError`] when the connection is gone; the broker then delivers the message again.
pub(crate) async fn nack(acker: &Acker, requeue: bool) -> Result<(), AmqpError> {
    let options = BasicNackOptions {
        requeue,
        ..BasicNackOptions::default()
    };
    within(ACK_TIMEOUT, async {
        acker.nack(options).await?;
        Ok(())
    })
    .await
}

/// Awaits an answer of the broker for at most `limit`.
///
/// # Errors
/// The future's own error, or [`AmqpError::Timeout`].
pub(crate) async fn within<T>(
    limit: Duration,
    future: impl Future<Output = Result<T, AmqpError>>,
) -> Result<T, AmqpError> {
    tokio::time::timeout(limit, future)
        .await
        .unwrap_or(Err(AmqpError::Timeout(limit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_must_be_one() {
        assert!(Amqp::new("amqp://user:secret@127.0.0.1:5672/%2f").is_ok());
        for bad in ["", "127.0.0.1", "http://127.0.0.1"] {
            assert!(
                matches!(Amqp::new(bad), Err(AmqpError::Address(_))),
                "{bad}"
            );
        }
    }
}
