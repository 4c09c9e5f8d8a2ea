//! The OpenAPI document agrees with the registered routes.

use std::collections::BTreeSet;

use gateway::endpoint::Subject;
use gateway::openapi;
use gateway::routes::endpoints;
use serde_json::Value;

use crate::test_gateway::TestGateway;

fn document() -> Value {
    serde_json::to_value(openapi::document()).unwrap()
}

#[test]
fn every_route_is_declared_once_and_its_subject_is_part_of_it() {
    let document = document();
    let mut seen = BTreeSet::new();
    for endpoint in endpoints() {
        let spec = &endpoint.spec;
        let key = (spec.path, spec.method.to_string());
        assert!(seen.insert(key), "{} is registered twice", spec.path);
        let operation = &document["paths"][spec.path][spec.method.as_str().to_lowercase()];
        match spec.subject {
            Subject::Path(name) | Subject::PublicOrSelf(name) => {
                assert!(spec.path.contains(&format!("{{{name}}}")), "{}", spec.path);
            }
            Subject::Query(name) | Subject::QueryOrNobody(name) => {
                let parameters = operation["parameters"].as_array().unwrap();
                assert!(parameters.iter().any(|parameter| parameter["name"] == name));
            }
            Subject::Body(name) | Subject::BodyOrNobody(name) => {
                let body = &operation["requestBody"]["content"]["application/json"]["schema"];
                let schema = body["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                let properties = &document["components"]["schemas"][schema]["properties"];
                assert!(properties[name].is_object(), "{}", spec.path);
            }
            Subject::Owner | Subject::Public | Subject::Anyone => {
                let names_a_member = ["{sid}", "{id}", "member"];
                // The product's list has one path that ends before its member: the caller.
                let path = spec.path.trim_end_matches("/member/");
                let named = names_a_member.iter().any(|name| path.contains(name));
                assert!(!named, "{} names a member", spec.path);
            }
        }
    }
}

#[test]
fn every_route_is_documented_and_everything_documented_is_served() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    let served: BTreeSet<(String, String)> = endpoints()
        .iter()
        .map(|endpoint| &endpoint.spec)
        .map(|spec| (spec.path.to_owned(), spec.method.as_str().to_lowercase()))
        .collect();
    let mut documented = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            documented.insert((path.clone(), method.clone()));
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} names two operations");
            assert!(operation["summary"].is_string(), "{path}");
            for (status, response) in operation["responses"].as_object().unwrap() {
                let description = response["description"].as_str().unwrap_or_default();
                assert!(!description.is_empty(), "{path} {status}");
            }
        }
    }
    assert_eq!(documented, served);
}

#[test]
fn every_reference_resolves_and_extensions_are_marked() {
    let document = document();
    let text = document.to_string();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for reference in text.split("#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(schemas.contains_key(name), "{name}");
    }
    for endpoint in endpoints() {
        let spec = &endpoint.spec;
        let operation = &document["paths"][spec.path][spec.method.as_str().to_lowercase()];
        assert_eq!(
            operation["x-seedup"] == "extension",
            spec.extension,
            "{}",
            spec.path
        );
        assert_eq!(operation["security"].is_array(), spec.subject.needs_token());
    }
}

#[actix_web::test]
async fn the_document_and_its_pages_are_served() {
    let gateway = TestGateway::open().await;
    let answer = gateway.get_anonymously("/openapi.json").await;
    assert_eq!(answer.json(), document());
    let redirect = gateway.get_anonymously("/docs").await;
    assert_eq!(
        (redirect.status.as_u16(), redirect.header("location")),
        (307, "/docs/")
    );
    let page = gateway.get_anonymously("/docs/").await;
    assert!(page.text.contains("swagger-ui"), "{page:?}");
    assert!(
        page.header("content-security-policy")
            .contains("connect-src 'self'")
    );
    let script = gateway
        .get_anonymously("/docs/swagger-initializer.js")
        .await;
    assert!(script.text.contains("/openapi.json"), "{script:?}");
}
