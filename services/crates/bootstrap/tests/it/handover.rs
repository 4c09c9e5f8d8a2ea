//! A server is replaced by another on the same socket, again and again, while calls go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bootstrap::grpc;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

const CALLERS: usize = 8;
const SERVERS: usize = 12;

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
