//! The websocket handshake. The upgraded connection is moved out of the HTTP server, whose state
//! per connection is several times as large as ours.

use std::net::IpAddr;
use std::sync::Arc;

use actix_codec::{Framed, FramedParts};
use actix_http::body::MessageBody;
use actix_http::ws::{self, HandshakeError};
use actix_http::{Request, h1};
use actix_web::http::header;
use actix_web::rt::net::TcpStream;
use actix_web::{HttpMessage, HttpResponse, ResponseError};
use telemetry::trace::{self, TraceContext};
use tokio::io::AsyncWriteExt;

use crate::Edge;
use crate::connection_limit::{ConnectionPermit, LimitReached};
use crate::handler;
use crate::http::{set_headers, trace_context};
use crate::problem::Problem;
use crate::wire;

const PATH: &str = "/ws2";
const ADDRESS_LIMIT_RETRY_S: u64 = 5;

/// Answers the upgrade request and serves the socket in a task of its own.
pub(crate) async fn upgrade(
    request: Request,
    framed: Framed<TcpStream, h1::Codec>,
    edge: Arc<Edge>,
) -> Result<(), actix_web::Error> {
    let FramedParts { io, read_buf, .. } = framed.into_parts();
    let mut stream = io;
    let context = trace_context(request.headers());
    let permit = match trace::scope(context, async { accept(&request, &edge) }).await {
        Ok(permit) => permit,
        Err(refusal) => {
            stream
                .write_all(&serialize_response(*refusal, &request, &edge, context))
                .await?;
            return Ok(stream.shutdown().await?);
        }
    };
    let response = ws::handshake_response(request.head()).finish();
    let response = HttpResponse::from(response.map_into_boxed_body());
    stream
        .write_all(&serialize_response(response, &request, &edge, context))
        .await?;
    let (writer, reader) = wire::split(stream, read_buf);
    // Spawned, so that the HTTP server releases the connection.
    actix_web::rt::spawn(async move {
        handler::serve(edge, writer, reader).await;
        drop(permit);
    });
    Ok(())
}

fn accept(request: &Request, edge: &Arc<Edge>) -> Result<ConnectionPermit, Box<HttpResponse>> {
    let refusal = |problem: Problem| Box::new(problem.error_response());
    if request.path() != PATH {
        return Err(refusal(Problem::NotFound));
    }
    // Browsers always send Origin; the native app does not.
    if let Some(origin) = request.headers().get(header::ORIGIN)
        && !edge.allows(origin)
    {
        return Err(refusal(Problem::ForeignOrigin));
    }
    ws::verify_handshake(request.head()).map_err(|error| match error {
        HandshakeError::GetMethodRequired => refusal(Problem::MethodNotAllowed),
        HandshakeError::NoWebsocketUpgrade
        | HandshakeError::NoConnectionUpgrade
        | HandshakeError::NoVersionHeader
        | HandshakeError::UnsupportedVersion
        | HandshakeError::BadWebsocketKey => Box::new(actix_http::Response::from(error).into()),
    })?;
    let network = edge
        .rate_limits
        .network(request.peer_addr(), request.headers());
    acquire_permit(edge, network).map_err(|problem| {
        metrics::counter!("edge_handshakes_refused_total").increment(1);
        refusal(problem)
    })
}

fn acquire_permit(edge: &Edge, network: IpAddr) -> Result<ConnectionPermit, Problem> {
    if edge.shutdown.is_cancelled() {
        return Err(Problem::Unavailable);
    }
    // Checked before the shared limit, so that one address cannot use it up.
    edge.rate_limits.check_handshake(network)?;
    edge.handshakes
        .check()
        .map_err(|_limited| Problem::Unavailable)?;
    edge.connection_limit
        .acquire(network)
        .map_err(|reached| match reached {
            LimitReached::Total => Problem::Unavailable,
            LimitReached::Address => Problem::RateLimited {
                wait_s: ADDRESS_LIMIT_RETRY_S,
            },
        })
}

fn serialize_response(
    mut response: HttpResponse,
    request: &Request,
    edge: &Edge,
    context: TraceContext,
) -> Vec<u8> {
    let origin = request.headers().get(header::ORIGIN);
    set_headers(response.headers_mut(), context, edge, origin);
    let status = response.status();
    let mut bytes = format!(
        "HTTP/1.1 {} {}\r\n",
        status.as_u16(),
        status.canonical_reason().unwrap_or_default()
    )
    .into_bytes();
    for (name, value) in response.headers() {
        for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
            bytes.extend_from_slice(part);
        }
    }
    let body = response.into_body().try_into_bytes().unwrap_or_default();
    if status == actix_web::http::StatusCode::SWITCHING_PROTOCOLS {
        bytes.extend_from_slice(b"connection: upgrade\r\n\r\n");
    } else {
        let length = body.len();
        let end = format!("content-length: {length}\r\nconnection: close\r\n\r\n");
        bytes.extend_from_slice(end.as_bytes());
        bytes.extend_from_slice(&body);
    }
    bytes
}
