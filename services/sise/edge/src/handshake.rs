//! How a socket begins: the websocket handshake. Of the HTTP server nothing stays behind it, for
//! what HTTP keeps for a connection is several times what a socket needs.

use std::net::IpAddr;
use std::sync::Arc;

use actix_codec::{Framed, FramedParts};
use actix_http::body::MessageBody;
use actix_http::ws::{self, HandshakeError};
use actix_http::{Request, h1};
use actix_web::http::header;
use actix_web::rt::net::TcpStream;
use actix_web::{HttpMessage, HttpResponse, ResponseError};
use bootstrap::trace::{self, TraceContext};
use tokio::io::AsyncWriteExt;

use crate::Edge;
use crate::handler;
use crate::http::{context_of, dress};
use crate::problem::Problem;
use crate::seats::{Full, Seat};
use crate::wire;

const PATH: &str = "/ws2";
/// When an address that has all of its sockets may try again.
const SEAT_WAIT_S: u64 = 5;

/// Takes over a connection whose client asks for another protocol.
pub(crate) async fn take_over(
    request: Request,
    framed: Framed<TcpStream, h1::Codec>,
    edge: Arc<Edge>,
) -> Result<(), actix_web::Error> {
    let FramedParts { io, read_buf, .. } = framed.into_parts();
    let mut stream = io;
    let context = context_of(request.headers());
    let seat = match trace::scope(context, async { admit(&request, &edge) }).await {
        Ok(seat) => seat,
        Err(refused) => {
            stream
                .write_all(&written(*refused, &request, &edge, context))
                .await?;
            return Ok(stream.shutdown().await?);
        }
    };
    let answer = ws::handshake_response(request.head()).finish();
    let answer = HttpResponse::from(answer.map_into_boxed_body());
    stream
        .write_all(&written(answer, &request, &edge, context))
        .await?;
    let (outgoing, incoming) = wire::socket(stream, read_buf);
    // A task of its own, so that the HTTP server lets go of the connection.
    actix_web::rt::spawn(async move {
        handler::serve(edge, outgoing, incoming).await;
        drop(seat);
    });
    Ok(())
}

fn admit(request: &Request, edge: &Arc<Edge>) -> Result<Seat, Box<HttpResponse>> {
    let refused = |problem: Problem| Box::new(problem.error_response());
    if request.path() != PATH {
        return Err(refused(Problem::NotFound));
    }
    // A native shell sends no Origin; a browser always does.
    if let Some(origin) = request.headers().get(header::ORIGIN)
        && !edge.allows(origin)
    {
        return Err(refused(Problem::ForeignOrigin));
    }
    ws::verify_handshake(request.head()).map_err(|error| match error {
        HandshakeError::GetMethodRequired => refused(Problem::MethodNotAllowed),
        HandshakeError::NoWebsocketUpgrade
        | HandshakeError::NoConnectionUpgrade
        | HandshakeError::NoVersionHeader
        | HandshakeError::UnsupportedVersion
        | HandshakeError::BadWebsocketKey => Box::new(actix_http::Response::from(error).into()),
    })?;
    let network = edge.callers.network(request.peer_addr(), request.headers());
    seat(edge, network).map_err(|problem| {
        metrics::counter!("edge_handshakes_refused_total").increment(1);
        refused(problem)
    })
}

fn seat(edge: &Edge, network: IpAddr) -> Result<Seat, Problem> {
    if edge.shutdown.is_cancelled() {
        return Err(Problem::Unavailable);
    }
    // First, so that an address that asks too often takes nothing from the others.
    edge.callers.check_handshake(network)?;
    edge.handshakes
        .check()
        .map_err(|_early| Problem::Unavailable)?;
    edge.seats.take(network).map_err(|full| match full {
        Full::All => Problem::Unavailable,
        Full::OfAddress => Problem::RateLimited {
            wait_s: SEAT_WAIT_S,
        },
    })
}

/// The bytes of an answer.
fn written(
    mut answer: HttpResponse,
    request: &Request,
    edge: &Edge,
    context: TraceContext,
) -> Vec<u8> {
    let origin = request.headers().get(header::ORIGIN);
    dress(answer.headers_mut(), context, edge, origin);
    let status = answer.status();
    let mut bytes = format!(
        "HTTP/1.1 {} {}\r\n",
        status.as_u16(),
        status.canonical_reason().unwrap_or_default()
    )
    .into_bytes();
    for (name, value) in answer.headers() {
        for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
            bytes.extend_from_slice(part);
        }
    }
    let body = answer.into_body().try_into_bytes().unwrap_or_default();
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
