//! A network that fails when a test says so: a TCP proxy whose faults are changed while
//! connections are open. It stands before PostgreSQL, Redis, RabbitMQ or a service, and nothing
//! behind or before it knows.

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

/// What happens to the bytes of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Each piece that was read goes on this long after it came.
    pub latency: Duration,
    /// One piece in so many is lost. As with TCP it is sent again when that is noticed, and
    /// everything behind it waits so long.
    pub loses_one_in: Option<NonZeroU32>,
    /// No more than this many bytes a second pass.
    pub bytes_per_second: Option<NonZeroU32>,
    /// Nothing passes, and nothing says so: what arrives waits until the fault is over, and even
    /// the end of a connection is not heard on the other side.
    pub is_silent: bool,
}

impl Way {
    /// A direction that is slow by `latency`.
    #[must_use]
    pub fn slow(latency: Duration) -> Self {
        Self {
            latency,
            ..Self::default()
        }
    }

    /// A direction in which everything disappears without a word.
    #[must_use]
    pub fn silent() -> Self {
        Self {
            is_silent: true,
            ..Self::default()
        }
    }
}

/// What is wrong at the moment. The default is: nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// From who connected to the server.
    pub to_server: Way,
    /// From the server to who connected.
    pub to_client: Way,
    /// New connections are reset as soon as they are made.
    pub refuses: bool,
}

impl Faults {
    /// The same in both directions.
    #[must_use]
    pub fn both(way: Way) -> Self {
        Self {
            to_server: way,
            to_client: way,
            refuses: false,
        }
    }
}

/// What the pipes follow: the faults, and how often everything was reset or abandoned.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    faults: Faults,
    resets: u64,
    abandons: u64,
}

/// What is counted over all connections.
#[derive(Debug, Default)]
struct Tally {
    connections: AtomicU64,
    pieces: AtomicU32,
}

/// Most things said into connections that a busy pipe has not come to yet.
const UNHEARD: usize = 16;

/// A proxy before one server. Dropping it closes its port and every connection through it.
pub struct FaultProxy {
    address: SocketAddr,
    state: watch::Sender<State>,
    said: broadcast::Sender<Vec<u8>>,
    tally: Arc<Tally>,
    accepting: JoinHandle<()>,
}

/// What every connection has of its proxy.
#[derive(Clone)]
struct Shared {
    state: watch::Receiver<State>,
    said: broadcast::Sender<Vec<u8>>,
    tally: Arc<Tally>,
}

impl FaultProxy {
    /// Listens on a free port of loopback and passes everything on to `server`, for example
    /// `127.0.0.1:5432`.
    ///
    /// # Errors
    /// [`io::Error`] when no port can be had.
    pub async fn before(server: &str) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (state, followed) = watch::channel(State::default());
        let (said, _nobody_yet) = broadcast::channel(UNHEARD);
        let tally = Arc::<Tally>::default();
        let shared = Shared {
            state: followed,
            said: said.clone(),
            tally: Arc::clone(&tally),
        };
        let accepting = tokio::spawn(accept(listener, server.to_owned(), shared));
        Ok(Self {
            address,
            state,
            said,
            tally,
            accepting,
        })
    }

    /// Like [`before`](Self::before), for the server that `url` names by its host and port; and
    /// the same address with the proxy in its place.
    ///
    /// # Errors
    /// [`io::Error`] when no port can be had, or `url` names no server.
    pub async fn before_url(url: &str) -> io::Result<(Self, String)> {
        let unnamed = || io::Error::new(io::ErrorKind::InvalidInput, "no server in the address");
        let (_, named) = url.split_once("://").ok_or_else(unnamed)?;
        let (authority, _) = named.split_once('/').unwrap_or((named, ""));
        let (_, server) = authority.rsplit_once('@').unwrap_or(("", authority));
        let proxy = Self::before(server).await?;
        let through = url.replacen(server, &proxy.address().to_string(), 1);
        Ok((proxy, through))
    }

    /// Where to connect instead of to the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on, also for connections that are open, this is what is wrong.
    pub fn set(&self, faults: Faults) {
        self.state.send_modify(|state| state.faults = faults);
    }

    /// Nothing is wrong any more; what waited in a silent direction passes.
    pub fn heal(&self) {
        self.set(Faults::default());
    }

    /// Resets every open connection on both sides. New ones are taken.
    pub fn reset(&self) {
        self.state
            .send_modify(|state| state.resets = state.resets.wrapping_add(1));
    }

    /// Leaves every open connection half open: nothing passes it ever again and nobody is told,
    /// as when a router has forgotten it. New ones are taken.
    pub fn abandon(&self) {
        self.state
            .send_modify(|state| state.abandons = state.abandons.wrapping_add(1));
    }

    /// Says something to the server on every open connection, between two pieces of what its
    /// client says. The connections should be idle, or it may land in the middle of a word.
    pub fn say(&self, bytes: &[u8]) {
        // Without a connection there is nobody to hear it.
        let _heard_by = self.said.send(bytes.to_vec());
    }

    /// How many connections were made so far, also those that were refused.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.tally.connections.load(Ordering::Relaxed)
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, server: String, shared: Shared) {
    // Connections end with the proxy, because the set ends its tasks when it is dropped.
    let mut open = JoinSet::new();
    loop {
        while open.try_join_next().is_some() {}
        let Ok((client, _from)) = listener.accept().await else {
            continue;
        };
        shared.tally.connections.fetch_add(1, Ordering::Relaxed);
        // What was before this connection does not concern it.
        let before = *shared.state.borrow();
        let shared = shared.clone();
        let server = server.clone();
        open.spawn(async move {
            if before.faults.refuses {
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
