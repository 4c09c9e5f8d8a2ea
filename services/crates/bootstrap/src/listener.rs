//! Handover of the listening socket: a successor receives the socket from the running process.
//! Connections that arrive during the handover wait in the socket's backlog, so none is refused.
//!
//! The two connect through a Unix socket at a path. The successor receives a copy of the listening
//! socket and keeps the connection open: it reports readiness on it, and each notices the end of
//! the other. The predecessor keeps the path and its admin port until the successor is ready, and
//! takes both back if the successor dies first.

use std::io::{Error, ErrorKind, IoSlice, IoSliceMut, Read, Result, Write};
use std::mem::MaybeUninit;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use parking_lot::Mutex;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use tokio::sync::watch;

/// For the predecessor to send its socket.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(5);
/// After a failed accept.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);
/// Sent with the socket, and the successor's reply when it is ready.
const SOCKET: u8 = b'L';
const READY: u8 = b'R';

static CLAIMED: Mutex<Option<Claimed>> = Mutex::new(None);
static HANDED_OVER: LazyLock<watch::Sender<bool>> = LazyLock::new(|| watch::Sender::new(false));

struct Claimed {
    path: PathBuf,
    listener: TcpListener,
    predecessor: Option<UnixStream>,
}

/// True while a successor that has taken over is alive.
pub(crate) fn handed_over() -> watch::Receiver<bool> {
    HANDED_OVER.subscribe()
}

/// The process whose socket was taken over.
#[derive(Debug)]
pub struct Predecessor(UnixStream);

