//! One connection through the proxy: two directions, each with its faults, and one reset for both.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::{Faults, State, Way};

const PIECE_BYTES: usize = 16 * 1024;

/// Carries bytes until both directions have ended, one of them broke, or the proxy resets.
pub(crate) async fn run(
    mut client: TcpStream,
    mut server: TcpStream,
    state: watch::Receiver<State>,
    resets: u64,
) {
    let _undelayed = (client.set_nodelay(true), server.set_nodelay(true));
    let is_reset = {
        let (client_reads, client_writes) = client.split();
        let (server_reads, server_writes) = server.split();
        let there = carry(client_reads, server_writes, state.clone(), |f| f.to_server);
        let back = carry(server_reads, client_writes, state.clone(), |f| f.to_client);
        let mut resetting = state;
        tokio::select! {
            ended = async { tokio::try_join!(there, back) } => ended.is_err(),
            _changed = resetting.wait_for(|state| state.resets != resets) => true,
        }
    };
    if is_reset {
        let _closed = (client.set_zero_linger(), server.set_zero_linger());
    }
}

async fn carry(
    mut from: ReadHalf<'_>,
    mut to: WriteHalf<'_>,
    mut state: watch::Receiver<State>,
    way: impl Fn(&Faults) -> Way,
) -> std::io::Result<()> {
    let mut piece = Vec::with_capacity(PIECE_BYTES);
    loop {
        piece.clear();
        let read = from.read_buf(&mut piece).await?;
        let speech = state
            .wait_for(|state| !way(&state.faults).is_silent)
            .await
            .map(|state| way(&state.faults));
        let Ok(now) = speech else {
            // The proxy is gone.
            return Err(std::io::ErrorKind::ConnectionAborted.into());
        };
        if !now.latency.is_zero() {
            sleep(now.latency).await;
        }
        if read == 0 {
            return to.shutdown().await;
        }
        if let Some(rate) = now.bytes_per_second {
            let bytes = u64::try_from(read).unwrap_or(u64::MAX);
            let pause_us = bytes.saturating_mul(1_000_000) / u64::from(rate.get());
            sleep(Duration::from_micros(pause_us)).await;
        }
        to.write_all(&piece).await?;
    }
}
