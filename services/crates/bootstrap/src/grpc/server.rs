//! The server side: enters the caller's trace and deadline, and records the call's metrics.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use http::{HeaderMap, Request, Response};
use tower::{Layer, Service};

use crate::deadline::{self, Deadline};
use telemetry::trace::{self, TraceContext};

/// The timeout of a call without a deadline.
const DEFAULT: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug)]
pub struct ContextLayer;

#[derive(Clone, Debug)]
pub struct InContext<S> {
    inner: S,
}

impl<S> Layer<S> for ContextLayer {
    type Service = InContext<S>;

    fn layer(&self, inner: S) -> InContext<S> {
        InContext { inner }
    }
}

impl<S, Q, A> Service<Request<Q>> for InContext<S>
where
    S: Service<Request<Q>, Response = Response<A>>,
    S::Future: Send + 'static,
    S::Error: 'static,
{
    type Response = Response<A>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<A>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        let context = header(request.headers(), "traceparent")
            .and_then(TraceContext::parse)
            .unwrap_or_else(TraceContext::new_root);
        let limit = header(request.headers(), "grpc-timeout")
            .and_then(timeout)
            .unwrap_or(DEFAULT);
        let method = request.uri().path().to_owned();
        let answer = self.inner.call(request);
        let measured = async move {
            let started = Instant::now();
            let answer = answer.await;
            let code = answer.as_ref().map_or("13", |answer| {
                header(answer.headers(), "grpc-status").unwrap_or("0")
            });
            let labels = [("method", method), ("code", code.to_owned())];
            metrics::histogram!("grpc_server_call_seconds", &labels)
                .record(started.elapsed().as_secs_f64());
            answer
        };
        let bounded = deadline::scope(Deadline::within(limit), measured);
        Box::pin(trace::scope(context, bounded))
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Reads a `grpc-timeout`: at most eight digits and a unit.
fn timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > 8 {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(amount * 3_600)),
        "M" => Some(Duration::from_secs(amount * 60)),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grpc_timeouts_have_a_unit() {
        assert_eq!(timeout("250m"), Some(Duration::from_millis(250)));
        assert_eq!(timeout("3S"), Some(Duration::from_secs(3)));
        for bad in ["", "m", "5", "-1S", "123456789m", "1x", "1초"] {
            assert_eq!(timeout(bad), None, "{bad}");
        }
    }
}
