//! The AsyncAPI document of `/ws2`, and validation of frames against it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

/// As in the repository; the gateway adds the server's address.
pub(crate) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../asyncapi.json")).unwrap());

pub(crate) fn channel() -> &'static Value {
    &DOCUMENT["channels"]["ws2"]
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Sender {
    Client,
    Server,
}

type Schemas = BTreeMap<&'static str, Validator>;

static CLIENT_SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| schemas(Sender::Client));
static SERVER_SCHEMAS: LazyLock<Schemas> = LazyLock::new(|| schemas(Sender::Server));

/// The name of the message that `frame` is.
///
/// # Panics
/// When the document has no such message, or more than one.
pub(crate) fn message(sender: Sender, frame: &Value) -> &'static str {
    let schemas = schemas_of(sender);
    let matching = schemas.iter().filter(|(_, schema)| schema.is_valid(frame));
    let matching: Vec<&str> = matching.map(|(name, _)| *name).collect();
    let [name] = matching[..] else {
        let misfits = schemas.iter().flat_map(|(name, schema)| {
            let errors = schema.iter_errors(frame);
            errors.map(move |error| format!("{name}{}: {error}", error.instance_path()))
        });
        let misfits: Vec<String> = misfits.collect();
        panic!("{sender:?}: {frame} is {matching:?} of the document\n{misfits:#?}");
    };
    name
}

/// The messages that `sender` may send.
pub(crate) fn names(sender: Sender) -> impl Iterator<Item = &'static str> {
    schemas_of(sender).keys().copied()
}

fn schemas_of(sender: Sender) -> &'static Schemas {
    match sender {
        Sender::Client => &CLIENT_SCHEMAS,
        Sender::Server => &SERVER_SCHEMAS,
    }
}

/// The schemas of the messages that `sender` may send.
fn schemas(sender: Sender) -> Schemas {
    let operations = DOCUMENT["operations"].as_object().unwrap().values();
    let references = operations.flat_map(|operation| {
        let asks = operation["action"] == "receive";
        let references = match (sender, asks) {
            (Sender::Client, true) | (Sender::Server, false) => &operation["messages"],
            (Sender::Server, true) => &operation["reply"]["messages"],
            (Sender::Client, false) => &Value::Null,
        };
        references.as_array().into_iter().flatten()
    });
    let named = references.map(|reference| {
        let reference = reference["$ref"].as_str().unwrap();
        let name = reference.rsplit('/').next().unwrap();
        (name, schema(name))
    });
    named.collect()
}

fn schema(name: &str) -> Validator {
    let schema = json!({
        "$ref": format!("#/components/messages/{name}/payload"),
        "components": DOCUMENT["components"],
    });
    jsonschema::draft7::new(&schema).unwrap()
}
