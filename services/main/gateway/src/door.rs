//! Sending away at the door. In an overload most requests find no seat, and that must cost next to
//! nothing: so whoever reads is told before there is an application around the request, with its
//! routes and layers. Such answers are counted, and not written down: there are most of them when
//! there is least time for it.

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

use crate::headers;
use crate::refusal::Refusal;
use crate::registry::{Class, Endpoint};
use crate::state::Gateway;

/// Which class a path is of, as far as one look tells.
pub(crate) struct Door {
    paths: HashMap<&'static str, Class>,
    /// What a path with one parameter, its last part, begins with.
    beginnings: HashMap<&'static str, Class>,
}

impl Door {
    /// For the routes that read. A path that is not known here goes the ordinary way.
    pub(crate) fn of(endpoints: &[Endpoint]) -> Self {
        let (mut paths, mut beginnings) = (HashMap::new(), HashMap::new());
        for endpoint in endpoints {
            let declared = &endpoint.declared;
            if declared.method != Method::GET {
                continue;
            }
            match declared.path.rsplit_once('/') {
                Some((before, last)) if last.starts_with('{') => {
                    beginnings.insert(before, declared.class);
                }
                Some(_) | None => {
                    paths.insert(declared.path, declared.class);
                }
            }
        }
        Self { paths, beginnings }
    }

    fn class(&self, path: &str) -> Option<Class> {
        let known = self.paths.get(path).copied();
        known.or_else(|| {
            let (before, _) = path.rsplit_once('/')?;
            self.beginnings.get(before).copied()
        })
    }
}

/// What a worker needs to send somebody away.
#[derive(Clone)]
pub(crate) struct Doorkeeper {
    pub(crate) gateway: web::Data<Gateway>,
    /// The answer to whoever is sent away.
    pub(crate) refusal: Arc<Refusal>,
    pub(crate) ends: CancellationToken,
}

impl Doorkeeper {
    /// Puts the door before `application`, which sees only the requests that there is room for.
    pub(crate) fn before<F>(
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
            move |request: Request, rest: &F::Service| match self.refusal(&request) {
                Some(refusal) => Either::Left(ready(Ok(refusal))),
                None => Either::Right(rest.call(request).map_ok(Response::from)),
            },
        )
    }

    /// The answer for whoever finds no seat. A request with a body goes the ordinary way, where the
    /// body is read, and so does everybody while the process ends, to be told to connect anew.
    fn refusal(&self, request: &Request) -> Option<Response<BoxBody>> {
        let head = request.head();
        let has_body = head.headers.contains_key(header::TRANSFER_ENCODING)
            || head.headers.contains_key(header::CONTENT_LENGTH);
        if head.method != Method::GET || has_body || self.ends.is_cancelled() {
            return None;
        }
        let class = self.gateway.door.class(head.uri.path())?;
        let is_refused = self.gateway.seats.refuse(class);
        is_refused.then(|| self.refusal.answer(headers::trace_of(&head.headers)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::endpoints;

    #[test]
    fn a_path_is_of_the_class_its_route_declares() {
        let door = Door::of(&endpoints());
        for endpoint in endpoints() {
            let declared = &endpoint.declared;
            let is_plain = declared.path.matches('{').count() == 0
                || (declared.path.ends_with('}') && declared.path.matches('{').count() == 1);
            if declared.method == Method::GET && is_plain {
                let asked = declared.path.replace(['{', '}'], "");
                assert_eq!(door.class(&asked), Some(declared.class), "{asked}");
            }
        }
        assert_eq!(door.class("/"), None);
        assert_eq!(door.class("/assets/main.js"), None);
        assert_eq!(door.class("/api/v1/stock/real/code/1/2"), None);
    }
}
