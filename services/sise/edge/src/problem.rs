//! Errors of the HTTP routes, in the gateway's problem format.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header;
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use telemetry::trace;
use tonic::{Code, Status};

use crate::json;

/// `Display` is the message that the member reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The main access token has expired.
    AuthenticationExpired,
    /// There is no token, or it is not valid.
    InvalidAuthentication,
    /// The Origin header is not one of ours.
    ForeignOrigin,
    NotFound,
    MethodNotAllowed,
    RateLimited {
        /// Seconds until the next call is allowed.
        wait_s: u64,
    },
    PayloadTooLarge,
    RequestTimeout,
    /// A limit is reached, or a service does not response.
    Unavailable,
    Internal,
}

impl Problem {
    fn facts(self) -> (StatusCode, u16, &'static str, &'static str) {
        match self {
            Self::AuthenticationExpired => (
                StatusCode::UNAUTHORIZED,
                1203,
                "Authentication is expired",
                "로그인 시간이 지났어요.",
            ),
            Self::InvalidAuthentication => (
                StatusCode::UNAUTHORIZED,
                1205,
                "Authentication is invalid",
                "로그인이 필요해요.",
            ),
            Self::ForeignOrigin => (
                StatusCode::FORBIDDEN,
                9013,
                "FORBIDDEN_ORIGIN",
                "이 주소에서는 연결할 수 없어요.",
            ),
            Self::NotFound => (
                StatusCode::NOT_FOUND,
                9002,
                "NOT_FOUND",
                "찾을 수 없는 주소예요.",
            ),
            Self::MethodNotAllowed => (
                StatusCode::METHOD_NOT_ALLOWED,
                9003,
                "METHOD_NOT_ALLOWED",
                "지원하지 않는 요청이에요.",
            ),
            Self::RateLimited { .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                9006,
                "RATE_LIMITED",
                "요청이 너무 많아요. 잠시 뒤에 다시 해 주세요.",
            ),
            Self::PayloadTooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                9004,
                "PAYLOAD_TOO_LARGE",
                "보낸 내용이 너무 커요.",
            ),
            Self::RequestTimeout => (
                StatusCode::REQUEST_TIMEOUT,
                9012,
                "REQUEST_TIMEOUT",
                "요청이 끝까지 오지 않았어요.",
            ),
            Self::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                9007,
                "UNAVAILABLE",
                "지금은 연결이 어려워요. 잠시 뒤에 다시 해 주세요.",
            ),
            Self::Internal => (
                StatusCode::INTERNAL_SERVER_ERROR,
                9009,
                "INTERNAL",
                "문제가 생겼어요. 잠시 뒤에 다시 해 주세요.",
            ),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ProblemJson {
    code: u16,
    reason: &'static str,
    message: &'static str,
    trace_id: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, _, _, message) = self.facts();
        formatter.write_str(message)
    }
}

impl From<Status> for Problem {
    fn from(status: Status) -> Self {
        let reason = bootstrap::problem::of(&status).map(|problem| problem.reason);
        match status.code() {
            Code::Unauthenticated if reason.as_deref() == Some("Authentication is expired") => {
                Self::AuthenticationExpired
            }
            Code::Unauthenticated | Code::InvalidArgument => Self::InvalidAuthentication,
            Code::Unavailable
            | Code::DeadlineExceeded
            | Code::ResourceExhausted
            | Code::Cancelled => Self::Unavailable,
            Code::Ok
            | Code::Unknown
            | Code::NotFound
            | Code::AlreadyExists
            | Code::PermissionDenied
            | Code::FailedPrecondition
            | Code::Aborted
            | Code::OutOfRange
            | Code::Unimplemented
            | Code::Internal
            | Code::DataLoss => {
                tracing::error!(code = ?status.code(), "Call to market-data failed");
                Self::Internal
            }
        }
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        let (status, ..) = self.facts();
        status
    }

    fn error_response(&self) -> HttpResponse {
        let (status, code, reason, message) = self.facts();
        let trace_id = trace::current().map_or_else(String::new, |context| context.trace_id());
        let body = json::text(&ProblemJson {
            code,
            reason,
            message,
            trace_id,
        });
        let mut response = HttpResponse::build(status);
        response.content_type("application/problem+json");
        match *self {
            Self::Unavailable => {
                response.insert_header((header::RETRY_AFTER, "1"));
            }
            Self::RateLimited { wait_s } => {
                response.insert_header((header::RETRY_AFTER, wait_s));
            }
            // The connection cannot be reused: the unread rest of the body would be parsed as a
            // request.
            Self::PayloadTooLarge | Self::RequestTimeout => {
                response.force_close();
            }
            Self::AuthenticationExpired
            | Self::InvalidAuthentication
            | Self::ForeignOrigin
            | Self::NotFound
            | Self::MethodNotAllowed
            | Self::Internal => {}
        }
        response.body(body)
    }
}
