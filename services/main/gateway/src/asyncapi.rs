//! The AsyncAPI document of live prices. It belongs to the edge, whose tests hold it against real
//! frames; only the address is added here, as each installation has its own.

mod model;
pub(crate) mod page;

use serde_json::json;

use crate::origins::Origin;

const TEXT: &str = include_str!("../../../sise/edge/asyncapi.json");

/// The document for a client that came by `origin`, its fields in the order they are explained.
#[must_use]
pub(crate) fn document(origin: &Origin) -> String {
    let (protocol, host) = address(origin);
    let servers = json!({ "sise": { "host": host, "protocol": protocol } });
    let rest = TEXT.trim_start_matches('{');
    format!("{{\n  \"servers\": {servers},{rest}")
}

/// Protocol, host and port of live prices.
fn address(origin: &Origin) -> (&'static str, &str) {
    match origin.sise.split_once("://") {
        Some(("https", host)) => ("wss", host),
        Some((_, host)) => ("ws", host),
        None => ("ws", &origin.sise),
    }
}
