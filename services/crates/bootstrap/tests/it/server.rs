//! The end of a server: its tasks, its admin port and what they failed of.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bootstrap::admin::Readiness;
use bootstrap::service::{Server, ServiceConfig};
use telemetry::LogFormat;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

fn config(admin_addr: SocketAddr) -> ServiceConfig {
    ServiceConfig {
        listen_addr: SocketAddr::from(([127, 0, 0, 1], 0)),
        handover_socket: None,
        admin_addr,
        drain_s: 1,
        log_format: LogFormat::Text,
    }
}

fn server() -> (Server, CancellationToken) {
    let shutdown = CancellationToken::new();
    let config = config(SocketAddr::from(([127, 0, 0, 1], 0)));
    (Server::new(&config, shutdown.clone()), shutdown)
}

async fn serve(server: Server) -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    server.serve(listener, Routes::default()).await?;
    server.finish().await
}

#[tokio::test]
async fn background_tasks_end_before_the_server() {
    let (mut server, shutdown) = server();
    server.serve_admin(Readiness::new());
    let ended = Arc::new(AtomicBool::new(false));
    let (end, stopped) = (Arc::clone(&ended), shutdown.clone());
    server.spawn(async move {
        stopped.cancelled().await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        end.store(true, Ordering::SeqCst);
    });
    let serving = tokio::spawn(serve(server));
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!serving.is_finished());
    shutdown.cancel();
    serving.await.unwrap().unwrap();
    assert!(ended.load(Ordering::SeqCst));
}

#[tokio::test]
async fn a_task_that_never_ends_is_left_after_the_drain_time() {
    let (mut server, shutdown) = server();
    server.spawn(std::future::pending());
    shutdown.cancel();
    let started = Instant::now();
    serve(server).await.unwrap();
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_panic_of_a_task_is_an_error() {
    let (mut server, shutdown) = server();
    server.spawn(async { panic!("of a task") });
    shutdown.cancel();
    serve(server).await.unwrap_err();
}

#[tokio::test]
async fn a_server_whose_admin_port_is_taken_ends_with_the_error() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let shutdown = CancellationToken::new();
    let config = config(taken.local_addr().unwrap());
    let mut server = Server::new(&config, shutdown);
    server.serve_admin(Readiness::new());
    serve(server).await.unwrap_err();
}
