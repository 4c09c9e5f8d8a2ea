//! Servers replace each other on one socket during calls; a process stays in service until its
//! successor has taken over, and resumes if the successor dies.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bootstrap::admin::{self, Readiness};
use bootstrap::{grpc, listener};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, UnixStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

const CALLERS: usize = 8;
const SERVERS: usize = 12;
const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_fails_while_servers_replace_each_other() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let serve = || {
        let listener = TcpListener::from_std(listener.try_clone().unwrap()).unwrap();
        let stop = CancellationToken::new();
        let drain = Duration::from_secs(20);
        let serving = grpc::serve(listener, Routes::default(), stop.clone(), drain);
        (stop, tokio::spawn(serving))
    };
    let mut running = serve();

    let over = Arc::new(AtomicBool::new(false));
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let mut client = HealthClient::new(grpc::channel(&url).unwrap());
        let over = Arc::clone(&over);
        callers.spawn(async move {
            let mut calls = 0_u32;
            while !over.load(Ordering::Relaxed) {
                client.check(HealthCheckRequest::default()).await.unwrap();
                calls += 1;
            }
            calls
        });
    }
    for _ in 0..SERVERS {
        let next = serve();
        tokio::time::sleep(Duration::from_millis(30)).await;
        let (stop, serving) = std::mem::replace(&mut running, next);
        stop.cancel();
        serving.await.unwrap().unwrap();
    }
    over.store(true, Ordering::Relaxed);
    let calls: u32 = callers.join_all().await.into_iter().sum();
    assert!(calls > 0);
}

/// A process with a listening socket and an admin port.
struct Process {
    public: SocketAddr,
    admin: SocketAddr,
    path: PathBuf,
    _public: std::net::TcpListener,
}

impl Process {
    async fn begin() -> Self {
        let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let name = format!("handover-{}", uuid::Uuid::now_v7());
        let path = std::env::temp_dir().join(name);
        let (listener, nobody) = listener::claim(anywhere, Some(&path)).unwrap();
        assert!(nobody.is_none());
        let unused = std::net::TcpListener::bind(anywhere).unwrap();
        let admin = unused.local_addr().unwrap();
        drop(unused);
        tokio::spawn(admin::serve(
            admin,
            Readiness::new(),
            CancellationToken::new(),
        ));
        let process = Self {
            public: listener.local_addr().unwrap(),
            admin,
            path,
            _public: listener,
        };
        until(|| process.is_asked()).await;
        process
    }

    /// Whether the admin port answers.
    fn is_asked(&self) -> bool {
        std::net::TcpStream::connect(self.admin).is_ok()
    }

    /// A successor that has received the socket.
    async fn succeed(&self) -> UnixStream {
        let mut successor = loop {
            match UnixStream::connect(&self.path).await {
                Ok(successor) => break successor,
                Err(_not_yet) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        let mut given = [0];
        let read = successor.read_exact(&mut given);
        tokio::time::timeout(PATIENCE, read).await.unwrap().unwrap();
        assert_eq!(&given, b"L");
        successor
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _gone = std::fs::remove_file(&self.path);
    }
}

async fn until(is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_successor_that_dies_while_starting_does_not_affect_its_predecessor() {
    let process = Process::begin().await;
    for _ in 0..3 {
        let successor = process.succeed().await;
        // While the successor starts, and after it has died.
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(process.is_asked());
        drop(successor);
    }
    assert!(process.is_asked());
    let _next = process.succeed().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_predecessor_resumes_when_its_successor_dies_after_the_handover() {
    let process = Process::begin().await;
    for _ in 0..2 {
        let mut successor = process.succeed().await;
        successor.write_all(b"R").await.unwrap();
        until(|| !process.is_asked()).await;
        // It takes the path and the admin port, as a successor does.
        let admin = std::net::TcpListener::bind(process.admin).unwrap();
        std::fs::remove_file(&process.path).unwrap();
        let door = std::os::unix::net::UnixListener::bind(&process.path).unwrap();
        drop((admin, door, successor));
        until(|| process.is_asked()).await;
    }
    let _next = process.succeed().await;
    assert!(std::net::TcpStream::connect(process.public).is_ok());
}
