//! One connection through the proxy: two directions with their own faults, ending together.
//!
//! Reading and writing of a direction run concurrently, so that latency does not reduce bandwidth.

use std::future::pending;
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use crate::{DirectionFaults, Faults, Shared, State};

const CHUNK_BYTES: usize = 16 * 1024;
/// Chunks in flight per direction; reading pauses above it.
const MAX_CHUNKS: usize = 64;
/// TCP's retransmission timeout beyond a round trip.
const RETRANSMISSION_TIMEOUT: Duration = Duration::from_millis(200);

/// Bytes to forward at `due`; empty at the end of the stream.
struct Chunk {
    bytes: Vec<u8>,
    due: Instant,
}

struct Direction<F> {
    shared: Shared,
    /// The state when the connection was made.
    before: State,
    select: F,
}

/// Forwards bytes until both directions have ended, one has failed, or the proxy resets.
pub(crate) async fn run(
    mut client: TcpStream,
    mut server: TcpStream,
    shared: Shared,
    before: State,
) {
    let _undelayed = (client.set_nodelay(true), server.set_nodelay(true));
    let mut resetting = shared.state.clone();
    let is_reset = {
        let (client_reads, client_writes) = client.split();
        let (server_reads, server_writes) = server.split();
        let injected = Some(shared.injected.subscribe());
        let to_server = Direction {
            shared: shared.clone(),
            before,
            select: |faults: &Faults| faults.to_server,
        };
        let to_client = Direction {
            shared,
            before,
            select: |faults: &Faults| faults.to_client,
        };
        let to_server = to_server.forward(client_reads, server_writes, injected);
        let to_client = to_client.forward(server_reads, client_writes, None);
        tokio::select! {
            ended = async { tokio::try_join!(to_server, to_client) } => ended.is_err(),
            _changed = resetting.wait_for(|state| state.resets != before.resets) => true,
        }
    };
    if is_reset {
        let _closed = (client.set_zero_linger(), server.set_zero_linger());
    }
}

impl<F: Fn(&Faults) -> DirectionFaults> Direction<F> {
    async fn forward(
        &self,
        from: ReadHalf<'_>,
        to: WriteHalf<'_>,
        injected: Option<broadcast::Receiver<Vec<u8>>>,
    ) -> io::Result<()> {
        let (chunks, queue) = mpsc::channel(MAX_CHUNKS);
        let reading = self.read(from, chunks, injected);
        let writing = self.write(queue, to);
        tokio::try_join!(reading, writing)?;
        Ok(())
    }

    async fn read(
        &self,
        mut from: ReadHalf<'_>,
        chunks: mpsc::Sender<Chunk>,
        mut injected: Option<broadcast::Receiver<Vec<u8>>>,
    ) -> io::Result<()> {
        loop {
            let mut bytes = Vec::with_capacity(CHUNK_BYTES);
            let is_end = tokio::select! {
                read = from.read_buf(&mut bytes) => read? == 0,
                injected_bytes = next_injected(&mut injected) => {
                    bytes = injected_bytes;
                    false
                }
            };
            let faults = (self.select)(&self.shared.state.borrow().faults);
            let due = Instant::now() + faults.latency;
            let is_taken = chunks.send(Chunk { bytes, due }).await.is_ok();
            if is_end || !is_taken {
                return Ok(());
            }
        }
    }

    async fn write(
        &self,
        mut queue: mpsc::Receiver<Chunk>,
        mut to: WriteHalf<'_>,
    ) -> io::Result<()> {
        let mut state = self.shared.state.clone();
        while let Some(Chunk { bytes, due }) = queue.recv().await {
            sleep_until(due).await;
            let faults = self.wait_until_open(&mut state).await?;
            if bytes.is_empty() {
                return to.shutdown().await;
            }
            if self.is_lost(faults) {
                sleep(RETRANSMISSION_TIMEOUT + faults.latency * 2).await;
            }
            if let Some(rate) = faults.bytes_per_second {
                let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                let pause_us = count.saturating_mul(1_000_000) / u64::from(rate.get());
                sleep(Duration::from_micros(pause_us)).await;
            }
            to.write_all(&bytes).await?;
        }
        Ok(())
    }

    /// Waits until data may pass; fails when the proxy is dropped.
    async fn wait_until_open(
        &self,
        state: &mut watch::Receiver<State>,
    ) -> io::Result<DirectionFaults> {
        let passes = |state: &State| {
            state.abandons == self.before.abandons && !(self.select)(&state.faults).is_silent
        };
        match state.wait_for(passes).await {
            Ok(state) => Ok((self.select)(&state.faults)),
            Err(_dropped) => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }

    fn is_lost(&self, faults: DirectionFaults) -> bool {
        let Some(one_in) = faults.one_lost_in else {
            return false;
        };
        let before = self.shared.counters.chunks.fetch_add(1, Ordering::Relaxed);
        before % one_in == one_in.get() - 1
    }
}

async fn next_injected(injected: &mut Option<broadcast::Receiver<Vec<u8>>>) -> Vec<u8> {
    let Some(injected) = injected else {
        return pending().await;
    };
    loop {
        match injected.recv().await {
            Ok(bytes) => return bytes,
            Err(RecvError::Lagged(_missed)) => {}
            Err(RecvError::Closed) => return pending().await,
        }
    }
}
