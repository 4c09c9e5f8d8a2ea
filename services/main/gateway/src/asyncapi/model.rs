//! What the page shows of the document.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Deserialize)]
pub(super) struct Document {
    pub(super) info: Info,
    pub(super) channels: IndexMap<String, Channel>,
    pub(super) operations: IndexMap<String, Operation>,
    pub(super) components: Components,
}

#[derive(Deserialize)]
pub(super) struct Info {
    pub(super) title: String,
    pub(super) description: String,
}

#[derive(Deserialize)]
pub(super) struct Channel {
    pub(super) address: String,
    pub(super) description: String,
    #[serde(rename = "x-limits")]
    pub(super) limits: IndexMap<String, Limit>,
    #[serde(rename = "x-close-codes")]
    pub(super) close_codes: Vec<CloseCode>,
    #[serde(rename = "x-refusals")]
    pub(super) refusals: Vec<Refusal>,
}

#[derive(Deserialize)]
pub(super) struct Limit {
    pub(super) value: u64,
    pub(super) description: String,
}

#[derive(Deserialize)]
pub(super) struct CloseCode {
    pub(super) code: u16,
    pub(super) reason: String,
    pub(super) description: String,
}

#[derive(Deserialize)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) code: u16,
    pub(super) reason: String,
    pub(super) description: String,
}

#[derive(Deserialize)]
pub(super) struct Operation {
    pub(super) action: Action,
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) messages: Vec<Reference>,
    pub(super) reply: Option<Reply>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
    Receive,
    Send,
}

#[derive(Deserialize)]
pub(super) struct Reply {
    pub(super) messages: Vec<Reference>,
}

#[derive(Deserialize)]
pub(super) struct Reference {
    #[serde(rename = "$ref")]
    to: String,
}

impl Reference {
    pub(super) fn name(&self) -> &str {
        last_part(&self.to)
    }
}

/// The name of what a reference leads to.
pub(super) fn last_part(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or_default()
}

#[derive(Deserialize)]
pub(super) struct Components {
    pub(super) messages: IndexMap<String, Message>,
    pub(super) schemas: IndexMap<String, Schema>,
}

#[derive(Deserialize)]
pub(super) struct Message {
    pub(super) title: String,
    pub(super) summary: String,
    pub(super) payload: Schema,
    pub(super) examples: Vec<Example>,
}

#[derive(Deserialize)]
pub(super) struct Example {
    pub(super) payload: Box<RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Schema {
    #[serde(rename = "$ref")]
    pub(super) reference: Option<String>,
    pub(super) description: String,
    #[serde(rename = "type")]
    pub(super) kind: Option<Kind>,
    #[serde(rename = "const")]
    pub(super) constant: Option<Value>,
    #[serde(rename = "enum")]
    pub(super) choices: Vec<Value>,
    pub(super) items: Option<Box<Schema>>,
    pub(super) properties: IndexMap<String, Schema>,
    pub(super) required: Vec<String>,
    pub(super) all_of: Vec<Schema>,
    pub(super) one_of: Vec<Schema>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Kind {
    One(String),
    Several(Vec<String>),
}
