//! Decimals as they leave for clients.

use rust_decimal::Decimal;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// A decimal that serialises as a JSON number with all its digits: no exponent, no trailing zeros,
/// never through a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactNumber(pub Decimal);

impl Serialize for ExactNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0.normalize();
        // Most prices and quantities are integers, which serialise far faster as such.
        match i64::try_from(value.mantissa()) {
            Ok(whole) if value.scale() == 0 => serializer.serialize_i64(whole),
            Ok(_) | Err(_) => RawValue::from_string(value.to_string())
                .map_err(S::Error::custom)?
                .serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn every_digit_is_kept() {
        for (value, text) in [
            (dec!(71300.00), "71300"),
            (dec!(0.000000012345), "0.000000012345"),
            (dec!(-1.50), "-1.5"),
            (
                dec!(79228162514264337593543950335),
                "79228162514264337593543950335",
            ),
        ] {
            assert_eq!(serde_json::to_string(&ExactNumber(value)).unwrap(), text);
        }
    }
}
