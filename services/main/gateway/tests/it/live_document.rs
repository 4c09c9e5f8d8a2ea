//! The AsyncAPI document of live prices: complete, with the installation's address, and as a page.

use std::collections::BTreeSet;

use gateway::openapi;
use serde_json::{Value, json};

use crate::test_gateway::TestGateway;

async fn document(gateway: &TestGateway) -> Value {
    gateway.get_anonymously("/asyncapi.json").await.json()
}

/// Every reference in `value`.
fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members
                .values()
                .for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn names(object: &Value) -> BTreeSet<&str> {
    let members = object.as_object().unwrap();
    members.keys().map(String::as_str).collect()
}

#[actix_web::test]
async fn its_references_resolve_and_its_operations_use_every_message() {
    let gateway = TestGateway::open().await;
    let document = document(&gateway).await;
    assert_eq!(document["asyncapi"], "3.0.0");
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    let mut used = BTreeSet::new();
    for (name, operation) in document["operations"].as_object().unwrap() {
        let action = operation["action"].as_str().unwrap();
        assert!(matches!(action, "send" | "receive"), "{name}");
        for part in [operation, &operation["reply"]] {
            if part.is_null() {
                continue;
            }
            assert_eq!(part["channel"]["$ref"], "#/channels/ws2", "{name}");
            for message in part["messages"].as_array().unwrap() {
                let reference = message["$ref"].as_str().unwrap();
                // An operation may name messages of its channel only.
                used.insert(reference.strip_prefix("#/channels/ws2/messages/").unwrap());
            }
        }
    }
    let channel = &document["channels"]["ws2"];
    assert_eq!(used, names(&channel["messages"]));
    assert_eq!(used, names(&document["components"]["messages"]));
}

#[actix_web::test]
async fn it_names_the_server_of_the_installation() {
    for (sise, protocol, host) in [
        ("http://127.0.0.1:8081", "ws", "127.0.0.1:8081"),
        ("https://sise.example/", "wss", "sise.example"),
    ] {
        let gateway = TestGateway::with(&[("sise-origin", sise)]).await;
        let document = document(&gateway).await;
        assert_eq!(
            document["servers"],
            json!({"sise": {"host": host, "protocol": protocol}})
        );
        let page = gateway.get_anonymously("/docs/asyncapi").await;
        assert!(page.text.contains(&format!("{protocol}://{host}/ws2")));
    }
}

#[actix_web::test]
async fn orders_and_fills_are_those_of_the_routes() {
    let gateway = TestGateway::open().await;
    let live = document(&gateway).await;
    let routes = serde_json::to_value(openapi::document()).unwrap();
    for shape in ["Order", "Fill"] {
        let [live, routes] = [&live, &routes]
            .map(|document| names(&document["components"]["schemas"][shape]["properties"]));
        assert_eq!(live, routes, "{shape}");
    }
}

#[actix_web::test]
async fn its_page_shows_all_of_it_without_scripts() {
    let gateway = TestGateway::open().await;
    let document = document(&gateway).await;
    let page = gateway.get_anonymously("/docs/asyncapi").await;
    assert_eq!(page.status.as_u16(), 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(!page.text.contains("<scenario"));
    let components = &document["components"];
    let shown = |text: &str| assert!(page.text.contains(text), "{text}");
    for name in names(&components["messages"]) {
        let message = &components["messages"][name];
        shown(&format!(
            "<h3 id=\"{name}\">{}</h3>",
            message["title"].as_str().unwrap()
        ));
        for field in message["payload"]["properties"]
            .as_object()
            .into_iter()
            .flatten()
        {
            shown(&format!("<code>{}</code>", field.0));
        }
    }
    for name in names(&components["schemas"]) {
        shown(&format!("<h3 id=\"{name}\">{name}</h3>"));
    }
    let channel = &document["channels"]["ws2"];
    for (name, limit) in channel["x-limits"].as_object().unwrap() {
        shown(&format!(
            "<code>{name}</code></td><td>{}</td>",
            limit["value"]
        ));
    }
    for close in channel["x-close-codes"].as_array().unwrap() {
        shown(close["reason"].as_str().unwrap());
    }
    let anchors = page.text.split("href=\"#").skip(1);
    for anchor in anchors.map(|rest| rest.split('"').next().unwrap()) {
        shown(&format!("id=\"{anchor}\""));
    }
    let routes = serde_json::to_value(openapi::document()).unwrap();
    assert_eq!(routes["externalDocs"]["url"], "/docs/asyncapi");
}
