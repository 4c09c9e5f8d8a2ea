//! gRPC between our own processes: both ends propagate the trace and the deadline, and a panic in a
//! handler becomes INTERNAL.

mod client;
mod panics;
mod server;
mod unsent;

use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Endpoint, Error, Server};
use tonic::{Response, Status};

pub use client::Client;
pub use server::ContextLayer;

/// The reply of a call.
pub type Reply<T> = Result<Response<T>, Status>;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(5);

/// Lazy connections to the service at `url`, one per calling thread. They connect on the first call
/// and reconnect after a failure, so processes may start in any order.
///
/// # Errors
/// [`Error`] when `url` is not a URL.
pub fn channel(url: &str) -> Result<Client, Error> {
    Ok(Client::new(endpoint(url)?))
}

/// As [`channel`], for many replies at a time that are streams and may be read slowly: `stream` bytes
/// of each wait in this process, and `connection` bytes of all that share a connection. A stream that
/// nobody reads holds up no other while `connection` has room for all.
///
/// # Errors
/// [`Error`] when `url` is not a URL.
pub fn streaming_channel(url: &str, stream: u32, connection: u32) -> Result<Client, Error> {
    let endpoint = endpoint(url)?
        .initial_stream_window_size(stream)
        .initial_connection_window_size(connection);
    Ok(Client::new(endpoint))
}

fn endpoint(url: &str) -> Result<Endpoint, Error> {
    let endpoint = Endpoint::from_shared(url.to_owned())?
        .connect_timeout(CONNECT_TIMEOUT)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(KEEPALIVE_INTERVAL)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT)
        .keep_alive_while_idle(true);
    Ok(endpoint)
}

/// Serves `routes` and gRPC health on `listener` until `shutdown`; calls in flight then have
/// `drain` to finish.
///
/// # Errors
/// [`Error`] of the transport.
pub async fn serve(
    listener: TcpListener,
    routes: Routes,
    shutdown: CancellationToken,
    drain: Duration,
) -> Result<(), Error> {
    let (health, health_service) = tonic_health::server::health_reporter();
    let serving = Server::builder()
        .layer(ContextLayer)
        .layer(panics::PanicLayer)
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .add_routes(routes.add_service(health_service))
        .serve_with_incoming_shutdown(
            // Otherwise a response of several packets waits 40 ms for the client's delayed
            // acknowledgement.
            TcpIncoming::from(listener).with_nodelay(Some(true)),
            shutdown.clone().cancelled_owned(),
        );
    let drained = async {
        shutdown.cancelled().await;
        health
            .set_service_status("", tonic_health::ServingStatus::NotServing)
            .await;
        tokio::time::sleep(drain).await;
    };
    tokio::select! {
        served = serving => served,
        () = drained => Ok(()),
    }
}
