//! A handler that panics costs its own call and no other.

use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request, Response};
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};

use crate::{panics, problem};

/// Wraps every service of a server: a panic is answered INTERNAL.
#[derive(Clone, Copy, Debug)]
pub(super) struct PanicLayer;

/// What [`PanicLayer`] makes of a service.
#[derive(Clone, Debug)]
pub(super) struct Guarded<S> {
    inner: S,
}

impl<S> Layer<S> for PanicLayer {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { inner }
    }
}

impl<S, Q> Service<Request<Q>> for Guarded<S>
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
        // Not only the answer may panic, but also the beginning of it, before the first wait.
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