impl Predecessor {
    /// Waits until it has ended. Tasks that only one process may run start after this.
    ///
    /// # Errors
    /// [`Error`] of the socket between the two.
    pub async fn gone(self) -> Result<()> {
        self.0.set_read_timeout(None)?;
        self.0.set_nonblocking(true)?;
        let socket = tokio::net::UnixStream::from_std(self.0)?;
        loop {
            socket.readable().await?;
            match socket.try_read(&mut [0]) {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                // A killed process resets its connections.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }
}

/// The socket that listens on `address`: from the running process if one answers at `handover`,
/// else a new one. Once [`admin::serve`](crate::admin::serve) runs, a successor can take it over
/// there. Without a path there is no handover.
///
/// # Errors
/// [`Error`] when the address cannot be used, or the predecessor listens on another port.
pub fn claim(
    address: SocketAddr,
    handover: Option<&Path>,
) -> Result<(TcpListener, Option<Predecessor>)> {
    let Some(path) = handover else {
        return Ok((TcpListener::bind(address)?, None));
    };
    let (listener, predecessor) = match UnixStream::connect(path) {
        Ok(socket) => {
            let listener = receive(&socket)?;
            if listener.local_addr()?.port() != address.port() {
                let wrong = format!("the running process listens on {}", listener.local_addr()?);
                return Err(Error::new(ErrorKind::AddrNotAvailable, wrong));
            }
            (listener, Some(socket))
        }
        Err(_nobody) => (TcpListener::bind(address)?, None),
    };
    *CLAIMED.lock() = Some(Claimed {
        path: path.to_owned(),
        listener: listener.try_clone()?,
        predecessor: predecessor
            .as_ref()
            .map(UnixStream::try_clone)
            .transpose()?,
    });
    Ok((listener, predecessor.map(Predecessor)))
}

/// Makes the predecessor release its admin port and path.
pub(crate) fn take_over() {
    if let Some(Claimed {
        predecessor: Some(predecessor),
        ..
    }) = &mut *CLAIMED.lock()
        && let Err(error) = predecessor.write_all(&[READY])
    {
        tracing::info!(%error, "The predecessor has already ended");
    }
}

/// Offers the socket at the path, to one successor at a time, until one has taken over and the
/// process ends. Without an offer (for example if the path is too long) the process still serves.
pub(crate) fn offer() {
    let claimed = CLAIMED.lock();
    let Some(claimed) = &*claimed else { return };
    if let Err(error) = try_offer(&claimed.path, &claimed.listener) {
        tracing::warn!(%error, path = %claimed.path.display(), "The socket cannot be handed over");
    }
}

fn try_offer(path: &Path, listener: &TcpListener) -> Result<()> {
    // The path belongs to the newest process; an unanswered one was left by a dead process.
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let handover = UnixListener::bind(path)?;
    let listener = listener.try_clone()?;
    std::thread::Builder::new()
        .name("handover".to_owned())
        .spawn(move || while !hand_over(accepted(handover.incoming()), &listener) {})?;
    Ok(())
}

/// The next connection. Pauses after an error, which may persist (out of file descriptors).
fn accepted(incoming: impl Iterator<Item = Result<UnixStream>>) -> Option<UnixStream> {
    for connection in incoming {
        match connection {
            Ok(connection) => return Some(connection),
            Err(error) => {
                tracing::warn!(%error, "A successor could not connect");
                std::thread::sleep(ACCEPT_RETRY_DELAY);
            }
        }
    }
    None
}

/// Serves one successor until it has ended; returns whether it had taken over.
fn hand_over(successor: Option<UnixStream>, listener: &TcpListener) -> bool {
    let Some(mut successor) = successor else {
        return true;
    };
    if let Err(error) = send(&successor, listener) {
        tracing::warn!(%error, "The socket could not be handed over");
        return false;
    }
    let mut message = [0];
    if !matches!(successor.read(&mut message), Ok(1)) {
        tracing::warn!("A successor ended before it was ready");
        return false;
    }
    tracing::info!("A successor takes over");
    HANDED_OVER.send_replace(true);
    while matches!(successor.read(&mut message), Ok(1)) {}
    HANDED_OVER.send_replace(false);
    true
}

fn send(to: &UnixStream, listener: &TcpListener) -> Result<()> {
    let sockets = [listener.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&sockets));
    sendmsg(
        to,
        &[IoSlice::new(&[SOCKET])],
        &mut control,
        SendFlags::empty(),
    )?;
    Ok(())
}

fn receive(from: &UnixStream) -> Result<TcpListener> {
    from.set_read_timeout(Some(RECEIVE_TIMEOUT))?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let mut parts = [IoSliceMut::new(&mut byte)];
    recvmsg(from, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC)?;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(mut sockets) = message
            && let Some(socket) = sockets.next()
        {
            return Ok(TcpListener::from(socket));
        }
    }
    Err(Error::new(
        ErrorKind::InvalidData,
        "the running process sent no socket",
    ))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    fn path(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("{name}-{}", uuid::Uuid::now_v7()))
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_successor_accepts_connections_from_before_the_handover() {
        let path = path("handover");
        let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let (first, nobody) = claim(anywhere, Some(&path)).unwrap();
        assert!(nobody.is_none());
        let address = first.local_addr().unwrap();
        // In the backlog, not accepted yet.
        let mut early = TcpStream::connect(address).unwrap();
        early.write_all(b"early").unwrap();

        offer();
        let (second, predecessor) = claim(address, Some(&path)).unwrap();
        assert!(predecessor.is_some());
        assert!(!*handed_over().borrow());
        take_over();
        handed_over()
            .wait_for(|handed_over| *handed_over)
            .await
            .unwrap();
        drop(first);
        let (mut accepted, _) = second.accept().unwrap();
        let mut read = [0; 5];
        accepted.read_exact(&mut read).unwrap();
        assert_eq!(&read, b"early");
        std::fs::remove_file(path).unwrap();
    }

    #[tokio::test]
    async fn the_end_of_a_predecessor_is_noticed() {
        let (here, there) = UnixStream::pair().unwrap();
        let gone = Predecessor(here).gone();
        drop(there);
        tokio::time::timeout(Duration::from_secs(30), gone)
            .await
            .unwrap()
            .unwrap();
    }

    #[test]
    fn a_path_left_by_a_dead_process_is_reused() {
        let path = path("dead");
        drop(UnixListener::bind(&path).unwrap());
        let (_listener, nobody) =
            claim(SocketAddr::from(([127, 0, 0, 1], 0)), Some(&path)).unwrap();
        assert!(nobody.is_none());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn failed_accepts_are_retried_after_a_delay() {
        let began = std::time::Instant::now();
        let (one, _other) = UnixStream::pair().unwrap();
        let full = || Err(Error::from(rustix::io::Errno::MFILE));
        let incoming = [full(), full(), Ok(one)].into_iter();
        assert!(accepted(incoming).is_some());
        assert!(began.elapsed() >= 2 * ACCEPT_RETRY_DELAY);
    }
}
