//! Every route of the API with what is declared about it. A route cannot be built without saying
//! where its subject is, and the guard that compares it with the caller is part of the route.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_web::dev::ServiceRequest;
use actix_web::http::Method;
use actix_web::middleware::from_fn;
use actix_web::{FromRequest, Handler, Responder, Route, web};
use metrics::Histogram;

use crate::{guard, panics};

/// Where a route says whose data it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Nobody's: the token is not even looked at.
    Public,
    /// Nobody's, but a caller with a good token is recognised. A bad token counts as none.
    Anyone,
    /// The member in this path parameter; 0 is nobody, and all that is allowed without a token.
    PublicOrSelf(&'static str),
    /// The member in this path parameter, who must be the caller.
    Path(&'static str),
    /// The member in this query parameter, who must be the caller.
    Query(&'static str),
    /// The member in this field of the body, who must be the caller.
    Body(&'static str),
    /// The member in this field of the body, 0 or absent for nobody, and that is all that is
    /// allowed without a token.
    BodyOrNobody(&'static str),
    /// The owner of a row that the service looks up for the caller alone.
    Owner,
}

impl Subject {
    /// Whether nothing is answered without a good token.
    #[must_use]
    pub fn needs_token(self) -> bool {
        match self {
            Self::Public | Self::Anyone | Self::PublicOrSelf(_) | Self::BodyOrNobody(_) => false,
            Self::Path(_) | Self::Query(_) | Self::Body(_) | Self::Owner => true,
        }
    }
}

/// How long a route may take and how much of it runs at once. When there is too much of
/// everything, lists and searches are refused long before orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Search: as quick as typing or not at all.
    Search,
    /// Lists that everybody sees.
    Browse,
    /// A member's reads, and details.
    Read,
    /// What moves money, and sessions.
    Order,
}

impl Class {
    /// The deadline of the whole request.
    #[must_use]
    pub fn limit(self) -> Duration {
        match self {
            Self::Search => Duration::from_secs(1),
            Self::Browse | Self::Read => Duration::from_secs(3),
            Self::Order => Duration::from_secs(5),
        }
    }

    /// Requests that may be under way at once: for those that look, of all that look.
    #[must_use]
    pub fn seats(self) -> usize {
        match self {
            Self::Search => 64,
            Self::Browse => 192,
            Self::Read => 512,
            Self::Order => 1_024,
        }
    }

    /// Its name in metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Search => "Search",
            Self::Browse => "Browse",
            Self::Read => "Read",
            Self::Order => "Order",
        }
    }
}

/// What is declared about a route.
#[derive(Clone, Debug)]
pub struct Declared {
    pub method: Method,
    /// The pattern, as in the OpenAPI document.
    pub path: &'static str,
    pub subject: Subject,
    pub class: Class,
    /// Makes auth hash a password, which takes tens of milliseconds of a core.
    pub hashes: bool,
    /// Not in the product's route list: an extension of ours.
    pub extension: bool,
    /// Counts and times good answers. Kept, because finding it costs more than using it.
    pub(crate) served: OnceLock<Histogram>,
}

/// A route of the API.
#[derive(Clone)]
pub struct Endpoint {
    pub declared: Arc<Declared>,
    route: Arc<dyn Fn() -> Route + Send + Sync>,
}

impl Endpoint {
    /// A route that reads.
    pub fn get<H, A>(path: &'static str, subject: Subject, handler: H) -> Self
    where
        H: Handler<A> + Send + Sync,
        A: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        Self::new(Method::GET, path, subject, Class::Read, handler)
    }

    /// A route that acts. Its body is one JSON object.
    pub fn post<H, A>(path: &'static str, subject: Subject, handler: H) -> Self
    where
        H: Handler<A> + Send + Sync,
        A: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        Self::new(Method::POST, path, subject, Class::Order, handler)
    }

    /// A route that sets something to what its body says.
    pub fn put<H, A>(path: &'static str, subject: Subject, handler: H) -> Self
    where
        H: Handler<A> + Send + Sync,
        A: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        Self::new(Method::PUT, path, subject, Class::Order, handler)
    }

    /// A route that changes a part of something.
    pub fn patch<H, A>(path: &'static str, subject: Subject, handler: H) -> Self
    where
        H: Handler<A> + Send + Sync,
        A: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        Self::new(Method::PATCH, path, subject, Class::Order, handler)
    }

    /// A route that removes what its body names.
    pub fn delete<H, A>(path: &'static str, subject: Subject, handler: H) -> Self
    where
        H: Handler<A> + Send + Sync,
        A: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        Self::new(Method::DELETE, path, subject, Class::Order, handler)
    }

    fn new<H, A>(
        method: Method,
        path: &'static str,
        subject: Subject,
        class: Class,
        handler: H,
    ) -> Self
    where
        H: Handler<A> + Send + Sync,
        A: FromRequest + 'static,
        H::Output: Responder + 'static,
    {
        let route_method = method.clone();
        Self {
            declared: Arc::new(Declared {
                method,
                path,
                subject,
                class,
                hashes: false,
                extension: false,
                served: OnceLock::new(),
            }),
            route: Arc::new(move || web::method(route_method.clone()).to(handler.clone())),
        }
    }

    /// With another class than its method's.
    #[must_use]
    pub fn class(mut self, class: Class) -> Self {
        Arc::make_mut(&mut self.declared).class = class;
        self
    }

    /// Marked as making auth hash a password.
    #[must_use]
    pub fn hashes(mut self) -> Self {
        Arc::make_mut(&mut self.declared).hashes = true;
        self
    }

    /// Marked as an extension of ours.
    #[must_use]
    pub fn extension(mut self) -> Self {
        Arc::make_mut(&mut self.declared).extension = true;
        self
    }

    /// The actix route with the guard around it, and what answers for it should it panic.
    pub(crate) fn guarded(&self) -> Route {
        let declared = Arc::clone(&self.declared);
        (self.route)().wrap(from_fn(move |request: ServiceRequest, next| {
            let kept = request.request().clone();
            panics::caught(kept, guard::around(Arc::clone(&declared), request, next))
        }))
    }
}
