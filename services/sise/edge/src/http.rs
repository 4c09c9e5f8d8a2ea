//! Plain HTTP on the public port: join and login of the sise backend.

use std::sync::Arc;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, HttpResponse, web};
use bootstrap::deadline::{self, Deadline};
use bootstrap::drain_body::{HoldBody, UnreadBody};
use proto::market::v1::SiseTokenRequest;
use serde::Serialize;
use std::time::Duration;
use telemetry::trace::{self, TraceContext};

use crate::Edge;
use crate::problem::Problem;
use crate::rate_limit;

const RPC_DEADLINE: Duration = Duration::from_secs(3);

pub(crate) fn routes(config: &mut web::ServiceConfig) {
    let only = |method: Method| web::method(method);
    config
        .service(
            web::resource("/ws2")
                .route(web::get().to(ws2))
                .default_service(web::to(method_not_allowed)),
        )
        .service(
            web::resource("/api/v1/auth/join")
                .route(only(Method::OPTIONS).to(preflight))
                .route(web::post().to(join))
                .default_service(web::to(method_not_allowed)),
        )
        .service(
            web::resource("/api/v1/auth/login")
                .route(only(Method::OPTIONS).to(preflight))
                .route(web::post().to(login))
                .default_service(web::to(method_not_allowed)),
        )
        .service(
            web::resource("/livez")
                .route(web::get().to(livez))
                .default_service(web::to(method_not_allowed)),
        )
        .default_service(web::to(not_found));
}

/// Sets the trace and the deadline of a call, and the common headers of its response.
pub(crate) async fn request_context(
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let context = trace_context(request.headers());
    let edge = request.app_data::<web::Data<Arc<Edge>>>().cloned();
    let origin = request.headers().get(header::ORIGIN).cloned();
    let unread = UnreadBody::share(&mut request);
    let call = deadline::scope(Deadline::within(RPC_DEADLINE), next.call(request));
    let mut response = trace::scope(context, call).await?;
    if let Some(edge) = edge {
        set_headers(response.headers_mut(), context, &edge, origin.as_ref());
    }
    Ok(match unread {
        Some(unread) => {
            response.map_body(|_head, response| BoxBody::new(HoldBody::new(response, unread)))
        }
        None => response,
    })
}

/// The caller's trace, or a new root.
pub(crate) fn trace_context(headers: &HeaderMap) -> TraceContext {
    headers
        .get("traceparent")
        .and_then(|value| value.to_str().ok())
        .and_then(TraceContext::parse)
        .map_or_else(TraceContext::new_root, TraceContext::child)
}

/// Sets the trace id, the cache and CORS headers.
pub(crate) fn set_headers(
    headers: &mut HeaderMap,
    context: TraceContext,
    edge: &Edge,
    origin: Option<&HeaderValue>,
) {
    if let Ok(trace_id) = HeaderValue::try_from(context.trace_id()) {
        headers.insert(header::HeaderName::from_static("x-trace-id"), trace_id);
    }
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(origin) = origin
        && edge.allows(origin)
    {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("x-trace-id, retry-after"),
        );
    }
}

/// Upgrade requests do not reach this handler; a plain GET is a bad request.
async fn ws2() -> HttpResponse {
    let response = HttpResponse::BadRequest().finish();
    std::future::ready(response).await
}

async fn join(
    request: HttpRequest,
    body: web::Payload,
    edge: web::Data<Arc<Edge>>,
) -> Result<HttpResponse, Problem> {
    let request = token_request(&request, body, &edge).await?;
    let member = edge.market.clone().register_sise_member(request).await?;
    Ok(HttpResponse::Ok().json(MemberJson {
        member_sid: member.get_ref().member_id,
    }))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberJson {
    member_sid: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TokenJson {
    member_sid: i64,
    token: String,
    expires_in: i64,
}

async fn login(
    request: HttpRequest,
    body: web::Payload,
    edge: web::Data<Arc<Edge>>,
) -> Result<HttpResponse, Problem> {
    let request = token_request(&request, body, &edge).await?;
    let token = edge.market.clone().issue_sise_token(request).await?;
    let token = token.into_inner();
    Ok(HttpResponse::Ok().json(TokenJson {
        member_sid: token.member_id,
        token: token.token,
        expires_in: token.expires_in_s,
    }))
}

async fn token_request(
    request: &HttpRequest,
    body: web::Payload,
    edge: &Edge,
) -> Result<SiseTokenRequest, Problem> {
    edge.rate_limits
        .check(request.peer_addr(), request.headers())?;
    rate_limit::discard_body(request.headers(), body).await?;
    Ok(SiseTokenRequest {
        main_access_token: bearer(request.headers())?,
    })
}

async fn preflight(
    request: HttpRequest,
    edge: web::Data<Arc<Edge>>,
) -> Result<HttpResponse, Problem> {
    let origin = request.headers().get(header::ORIGIN);
    let is_allowed = origin.is_some_and(|origin| edge.allows(origin));
    let response = if is_allowed {
        Ok(HttpResponse::NoContent()
            .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, "POST"))
            .insert_header((
                header::ACCESS_CONTROL_ALLOW_HEADERS,
                "authorization, content-type, traceparent, x-attempt",
            ))
            .insert_header((header::ACCESS_CONTROL_MAX_AGE, "600"))
            .finish())
    } else {
        Err(Problem::ForeignOrigin)
    };
    std::future::ready(response).await
}

async fn livez() -> HttpResponse {
    std::future::ready(HttpResponse::Ok().body("ok")).await
}

async fn not_found() -> Result<HttpResponse, Problem> {
    std::future::ready(Err(Problem::NotFound)).await
}

async fn method_not_allowed() -> Result<HttpResponse, Problem> {
    std::future::ready(Err(Problem::MethodNotAllowed)).await
}

/// The bearer token. More than one Authorization header is refused.
fn bearer(headers: &HeaderMap) -> Result<String, Problem> {
    const MAX_TOKEN_BYTES: usize = 8_192;
    let mut found = headers.get_all(header::AUTHORIZATION);
    let (Some(value), None) = (found.next(), found.next()) else {
        return Err(Problem::InvalidAuthentication);
    };
    value
        .to_str()
        .ok()
        .and_then(|text| text.strip_prefix("Bearer "))
        .filter(|token| !token.is_empty() && token.len() <= MAX_TOKEN_BYTES)
        .map(ToOwned::to_owned)
        .ok_or(Problem::InvalidAuthentication)
}
