//! The public socket of a process, which may outlive it: a successor asks the running process for
//! the listening socket itself. Connections that arrive while one ends and the other begins wait
//! in the socket's own queue, so none is refused.
//!
//! Both meet at a path of the file system. The successor is given a copy of the socket and keeps
//! the connection open; its end tells that the predecessor is gone.

use std::io::{Error, ErrorKind, IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use tokio_util::sync::CancellationToken;

/// How long a predecessor may take to hand its socket over.
const PATIENCE: Duration = Duration::from_secs(5);

static HANDED_OVER: OnceLock<CancellationToken> = OnceLock::new();

/// Cancelled when a successor has taken over.
pub(crate) fn handed_over() -> CancellationToken {
    HANDED_OVER.get_or_init(CancellationToken::new).clone()
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
/// `handover`, else a new one. From then on a successor may ask for it there. Without a path
/// nothing is handed over.
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
            (listener, Some(Predecessor(socket)))
        }
        Err(_nobody) => (TcpListener::bind(address)?, None),
    };
    // Whoever cannot hand over (the path is too long, say) serves all the same.
    if let Err(error) = offer(path, listener.try_clone()?) {
        tracing::warn!(%error, path = %path.display(), "No successor can ask for the socket");
    }
    Ok((listener, predecessor))
}

/// Gives `listener` to whoever asks at `path`.
fn offer(path: &Path, listener: TcpListener) -> Result<()> {
    // The name belongs to the newest process. A name that nobody answers was left by one that died.
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let door = UnixListener::bind(path)?;
    std::thread::Builder::new()
        .name("handover".to_owned())
        .spawn(move || {
            let mut successors = Vec::new();
            for asked in door.incoming().flatten() {
                match send(&asked, &listener) {
                    Ok(()) => {
                        tracing::info!("A successor takes over");
                        // It ends with this process, and that is what the successor listens for.
                        successors.push(asked);
                        handed_over().cancel();
                    }
                    Err(error) => tracing::warn!(%error, "The socket could not be handed over"),
                }
            }
        })?;
    Ok(())
}

fn send(to: &UnixStream, listener: &TcpListener) -> Result<()> {
    let sockets = [listener.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    control.push(SendAncillaryMessage::ScmRights(&sockets));
    sendmsg(to, &[IoSlice::new(b"L")], &mut control, SendFlags::empty())?;
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

    #[test]
    fn a_successor_answers_what_arrived_before_it_took_over() {
        let path = path("handover");
        let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let (first, nobody) = claim(anywhere, Some(&path)).unwrap();
        assert!(nobody.is_none());
        let address = first.local_addr().unwrap();
        // In the queue of the socket, accepted by nobody yet.
        let mut early = TcpStream::connect(address).unwrap();
        early.write_all(b"early").unwrap();

        let (second, predecessor) = claim(address, Some(&path)).unwrap();
        assert!(predecessor.is_some());
        assert!(handed_over().is_cancelled());
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
}
