//! Runs each request in its trace and records how long it took.

use std::sync::Arc;
use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, ResponseError, web};
use metrics::{Histogram, Label};
use telemetry::trace::{self, TraceContext};

use super::headers::{SecurityHeaders, check_request_head, close_during_shutdown, set_headers};
use crate::endpoint::RouteSpec;
use crate::error::ApiError;
use bootstrap::drain_body::{HoldBody, UnreadBody};

/// The outermost middleware: limits the head of a request and sets the headers of its response.
pub(crate) async fn trace_request<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, Error> {
    let started = Instant::now();
    let unread = UnreadBody::share(&mut request);
    let context = trace_context(request.headers());
    let handling = async {
        match check_request_head(&request) {
            Ok(()) => next
                .call(request)
                .await
                .map(ServiceResponse::map_into_boxed_body),
            Err(reason) => Ok(request.into_response(ApiError::from(reason).error_response())),
        }
    };
    trace::scope(context, async {
        let mut response = handling.await?;
        let request = response.request().clone();
        let security = request
            .app_data::<web::Data<SecurityHeaders>>()
            .map(|security| security.get_ref());
        let (path, headers) = (request.path(), request.headers());
        set_headers(response.headers_mut(), path, headers, context, security);
        close_during_shutdown(&mut response);
        record_request(&response, started);
        Ok(match unread {
            Some(unread) => {
                response.map_body(|_head, body| BoxBody::new(HoldBody::new(body, unread)))
            }
            None => response,
        })
    })
    .await
}

/// The trace of the `traceparent` header, or a new one.
pub(super) fn trace_context(headers: &HeaderMap) -> TraceContext {
    headers
        .get("traceparent")
        .and_then(|value| value.to_str().ok())
        .and_then(TraceContext::parse)
        .map_or_else(TraceContext::new_root, TraceContext::child)
}

fn record_request<B>(response: &ServiceResponse<B>, started: Instant) {
    let request = response.request();
    let extensions = request.extensions();
    let spec = extensions.get::<Arc<RouteSpec>>();
    let route = spec.map_or("", |spec| spec.path);
    let status = response.status();
    let method = request.method();
    let took = started.elapsed();
    match spec {
        Some(spec) if status == StatusCode::OK => {
            let served = spec.served.get_or_init(|| histogram(route, method, status));
            served.record(took.as_secs_f64());
        }
        Some(_) | None => histogram(route, method, status).record(took.as_secs_f64()),
    }
    let took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let method = method.as_str();
    if status.is_server_error() {
        tracing::warn!(
            method,
            route,
            status = status.as_u16(),
            took_ms,
            "request failed"
        );
    } else {
        tracing::debug!(
            method,
            route,
            status = status.as_u16(),
            took_ms,
            "request answered"
        );
    }
}

fn histogram(route: &'static str, method: &Method, status: StatusCode) -> Histogram {
    let labels = vec![
        Label::from_static_parts("route", route),
        Label::new("method", method.to_string()),
        Label::new("status", status.as_u16().to_string()),
    ];
    metrics::histogram!("http_request_seconds", labels)
}
