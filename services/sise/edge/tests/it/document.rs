//! The AsyncAPI document of `/ws2`, and which of its messages a frame is.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

/// The document as it is in the repository; where `/ws2` is, its server adds.
pub(crate) static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../asyncapi.json")).unwrap());

/// The one channel of the document.
pub(crate) fn channel() -> &'static Value {
    &DOCUMENT["channels"]["ws2"]
}

/// Who says something.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sender {
    Client,
    Server,
}

type Schemas = BTreeMap<&'static str, Validator>;

static OF_CLIENTS: LazyLock<Schemas> = LazyLock::new(|| schemas(Sender::Client));
static OF_SERVERS: LazyLock<Schemas> = LazyLock::new(|| schemas(Sender::Server));

/// The name of the one message that `frame` is.
///
/// # Panics
/// When the document has no such message, or more than one.
pub(crate) fn message(sender: Sender, frame: &Value) -> &'static str {
    let schemas = sayings(sender);
    let fitting = schemas.iter().filter(|(_, schema)| schema.is_valid(frame));
    let fitting: Vec<&str> = fitting.map(|(name, _)| *name).collect();
    let [name] = fitting[..] else {
        let misfits = schemas.iter().flat_map(|(name, schema)| {
            let errors = schema.iter_errors(frame);
            errors.map(move |error| format!("{name}{}: {error}", error.instance_path()))
        });
        let misfits: Vec<String> = misfits.collect();
        panic!("{sender:?}: {frame} is {fitting:?} of the document\n{misfits:#?}");
    };
    name
}

/// The names of everything that operations let `sender` say.
pub(crate) fn names(sender: Sender) -> impl Iterator<Item = &'static str> {
    sayings(sender).keys().copied()
}

fn sayings(sender: Sender) -> &'static Schemas {
    match sender {
        Sender::Client => &OF_CLIENTS,
        Sender::Server => &OF_SERVERS,
    }
}

/// The schemas of everything that operations let `sender` say.
fn schemas(sender: Sender) -> Schemas {
    let operations = DOCUMENT["operations"].as_object().unwrap().values();
    let said = operations.flat_map(|operation| {
        let asks = operation["action"] == "receive";
        let said = match (sender, asks) {
            (Sender::Client, true) | (Sender::Server, false) => &operation["messages"],
            (Sender::Server, true) => &operation["reply"]["messages"],
            (Sender::Client, false) => &Value::Null,
        };
        said.as_array().into_iter().flatten()
    });
    let named = said.map(|reference| {
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
