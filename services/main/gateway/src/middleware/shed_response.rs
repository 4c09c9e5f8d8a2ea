//! A response that is rendered in advance except for its trace id: during an overload most requests
//! get the same one, and rendering it costs more than everything else about it.

use actix_http::Response;
use actix_web::ResponseError;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use telemetry::trace::{self, TraceContext};

use super::headers::{SecurityHeaders, TRACE_ID, set_headers};
use crate::error::{ApiError, Reason};

pub(super) struct ShedResponse {
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body_before_trace: Bytes,
    body_after_trace: Bytes,
}

impl ShedResponse {
    /// The problem of `reason` with the headers of every response.
    pub(super) fn new(reason: Reason, security: &SecurityHeaders) -> Self {
        let example = TraceContext::new_root();
        let mut response = trace::within(example, || ApiError::from(reason).error_response());
        let headers = response.headers_mut();
        set_headers(headers, "", &HeaderMap::new(), example, Some(security));
        headers.remove(TRACE_ID);
        let headers = response.headers().iter();
        let headers = headers
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let status = response.status();
        let body = response.into_body().try_into_bytes().unwrap_or_default();
        let (body_before_trace, body_after_trace) = split_around(&body, &example.trace_id());
        Self {
            status,
            headers,
            body_before_trace,
            body_after_trace,
        }
    }

    /// The response to the request of `context`.
    pub(super) fn with_trace(&self, context: TraceContext) -> Response<BoxBody> {
        let id = context.trace_id();
        let parts = [
            &self.body_before_trace,
            id.as_bytes(),
            &self.body_after_trace,
        ];
        let mut response = Response::with_body(self.status, BoxBody::new(parts.concat()));
        let headers = response.headers_mut();
        for (name, value) in &self.headers {
            headers.append(name.clone(), value.clone());
        }
        if let Ok(id) = id.try_into() {
            headers.append(TRACE_ID, id);
        }
        response
    }
}

fn split_around(text: &Bytes, id: &str) -> (Bytes, Bytes) {
    let found = text
        .windows(id.len())
        .position(|window| window == id.as_bytes());
    let start = found.unwrap_or(text.len());
    let end = text.len().min(start + id.len());
    (text.slice(..start), text.slice(end..))
}
