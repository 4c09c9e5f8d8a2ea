//! A service's program, started as in production.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

use crate::eventually;

/// For a program to become ready and to end, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Runs `migrate` on the database.
pub async fn migrate(program: &str, database_url: &str) {
    let status = Command::new(program)
        .arg("migrate")
        .env("MIGRATION_DATABASE_URL", database_url)
        .status()
        .await
        .expect("the program can be started");
    assert!(status.success(), "{status}");
}

/// Starts `program` on free ports, waits until it is ready, sends SIGTERM, and asserts that it
/// reports the drain and then ends without an error.
pub async fn assert_becomes_ready_and_drains(program: &str, environment: &[(&str, &str)]) {
    let admin = free_address();
    let mut child = Command::new(program)
        .env("LISTEN_ADDR", free_address().to_string())
        .env("ADMIN_ADDR", admin.to_string())
        .envs(environment.iter().copied())
        .kill_on_drop(true)
        .spawn()
        .expect("the program can be started");
    let is = async |answer: &str| {
        readiness(admin)
            .await
            .is_some_and(|said| said.contains(answer))
    };
    eventually(TIMEOUT, async || is("\r\n\r\nready\n").await).await;
    terminate(&child);
    eventually(TIMEOUT, async || is("not ready: draining\n").await).await;
    let ended = tokio::time::timeout(TIMEOUT, child.wait()).await;
    let status = ended
        .expect("the program ends")
        .expect("a child of the test");
    assert!(status.success(), "{status}");
}

fn free_address() -> SocketAddr {
    let unused = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    unused.local_addr().expect("the port that was bound")
}

fn terminate(child: &Child) {
    let pid = child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
    let pid = pid.expect("the program has not ended");
    kill_process(pid, Signal::TERM).expect("a child of the test");
}

/// The answer of `/readyz`, or `None` while nobody answers.
async fn readiness(admin: SocketAddr) -> Option<String> {
    let mut connection = TcpStream::connect(admin).await.ok()?;
    let request = b"GET /readyz HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n";
    connection.write_all(request).await.ok()?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.ok()?;
    Some(answer)
}
