//! Every place of every route where a client may write something, as the OpenAPI document
//! describes it: what may stand there, and a request that has something else there.

use std::sync::Arc;

use gateway::endpoint::{RouteSpec, Subject};
use gateway::openapi;
use gateway::routes::endpoints;
use regex_lite::Regex;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::fakes::MEMBER;
use crate::requests::Sample;
use crate::stage::Stage;

/// Where in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inside {
    Path,
    Query,
    Body,
}

/// A parameter, or a field of a body.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) spec: Arc<RouteSpec>,
    pub(crate) inside: Inside,
    /// The name; of a nested field the names from the outermost.
    pub(crate) names: Vec<String>,
    pub(crate) schema: Value,
    pub(crate) required: bool,
}

/// A request whose body may be no JSON at all.
pub(crate) struct Spoiled {
    pub(crate) sample: Sample,
    pub(crate) raw_body: Option<String>,
}

impl Spoiled {
    pub(crate) fn on(&self, stage: &Stage) -> RequestBuilder {
        let sample = &self.sample;
        match &self.raw_body {
            Some(body) => stage
                .request(sample.method.clone(), &sample.url())
                .header("Content-Type", "application/json")
                .body(body.clone()),
            None => sample.on(stage),
        }
    }
}

impl Place {
    pub(crate) fn name(&self) -> &str {
        self.names.last().unwrap()
    }

    /// Whether it names the member that the request is about.
    pub(crate) fn is_subject(&self) -> bool {
        let subject = match self.spec.subject {
            Subject::Path(name) | Subject::PublicOrSelf(name) => (Inside::Path, name),
            Subject::Query(name) => (Inside::Query, name),
            Subject::Body(name) | Subject::BodyOrNobody(name) => (Inside::Body, name),
            Subject::Public | Subject::Anyone | Subject::Owner => return false,
        };
        self.inside == subject.0 && self.names == [subject.1]
    }

    /// Whether the document lets `value` stand here.
    pub(crate) fn allows(&self, value: &Value) -> bool {
        allows(&self.schema, value)
    }

    /// What a text of the path or the query is when it is read as the type of this place.
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

    /// The good request of the route with `text` here, which is in the path or the query.
    pub(crate) fn with_text(&self, text: &str) -> Spoiled {
        let mut sample = self.sample();
        let text = escaped(text);
        match self.inside {
            Inside::Path => {
                let names: Vec<&str> = self.spec.path.split('/').collect();
                let wanted = format!("{{{}}}", self.name());
                let place = names.iter().position(|name| *name == wanted).unwrap();
                let mut parts: Vec<&str> = sample.path.split('/').collect();
                parts[place] = &text;
                sample.path = parts.join("/");
            }
            Inside::Query => {
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
            Inside::Body => panic!("{} is in the body", self.name()),
        }
        Spoiled {
            sample,
            raw_body: None,
        }
    }

    /// The good request of the route with `raw`, JSON or not, as the value of this field.
    pub(crate) fn with_raw(&self, raw: &str) -> Spoiled {
        const MARK: &str = "@here@";
        let sample = self.sample();
        let mut body = sample.body.clone().unwrap();
        let mut field = &mut body;
        for name in &self.names {
            field = &mut field[name];
        }
        *field = json!(MARK);
        let text = body.to_string().replace(&format!("\"{MARK}\""), raw);
        Spoiled {
            sample,
            raw_body: Some(text),
        }
    }

    fn sample(&self) -> Sample {
        Sample::of(&self.spec, MEMBER)
    }
}

/// Every place of every route that is served.
pub(crate) fn places() -> Vec<Place> {
    let document = document();
    let mut places = Vec::new();
    for endpoint in endpoints() {
        let spec = endpoint.spec;
        let operation = operation(&document, &spec);
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            places.push(Place {
                spec: Arc::clone(&spec),
                inside: match parameter["in"].as_str().unwrap() {
                    "path" => Inside::Path,
                    "query" => Inside::Query,
                    other => panic!("a parameter in {other}"),
                },
                names: vec![parameter["name"].as_str().unwrap().to_owned()],
                schema: parameter["schema"].clone(),
                required: parameter["required"] == true,
            });
        }
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        fields(&spec, &[], body, &mut places);
    }
    places
}

/// The statuses that the document has for a route.
pub(crate) fn statuses(spec: &RouteSpec) -> Vec<u16> {
    let document = document();
    let responses = operation(&document, spec)["responses"].clone();
    let statuses = responses.as_object().unwrap().keys();
    statuses.map(|status| status.parse().unwrap()).collect()
}

fn fields(spec: &Arc<RouteSpec>, outer: &[String], schema: &Value, places: &mut Vec<Place>) {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        let names = [outer, std::slice::from_ref(name)].concat();
        fields(spec, &names, inner, places);
        places.push(Place {
            spec: Arc::clone(spec),
            inside: Inside::Body,
            names,
            schema: inner.clone(),
            required: required.contains(&name.as_str()),
        });
    }
}

/// The document with every reference replaced by what it refers to.
fn document() -> Value {
    let document = serde_json::to_value(openapi::document()).unwrap();
    let paths = resolved(&document["paths"], &document, 0);
    json!({ "paths": paths })
}

fn operation<'a>(document: &'a Value, spec: &RouteSpec) -> &'a Value {
    &document["paths"][spec.path][spec.method.as_str().to_lowercase()]
}

fn resolved(value: &Value, document: &Value, depth: u32) -> Value {
    assert!(depth < 50, "a schema that has itself inside");
    match value {
        Value::Object(members) => match members.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let pointer = reference.strip_prefix('#').unwrap();
                resolved(document.pointer(pointer).unwrap(), document, depth + 1)
            }
            None => members
                .iter()
                .map(|(name, member)| (name.clone(), resolved(member, document, depth + 1)))
                .collect(),
        },
        Value::Array(items) => items
            .iter()
            .map(|item| resolved(item, document, depth + 1))
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

/// Everything but letters and digits as `%41`.
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
