//! Every parameter and body field of every route, as the OpenAPI document describes it: its schema,
//! and requests with another value there.

use std::sync::{Arc, LazyLock};

use gateway::endpoint::{RouteSpec, Subject};
use gateway::openapi;
use gateway::routes::endpoints;
use regex_lite::Regex;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::fakes::MEMBER;
use crate::requests::Sample;
use crate::test_gateway::TestGateway;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Path,
    Query,
    Body,
}

/// A parameter, or a field of a body.
#[derive(Clone)]
pub(crate) struct InputField {
    pub(crate) spec: Arc<RouteSpec>,
    pub(crate) location: Location,
    /// The name; of a nested field the names from the outermost.
    pub(crate) names: Vec<String>,
    pub(crate) schema: Value,
    pub(crate) required: bool,
}

/// A request whose body may be invalid JSON.
pub(crate) struct InvalidRequest {
    pub(crate) sample: Sample,
    pub(crate) raw_body: Option<String>,
}

impl InvalidRequest {
    pub(crate) fn on(&self, gateway: &TestGateway) -> RequestBuilder {
        let sample = &self.sample;
        match &self.raw_body {
            Some(body) => gateway
                .request(sample.method.clone(), &sample.url())
                .header("Content-Type", "application/json")
                .body(body.clone()),
            None => sample.on(gateway),
        }
    }
}

impl InputField {
    pub(crate) fn name(&self) -> &str {
        self.names.last().unwrap()
    }

    /// Whether it names the member the request is about.
    pub(crate) fn is_subject(&self) -> bool {
        let subject = match self.spec.subject {
            Subject::Path(name) | Subject::PublicOrSelf(name) => (Location::Path, name),
            Subject::Query(name) | Subject::QueryOrNobody(name) => (Location::Query, name),
            Subject::Body(name) | Subject::BodyOrNobody(name) => (Location::Body, name),
            Subject::Public | Subject::Anyone | Subject::Owner => return false,
        };
        self.location == subject.0 && self.names == [subject.1]
    }

    /// Whether its schema allows `value`.
    pub(crate) fn allows(&self, value: &Value) -> bool {
        allows(&self.schema, value)
    }

    /// A text of the path or the query, parsed as the type of the schema.
    pub(crate) fn reading(&self, text: &str) -> Value {
        let kind = types(&self.schema);
        let has = |name: &str| kind.iter().any(|kind| kind == name);
        if let (true, Ok(number)) = (has("integer"), text.parse::<i64>()) {
            return json!(number);
        }
        if has("number") {
            let plain = text.bytes().all(|byte| b"0123456789.-".contains(&byte));
            let number = serde_json::from_str::<Value>(text).ok();
            return number
                .filter(|number| plain && number.is_number())
                .unwrap_or_else(|| json!(text));
        }
        match text {
            "true" | "false" if has("boolean") => json!(text == "true"),
            _ => json!(text),
        }
    }

    /// The valid request of the route with `text` here, for path and query.
    pub(crate) fn with_text(&self, text: &str) -> InvalidRequest {
        let mut sample = self.sample();
        let text = escaped(text);
        match self.location {
            Location::Path => {
                let names: Vec<&str> = self.spec.path.split('/').collect();
                let wanted = format!("{{{}}}", self.name());
                let index = names.iter().position(|name| *name == wanted).unwrap();
                let mut parts: Vec<&str> = sample.path.split('/').collect();
                parts[index] = &text;
                sample.path = parts.join("/");
            }
            Location::Query => {
                let name = self.name();
                let own = format!("{name}=");
                let others = sample.query.split('&').filter(|pair| !pair.is_empty());
                let mut pairs: Vec<String> = others
                    .filter(|pair| !pair.starts_with(&own))
                    .map(str::to_owned)
                    .collect();
                pairs.push(format!("{name}={text}"));
                sample.query = pairs.join("&");
            }
            Location::Body => panic!("{} is in the body", self.name()),
        }
        InvalidRequest {
            sample,
            raw_body: None,
        }
    }

    /// The valid request of the route with `raw`, JSON or not, as the value of this field.
    pub(crate) fn with_raw(&self, raw: &str) -> InvalidRequest {
        const MARK: &str = "@here@";
        let sample = self.sample();
        let mut body = sample.body.clone().unwrap();
        let mut field = &mut body;
        for name in &self.names {
            field = &mut field[name];
        }
        *field = json!(MARK);
        let text = body.to_string().replace(&format!("\"{MARK}\""), raw);
        InvalidRequest {
            sample,
            raw_body: Some(text),
        }
    }

    fn sample(&self) -> Sample {
        Sample::of(&self.spec, MEMBER)
    }
}

