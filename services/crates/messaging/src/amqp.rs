//! Connections to RabbitMQ.
//!
//! Each relay, consumer, publisher and reader has its own connection, so that an error affects no
//! other. Channels are not repaired: after any error the [`DedicatedChannel`] is dropped and a new
//! one is opened.

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use lapin::options::{BasicAckOptions, BasicNackOptions};
use lapin::uri::AMQPUri;
use lapin::{Acker, Channel, Connection, ConnectionProperties};
use tokio::sync::{Mutex, Semaphore};

use crate::backoff::Backoff;

/// Topic exchange of all events; the routing key is the event type.
pub const EVENTS_EXCHANGE: &str = "seedup.events";
/// Exchange and queue of messages that failed every delivery.
pub const DEAD_LETTERS: &str = "seedup.dead";

/// The connection is closed after two missed heartbeats.
const HEARTBEAT_S: u16 = 10;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// For a request and its response, such as a declaration.
pub(crate) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);
/// For passing an acknowledgement to the connection. If the connection ends at that instant, lapin
/// never returns.
const ACK_TIMEOUT: Duration = Duration::from_secs(1);
const CHECK_TIMEOUT: Duration = Duration::from_secs(1);
pub(crate) const MIN_BACKOFF: Duration = Duration::from_millis(100);
/// Bounds the delay after an outage of any length.
pub(crate) const MAX_BACKOFF: Duration = Duration::from_secs(2);

#[derive(Debug, thiserror::Error)]
pub enum AmqpError {
    /// The URL is not an AMQP URL.
    #[error("AMQP address: {0}")]
    Address(String),
    /// The broker reported an error, or the connection broke.
    #[error("AMQP: {0}")]
    Broker(#[from] lapin::Error),
    /// The broker did not answer in time.
    #[error("AMQP: no answer within {0:?}")]
    Timeout(Duration),
    /// The broker closed the channel, or the connection ended, without a pending request.
    #[error("AMQP: the channel was closed")]
    Closed,
}

/// Cheap to clone.
#[derive(Clone)]
pub struct Amqp {
    uri: Arc<AMQPUri>,
    // Used by `check` only.
    check_connection: Arc<Mutex<Option<Connection>>>,
    /// The handlers that consumers of this and its clones may run at once.
    pub(crate) handlers: Arc<Semaphore>,
}

impl Amqp {
    /// `url` is for example `amqp://user:password@127.0.0.1:5672/%2f`. Connects lazily. Heartbeats
    /// are 10 s apart unless the URL ends with `?heartbeat=<s>`.
    ///
    /// # Errors
    /// [`AmqpError::Address`] when `url` is not an AMQP URL.
    pub fn new(url: &str) -> Result<Self, AmqpError> {
        let mut uri: AMQPUri = url.parse().map_err(AmqpError::Address)?;
        uri.query.heartbeat.get_or_insert(HEARTBEAT_S);
        Ok(Self {
            uri: Arc::new(uri),
            check_connection: Arc::default(),
            handlers: Arc::new(Semaphore::new(Semaphore::MAX_PERMITS)),
        })
    }

    /// For consumers whose handlers share a pool of `connections` with requests: however many queues
    /// are busy, their handlers together leave one. A request would otherwise wait behind handlers
    /// that wait for locks.
    #[must_use]
    pub fn with_pool_of(mut self, connections: u32) -> Self {
        let handlers = usize::try_from(connections.saturating_sub(1));
        let handlers = handlers.unwrap_or(Semaphore::MAX_PERMITS);
        let handlers = handlers.clamp(1, Semaphore::MAX_PERMITS);
        self.handlers = Arc::new(Semaphore::new(handlers));
        self
    }

    /// Opens a connection with one channel, retrying until the broker is available.
    pub async fn channel(&self) -> DedicatedChannel {
        let mut backoff = Backoff::new(MIN_BACKOFF, MAX_BACKOFF);
        loop {
            match self.try_channel().await {
                Ok(channel) => return channel,
                Err(error) => {
                    metrics::counter!("amqp_connect_errors_total").increment(1);
                    tracing::warn!(%error, "Broker unreachable, retrying");
                    backoff.wait().await;
                }
            }
        }
    }

