//! gRPC: health, deadlines, traces and draining.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc;
use futures_util::future::try_join_all;
use http::{Request, Response};
use telemetry::trace;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::Code;
use tonic::service::Routes;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tower::{Layer, ServiceExt, service_fn};

fn everything() -> HealthCheckRequest {
    HealthCheckRequest {
        service: String::new(),
    }
}

#[tokio::test]
async fn a_server_serves_health_and_shuts_down() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let stop = CancellationToken::new();
    let drain = Duration::from_secs(1);
    let serving = tokio::spawn(grpc::serve(
        listener,
        Routes::default(),
        stop.clone(),
        drain,
    ));
    let mut client = HealthClient::new(grpc::channel(&url).unwrap());
    let answer = client.check(everything()).await.unwrap();
    // SERVING in the health protocol.
    assert_eq!(answer.into_inner().status, 1);
    stop.cancel();
    serving.await.unwrap().unwrap();
    let code = client.check(everything()).await.unwrap_err().code();
    assert_eq!(code, Code::Unavailable);
}

/// More than the queue of a connection takes: tonic's default is 1,024.
const CROWD: usize = 1_500;

#[tokio::test]
async fn calls_beyond_the_queue_of_a_connection_are_made_as_it_empties() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let stop = CancellationToken::new();
    let drain = Duration::from_secs(1);
    tokio::spawn(grpc::serve(
        listener,
        Routes::default(),
        stop.clone(),
        drain,
    ));
    let client = HealthClient::new(grpc::channel(&url).unwrap());
    let calls = (0..CROWD).map(|_| {
        let mut client = client.clone();
        async move { client.check(everything()).await }
    });
    let soon = Duration::from_secs(30);
    // Otherwise the test yields before the queue is full.
    let calls = tokio::task::unconstrained(try_join_all(calls));
    let answered = deadline::scope(Deadline::within(soon), calls);
    let answered = tokio::time::timeout(soon, answered).await;
    let answered = answered.expect("every call is woken").unwrap();
    assert_eq!(answered.len(), CROWD);
    stop.cancel();
}

#[tokio::test]
async fn a_call_without_time_left_is_not_made() {
    let mut client = HealthClient::new(grpc::channel("http://127.0.0.1:1").unwrap());
    let started = Instant::now();
    let call = client.check(everything());
    let refused = deadline::scope(Deadline::within(Duration::from_millis(9)), call).await;
    assert_eq!(refused.unwrap_err().code(), Code::DeadlineExceeded);
    assert!(started.elapsed() < Duration::from_millis(500));
}

#[tokio::test]
async fn a_server_that_never_responds_is_bounded_by_the_deadline() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let mut client = HealthClient::new(grpc::channel(&url).unwrap());
    let started = Instant::now();
    let call = client.check(everything());
    let late = deadline::scope(Deadline::within(Duration::from_millis(300)), call).await;
    assert_eq!(late.unwrap_err().code(), Code::DeadlineExceeded);
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[tokio::test]
async fn the_callers_trace_and_deadline_are_entered() {
    let seen = service_fn(async |_request: Request<()>| {
        let trace_id = trace::current().map(|context| context.trace_id());
        Ok::<_, Infallible>(Response::new((trace_id, deadline::remaining())))
    });
    let root = trace::TraceContext::new_root();
    let request = Request::builder()
        .header("traceparent", root.header())
        .header("grpc-timeout", "250m")
        .body(())
        .unwrap();
    let answer = grpc::ContextLayer
        .layer(seen)
        .oneshot(request)
        .await
        .unwrap();
    let (trace_id, left) = answer.into_body();
    assert_eq!(trace_id, Some(root.trace_id()));
    assert!(left.unwrap() <= Duration::from_millis(250));
}
