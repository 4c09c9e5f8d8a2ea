//! The application of one worker: every route behind its guard, then the documents' pages, then the
//! client.

use actix_web::http::{Method, header};
use actix_web::middleware::from_fn;
use actix_web::{HttpResponse, ResponseError, web};
use utoipa_swagger_ui::{Config as DocsConfig, SwaggerUi};

use crate::asyncapi;
use crate::client_files;
use crate::error::{ApiError, Reason};
use crate::panics;
use crate::registry::Endpoint;
use crate::routes;

/// Registers everything that is served. Patterns are tried one after another, and one with a
/// parameter costs far more than a fixed text: so patterns stand under the fixed text that they
/// begin with, the longest first. Where a fixed path begins with it as well, that comes before.
pub(crate) fn configure(service: &mut web::ServiceConfig) {
    let endpoints = routes::endpoints();
    let mut paths: Vec<&'static str> = Vec::new();
    for endpoint in &endpoints {
        if !paths.contains(&endpoint.declared.path) {
            paths.push(endpoint.declared.path);
        }
    }
    let mut fixed_paths: Vec<&'static str> = Vec::new();
    let mut scopes: Vec<(&str, Vec<&'static str>)> = Vec::new();
    for path in paths {
        match fixed_part(path) {
            None => fixed_paths.push(path),
            Some(fixed) => match scopes.iter_mut().find(|(prefix, _)| *prefix == fixed) {
                Some((_, patterns)) => patterns.push(path),
                None => scopes.push((fixed, vec![path])),
            },
        }
    }
    scopes.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    let (shared, alone): (Vec<_>, Vec<_>) = scopes
        .into_iter()
        .partition(|(prefix, _)| fixed_paths.iter().any(|path| path.starts_with(prefix)));
    for (prefix, patterns) in alone {
        service.service(scope(prefix, patterns, &endpoints));
    }
    for path in fixed_paths {
        service.service(resource(path, path, &endpoints));
    }
    for (prefix, patterns) in shared {
        service.service(scope(prefix, patterns, &endpoints));
    }
    service
        .service(web::redirect("/docs", "/docs/"))
        .service(
            web::resource("/docs/asyncapi")
                .route(web::get().to(asyncapi::page::answer))
                .wrap(from_fn(panics::around)),
        )
        .service(SwaggerUi::new("/docs/{_:.*}").config(DocsConfig::from("/openapi.json")))
        .default_service(web::to(client_files::serve).wrap(from_fn(panics::around)));
}

/// All `patterns` under the text that they begin with.
fn scope(prefix: &str, patterns: Vec<&'static str>, endpoints: &[Endpoint]) -> actix_web::Scope {
    let resources = patterns.into_iter().map(|path| {
        let rest = path.strip_prefix(prefix).unwrap_or(path);
        resource(path, rest, endpoints)
    });
    resources.fold(web::scope(prefix), actix_web::Scope::service)
}

/// What a pattern with a parameter begins with, up to the last `/` before it.
fn fixed_part(path: &str) -> Option<&str> {
    let (before, _) = path.split_once('{')?;
    before.strip_suffix('/')
}

/// Every method of a path, under its `pattern` there; any other method is refused with the list of these.
fn resource(path: &str, pattern: &str, endpoints: &[Endpoint]) -> actix_web::Resource {
    let here: Vec<&Endpoint> = endpoints
        .iter()
        .filter(|endpoint| endpoint.declared.path == path)
        .collect();
    let methods: Vec<&Method> = here
        .iter()
        .map(|endpoint| &endpoint.declared.method)
        .collect();
    let allowed = methods
        .iter()
        .map(|method| method.as_str())
        .collect::<Vec<_>>()
        .join(", ");
    here.iter()
        .fold(web::resource(pattern), |resource, endpoint| {
            resource.route(endpoint.guarded())
        })
        .default_service(web::to(move || {
            std::future::ready(refuse_method(allowed.clone()))
        }))
}

fn refuse_method(allowed: String) -> HttpResponse {
    let mut response = ApiError::from(Reason::MethodNotAllowed).error_response();
    if let Ok(allowed) = allowed.parse() {
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    response
}
