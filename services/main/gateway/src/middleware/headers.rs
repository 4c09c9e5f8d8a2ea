//! Limits on the headers of requests, and the headers of every response: security, caching, trace.

use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::web;
use telemetry::trace::TraceContext;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::error::Reason;
use crate::origins::Origins;

/// Longest path with query.
const MAX_URI_BYTES: usize = 4 * 1024;
/// Names and values of all headers but Authorization, whose limit gives 401.
const MAX_HEADER_BYTES: usize = 16 * 1024;

pub(super) const TRACE_ID: HeaderName = HeaderName::from_static("x-trace-id");
const CONTENT_POLICY: HeaderName = header::CONTENT_SECURITY_POLICY;

/// The security headers; some depend on the configured origins.
#[derive(Clone, Debug)]
pub(crate) struct SecurityHeaders {
    origins: Origins,
    /// One for each origin, in their order.
    client_policies: Vec<HeaderValue>,
    docs_policy: HeaderValue,
    is_secure: bool,
}

impl SecurityHeaders {
    /// # Errors
    /// When the origins of `config` contradict each other, or one is no valid header value.
    pub(crate) fn new(config: &Config) -> anyhow::Result<Self> {
        let origins = Origins::new(config)?;
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

    fn client_policy(&self, request: &HeaderMap) -> Option<&HeaderValue> {
        let origin = self.origins.of_request(request);
        let index = self.origins.iter().position(|known| known == origin);
        self.client_policies.get(index?)
    }

    fn add(&self, path: &str, request: &HeaderMap, headers: &mut HeaderMap) {
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
            self.client_policy(request)
        };
        if let Some(policy) = policy {
            headers.insert(CONTENT_POLICY, policy.clone());
        }
        if self.is_secure {
            let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
            headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
        }
        // Files of the client set their own.
        if !headers.contains_key(header::CACHE_CONTROL) {
            let never = HeaderValue::from_static("private, no-store");
            headers.insert(header::CACHE_CONTROL, never);
            let callers = HeaderValue::from_static("Authorization, Cookie");
            headers.append(header::VARY, callers);
        }
    }
}

/// Sets the trace id and the security headers of a response to `path`.
pub(super) fn set_headers(
    headers: &mut HeaderMap,
    path: &str,
    request: &HeaderMap,
    context: TraceContext,
    security: Option<&SecurityHeaders>,
) {
    if let Ok(id) = context.trace_id().parse() {
        headers.insert(TRACE_ID, id);
    }
    if let Some(security) = security {
        security.add(path, request, headers);
    }
}

/// Tells the client to reconnect while the process shuts down; its successor takes that connection.
pub(super) fn close_during_shutdown(response: &mut ServiceResponse) {
    let shutdown = response
        .request()
        .app_data::<web::Data<CancellationToken>>();
    if shutdown.is_some_and(|shutdown| shutdown.is_cancelled()) {
        let head = response.response_mut().head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
}

/// Limits the length of the URI and the size of the headers.
pub(super) fn check_request_head(request: &ServiceRequest) -> Result<(), Reason> {
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
