//! A panic in a handler fails its own call only.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use telemetry::panics;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};

use crate::problem;

/// Turns panics into INTERNAL.
#[derive(Clone, Copy, Debug)]
pub(super) struct PanicLayer;

#[derive(Clone, Debug)]
pub(super) struct CatchPanic<S> {
    inner: S,
}

impl<S> Layer<S> for PanicLayer {
    type Service = CatchPanic<S>;

    fn layer(&self, inner: S) -> CatchPanic<S> {
        CatchPanic { inner }
    }
}

impl<S, Q> Service<Request<Q>> for CatchPanic<S>
where
    S: Service<Request<Q>, Response = Response<Body>>,
    S::Future: Send + 'static,
    S::Error: 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        // `call` itself may panic too, before its future is polled.
        let begun = std::panic::catch_unwind(AssertUnwindSafe(|| self.inner.call(request)));
        Box::pin(async move {
            let Ok(answer) = begun else {
                return Ok(failure());
            };
            panics::caught(answer)
                .await
                .unwrap_or_else(|panics::Panicked| Ok(failure()))
        })
    }
}

fn failure() -> Response<Body> {
    let message = "문제가 생겼어요. 잠시 후 다시 시도해 주세요.";
    let status: Status = problem::status(Code::Internal, "INTERNAL", message, []);
    status.into_http()
}