/// Those of every route.
pub(crate) fn input_fields() -> Vec<InputField> {
    let mut found = Vec::new();
    for endpoint in endpoints() {
        let spec = endpoint.spec;
        let operation = operation(&spec);
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            found.push(InputField {
                spec: Arc::clone(&spec),
                location: match parameter["in"].as_str().unwrap() {
                    "path" => Location::Path,
                    "query" => Location::Query,
                    other => panic!("a parameter in {other}"),
                },
                names: vec![parameter["name"].as_str().unwrap().to_owned()],
                schema: parameter["schema"].clone(),
                required: parameter["required"] == true,
            });
        }
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        fields(&spec, &[], body, &mut found);
    }
    found
}

/// The statuses that the document has for a route.
pub(crate) fn statuses(spec: &RouteSpec) -> Vec<u16> {
    let responses = operation(spec)["responses"].clone();
    let statuses = responses.as_object().unwrap().keys();
    statuses.map(|status| status.parse().unwrap()).collect()
}

fn fields(spec: &Arc<RouteSpec>, outer: &[String], schema: &Value, found: &mut Vec<InputField>) {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        let names = [outer, std::slice::from_ref(name)].concat();
        fields(spec, &names, inner, found);
        found.push(InputField {
            spec: Arc::clone(spec),
            location: Location::Body,
            names,
            schema: inner.clone(),
            required: required.contains(&name.as_str()),
        });
    }
}

/// The document with every reference replaced by what it refers to.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let document = serde_json::to_value(openapi::document()).unwrap();
    let paths = resolved(&document["paths"], &document, &[]);
    json!({ "paths": paths })
});

fn operation(spec: &RouteSpec) -> &'static Value {
    &DOCUMENT["paths"][spec.path][spec.method.as_str().to_lowercase()]
}

/// `within` are the references that lead to `value`.
fn resolved(value: &Value, document: &Value, within: &[&str]) -> Value {
    match value {
        Value::Object(members) => match members.get("$ref").and_then(Value::as_str) {
            // Replies of a comment are comments; nothing that is sent has itself inside.
            Some(reference) if within.contains(&reference) => Value::Null,
            Some(reference) => {
                let pointer = reference.strip_prefix('#').unwrap();
                let within = [within, &[reference]].concat();
                resolved(document.pointer(pointer).unwrap(), document, &within)
            }
            None => members
                .iter()
                .map(|(name, member)| (name.clone(), resolved(member, document, within)))
                .collect(),
        },
        Value::Array(items) => items
            .iter()
            .map(|item| resolved(item, document, within))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn types(schema: &Value) -> Vec<String> {
    let several = schema["type"].as_array().into_iter().flatten();
    let mut all: Vec<String> = several
        .chain([&schema["type"]])
        .filter_map(|kind| kind.as_str().map(str::to_owned))
        .collect();
    for choice in schema["oneOf"].as_array().into_iter().flatten() {
        all.extend(types(choice));
    }
    all
}

/// Whether `value` fits `schema`, as far as our schemas say anything.
fn allows(schema: &Value, value: &Value) -> bool {
    if let Some(choices) = schema["oneOf"].as_array() {
        return choices.iter().any(|choice| allows(choice, value));
    }
    let of_type = types(schema).iter().any(|kind| match kind.as_str() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("a schema of type {other}"),
    });
    let listed = schema["enum"]
        .as_array()
        .is_none_or(|words| value.is_null() || words.contains(value));
    of_type
        && listed
        && number_fits(schema, value)
        && text_fits(schema, value)
        && {
            let items = value.as_array().into_iter().flatten();
            items.into_iter().all(|item| allows(&schema["items"], item))
        }
        && {
            let required = schema["required"].as_array().into_iter().flatten();
            let mut required = required.filter_map(Value::as_str);
            !value.is_object() || required.all(|name| value.get(name).is_some())
        }
}

fn number_fits(schema: &Value, value: &Value) -> bool {
    let Some(number) = value.as_f64() else {
        return true;
    };
    let within = |bound: &str, fits: fn(f64, f64) -> bool| {
        schema[bound]
            .as_f64()
            .is_none_or(|bound| fits(number, bound))
    };
    let small =
        schema["format"] != "int32" || value.as_i64().is_some_and(|n| i32::try_from(n).is_ok());
    small
        && within("minimum", |number, least| number >= least)
        && within("maximum", |number, most| number <= most)
}

fn text_fits(schema: &Value, value: &Value) -> bool {
    let Some(text) = value.as_str() else {
        return true;
    };
    let pattern = schema["pattern"].as_str();
    let longest = schema["maxLength"].as_u64().unwrap_or(u64::MAX);
    pattern.is_none_or(|pattern| Regex::new(pattern).unwrap().is_match(text))
        && u64::try_from(text.chars().count()).unwrap() <= longest
}

/// Percent-encodes everything but letters and digits.
fn escaped(text: &str) -> String {
    text.bytes().fold(String::new(), |mut all, byte| {
        if byte.is_ascii_alphanumeric() {
            all.push(byte.into());
        } else {
            all.push_str(&format!("%{byte:02X}"));
        }
        all
    })
}
