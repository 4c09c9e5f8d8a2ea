//! The OpenAPI document: the routes describe themselves, the registry adds what holds for all of
//! them (refusals, the token, which routes are extensions of ours).

use std::sync::LazyLock;

use actix_web::http::Method;
use utoipa::OpenApi as _;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, ContentBuilder, OpenApi, Ref, Response, ResponseBuilder};

use crate::error::{FieldProblem, Problem};
use crate::registry::{Declared, Subject};
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
        (name = "stock", description = "Stocks and ETFs."),
        (name = "coin", description = "Coins."),
        (name = "commodity", description = "Gold, commodities, exchange rates."),
        (name = "product", description = "Deposits and savings plans."),
        (name = "like", description = "What members like."),
        (name = "trend", description = "How markets do."),
        (name = "search", description = "What members searched for."),
        (name = "invest", description = "Accounts and receipts."),
        (name = "system", description = "This installation.")
    )
)]
struct Document;

/// The document of every route that is served.
#[must_use]
pub fn document() -> &'static OpenApi {
    static DOCUMENT: LazyLock<OpenApi> = LazyLock::new(build);
    &DOCUMENT
}

/// The operation of a method in a path item.
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
        routes::stock::Document::openapi(),
        routes::coin::Document::openapi(),
        routes::commodity::Document::openapi(),
        routes::trade::stock::Document::openapi(),
        routes::trade::coin::Document::openapi(),
        routes::trade::commodity::Document::openapi(),
        routes::product::Document::openapi(),
        routes::like::Document::openapi(),
        routes::trend::Document::openapi(),
        routes::search_history::Document::openapi(),
        routes::invest::Document::openapi(),
        routes::dividend::Document::openapi(),
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
        let item = document.paths.paths.get_mut(endpoint.declared.path);
        let operation = item.and_then(|item| operation(item, &endpoint.declared.method));
        if let Some(operation) = operation {
            complete(operation, &endpoint.declared);
        }
    }
    document
}

fn complete(operation: &mut Operation, declared: &Declared) {
    let mut refusals = vec![
        ("414", "The address is longer than 4 KB."),
        ("429", "Too many requests; wait as Retry-After says."),
        ("431", "The headers are larger than 16 KB."),
        ("503", "A service is away or too slow; try again."),
    ];
    if operation.parameters.is_some() || operation.request_body.is_some() {
        refusals.push(("400", "The request is malformed; `fields` says where."));
        refusals.push(("404", "There is no such thing."));
    }
    if operation.request_body.is_some() {
        refusals.push(("403", "A page of another site asked for it."));
        refusals.push(("408", "The body did not come to its end."));
        refusals.push(("409", "Another request came first."));
        refusals.push(("413", "The body is larger than 64 KB."));
        refusals.push(("415", "The body is not JSON."));
        refusals.push(("422", "A rule refuses; `facts` has its figures."));
    }
    let about_members = match declared.subject {
        Subject::Public => operation.request_body.is_some(),
        Subject::Anyone => false,
        Subject::PublicOrSelf(_)
        | Subject::BodyOrNobody(_)
        | Subject::Path(_)
        | Subject::Query(_)
        | Subject::Body(_)
        | Subject::Owner => true,
    };
    if about_members {
        refusals.push(("401", "1203 the token has expired, 1205 it is not valid."));
        refusals.push(("403", "Another member's."));
    }
    for (status, description) in refusals {
        let responses = &mut operation.responses.responses;
        responses.insert(status.to_owned(), refusal(description).into());
    }
    if declared.subject.needs_token() {
        let requirement = SecurityRequirement::new::<_, [&str; 0], &str>(TOKEN, []);
        operation.security = Some(vec![requirement]);
    }
    if declared.extension {
        let extension = ExtensionsBuilder::new().add("x-seedup", "extension");
        operation.extensions = Some(extension.build());
    }
}

fn refusal(description: &str) -> Response {
    let schema = Ref::from_schema_name("Problem");
    ResponseBuilder::new()
        .description(description)
        .content(
            "application/problem+json",
            ContentBuilder::new().schema(Some(schema)).build(),
        )
        .build()
}
