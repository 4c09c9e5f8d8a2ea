//! The client side: sends the trace and the remaining time of the deadline.
//!
//! Each calling thread has its own connection. The tasks of a connection run on the thread that
//! opened it; with a shared one, each call would cross to that thread and back.

use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use http::header::HeaderName;
use http::{HeaderValue, Request, Response};
use thread_local::ThreadLocal;
use tonic::Status;
use tonic::body::Body;
use tonic::transport::{Channel, Endpoint};
use tower::Service;

use super::unsent;
use crate::deadline;
use telemetry::trace::{self, TraceContext};

/// Subtracted per hop, so that this process can still respond.
const HOP: Duration = Duration::from_millis(5);
/// With less remaining time no call is made.
const MIN_REMAINING: Duration = Duration::from_millis(10);
/// The timeout of a call without a deadline.
const DEFAULT: Duration = Duration::from_secs(5);

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

pub(super) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The transport of every generated client: `XClient<grpc::Client>`. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    connections: Arc<Connections>,
    /// The connection of the next call. Kept while it is not ready: its place in the queue would be
    /// lost with it, and nobody would wake the call.
    next: Option<Channel>,
    /// Whether a call that comes back unsent is made again, for which its request is collected.
    repeats_unsent: bool,
}

struct Connections {
    endpoint: Endpoint,
    of_threads: ThreadLocal<RefCell<Channel>>,
}

impl Client {
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        let of_threads = ThreadLocal::new();
        Self {
            connections: Arc::new(Connections {
                endpoint,
                of_threads,
            }),
            next: None,
            repeats_unsent: true,
        }
    }

    /// For calls whose request is a stream that is too large to be kept: it is sent as it comes, and
    /// once.
    #[must_use]
    pub fn streaming(self) -> Self {
        Self {
            repeats_unsent: false,
            ..self
        }
    }
}

impl Connections {
    fn of_this_thread(&self) -> &RefCell<Channel> {
        self.of_threads
            .get_or(|| RefCell::new(self.endpoint.connect_lazy()))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uri = self.connections.endpoint.uri();
        formatter.debug_tuple("Client").field(uri).finish()
    }
}

impl Service<Request<Body>> for Client {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        let connection = self.connections.of_this_thread();
        let next = self.next.get_or_insert_with(|| connection.borrow().clone());
        if ready!(next.poll_ready(context)).is_err() {
            // The connection ended with its runtime; thread numbers are reused.
            *next = self.connections.endpoint.connect_lazy();
            connection.replace(next.clone());
            ready!(next.poll_ready(context))?;
        }
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let left = deadline::remaining().map_or(DEFAULT, |left| left.saturating_sub(HOP));
        if left < MIN_REMAINING {
            return Box::pin(std::future::ready(Err(deadline_exceeded())));
        }
        let span = trace::current().map_or_else(TraceContext::new_root, TraceContext::child);
        let headers = request.headers_mut();
        if let Ok(value) = HeaderValue::try_from(span.header()) {
            headers.insert(TRACEPARENT, value);
        }
        // A limit set by the caller stays; both ends use the shorter one.
        if !headers.contains_key(GRPC_TIMEOUT)
            && let Ok(value) = HeaderValue::try_from(format!("{}m", left.as_millis()))
        {
            headers.insert(GRPC_TIMEOUT, value);
        }
        let started = Instant::now();
        let Some(mut channel) = self.next.take() else {
            return Box::pin(std::future::ready(Err(no_ready_connection())));
        };
        let repeats_unsent = self.repeats_unsent;
        let answer = async move {
            if repeats_unsent {
                unsent::call(channel, request).await
            } else {
                Ok(channel.call(request).await?)
            }
        };
        Box::pin(async move {
            let answer = tokio::time::timeout(left, answer).await;
            let is_late = started.elapsed() + HOP >= left;
            match answer {
                Ok(Ok(answer)) if is_late && is_cancelled(&answer) => Err(deadline_exceeded()),
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(_)) if is_late => Err(deadline_exceeded()),
                Ok(Err(error)) => Err(error),
                Err(_elapsed) => Err(deadline_exceeded()),
            }
        })
    }
}

/// The transport's own timers on both ends report a passed deadline as a cancellation.
fn is_cancelled(answer: &Response<Body>) -> bool {
    answer
        .headers()
        .get("grpc-status")
        .is_some_and(|code| code == "1")
}

fn deadline_exceeded() -> BoxError {
    Status::deadline_exceeded("the deadline of the request has passed").into()
}

fn no_ready_connection() -> BoxError {
    Status::internal("a call was made without asking whether it can be").into()
}
