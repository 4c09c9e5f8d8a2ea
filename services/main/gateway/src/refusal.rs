//! An answer that is written in advance, but for the trace of the request: in an overload most
//! requests get the same one, and writing it anew costs more than everything else about it.

use actix_http::Response;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, ResponseError};
use bootstrap::trace::{self, TraceContext};

use crate::error::{ApiError, Reason};
use crate::headers::{self, SecurityHeaders};

/// The answer to a GET that is refused for one reason.
pub(crate) struct Refusal {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    before_trace: Bytes,
    after_trace: Bytes,
}

impl Refusal {
    /// What `reason` is answered with, with the headers of every answer.
    pub(crate) fn of(reason: Reason, security: &SecurityHeaders) -> Self {
        let example = TraceContext::new_root();
        let mut response = trace::within(example, || ApiError::from(reason).error_response());
        let headers = response.headers_mut();
        headers::dress(headers, "", &HeaderMap::new(), example, Some(security));
        response.headers_mut().remove(headers::TRACE_ID);
        let prepared = response.headers().iter();
        let headers = prepared
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let status = response.status();
        let (before_trace, after_trace) = around(&body(response), &example.trace_id());
        Self {
            status,
            headers,
            before_trace,
            after_trace,
        }
    }

    /// The answer to the request of `context`.
    pub(crate) fn answer(&self, context: TraceContext) -> Response<BoxBody> {
        let id = context.trace_id();
        let length = self.before_trace.len() + id.len() + self.after_trace.len();
        let mut body = Vec::with_capacity(length);
        for part in [&self.before_trace, id.as_bytes(), &self.after_trace] {
            body.extend_from_slice(part);
        }
        let mut response = Response::with_body(self.status, BoxBody::new(body));
        let answered = response.headers_mut();
        for (name, value) in &self.headers {
            answered.append(name.clone(), value.clone());
        }
        if let Ok(id) = id.try_into() {
            answered.append(headers::TRACE_ID, id);
        }
        response
    }
}

fn body(response: HttpResponse) -> Bytes {
    let body = response.into_body().try_into_bytes();
    body.unwrap_or_default()
}

/// What stands before and after `id`.
fn around(text: &Bytes, id: &str) -> (Bytes, Bytes) {
    let found = text
        .windows(id.len())
        .position(|window| window == id.as_bytes());
    let start = found.unwrap_or(text.len());
    let end = text.len().min(start + id.len());
    (text.slice(..start), text.slice(end..))
}
