use serde::Serialize;

/// Null if `value` cannot be serialised, which no type of this crate can cause.
#[must_use]
pub fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_impossible| "null".to_owned())
}
