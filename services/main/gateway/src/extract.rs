//! Extractors of request bodies and parameters.

pub(crate) mod json;
pub(crate) mod params;

pub(crate) use json::Json;
pub(crate) use params::{Path, Query};
