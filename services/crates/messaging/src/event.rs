//! Events in the outbox and as delivered.

use chrono::{DateTime, Utc};
use kernel::Clock;
use lapin::BasicProperties;
use lapin::types::{AMQPValue, FieldTable};
use prost::Message;
use prost::bytes::Bytes;
use proto::common::v1::Envelope;
use proto::convert::{InvalidField, micros, to_instant};
use uuid::Uuid;

use telemetry::trace::{self, TraceContext};

const TRACE_HEADER: &str = "traceparent";

/// An event to publish: a fact in the past tense.
#[derive(Clone, Debug)]
pub struct NewEvent {
    pub(crate) event_id: Uuid,
    pub(crate) event_type: &'static str,
    pub(crate) aggregate_id: String,
    pub(crate) body: Vec<u8>,
    pub(crate) traceparent: Option<String>,
    pub(crate) occurred_at: DateTime<Utc>,
}

impl NewEvent {
    /// An event of now in the current trace.
    ///
    /// `event_type` has the form `<service>.<noun>.<past verb>.v<n>`; events of one `aggregate_id`
    /// keep their order.
    #[must_use]
    pub fn new(
        event_type: &'static str,
        aggregate_id: String,
        body: &impl Message,
        clock: &dyn Clock,
    ) -> Self {
        Self {
            event_id: Uuid::now_v7(),
            event_type,
            aggregate_id,
            body: body.encode_to_vec(),
            traceparent: trace::current().map(|context| context.header()),
            occurred_at: clock.now(),
        }
    }

    /// Consumers deduplicate by this id.
    #[must_use]
    pub fn event_id(&self) -> Uuid {
        self.event_id
    }

    /// Moves the event to another trace: in a group commit, to that of its own request.
    #[must_use]
    pub fn in_trace(mut self, context: Option<TraceContext>) -> Self {
        self.traceparent = context.map(|context| context.header());
        self
    }

    /// The columns of the outbox row, for transactions that insert many rows in one statement. Call
    /// [`crate::outbox::wake`] after it.
    #[must_use]
    pub fn columns(&self) -> EventColumns<'_> {
        EventColumns {
            event_id: self.event_id,
            event_type: self.event_type,
            aggregate_id: &self.aggregate_id,
            body: &self.body,
            traceparent: self.traceparent.as_deref(),
            occurred_at: self.occurred_at,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventColumns<'a> {
    /// Consumers deduplicate by this id.
    pub event_id: Uuid,
    /// `<service>.<noun>.<past verb>.v<n>`.
    pub event_type: &'static str,
    /// The id of the row that the event is about.
    pub aggregate_id: &'a str,
    /// The encoded message.
    pub body: &'a [u8],
    pub traceparent: Option<&'a str>,
    pub occurred_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Equal for all deliveries of an event.
    pub event_id: Uuid,
    /// `<service>.<noun>.<past verb>.v<n>`.
    pub event_type: String,
    /// The id of the row that the event is about.
    pub aggregate_id: String,
    pub occurred_at: DateTime<Utc>,
    /// An encoded message of an `events.proto`.
    pub body: Bytes,
}

impl Event {
    /// # Errors
    /// [`InvalidEvent`] when the bytes are not an envelope or a field is out of range.
    pub fn decode(payload: &[u8]) -> Result<Self, InvalidEvent> {
        let envelope = Envelope::decode(payload)?;
        Ok(Self {
            event_id: envelope.event_id.parse()?,
            event_type: envelope.event_type,
            aggregate_id: envelope.aggregate_id,
            occurred_at: to_instant(envelope.occurred_at_us, "occurred_at_us")?,
            body: envelope.body.into(),
        })
    }
}

/// An undecodable message; a retry cannot help.
#[derive(Debug, thiserror::Error)]
pub enum InvalidEvent {
    #[error("not an envelope: {0}")]
    Envelope(#[from] prost::DecodeError),
    /// The event id is not a UUID.
    #[error("event id: {0}")]
    Id(#[from] uuid::Error),
    #[error(transparent)]
    Field(#[from] InvalidField),
}

/// A row of the outbox.
pub(crate) struct StoredEvent {
    pub(crate) id: i64,
    pub(crate) event_id: Uuid,
    pub(crate) event_type: String,
    pub(crate) aggregate_id: String,
    pub(crate) body: Vec<u8>,
    pub(crate) traceparent: Option<String>,
    pub(crate) occurred_at: DateTime<Utc>,
}

impl StoredEvent {
    pub(crate) fn payload(&self) -> Vec<u8> {
        Envelope {
            event_id: self.event_id.to_string(),
            event_type: self.event_type.clone(),
            aggregate_id: self.aggregate_id.clone(),
            occurred_at_us: micros(self.occurred_at),
            body: self.body.clone(),
        }
        .encode_to_vec()
    }

    /// Persistent, with the trace of the transaction that inserted the row.
    pub(crate) fn properties(&self) -> BasicProperties {
        let mut headers = FieldTable::default();
        if let Some(traceparent) = &self.traceparent {
            let value = AMQPValue::LongString(traceparent.as_str().into());
            headers.insert(TRACE_HEADER.into(), value);
        }
        BasicProperties::default()
            .with_delivery_mode(2)
            .with_content_type("application/protobuf".into())
            .with_message_id(self.event_id.to_string().into())
            .with_headers(headers)
    }
}

/// A child of the message's trace, or a new root.
pub(crate) fn trace_of(properties: &BasicProperties) -> TraceContext {
    properties
        .headers()
        .as_ref()
        .and_then(|headers| headers.inner().get(TRACE_HEADER))
        .and_then(AMQPValue::as_long_string)
        .and_then(|text| std::str::from_utf8(text.as_bytes()).ok())
        .and_then(TraceContext::parse)
        .map_or_else(TraceContext::new_root, TraceContext::child)
}
