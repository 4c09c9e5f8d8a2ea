//! The AsyncAPI document of live prices. It belongs to the edge, whose tests compare it with real
//! frames; only the address of the installation is added here.

mod model;
pub(crate) mod page;

use serde_json::json;

use crate::origins::Origin;

const TEXT: &str = include_str!("../../../sise/edge/asyncapi.json");

/// With the server of `origin`; the fields keep their order.
#[must_use]
pub(crate) fn document(origin: &Origin) -> String {
    let (protocol, host) = address(origin);
    let servers = json!({ "sise": { "host": host, "protocol": protocol } });
    let rest = TEXT.trim_start_matches('{');
    format!("{{\n  \"servers\": {servers},{rest}")
}

/// Protocol and authority.
fn address(origin: &Origin) -> (&'static str, &str) {
    match origin.sise.split_once("://") {
        Some(("https", host)) => ("wss", host),
        Some((_, host)) => ("ws", host),
        None => ("ws", &origin.sise),
    }
}
