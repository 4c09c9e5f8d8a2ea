//! Shared by integration tests: addresses of the servers, unique names, a gRPC server on a free
//! port, a temporary tick stream, PostgreSQL and Redis database and folder, signed tokens, programs
//! as they run in production, and the tables that services have in common.
//!
//! Functions panic with a message when the environment is not as a test needs it.
#![expect(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test that cannot be set up must stop, and the servers of a test are named by the environment"
)]

mod bound;
mod database;
mod folder;
pub mod keys;
pub mod newer;
pub mod program;
mod redis;
pub mod schema;
mod stream;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};
use tokio_stream::wrappers::TcpListenerStream;
use tokio_stream::{Stream, StreamExt};
use tokio_util::sync::{CancellationToken, DropGuard, WaitForCancellationFutureOwned};
use tonic::service::Routes;
use tonic::transport::Server;

pub use bound::bound_statements;
pub use database::TempDatabase;
pub use folder::TempFolder;
pub use redis::TempRedis;
pub use stream::TempStream;

/// Timeout for a running server, generous for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(5);

#[must_use]
pub fn amqp_url() -> String {
    std::env::var("AMQP_URL").expect("AMQP_URL must name a RabbitMQ that tests may fill, for example amqp://user:password@127.0.0.1:5672/%2f")
}

#[must_use]
pub fn database_url(name: &str) -> String {
    let url = std::env::var("DATABASE_URL").expect("DATABASE_URL must name a PostgreSQL that tests may fill, for example postgres://user:password@127.0.0.1:5432/postgres");
    let (server, _database) = url
        .rsplit_once('/')
        .expect("DATABASE_URL ends with the name of a database");
    format!("{server}/{name}")
}

#[must_use]
pub fn redis_url() -> String {
    std::env::var("REDIS_URL").expect(
        "REDIS_URL must name a Redis that tests may fill, for example redis://127.0.0.1:6379/0",
    )
}

/// A unique name: `prefix-` and 32 hexadecimal digits.
#[must_use]
pub fn unique(prefix: &str) -> String {
    format!("{prefix}-{}", uuid::Uuid::new_v4().simple())
}

/// Stops when it is dropped.
pub struct Served {
    /// `http://127.0.0.1:<port>`.
    pub url: String,
    pub address: SocketAddr,
    _stop: DropGuard,
}

/// Serves `routes` on a free port of the loopback address.
pub async fn serve(routes: Routes) -> Served {
    let (served, connections, stopped) = open().await;
    tokio::spawn(async move {
        Server::builder()
            .add_routes(routes)
            .serve_with_incoming_shutdown(connections, stopped)
            .await
            .expect("the test server runs until it is stopped");
    });
    served
}

async fn open() -> (
    Served,
    impl Stream<Item = std::io::Result<TcpStream>>,
    WaitForCancellationFutureOwned,
) {
    let listener = TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a free port on the loopback address");
    let address = listener.local_addr().expect("the port that was bound");
    let stop = CancellationToken::new();
    let stopped = stop.clone().cancelled_owned();
    // As in the services: a small response must not wait for a delayed acknowledgement.
    let connections = TcpListenerStream::new(listener).map(|accepted| {
        accepted.inspect(|socket| {
            let _still_works_without = socket.set_nodelay(true);
        })
    });
    let served = Served {
        url: format!("http://{address}"),
        address,
        _stop: stop.drop_guard(),
    };
    (served, connections, stopped)
}

/// Polls every 20 ms until the condition is true.
///
/// # Panics
/// When it is still false after `timeout`.
pub async fn eventually(timeout: Duration, mut condition: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !condition().await {
        assert!(
            started.elapsed() < timeout,
            "the condition did not come true within {timeout:?}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
