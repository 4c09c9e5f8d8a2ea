//! Errors as clients see them: a [`Reason`] with its message and facts, rendered as
//! `application/problem+json`. Nothing internal (SQL, names of services, backtraces) is in the body.

mod reason;

use std::collections::BTreeMap;
use std::fmt;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpResponse, ResponseError};
use bootstrap::problem;
use prost::Message;
use proto::trading::v1 as trading;
use rust_decimal::Decimal;
use serde::Serialize;
use telemetry::trace;
use utoipa::ToSchema;

pub use reason::Reason;

use crate::routes::contract::contract_view::CancelInfo;
use crate::wire::number::Exact;
use crate::wire::order::Order;

/// The facts in which a service says how many seconds to wait.
const RETRY_AFTER_FACTS: [&str; 2] = ["retryAfterS", "retryAfter"];

/// The header of a response that is the stored reply of an earlier request.
pub(crate) const REPLAYED: &str = "Idempotent-Replayed";

/// The error body of every route.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Problem {
    /// The number to decide by.
    code: u32,
    /// UPPER_SNAKE, or one of the three sentences about authentication.
    reason: String,
    /// A Korean sentence for the member.
    message: String,
    /// 32 hexadecimal digits that find the call in the logs.
    trace_id: String,
    /// What each field of a malformed request did wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    fields: Vec<FieldProblem>,
    /// The figures of the refused rule.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false, value_type = std::collections::HashMap<String, Value>)]
    facts: BTreeMap<String, Fact>,
    /// Of 3015, 3019 and 3023: the order as it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    order: Option<Box<Order>>,
    /// Of 3051: what closing the contract pays now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    cancel_info: Option<Box<CancelInfo>>,
}

/// A field that made a request malformed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct FieldProblem {
    /// Name of the field, or `body`, `query`, `path`.
    pub(crate) field: String,
    /// A Korean sentence.
    pub(crate) message: String,
}

/// A figure of a refused rule: a number when it is one, else text.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Fact {
    Number(Exact),
    Text(String),
}

#[derive(Clone, Debug)]
pub struct ApiError {
    reason: Reason,
    message: Option<String>,
    fields: Vec<FieldProblem>,
    facts: BTreeMap<String, Fact>,
    retry_after_s: Option<u64>,
    order: Option<Box<Order>>,
    cancel_info: Option<Box<CancelInfo>>,
    is_replayed: bool,
}

impl ApiError {
    /// `MALFORMED` because of `field`; `message` is Korean.
    #[must_use]
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        let mut error = Self::from(Reason::Malformed);
        error.fields.push(FieldProblem {
            field: field.into(),
            message: message.into(),
        });
        error
    }

    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Sets the `Retry-After` of 429 and 503.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    fn body(&self) -> Problem {
        Problem {
            code: self.reason.code(),
            reason: self.reason.as_str().to_owned(),
            message: self
                .message
                .clone()
                .unwrap_or_else(|| self.reason.sentence().to_owned()),
            trace_id: trace::current()
                .map(|trace| trace.trace_id())
                .unwrap_or_default(),
            fields: self.fields.clone(),
            facts: self.facts.clone(),
            order: self.order.clone(),
            cancel_info: self.cancel_info.clone(),
        }
    }
}

impl From<Reason> for ApiError {
    fn from(reason: Reason) -> Self {
        Self {
            reason,
            message: None,
            fields: Vec::new(),
            facts: BTreeMap::new(),
            retry_after_s: None,
            order: None,
            cancel_info: None,
            is_replayed: false,
        }
    }
}

