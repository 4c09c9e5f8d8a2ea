//! Rejects GET requests with 503 before routing while their class is at its concurrency limit.
//! Shedding must cost far less than serving (11 µs against 220 µs), or an overload grows. Shed
//! requests are counted but not logged, because they are most numerous when there is least time.

use std::collections::HashMap;
use std::future::ready;
use std::sync::Arc;

use actix_http::{Request, Response};
use actix_service::{Service, ServiceFactory, apply_fn_factory};
use actix_web::body::BoxBody;
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::http::{Method, header};
use actix_web::{Error, web};
use futures_util::TryFutureExt;
use futures_util::future::Either;
use tokio_util::sync::CancellationToken;

use super::headers::SecurityHeaders;
use super::shed_response::ShedResponse;
use super::trace::trace_context;
use crate::endpoint::{Class, Endpoint};
use crate::error::Reason;
use crate::state::AppState;

/// Wraps the application of a worker.
#[derive(Clone)]
pub(crate) struct EarlyLoadShed {
    state: web::Data<AppState>,
    classes: Arc<PathClasses>,
    response: Arc<ShedResponse>,
    shutdown: CancellationToken,
}

impl EarlyLoadShed {
    pub(crate) fn new(
        state: web::Data<AppState>,
        endpoints: &[Endpoint],
        security: &SecurityHeaders,
        shutdown: CancellationToken,
    ) -> Self {
        Self {
            state,
            classes: Arc::new(PathClasses::new(endpoints)),
            response: Arc::new(ShedResponse::new(Reason::Unavailable, security)),
            shutdown,
        }
    }

    /// Puts this before `application`, which sees only the requests that are not shed.
    pub(crate) fn wrap<F>(
        self,
        application: F,
    ) -> impl ServiceFactory<
        Request,
        Config = AppConfig,
        Response = Response<BoxBody>,
        Error = Error,
        InitError = F::InitError,
    >
    where
        F: ServiceFactory<
                Request,
                Config = AppConfig,
                Response = ServiceResponse<BoxBody>,
                Error = Error,
            >,
    {
        apply_fn_factory(
            application,
            move |request: Request, next: &F::Service| match self.shed(&request) {
                Some(response) => Either::Left(ready(Ok(response))),
                None => Either::Right(next.call(request).map_ok(Response::from)),
            },
        )
    }

    /// The response to a request that is shed. Requests with a body are routed, because a handler
    /// must read the body; so is everything during shutdown, to be told to reconnect.
    fn shed(&self, request: &Request) -> Option<Response<BoxBody>> {
        let head = request.head();
        let has_body = head.headers.contains_key(header::TRANSFER_ENCODING)
            || head.headers.contains_key(header::CONTENT_LENGTH);
        if head.method != Method::GET || has_body || self.shutdown.is_cancelled() {
            return None;
        }
        let class = self.classes.get(head.uri.path())?;
        let is_shed = self.state.concurrency.shed_if_full(class);
        is_shed.then(|| self.response.with_trace(trace_context(&head.headers)))
    }
}

/// The classes of GET routes by path: a hash lookup instead of the router.
struct PathClasses {
    exact: HashMap<&'static str, Class>,
    /// By what stands before the last segment, where that is the only parameter.
    prefixes: HashMap<&'static str, Class>,
}

impl PathClasses {
    fn new(endpoints: &[Endpoint]) -> Self {
        let (mut exact, mut prefixes) = (HashMap::new(), HashMap::new());
        for endpoint in endpoints {
            let spec = &endpoint.spec;
            if spec.method != Method::GET {
                continue;
            }
            match spec.path.rsplit_once('/') {
                Some((prefix, last)) if last.starts_with('{') => {
                    prefixes.insert(prefix, spec.class);
                }
                Some(_) | None => {
                    exact.insert(spec.path, spec.class);
                }
            }
        }
        Self { exact, prefixes }
    }

    /// `None` for a path that only the router can classify.
    fn get(&self, path: &str) -> Option<Class> {
        let exact = self.exact.get(path).copied();
        exact.or_else(|| {
            let (prefix, _) = path.rsplit_once('/')?;
            self.prefixes.get(prefix).copied()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::endpoints;

    #[test]
    fn a_path_has_the_class_that_its_route_declares() {
        let classes = PathClasses::new(&endpoints());
        for endpoint in endpoints() {
            let spec = &endpoint.spec;
            let parameters = spec.path.matches('{').count();
            let is_covered = parameters == 0 || (spec.path.ends_with('}') && parameters == 1);
            if spec.method == Method::GET && is_covered {
                let path = spec.path.replace(['{', '}'], "");
                assert_eq!(classes.get(&path), Some(spec.class), "{path}");
            }
        }
        assert_eq!(classes.get("/"), None);
        assert_eq!(classes.get("/assets/main.js"), None);
        assert_eq!(classes.get("/api/v1/stock/real/code/1/2"), None);
    }
}
