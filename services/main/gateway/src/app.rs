//! The application of one worker: the routes of the API with their middleware, the pages of the
//! documents, and the client.

use std::sync::Arc;

use actix_web::dev::ServiceRequest;
use actix_web::http::{Method, header};
use actix_web::middleware::from_fn;
use actix_web::{HttpResponse, ResponseError, Route, web};
use utoipa_swagger_ui::{Config as DocsConfig, SwaggerUi};

use crate::asyncapi;
use crate::endpoint::Endpoint;
use crate::error::{ApiError, Reason};
use crate::middleware::authorize::authorize;
use crate::middleware::catch_panic::{catch_panic, or_internal_error};
use crate::routes;
use crate::spa::files;

/// Registers every route. actix tries patterns one after another, and one with a parameter costs far
/// more than a fixed path: so patterns are grouped in scopes by their fixed prefix, the longest first.
/// Fixed paths below such a prefix are registered before its scope.
pub(crate) fn configure(service: &mut web::ServiceConfig) {
    let endpoints = routes::endpoints();
    let mut paths: Vec<&'static str> = Vec::new();
    for endpoint in &endpoints {
        if !paths.contains(&endpoint.spec.path) {
            paths.push(endpoint.spec.path);
        }
    }
    let mut fixed_paths: Vec<&'static str> = Vec::new();
    let mut scopes: Vec<(&str, Vec<&'static str>)> = Vec::new();
    for path in paths {
        match fixed_prefix(path) {
            None => fixed_paths.push(path),
            Some(fixed) => match scopes.iter_mut().find(|(prefix, _)| *prefix == fixed) {
                Some((_, patterns)) => patterns.push(path),
                None => scopes.push((fixed, vec![path])),
            },
        }
    }
    scopes.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    let (overlapping, separate): (Vec<_>, Vec<_>) = scopes
        .into_iter()
        .partition(|(prefix, _)| fixed_paths.iter().any(|path| path.starts_with(prefix)));
    for (prefix, patterns) in separate {
        service.service(scope(prefix, patterns, &endpoints));
    }
    for path in fixed_paths {
        service.service(resource(path, path, &endpoints));
    }
    for (prefix, patterns) in overlapping {
        service.service(scope(prefix, patterns, &endpoints));
    }
    service
        .service(web::redirect("/docs", "/docs/"))
        .service(
            web::resource("/docs/asyncapi")
                .route(web::get().to(asyncapi::page::page))
                .wrap(from_fn(catch_panic)),
        )
        .service(SwaggerUi::new("/docs/{_:.*}").config(DocsConfig::from("/openapi.json")))
        .default_service(web::to(files::serve).wrap(from_fn(catch_panic)));
}

fn scope(prefix: &str, patterns: Vec<&'static str>, endpoints: &[Endpoint]) -> actix_web::Scope {
    let resources = patterns.into_iter().map(|path| {
        let rest = path.strip_prefix(prefix).unwrap_or(path);
        resource(path, rest, endpoints)
    });
    resources.fold(web::scope(prefix), actix_web::Scope::service)
}

/// The segments of a pattern before its first parameter.
fn fixed_prefix(path: &str) -> Option<&str> {
    let (before, _) = path.split_once('{')?;
    before.strip_suffix('/')
}

/// All methods of `path`; other methods get 405 with `Allow`. `pattern` is the path within its scope.
fn resource(path: &str, pattern: &str, endpoints: &[Endpoint]) -> actix_web::Resource {
    let of_path: Vec<&Endpoint> = endpoints
        .iter()
        .filter(|endpoint| endpoint.spec.path == path)
        .collect();
    let methods: Vec<&Method> = of_path
        .iter()
        .map(|endpoint| &endpoint.spec.method)
        .collect();
    let allowed = methods
        .iter()
        .map(|method| method.as_str())
        .collect::<Vec<_>>()
        .join(", ");
    of_path
        .iter()
        .fold(web::resource(pattern), |resource, endpoint| {
            resource.route(guarded(endpoint))
        })
        .default_service(web::to(move || {
            std::future::ready(method_not_allowed(allowed.clone()))
        }))
}

/// The route with its middleware.
fn guarded(endpoint: &Endpoint) -> Route {
    let spec = Arc::clone(&endpoint.spec);
    endpoint
        .route()
        .wrap(from_fn(move |request: ServiceRequest, next| {
            let kept = request.request().clone();
            or_internal_error(kept, authorize(Arc::clone(&spec), request, next))
        }))
}

fn method_not_allowed(allowed: String) -> HttpResponse {
    let mut response = ApiError::from(Reason::MethodNotAllowed).error_response();
    if let Ok(allowed) = allowed.parse() {
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}
