//! Options of an accepted TCP connection.

use std::time::Duration;

use actix_web::rt::net::TcpStream;
use socket2::SockRef;

/// The kernel keeps at most this much that the network has not taken: more would be stale before
/// it left.
const NOT_SENT_LIMIT: u32 = 16 * 1_024;
/// Unacknowledged for this long, the peer is gone.
const GIVE_UP_AFTER: Duration = Duration::from_secs(20);

/// Lets nothing stale pile up in the kernel. A connection that refuses is served all the same.
pub(crate) fn prepare(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let outcome = socket
        .set_tcp_nodelay(true)
        .and_then(|()| socket.set_tcp_notsent_lowat(NOT_SENT_LIMIT))
        .and_then(|()| socket.set_tcp_user_timeout(Some(GIVE_UP_AFTER)));
    if let Err(error) = outcome {
        tracing::debug!(%error, "A socket option was refused");
    }
}
