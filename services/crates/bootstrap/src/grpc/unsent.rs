//! Retries requests that a connection returned unsent. A server that shuts down sends GOAWAY;
//! requests given to the connection just afterwards never reached a handler, so even writes can be
//! retried on a new connection.

use std::error::Error;

use bytes::Bytes;
use http::Request;
use http::request::Parts;
use http_body_util::{BodyExt, Full};
use tonic::Status;
use tonic::body::Body;
use tonic::transport::Channel;
use tower::{Service, ServiceExt};

use super::client::BoxError;

/// In all: the next connection may be closing too.
const ATTEMPTS: u32 = 3;

/// `channel` must be ready.
pub(super) async fn call(
    mut channel: Channel,
    request: Request<Body>,
) -> Result<http::Response<Body>, BoxError> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map_err(whole)?.to_bytes();
    let mut tries = 1;
    loop {
        match channel.call(copy(&parts, &body)).await {
            Err(error) if tries < ATTEMPTS && is_unsent(&error) => {
                tries += 1;
                metrics::counter!("grpc_client_unsent_calls_total").increment(1);
                channel.ready().await?;
            }
            answer => return Ok(answer?),
        }
    }
}

fn copy(parts: &Parts, body: &Bytes) -> Request<Body> {
    let body = Body::new(Full::new(body.clone()));
    Request::from_parts(parts.clone(), body)
}

fn whole(status: Status) -> BoxError {
    status.into()
}

/// Whether the request cannot have reached a handler.
fn is_unsent(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        // Returned by a connection that closed before it accepted the request.
        if error
            .downcast_ref::<hyper::Error>()
            .is_some_and(hyper::Error::is_canceled)
        {
            return true;
        }
        if let Some(error) = error.downcast_ref::<h2::Error>() {
            let left_out = error.is_go_away() && error.is_remote();
            return error.reason() == Some(h2::Reason::REFUSED_STREAM)
                || (left_out && error.reason() == Some(h2::Reason::NO_ERROR));
        }
        next = error.source();
    }
    false
}