impl From<tonic::Status> for ApiError {
    /// Keeps the reason, message and facts of a problem whose reason is in the table; any other status
    /// is only as precise as its gRPC code.
    fn from(status: tonic::Status) -> Self {
        let Some(problem) = problem::of(&status) else {
            return Self::from(reason_of_code(&status));
        };
        let Some(reason) = Reason::parse(&problem.reason) else {
            tracing::error!(reason = problem.reason, "unknown reason from a service");
            return Self::from(reason_of_code(&status));
        };
        let mut error = Self::from(reason);
        error.message = Some(problem.message).filter(|message| !message.is_empty());
        error.retry_after_s = RETRY_AFTER_FACTS
            .iter()
            .find_map(|name| problem.facts.get(*name))
            .and_then(|seconds| seconds.parse().ok());
        error.facts = problem
            .facts
            .into_iter()
            .map(|(name, value)| (name, Fact::from(value)))
            .collect();
        error.order = order_in(reason, &problem.subject);
        error.cancel_info = cancel_info_in(reason, &problem.subject);
        error.is_replayed = problem.replayed;
        error
    }
}

impl From<proto::convert::InvalidField> for ApiError {
    fn from(error: proto::convert::InvalidField) -> Self {
        tracing::error!(%error, "invalid response from a service");
        Self::from(Reason::Internal)
    }
}

impl From<String> for Fact {
    /// `"71300"` is a number; `"005930"`, a code, is not.
    fn from(text: String) -> Self {
        match Decimal::from_str_exact(&text) {
            Ok(number) if number.to_string() == text && Exact::fits(number) => {
                Self::Number(Exact(number))
            }
            _ => Self::Text(text),
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.reason.code(), self.reason.as_str())
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.reason.status()
    }

    fn error_response(&self) -> HttpResponse {
        let status = self.status_code();
        let mut response = HttpResponse::build(status);
        response.insert_header((header::CONTENT_TYPE, "application/problem+json"));
        let must_wait = matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        );
        if must_wait {
            response.insert_header((header::RETRY_AFTER, self.retry_after_s.unwrap_or(1)));
        }
        if self.is_replayed {
            response.insert_header((REPLAYED, "true"));
        }
        if status == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        // The unread rest of the body would be parsed as the next request.
        if matches!(
            status,
            StatusCode::PAYLOAD_TOO_LARGE | StatusCode::REQUEST_TIMEOUT
        ) {
            response.force_close();
        }
        let body = serde_json::to_string(&self.body()).unwrap_or_default();
        response.body(body)
    }
}

/// The order that a conflict is about; replies stored by older releases have none.
fn order_in(reason: Reason, subject: &[u8]) -> Option<Box<Order>> {
    let is_about_order = matches!(
        reason,
        Reason::OrderAlreadyFilled | Reason::OrderState | Reason::OrderChanged
    );
    if !is_about_order || subject.is_empty() {
        return None;
    }
    let order = trading::Order::decode(subject).map_err(|error| error.to_string());
    let order = order.and_then(|order| Order::try_from(order).map_err(|error| error.to_string()));
    order
        .inspect_err(|error| tracing::error!(error, "invalid order in a problem of trading"))
        .ok()
        .map(Box::new)
}

/// What closing a contract pays, after it has changed.
fn cancel_info_in(reason: Reason, subject: &[u8]) -> Option<Box<CancelInfo>> {
    if reason != Reason::PayoutChanged {
        return None;
    }
    let info = trading::CancelInfo::decode(subject).map_err(|error| error.to_string());
    let info = info.and_then(|info| CancelInfo::try_from(info).map_err(|error| error.to_string()));
    info.inspect_err(|error| tracing::error!(error, "invalid payout in a problem of trading"))
        .ok()
        .map(Box::new)
}

fn reason_of_code(status: &tonic::Status) -> Reason {
    use tonic::Code;
    match status.code() {
        Code::InvalidArgument | Code::OutOfRange => Reason::Malformed,
        Code::NotFound => Reason::NotFound,
        Code::Unauthenticated => Reason::InvalidAuthentication,
        Code::PermissionDenied => Reason::ForbiddenMember,
        Code::ResourceExhausted => Reason::RateLimited,
        Code::Unavailable => Reason::Unavailable,
        Code::DeadlineExceeded | Code::Cancelled => Reason::Deadline,
        Code::Ok
        | Code::Unknown
        | Code::AlreadyExists
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::Unimplemented
        | Code::Internal
        | Code::DataLoss => {
            tracing::error!(code = ?status.code(), message = status.message(), "a service failed");
            Reason::Internal
        }
    }
}
