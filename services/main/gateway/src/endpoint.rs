//! A route of the API: its handler and its [`RouteSpec`], from which authorization, limits, metrics and
//! the OpenAPI document follow. No route can be built without saying whose data it is about.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_web::http::Method;
use actix_web::{FromRequest, Handler, Responder, Route, web};
use metrics::Histogram;

/// Whose data a request is about, and where it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Nobody's; the token is not read.
    Public,
    /// Nobody's, but a valid token identifies the caller. An invalid one counts as none.
    Anyone,
    /// The member in this path parameter, or 0 for nobody; without a token only 0 is allowed.
    PublicOrSelf(&'static str),
    /// The member in this path parameter, who must be the caller.
    Path(&'static str),
    /// The member in this query parameter, who must be the caller.
    Query(&'static str),
    /// The member in this query parameter, or 0 or absent for nobody; without a token only nobody is
    /// allowed.
    QueryOrNobody(&'static str),
    /// The member in this field of the body, who must be the caller.
    Body(&'static str),
    /// The member in this field of the body, or 0 or absent for nobody; without a token only nobody is
    /// allowed.
    BodyOrNobody(&'static str),
    /// The owner of a row, which the service looks up for the caller alone.
    Owner,
}

impl Subject {
    #[must_use]
    pub fn needs_token(self) -> bool {
        match self {
            Self::Public
            | Self::Anyone
            | Self::PublicOrSelf(_)
            | Self::QueryOrNobody(_)
            | Self::BodyOrNobody(_) => false,
            Self::Path(_) | Self::Query(_) | Self::Body(_) | Self::Owner => true,
        }
    }
}

/// The deadline and the concurrency limit of a route, from the least to the most important: in an
/// overload searches and lists are shed long before orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Must be as quick as typing.
    Search,
    /// Public lists.
    Browse,
    /// Details, and reads of one member.
    Read,
    /// Orders and sessions.
    Order,
    /// Files of pictures, which wait for another store than all else.
    File,
    /// Files that members send, which take as long as their lines are slow.
    Upload,
}

impl Class {
    /// Bounds the whole request.
    #[must_use]
    pub fn deadline(self) -> Duration {
        match self {
            Self::Search => Duration::from_secs(1),
            Self::Browse | Self::Read | Self::File => Duration::from_secs(3),
            Self::Order => Duration::from_secs(5),
            Self::Upload => Duration::from_secs(120),
        }
    }

    /// Running requests at which the class is full: for Search, Browse and Read of all three together.
    #[must_use]
    pub fn max_concurrency(self) -> usize {
        match self {
            Self::Search => 64,
            Self::Browse => 192,
            Self::Read => 512,
            Self::Order => 1_024,
            Self::File => 256,
            Self::Upload => RECEIVED_UPLOADS + WAITING_UPLOADS,
        }
    }

    /// In metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Search => "Search",
            Self::Browse => "Browse",
            Self::Read => "Read",
            Self::Order => "Order",
            Self::File => "File",
            Self::Upload => "Upload",
        }
    }
}

/// Uploads whose bytes are received at a time.
pub(crate) const RECEIVED_UPLOADS: usize = 16;
/// Uploads that wait for it, of which nothing is read but the head.
const WAITING_UPLOADS: usize = 240;

#[derive(Clone, Debug)]
pub struct RouteSpec {
    pub method: Method,
    /// As in the OpenAPI document.
    pub path: &'static str,
    pub subject: Subject,
    pub class: Class,
    /// How often it makes auth hash a password, which takes tens of milliseconds of a core.
    pub password_hashes: u32,
    /// Its caller is known by a refresh token alone.
    pub takes_refresh_token: bool,
    /// Read by members' pages many times over, so that a network has a limit of its own for it.
    pub serves_files: bool,
    /// Not in the product's route list.
    pub extension: bool,
    /// Times of 200 responses. Kept, because looking it up costs more than using it.
    pub(crate) served: OnceLock<Histogram>,
}

#[derive(Clone)]
pub struct Endpoint {
    pub spec: Arc<RouteSpec>,
    route: Arc<dyn Fn() -> Route + Send + Sync>,
}

impl RouteSpec {
    #[must_use]
    pub fn hashes_password(&self) -> bool {
        self.password_hashes > 0
    }

    /// Whether its body is one JSON object, which is read before its handler runs.
    pub(crate) fn takes_json(&self) -> bool {
        self.method != Method::GET && self.class != Class::Upload
    }
}

/// A handler that any worker can run.
pub trait RouteHandler<A>: Handler<A, Output: Responder + 'static> + Send + Sync {}

impl<H, A> RouteHandler<A> for H where H: Handler<A, Output: Responder + 'static> + Send + Sync {}

impl Endpoint {
    /// A route of class Read.
    pub fn get<A: FromRequest + 'static>(
        path: &'static str,
        subject: Subject,
        handler: impl RouteHandler<A>,
    ) -> Self {
        Self::new(Method::GET, path, subject, Class::Read, handler)
    }

    /// A route of class Order, as all that follow.
    pub fn post<A: FromRequest + 'static>(
        path: &'static str,
        subject: Subject,
        handler: impl RouteHandler<A>,
    ) -> Self {
        Self::new(Method::POST, path, subject, Class::Order, handler)
    }

    pub fn put<A: FromRequest + 'static>(
        path: &'static str,
        subject: Subject,
        handler: impl RouteHandler<A>,
    ) -> Self {
        Self::new(Method::PUT, path, subject, Class::Order, handler)
    }

    pub fn patch<A: FromRequest + 'static>(
        path: &'static str,
        subject: Subject,
        handler: impl RouteHandler<A>,
    ) -> Self {
        Self::new(Method::PATCH, path, subject, Class::Order, handler)
    }

    pub fn delete<A: FromRequest + 'static>(
        path: &'static str,
        subject: Subject,
        handler: impl RouteHandler<A>,
    ) -> Self {
        Self::new(Method::DELETE, path, subject, Class::Order, handler)
    }

    fn new<A: FromRequest + 'static>(
        method: Method,
        path: &'static str,
        subject: Subject,
        class: Class,
        handler: impl RouteHandler<A>,
    ) -> Self {
        let route_method = method.clone();
        Self {
            spec: Arc::new(RouteSpec {
                method,
                path,
                subject,
                class,
                password_hashes: 0,
                takes_refresh_token: false,
                serves_files: false,
                extension: false,
                served: OnceLock::new(),
            }),
            route: Arc::new(move || web::method(route_method.clone()).to(handler.clone())),
        }
    }

    #[must_use]
    pub fn class(mut self, class: Class) -> Self {
        Arc::make_mut(&mut self.spec).class = class;
        self
    }

    #[must_use]
    pub fn hashes_passwords(mut self, times: u32) -> Self {
        Arc::make_mut(&mut self.spec).password_hashes = times;
        self
    }

    #[must_use]
    pub fn takes_refresh_token(mut self) -> Self {
        Arc::make_mut(&mut self.spec).takes_refresh_token = true;
        self
    }

    #[must_use]
    pub fn serves_files(mut self) -> Self {
        Arc::make_mut(&mut self.spec).serves_files = true;
        self.class(Class::File)
    }

    /// Marks a route that is not in the product's list.
    #[must_use]
    pub fn extension(mut self) -> Self {
        Arc::make_mut(&mut self.spec).extension = true;
        self
    }

    /// The handler for its method, without middleware.
    pub(crate) fn route(&self) -> Route {
        (self.route)()
    }
}
