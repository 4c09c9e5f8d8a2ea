//! The public socket of a process, which may outlive it: a successor asks the running process for
//! the listening socket itself. Connections that arrive while one ends and the other begins wait
//! in the socket's own queue, so none is refused.
//!
//! Both meet at a path of the file system. The successor is given a copy of the socket and keeps
//! the connection open: it writes there that it is ready, and the end of either is heard by the
//! other. A predecessor keeps the path and its admin port until the successor is ready, and takes
//! both back when the successor dies before it.

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

/// How long a predecessor may take to hand its socket over.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pause after a connection that could not be accepted.
const REST: Duration = Duration::from_millis(100);
/// What comes with the socket, and what answers it when the successor is ready.
const SOCKET: u8 = b'L';
const READY: u8 = b'R';

static CLAIMED: Mutex<Option<Claimed>> = Mutex::new(None);
static HANDED_OVER: LazyLock<watch::Sender<bool>> = LazyLock::new(|| watch::Sender::new(false));

/// What this process may hand over, and from whom it has it.
struct Claimed {
    path: PathBuf,
    listener: TcpListener,
    predecessor: Option<UnixStream>,
}

/// Whether a successor has taken over and lives.
pub(crate) fn handed_over() -> watch::Receiver<bool> {
    HANDED_OVER.subscribe()
}

/// The process whose socket was taken over.
#[derive(Debug)]
pub struct Predecessor(UnixStream);

impl Predecessor {
    /// Waits until it has ended. What only one process may do begins after this.
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
                // A process that was killed resets what it had open.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }
}

/// The socket that listens on `address`: from the process that has it, if one answers at
/// `handover`, else a new one. As soon as [`admin::serve`](crate::admin::serve) runs, a successor
/// may ask for it there. Without a path nothing is handed over.
///
/// # Errors
/// [`Error`] when the address cannot be used, or a predecessor listens elsewhere.
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

/// Asks the predecessor for its admin port and its path.
pub(crate) fn take_over() {
    if let Some(Claimed {
        predecessor: Some(predecessor),
        ..
    }) = &mut *CLAIMED.lock()
        && let Err(error) = predecessor.write_all(&[READY])
    {
        tracing::info!(%error, "The predecessor has ended already");
    }
}

/// Gives the socket to whoever asks at the path, one successor at a time, until one has taken over
/// and ended. Whoever cannot hand over (the path is too long, say) serves all the same.
pub(crate) fn offer() {
    let claimed = CLAIMED.lock();
    let Some(claimed) = &*claimed else { return };
    if let Err(error) = try_offer(&claimed.path, &claimed.listener) {
        tracing::warn!(%error, path = %claimed.path.display(), "No successor can ask for the socket");
    }
}

fn try_offer(path: &Path, listener: &TcpListener) -> Result<()> {
    // The name belongs to the newest process. A name that nobody answers was left by one that died.
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let door = UnixListener::bind(path)?;
    let listener = listener.try_clone()?;
    std::thread::Builder::new()
        .name("handover".to_owned())
        .spawn(move || while !hand_over(accepted(door.incoming()), &listener) {})?;
    Ok(())
}

/// The next connection. An error of one, as when this process has no descriptor left, lasts.
fn accepted(incoming: impl Iterator<Item = Result<UnixStream>>) -> Option<UnixStream> {
    for asked in incoming {
        match asked {
            Ok(asked) => return Some(asked),
            Err(error) => {
                tracing::warn!(%error, "A successor could not be heard");
                std::thread::sleep(REST);
            }
        }
    }
    None
}

/// Stays with one successor until it has ended; whether it had taken over.
fn hand_over(successor: Option<UnixStream>, listener: &TcpListener) -> bool {
    let Some(mut successor) = successor else {
        return true;
    };
    if let Err(error) = send(&successor, listener) {
        tracing::warn!(%error, "The socket could not be handed over");
        return false;
    }
    let mut told = [0];
    if !matches!(successor.read(&mut told), Ok(1)) {
        tracing::warn!("A successor has ended before it was ready");
        return false;
    }
    tracing::info!("A successor takes over");
    HANDED_OVER.send_replace(true);
    while matches!(successor.read(&mut told), Ok(1)) {}
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
    from.set_read_timeout(Some(PATIENCE))?;
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
        "the running process handed nothing over",
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
    async fn a_successor_answers_what_arrived_before_it_took_over() {
        let path = path("handover");
        let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let (first, nobody) = claim(anywhere, Some(&path)).unwrap();
        assert!(nobody.is_none());
        let address = first.local_addr().unwrap();
        // In the queue of the socket, accepted by nobody yet.
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
    async fn the_end_of_a_predecessor_is_heard() {
        let (here, there) = UnixStream::pair().unwrap();
        let gone = Predecessor(here).gone();
        drop(there);
        tokio::time::timeout(Duration::from_secs(30), gone)
            .await
            .unwrap()
            .unwrap();
    }

    #[test]
    fn a_name_that_a_dead_process_left_is_taken() {
        let path = path("dead");
        drop(UnixListener::bind(&path).unwrap());
        let (_listener, nobody) =
            claim(SocketAddr::from(([127, 0, 0, 1], 0)), Some(&path)).unwrap();
        assert!(nobody.is_none());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn errors_of_accepting_are_not_asked_for_without_a_rest() {
        let began = std::time::Instant::now();
        let (one, _other) = UnixStream::pair().unwrap();
        let full = || Err(Error::from(rustix::io::Errno::MFILE));
        let incoming = [full(), full(), Ok(one)].into_iter();
        assert!(accepted(incoming).is_some());
        assert!(began.elapsed() >= 2 * REST);
    }
}
