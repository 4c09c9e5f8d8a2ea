//! The OpenAPI document: each file of routes describes its own, and their [`RouteSpec`]s add what holds
//! for all of them: error responses, the token, which routes are not in the product's list.

use std::sync::{Arc, LazyLock};

use actix_web::http::Method;
use utoipa::OpenApi as _;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, OpenApi, Ref, Response, ResponseBuilder};

use crate::endpoint::{RouteSpec, Subject};
use crate::error::{FieldProblem, Problem};
use crate::routes;

const TOKEN: &str = "accessToken";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "SeedUp",
        description = "Practise investing with virtual money. Every error body is a Problem; decide by its `code`.",
        license(name = "MIT", identifier = "MIT")
    ),
    external_docs(url = "/docs/asyncapi", description = "Live prices over a websocket"),
    components(schemas(Problem, FieldProblem)),
    tags(
        (name = "auth", description = "Sessions."),
        (name = "member", description = "The member's own record."),
        (name = "account", description = "Education points that become won."),
        (name = "stock", description = "Stocks and ETFs."),
        (name = "coin", description = "Coins."),
        (name = "commodity", description = "Gold, commodities, exchange rates."),
        (name = "product", description = "Deposits and savings plans."),
        (name = "like", description = "What members like."),
        (name = "trend", description = "How markets do."),
        (name = "market", description = "Alerts of prices."),
        (name = "search", description = "What members searched for."),
        (name = "invest", description = "Accounts and receipts."),
        (name = "education", description = "Quizzes, articles, streaks."),
        (name = "community", description = "Posts, comments, and what members are to each other."),
        (name = "notification", description = "What members are told, and where."),
        (name = "system", description = "This installation.")
    )
)]
struct Document;

static DOCUMENT: LazyLock<Arc<OpenApi>> = LazyLock::new(|| Arc::new(build()));

/// The document of every route that is served.
#[must_use]
pub fn document() -> &'static OpenApi {
    &DOCUMENT
}

pub(crate) fn shared_document() -> Arc<OpenApi> {
    Arc::clone(&DOCUMENT)
}

pub fn operation<'a>(item: &'a mut PathItem, method: &Method) -> Option<&'a mut Operation> {
    match *method {
        Method::GET => item.get.as_mut(),
        Method::POST => item.post.as_mut(),
        Method::PUT => item.put.as_mut(),
        Method::PATCH => item.patch.as_mut(),
        Method::DELETE => item.delete.as_mut(),
        _ => None,
    }
}

fn build() -> OpenApi {
    let mut document = Document::openapi();
    for part in [
        routes::auth::Document::openapi(),
        routes::credential::Document::openapi(),
        routes::member::Document::openapi(),
        routes::account::Document::openapi(),
        routes::stock::Document::openapi(),
        routes::coin::Document::openapi(),
        routes::commodity::Document::openapi(),
        routes::asset::document(),
        routes::product::Document::openapi(),
        routes::contract::Document::openapi(),
        routes::like::Document::openapi(),
        routes::trend::Document::openapi(),
        routes::search_history::Document::openapi(),
        routes::price_alert::Document::openapi(),
        routes::invest::Document::openapi(),
        routes::transfer::Document::openapi(),
        routes::dividend::Document::openapi(),
        routes::profit::Document::openapi(),
        routes::equity::Document::openapi(),
        routes::season::Document::openapi(),
        routes::notification::Document::openapi(),
        routes::competition::Document::openapi(),
        routes::education::document(),
        routes::community::document(),
        routes::push::Document::openapi(),
        routes::file::Document::openapi(),
        routes::system::Document::openapi(),
    ] {
        document.merge(part);
    }
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .build();
    document
        .components
        .get_or_insert_with(Components::new)
        .add_security_scheme(TOKEN, SecurityScheme::Http(token));
    for endpoint in routes::endpoints() {
        let item = document.paths.paths.get_mut(endpoint.spec.path);
        let operation = item.and_then(|item| operation(item, &endpoint.spec.method));
        if let Some(operation) = operation {
            complete(operation, &endpoint.spec);
        }
    }
    document
}

fn complete(operation: &mut Operation, spec: &RouteSpec) {
    let mut errors = vec![
        ("414", "The address is longer than 4 KB."),
        ("429", "Too many requests; wait as Retry-After says."),
        ("431", "The headers are larger than 16 KB."),
        ("503", "A service is away or too slow; try again."),
    ];
    if operation.parameters.is_some() || operation.request_body.is_some() {
        errors.push(("400", "The request is malformed; `fields` says where."));
        errors.push(("404", "There is no such thing."));
    }
    if operation.request_body.is_some() {
        errors.push(("403", "A page of another site asked for it."));
        errors.push(("408", "The body did not come to its end."));
        errors.push(("409", "Another request came first."));
        if spec.takes_json() {
            errors.push(("413", "The body is larger than 64 KB."));
            errors.push(("415", "The body is not JSON."));
        } else {
            errors.push(("413", "The file is larger than 5 MB or 40 megapixels."));
            errors.push(("415", "The body is no form with a picture."));
        }
        errors.push(("422", "A rule refuses; `facts` has its figures."));
    }
    let about_members = match spec.subject {
        Subject::Public => operation.request_body.is_some(),
        Subject::Anyone => false,
        Subject::PublicOrSelf(_)
        | Subject::QueryOrNobody(_)
        | Subject::BodyOrNobody(_)
        | Subject::Path(_)
        | Subject::Query(_)
        | Subject::Body(_)
        | Subject::Owner => true,
    };
    if about_members {
        errors.push(("401", "1203 the token has expired, 1205 it is not valid."));
        errors.push(("403", "Another member's."));
    }
    for (status, description) in errors {
        let responses = &mut operation.responses.responses;
        responses.insert(status.to_owned(), error_response(description).into());
    }
    if spec.subject.needs_token() {
        let requirement = SecurityRequirement::new::<_, [&str; 0], &str>(TOKEN, []);
        operation.security = Some(vec![requirement]);
    }
    if spec.extension {
        let extension = ExtensionsBuilder::new().add("x-seedup", "extension");
        operation.extensions = Some(extension.build());
    }
}

fn error_response(description: &str) -> Response {
    let schema = Ref::from_schema_name("Problem");
    ResponseBuilder::new()
        .description(description)
        .content(
            "application/problem+json",
            ContentBuilder::new().schema(Some(schema)).build(),
        )
        .build()
}
