//! Exact decimal JSON numbers: parsed from and written as digits, never through a float.

use kernel::ExactNumber;
use rust_decimal::Decimal;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The largest integer that a double keeps exactly: 2^53 − 1.
pub(crate) const MAX_SAFE: i64 = 9_007_199_254_740_991;

/// Decimals of prices and quantities.
const MAX_SCALE: u32 = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exact(pub(crate) Decimal);

impl Exact {
    /// Whether a double keeps the integer part of `value`.
    pub(crate) fn fits(value: Decimal) -> bool {
        value.abs() <= Decimal::from(MAX_SAFE)
    }
}

impl From<Decimal> for Exact {
    fn from(value: Decimal) -> Self {
        Self(value)
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ExactNumber(self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        parse(raw.get()).map(Self).map_err(D::Error::custom)
    }
}

impl PartialSchema for Exact {
    fn schema() -> RefOr<Schema> {
        // A schema cannot limit the decimals of a double.
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(-MAX_SAFE))
            .maximum(Some(MAX_SAFE))
            .into()
    }
}

impl ToSchema for Exact {}

fn parse(text: &str) -> Result<Decimal, &'static str> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
    if !plain {
        return Err("지수 없는 숫자로 보내 주세요");
    }
    let value = Decimal::from_str_exact(text)
        .ok()
        .filter(|value| Exact::fits(*value))
        .ok_or("숫자가 너무 커요")?
        .normalize();
    if value.scale() > MAX_SCALE {
        return Err("소수점 아래는 8자리까지예요");
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn numbers_keep_every_digit() {
        for text in ["0", "71300", "0.00012345", "-1.5", "9007199254740991"] {
            let number: Exact = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&number).unwrap(), text);
        }
        assert_eq!(serde_json::to_string(&Exact(dec!(3.1000))).unwrap(), "3.1");
        assert_eq!(serde_json::from_str::<Exact>("-0").unwrap(), Exact(dec!(0)));
    }

    #[test]
    fn only_plain_numbers_of_eight_decimals_are_accepted() {
        let long = "1".repeat(40);
        for text in [
            "\"71300\"",
            "null",
            "true",
            "[]",
            "{}",
            "1e3",
            "1E400",
            "NaN",
            "9007199254740992",
            "0.000000001",
            &long,
        ] {
            assert!(serde_json::from_str::<Exact>(text).is_err(), "{text}");
        }
    }
}
