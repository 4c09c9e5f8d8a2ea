//! Options of an accepted TCP connection.

use std::time::Duration;

use actix_web::rt::net::TcpStream;
use socket2::SockRef;

/// Limits the unsent data in the kernel, which would be stale before it left.
const NOT_SENT_LIMIT: u32 = 16 * 1_024;
const USER_TIMEOUT: Duration = Duration::from_secs(20);

/// Errors are ignored: a connection without these options still works.
pub(crate) fn set_options(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let outcome = socket
        .set_tcp_nodelay(true)
        .and_then(|()| socket.set_tcp_notsent_lowat(NOT_SENT_LIMIT))
        .and_then(|()| socket.set_tcp_user_timeout(Some(USER_TIMEOUT)));
    if let Err(error) = outcome {
        tracing::debug!(%error, "Socket options could not be set");
    }
}
