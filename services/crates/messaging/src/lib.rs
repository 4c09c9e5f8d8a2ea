//! RabbitMQ as this product uses it: events that leave with the business transaction that made
//! them, consumers that survive repeats, and the tick log.
//!
//! Reading order: [`amqp`] (connections), [`event`] (what travels), [`outbox`] (how it leaves),
//! [`consumer`] and [`inbox`] (how it arrives once), [`redrive`] (how it comes back from the dead
//! letters), [`ticks`] (the log of prices). The W3C trace
//! context lives in [`trace`], because events carry it too.

pub mod amqp;
pub mod backoff;
pub mod consumer;
pub mod event;
pub mod inbox;
pub mod outbox;
pub mod redrive;
pub mod ticks;
pub mod trace;

pub use amqp::{Amqp, AmqpError, Link};
pub use event::{Event, NewEvent};
