//! What surrounds every request: its trace, the limits on its head, and the headers that keep
//! browsers and caches from doing more with an answer than they should.

use std::sync::Arc;
use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, ResponseError, web};
use bootstrap::trace::{self, TraceContext};
use bootstrap::unread::{Holding, Unread};
use metrics::{Histogram, Label};
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::error::{ApiError, Reason};
use crate::origins::Origins;
use crate::registry::Declared;

/// Longest path with query.
const MAX_URI_BYTES: usize = 4 * 1024;
/// Names and values of all headers but Authorization, which has a limit and an answer of its own.
const MAX_HEADER_BYTES: usize = 16 * 1024;

/// Names the trace of an answer.
pub(crate) const TRACE_ID: HeaderName = HeaderName::from_static("x-trace-id");
const CONTENT_POLICY: HeaderName = header::CONTENT_SECURITY_POLICY;

/// The headers of every answer; some depend on the installation.
#[derive(Clone, Debug)]
pub(crate) struct SecurityHeaders {
    origins: Origins,
    /// One for each origin, in their order.
    client_policies: Vec<HeaderValue>,
    docs_policy: HeaderValue,
    is_secure: bool,
}

impl SecurityHeaders {
    /// For the origins of `config`.
    ///
    /// # Errors
    /// When the origins do not go together, or one cannot stand in a header.
    pub(crate) fn new(config: &Config) -> anyhow::Result<Self> {
        let origins = Origins::of(config)?;
        let shared = "default-src 'self'; object-src 'none'; base-uri 'none'; \
            frame-ancestors 'none'; form-action 'self'; img-src 'self' data: blob:; \
            style-src 'self' 'unsafe-inline'; script-src 'self'";
        let policies = origins.iter().map(|origin| {
            let live = origin.live_sources();
            format!("{shared}; connect-src 'self' {live}").parse()
        });
        Ok(Self {
            client_policies: policies.collect::<Result<_, _>>()?,
            docs_policy: format!("{shared}; connect-src 'self'").parse()?,
            is_secure: config.is_secure(),
            origins,
        })
    }

    /// The policy of a page that was asked for with `asked`.
    fn client_policy(&self, asked: &HeaderMap) -> Option<&HeaderValue> {
        let origin = self.origins.asked(asked);
        let place = self.origins.iter().position(|known| known == origin);
        self.client_policies.get(place?)
    }

    /// Adds what every answer to `path` carries.
    fn add(&self, path: &str, asked: &HeaderMap, headers: &mut HeaderMap) {
        let fixed = [
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (
                header::PERMISSIONS_POLICY,
                "camera=(), geolocation=(), microphone=(), payment=()",
            ),
            (header::CROSS_ORIGIN_OPENER_POLICY, "same-origin"),
            (header::CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
        ];
        for (name, value) in fixed {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let policy = if path.starts_with("/docs") {
            Some(&self.docs_policy)
        } else {
            self.client_policy(asked)
        };
        if let Some(policy) = policy {
            headers.insert(CONTENT_POLICY, policy.clone());
        }
        if self.is_secure {
            let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
            headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
        }
        // The files of the client say themselves how long they are good for.
        if !headers.contains_key(header::CACHE_CONTROL) {
            let never = HeaderValue::from_static("private, no-store");
            headers.insert(header::CACHE_CONTROL, never);
            let callers = HeaderValue::from_static("Authorization, Cookie");
            headers.append(header::VARY, callers);
        }
    }
}

/// Runs the rest under the request's trace and dresses the answer.
pub(crate) async fn around<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, Error> {
    let started = Instant::now();
    let unread = Unread::share(&mut request);
    let context = trace_of(request.headers());
    let passing = async {
        match check_head(&request) {
            Ok(()) => next
                .call(request)
                .await
                .map(ServiceResponse::map_into_boxed_body),
            Err(reason) => Ok(request.into_response(ApiError::from(reason).error_response())),
        }
    };
    trace::scope(context, async {
        let mut response = passing.await?;
        let answered = response.request().clone();
        let security = answered
            .app_data::<web::Data<SecurityHeaders>>()
            .map(|security| security.get_ref());
        let (path, asked) = (answered.path(), answered.headers());
        dress(response.headers_mut(), path, asked, context, security);
        part(&mut response);
        note(&response, started);
        Ok(match unread {
            Some(unread) => {
                response.map_body(|_head, answer| BoxBody::new(Holding::new(answer, unread)))
            }
            None => response,
        })
    })
    .await
}

/// Adds what every answer to `path`, asked for with the headers `asked`, carries, and names its
/// trace.
pub(crate) fn dress(
    headers: &mut HeaderMap,
    path: &str,
    asked: &HeaderMap,
    context: TraceContext,
    security: Option<&SecurityHeaders>,
) {
    if let Ok(id) = context.trace_id().parse() {
        headers.insert(TRACE_ID, id);
    }
    if let Some(security) = security {
        security.add(path, asked, headers);
    }
}

/// A process that ends keeps no connection for a next request: whoever has one is told to make
/// another, which the successor takes.
fn part(response: &mut ServiceResponse) {
    let ends = response
        .request()
        .app_data::<web::Data<CancellationToken>>();
    if ends.is_some_and(|ends| ends.is_cancelled()) {
        let head = response.response_mut().head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
}

/// The trace that a request goes on with, or begins.
pub(crate) fn trace_of(headers: &HeaderMap) -> TraceContext {
    headers
        .get("traceparent")
        .and_then(|value| value.to_str().ok())
        .and_then(TraceContext::parse)
        .map_or_else(TraceContext::new_root, TraceContext::child)
}

fn check_head(request: &ServiceRequest) -> Result<(), Reason> {
    let uri = request.uri().path_and_query();
    if uri.is_some_and(|uri| uri.as_str().len() > MAX_URI_BYTES) {
        return Err(Reason::UriTooLong);
    }
    let bytes: usize = request
        .headers()
        .iter()
        .filter(|(name, _)| *name != header::AUTHORIZATION)
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    if bytes > MAX_HEADER_BYTES {
        return Err(Reason::HeadersTooLarge);
    }
    Ok(())
}

fn note<B>(response: &ServiceResponse<B>, started: Instant) {
    let request = response.request();
    let extensions = request.extensions();
    let declared = extensions.get::<Arc<Declared>>();
    let route = declared.map_or("", |declared| declared.path);
    let status = response.status();
    let method = request.method();
    let took = started.elapsed();
    match declared {
        Some(declared) if status == StatusCode::OK => {
            let served = declared.served.get_or_init(|| times(route, method, status));
            served.record(took.as_secs_f64());
        }
        Some(_) | None => times(route, method, status).record(took.as_secs_f64()),
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

fn times(route: &'static str, method: &Method, status: StatusCode) -> Histogram {
    let labels = vec![
        Label::from_static_parts("route", route),
        Label::new("method", method.to_string()),
        Label::new("status", status.as_u16().to_string()),
    ];
    metrics::histogram!("http_request_seconds", labels)
}
