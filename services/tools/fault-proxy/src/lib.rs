//! A TCP proxy for tests whose faults can be changed while connections are open. It is placed
//! before PostgreSQL, Redis, RabbitMQ or a service, transparently for both sides.

mod pipe;

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{broadcast, watch};
use tokio::task::{JoinHandle, JoinSet};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionFaults {
    /// Each chunk is delayed by this time.
    pub latency: Duration,
    /// One chunk in this many is lost. As with TCP it is retransmitted after a timeout, and
    /// everything behind it waits.
    pub one_lost_in: Option<NonZeroU32>,
    pub bytes_per_second: Option<NonZeroU32>,
    /// Nothing passes and no error is reported: data waits until the fault is over, and even the
    /// end of a connection is not forwarded.
    pub is_silent: bool,
}

impl DirectionFaults {
    /// A direction with a latency.
    #[must_use]
    pub fn slow(latency: Duration) -> Self {
        Self {
            latency,
            ..Self::default()
        }
    }

    /// A direction that forwards nothing.
    #[must_use]
    pub fn silent() -> Self {
        Self {
            is_silent: true,
            ..Self::default()
        }
    }
}

/// The current faults. The default is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    pub to_server: DirectionFaults,
    pub to_client: DirectionFaults,
    /// New connections are reset at once.
    pub refuses_connections: bool,
}

impl Faults {
    /// The same faults in both directions.
    #[must_use]
    pub fn both(faults: DirectionFaults) -> Self {
        Self {
            to_server: faults,
            to_client: faults,
            refuses_connections: false,
        }
    }
}

/// The faults, and how often all connections were reset or abandoned.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    faults: Faults,
    resets: u64,
    abandons: u64,
}

/// Counters over all connections.
#[derive(Debug, Default)]
struct Counters {
    connections: AtomicU64,
    chunks: AtomicU32,
}

/// Injected messages that a busy pipe may have pending.
const INJECT_QUEUE_LENGTH: usize = 16;

/// A proxy before one server. Dropping it closes its port and all its connections.
pub struct FaultProxy {
    address: SocketAddr,
    state: watch::Sender<State>,
    injected: broadcast::Sender<Vec<u8>>,
    counters: Arc<Counters>,
    accepting: JoinHandle<()>,
}

/// The proxy's state as seen by a connection.
#[derive(Clone)]
struct Shared {
    state: watch::Receiver<State>,
    injected: broadcast::Sender<Vec<u8>>,
    counters: Arc<Counters>,
}

impl FaultProxy {
    /// Listens on a free loopback port and forwards to `server`, for example `127.0.0.1:5432`.
    ///
    /// # Errors
    /// [`io::Error`] when no port is available.
    pub async fn for_server(server: &str) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (state, receiver) = watch::channel(State::default());
        let (injected, _no_receiver) = broadcast::channel(INJECT_QUEUE_LENGTH);
        let counters = Arc::<Counters>::default();
        let shared = Shared {
            state: receiver,
            injected: injected.clone(),
            counters: Arc::clone(&counters),
        };
        let accepting = tokio::spawn(accept(listener, server.to_owned(), shared));
        Ok(Self {
            address,
            state,
            injected,
            counters,
            accepting,
        })
    }

    /// As [`for_server`](Self::for_server), for the host and port in `url`; also returns the URL with the
    /// proxy's address.
    ///
    /// # Errors
    /// [`io::Error`] when no port is available, or `url` names no server.
    pub async fn for_url(url: &str) -> io::Result<(Self, String)> {
        let unnamed = || io::Error::new(io::ErrorKind::InvalidInput, "no server in the address");
        let (_, named) = url.split_once("://").ok_or_else(unnamed)?;
        let (authority, _) = named.split_once('/').unwrap_or((named, ""));
        let (_, server) = authority.rsplit_once('@').unwrap_or(("", authority));
        let proxy = Self::for_server(server).await?;
        let through = url.replacen(server, &proxy.address().to_string(), 1);
        Ok((proxy, through))
    }

    /// The address to connect to instead of the server's.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sets the faults, also for open connections.
    pub fn set(&self, faults: Faults) {
        self.state.send_modify(|state| state.faults = faults);
    }

    /// Removes all faults; data that waited in a silent direction passes.
    pub fn clear(&self) {
        self.set(Faults::default());
    }

    /// Resets every open connection on both sides. New connections are accepted.
    pub fn reset(&self) {
        self.state
            .send_modify(|state| state.resets = state.resets.wrapping_add(1));
    }

    /// Leaves every open connection half open, as after a router has lost its state: nothing passes
    /// any more, and neither side is notified. New connections are accepted.
    pub fn abandon(&self) {
        self.state
            .send_modify(|state| state.abandons = state.abandons.wrapping_add(1));
    }

    /// Injects bytes into every open connection, towards the server, between two chunks of its
    /// client. The connections should be idle, or the bytes may split a message.
    pub fn inject(&self, bytes: &[u8]) {
        // Fails only without a connection.
        let _receivers = self.injected.send(bytes.to_vec());
    }

    /// Connections so far, including refused ones.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.counters.connections.load(Ordering::Relaxed)
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, server: String, shared: Shared) {
    // Dropping the set ends the connections together with the proxy.
    let mut open = JoinSet::new();
    loop {
        while open.try_join_next().is_some() {}
        let Ok((client, _from)) = listener.accept().await else {
            continue;
        };
        shared.counters.connections.fetch_add(1, Ordering::Relaxed);
        // Earlier resets and abandons do not concern this connection.
        let before = *shared.state.borrow();
        let shared = shared.clone();
        let server = server.clone();
        open.spawn(async move {
            if before.faults.refuses_connections {
                let _closed = client.set_zero_linger();
                return;
            }
            let Ok(upstream) = TcpStream::connect(&server).await else {
                let _closed = client.set_zero_linger();
                return;
            };
            pipe::run(client, upstream, shared, before).await;
        });
    }
}
