//! The application of one worker: every route behind its guard, then the document's page, then the
//! client.

use actix_web::http::{Method, header};
use actix_web::{HttpResponse, ResponseError, web};
use utoipa_swagger_ui::{Config as DocsConfig, SwaggerUi};

use crate::client_files;
use crate::error::{ApiError, Reason};
use crate::registry::Endpoint;
use crate::routes;

/// Registers everything that is served.
pub(crate) fn configure(service: &mut web::ServiceConfig) {
    let endpoints = routes::endpoints();
    for (index, endpoint) in endpoints.iter().enumerate() {
        let path = endpoint.declared.path;
        let is_first = endpoints
            .iter()
            .position(|other| other.declared.path == path)
            == Some(index);
        if is_first {
            service.service(resource(path, &endpoints));
        }
    }
    service
        .service(web::redirect("/docs", "/docs/"))
        .service(SwaggerUi::new("/docs/{_:.*}").config(DocsConfig::from("/openapi.json")))
        .default_service(web::to(client_files::serve));
}

/// Every method of a path; any other method is refused with the list of these.
fn resource(path: &'static str, endpoints: &[Endpoint]) -> actix_web::Resource {
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
        .fold(web::resource(path), |resource, endpoint| {
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