    /// Opens a connection with one channel, without retries.
    ///
    /// # Errors
    /// [`AmqpError`] when the broker refuses or does not answer within five seconds.
    pub async fn try_channel(&self) -> Result<DedicatedChannel, AmqpError> {
        let open = async {
            let connection = self.connect().await?;
            let channel = connection.create_channel().await?;
            Ok(DedicatedChannel {
                channel,
                _connection: connection,
            })
        };
        with_timeout(CONNECT_TIMEOUT, open).await
    }

    /// [`Amqp::check`] as a readiness check of `bootstrap`.
    pub fn probe(&self) -> impl Fn() -> BoxFuture<'static, Result<(), AmqpError>> + use<> {
        let amqp = self.clone();
        move || {
            let amqp = amqp.clone();
            Box::pin(async move { amqp.check().await })
        }
    }

    /// The readiness check. Uses a connection of its own.
    ///
    /// # Errors
    /// [`AmqpError`] when the broker refuses or does not answer within a second.
    pub async fn check(&self) -> Result<(), AmqpError> {
        let mut check_connection = self.check_connection.lock().await;
        let opened = async {
            if let Some(connection) = check_connection.take()
                && connection.status().connected()
            {
                let channel = connection.create_channel().await?;
                channel.close(200, "OK".into()).await?;
                return Ok(connection);
            }
            self.connect().await
        };
        *check_connection = Some(with_timeout(CHECK_TIMEOUT, opened).await?);
        Ok(())
    }

    async fn connect(&self) -> Result<Connection, AmqpError> {
        let uri = AMQPUri::clone(&self.uri);
        Ok(Connection::connect_uri(uri, ConnectionProperties::default()).await?)
    }
}

/// A channel and the connection that belongs to it alone. Dropping it closes both.
pub struct DedicatedChannel {
    channel: Channel,
    _connection: Connection,
}

impl DedicatedChannel {
    /// Whether the channel is usable.
    ///
    /// # Errors
    /// [`AmqpError::Closed`] when it is not.
    pub(crate) fn check_open(&self) -> Result<(), AmqpError> {
        if self.channel.status().connected() {
            Ok(())
        } else {
            Err(AmqpError::Closed)
        }
    }
}

impl Deref for DedicatedChannel {
    type Target = Channel;

    fn deref(&self) -> &Channel {
        &self.channel
    }
}

/// Acknowledges a message.
///
/// # Errors
/// [`AmqpError`] when the connection is closed; the broker then redelivers the message.
pub(crate) async fn ack(acker: &Acker) -> Result<(), AmqpError> {
    acknowledge(acker, BasicAckOptions::default()).await
}

/// Acknowledges a message and all before it on its channel.
///
/// # Errors
/// [`AmqpError`] when the connection is closed; the broker then redelivers the message.
pub(crate) async fn ack_up_to(acker: &Acker) -> Result<(), AmqpError> {
    acknowledge(acker, BasicAckOptions { multiple: true }).await
}

async fn acknowledge(acker: &Acker, options: BasicAckOptions) -> Result<(), AmqpError> {
    with_timeout(ACK_TIMEOUT, async {
        acker.ack(options).await?;
        Ok(())
    })
    .await
}

/// Requeues a message, or with `requeue` false dead-letters it.
///
/// # Errors
/// [`AmqpError`] when the connection is closed; the broker then redelivers the message.
pub(crate) async fn nack(acker: &Acker, requeue: bool) -> Result<(), AmqpError> {
    let options = BasicNackOptions {
        requeue,
        ..BasicNackOptions::default()
    };
    with_timeout(ACK_TIMEOUT, async {
        acker.nack(options).await?;
        Ok(())
    })
    .await
}

/// Awaits a response of the broker for at most `limit`.
///
/// # Errors
/// The future's own error, or [`AmqpError::Timeout`].
pub(crate) async fn with_timeout<T>(
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

    #[test]
    fn handlers_leave_a_connection_where_there_are_two() {
        for (connections, handlers) in [(0, 1), (1, 1), (2, 1), (4, 3), (10, 9)] {
            let amqp = Amqp::new("amqp://user:secret@127.0.0.1:5672/%2f");
            let amqp = amqp.map(|amqp| amqp.with_pool_of(connections));
            let most = amqp.map(|amqp| amqp.handlers.available_permits());
            assert!(
                matches!(most, Ok(most) if most == handlers),
                "{connections}"
            );
        }
    }
}
