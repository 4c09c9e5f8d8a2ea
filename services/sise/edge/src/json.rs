//! Writes JSON objects with exact numbers: decimals have no exponent and never pass through a
//! float.

use std::fmt::{Display, Write};

use rust_decimal::Decimal;

/// A JSON object under construction. Keys are not escaped.
pub struct Object {
    text: String,
}

impl Object {
    #[must_use]
    pub fn new() -> Self {
        Self {
            text: "{".to_owned(),
        }
    }

    #[must_use]
    pub fn text(self, key: &str, value: &str) -> Self {
        // A string always serialises.
        let quoted = serde_json::to_string(value).unwrap_or_else(|_impossible| "\"\"".to_owned());
        self.raw(key, &quoted)
    }

    /// An empty string becomes null.
    #[must_use]
    pub fn text_or_null(self, key: &str, value: &str) -> Self {
        if value.is_empty() {
            self.raw(key, "null")
        } else {
            self.text(key, value)
        }
    }

    /// An integer or a boolean.
    #[must_use]
    pub fn plain(self, key: &str, value: impl Display) -> Self {
        self.raw(key, &value.to_string())
    }

    #[must_use]
    pub fn decimal(self, key: &str, value: Decimal) -> Self {
        self.raw(key, &value.normalize().to_string())
    }

    #[must_use]
    pub fn decimal_or_null(self, key: &str, value: Option<Decimal>) -> Self {
        match value {
            Some(value) => self.decimal(key, value),
            None => self.raw(key, "null"),
        }
    }

    /// `json` must be valid JSON.
    #[must_use]
    pub fn raw(mut self, key: &str, json: &str) -> Self {
        let comma = if self.text.len() > 1 { "," } else { "" };
        // Writing to a String cannot fail.
        let _infallible = write!(self.text, "{comma}\"{key}\":{json}");
        self
    }

    #[must_use]
    pub fn end(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

impl Default for Object {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_and_texts_are_escaped() {
        let object = Object::new()
            .decimal("small", Decimal::new(12_345, 12))
            .decimal("whole", Decimal::new(7_130_000, 2))
            .decimal_or_null("none", None)
            .plain("flag", true)
            .text("name", "a\"b\n")
            .text_or_null("empty", "")
            .end();
        let expected = r#"{"small":0.000000012345,"whole":71300,"none":null,"flag":true,"name":"a\"b\n","empty":null}"#;
        assert_eq!(object, expected);
        assert_eq!(Object::new().end(), "{}");
    }
}
