//! The calling end: sends the trace and what is left of the deadline.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::{HeaderValue, Request, Response};
use tonic::Status;
use tonic::body::Body;
use tonic::transport::Channel;
use tower::Service;

use crate::deadline;
use crate::trace::{self, TraceContext};

/// What one hop keeps for itself, so that it can still answer.
const HOP: Duration = Duration::from_millis(5);
/// With less than this left a call is not worth making.
const LEAST: Duration = Duration::from_millis(10);
/// The deadline of a call that has none: nothing waits for ever.
const DEFAULT: Duration = Duration::from_secs(5);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The transport of every generated client: `XClient<grpc::Client>`. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Client {
    channel: Channel,
}

impl Client {
    /// Wraps a channel.
    #[must_use]
    pub fn new(channel: Channel) -> Self {
        Self { channel }
    }
}

impl Service<Request<Body>> for Client {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.channel.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let left = deadline::remaining().map_or(DEFAULT, |left| left.saturating_sub(HOP));
        if left < LEAST {
            return Box::pin(std::future::ready(Err(out_of_time())));
        }
        let span = trace::current().map_or_else(TraceContext::new_root, TraceContext::child);
        let headers = request.headers_mut();
        if let Ok(value) = HeaderValue::try_from(span.header()) {
            headers.insert("traceparent", value);
        }
        // A caller that set a limit of its own keeps it; both ends then hold to the shorter one.
        if !headers.contains_key("grpc-timeout")
            && let Ok(value) = HeaderValue::try_from(format!("{}m", left.as_millis()))
        {
            headers.insert("grpc-timeout", value);
        }
        let started = Instant::now();
        let answer = self.channel.call(request);
        Box::pin(async move {
            let answer = tokio::time::timeout(left, answer).await;
            let is_late = started.elapsed() + HOP >= left;
            match answer {
                Ok(Ok(answer)) if is_late && is_cancelled(&answer) => Err(out_of_time()),
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(_)) if is_late => Err(out_of_time()),
                Ok(Err(error)) => Err(error.into()),
                Err(_elapsed) => Err(out_of_time()),
            }
        })
    }
}

/// Both ends of the transport have timers of their own, which call a deadline a cancellation.
fn is_cancelled(answer: &Response<Body>) -> bool {
    answer
        .headers()
        .get("grpc-status")
        .is_some_and(|code| code == "1")
}

fn out_of_time() -> BoxError {
    Status::deadline_exceeded("the deadline of the request has passed").into()
}
