//! One connection through the proxy: two directions, each with its faults, and one end for both.
//!
//! A direction is read and written by halves that run beside each other, so that latency delays
//! what passes without making it less.

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

use crate::{Faults, Shared, State, Way};

const PIECE_BYTES: usize = 16 * 1024;
/// Most pieces that are under way in one direction; then nothing more is read.
const PIECES: usize = 64;
/// What TCP waits beyond a round trip before it sends again.
const RESENT_AFTER: Duration = Duration::from_millis(200);

/// Bytes that may arrive at `due`; none is the end of what is said.
struct Piece {
    bytes: Vec<u8>,
    due: Instant,
}

/// What a direction follows.
struct Line<F> {
    shared: Shared,
    /// How things stood when the connection was made.
    before: State,
    way: F,
}

/// Carries bytes until both directions have ended, one of them broke, or the proxy resets.
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
        let said = Some(shared.said.subscribe());
        let there = Line {
            shared: shared.clone(),
            before,
            way: |faults: &Faults| faults.to_server,
        };
        let back = Line {
            shared,
            before,
            way: |faults: &Faults| faults.to_client,
        };
        let there = there.carry(client_reads, server_writes, said);
        let back = back.carry(server_reads, client_writes, None);
        tokio::select! {
            ended = async { tokio::try_join!(there, back) } => ended.is_err(),
            _changed = resetting.wait_for(|state| state.resets != before.resets) => true,
        }
    };
    if is_reset {
        let _closed = (client.set_zero_linger(), server.set_zero_linger());
    }
}

impl<F: Fn(&Faults) -> Way> Line<F> {
    async fn carry(
        &self,
        from: ReadHalf<'_>,
        to: WriteHalf<'_>,
        said: Option<broadcast::Receiver<Vec<u8>>>,
    ) -> io::Result<()> {
        let (pieces, arriving) = mpsc::channel(PIECES);
        let reading = self.read(from, pieces, said);
        let writing = self.write(arriving, to);
        tokio::try_join!(reading, writing)?;
        Ok(())
    }

    async fn read(
        &self,
        mut from: ReadHalf<'_>,
        pieces: mpsc::Sender<Piece>,
        mut said: Option<broadcast::Receiver<Vec<u8>>>,
    ) -> io::Result<()> {
        loop {
            let mut bytes = Vec::with_capacity(PIECE_BYTES);
            let is_end = tokio::select! {
                read = from.read_buf(&mut bytes) => read? == 0,
                added = heard(&mut said) => {
                    bytes = added;
                    false
                }
            };
            let now = (self.way)(&self.shared.state.borrow().faults);
            let due = Instant::now() + now.latency;
            let is_taken = pieces.send(Piece { bytes, due }).await.is_ok();
            if is_end || !is_taken {
                return Ok(());
            }
        }
    }

    async fn write(
        &self,
        mut arriving: mpsc::Receiver<Piece>,
        mut to: WriteHalf<'_>,
    ) -> io::Result<()> {
        let mut state = self.shared.state.clone();
        while let Some(Piece { bytes, due }) = arriving.recv().await {
            sleep_until(due).await;
            let now = self.speech(&mut state).await?;
            if bytes.is_empty() {
                return to.shutdown().await;
            }
            if self.is_lost(now) {
                sleep(RESENT_AFTER + now.latency * 2).await;
            }
            if let Some(rate) = now.bytes_per_second {
                let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                let pause_us = count.saturating_mul(1_000_000) / u64::from(rate.get());
                sleep(Duration::from_micros(pause_us)).await;
            }
            to.write_all(&bytes).await?;
        }
        Ok(())
    }

    /// Waits until something may pass; fails when the proxy is gone.
    async fn speech(&self, state: &mut watch::Receiver<State>) -> io::Result<Way> {
        let passes = |state: &State| {
            state.abandons == self.before.abandons && !(self.way)(&state.faults).is_silent
        };
        match state.wait_for(passes).await {
            Ok(state) => Ok((self.way)(&state.faults)),
            Err(_gone) => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }

    fn is_lost(&self, way: Way) -> bool {
        let Some(one_in) = way.loses_one_in else {
            return false;
        };
        let before = self.shared.tally.pieces.fetch_add(1, Ordering::Relaxed);
        before % one_in == one_in.get() - 1
    }
}

/// What is said into the connection by others than its client.
async fn heard(said: &mut Option<broadcast::Receiver<Vec<u8>>>) -> Vec<u8> {
    let Some(said) = said else {
        return pending().await;
    };
    loop {
        match said.recv().await {
            Ok(bytes) => return bytes,
            Err(RecvError::Lagged(_missed)) => {}
            Err(RecvError::Closed) => return pending().await,
        }
    }
}
