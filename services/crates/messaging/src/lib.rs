//! Messaging over RabbitMQ: a transactional outbox, idempotent consumers, and the tick log.
//!
//! Reading order: [`amqp`] (connections), [`event`], [`outbox`] (publishing), [`consumer`] and
//! [`inbox`] (consuming once), [`redrive`] (dead letters), [`ticks`] (the tick log).

pub mod amqp;
pub mod backoff;
pub mod consumer;
pub mod event;
pub mod inbox;
pub mod outbox;
pub mod redrive;
pub mod ticks;

pub use amqp::{Amqp, AmqpError, DedicatedChannel};
pub use event::{Event, NewEvent};
