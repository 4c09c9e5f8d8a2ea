//! Conversions between wire values and `kernel` types. An invalid value is an [`InvalidField`],
//! never a panic or a silent zero.

use chrono::{DateTime, Utc};
use kernel::{Currency, MarketCode, Price, Quantity};
use rust_decimal::Decimal;

use crate::common::v1 as wire;

/// Names the invalid field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("field {0} is invalid")]
pub struct InvalidField(pub &'static str);

impl From<InvalidField> for tonic::Status {
    fn from(error: InvalidField) -> Self {
        Self::invalid_argument(error.to_string())
    }
}

/// Without trailing zeros.
#[must_use]
pub fn decimal(value: Decimal) -> wire::Decimal {
    wire::Decimal {
        value: value.normalize().to_string(),
    }
}

/// # Errors
/// [`InvalidField`] when the text is not a decimal number.
pub fn to_decimal(value: &wire::Decimal, field: &'static str) -> Result<Decimal, InvalidField> {
    value.value.parse().ok().ok_or(InvalidField(field))
}

/// # Errors
/// [`InvalidField`] when it is present and not a decimal number.
pub fn to_optional_decimal(
    value: Option<&wire::Decimal>,
    field: &'static str,
) -> Result<Option<Decimal>, InvalidField> {
    value.map(|value| to_decimal(value, field)).transpose()
}

/// # Errors
/// [`InvalidField`] when it is absent or not a decimal number.
pub fn to_required_decimal(
    value: Option<&wire::Decimal>,
    field: &'static str,
) -> Result<Decimal, InvalidField> {
    to_decimal(value.ok_or(InvalidField(field))?, field)
}

/// In microseconds since the Unix epoch.
#[must_use]
pub fn micros(instant: DateTime<Utc>) -> i64 {
    instant.timestamp_micros()
}

/// From microseconds since the Unix epoch.
///
/// # Errors
/// [`InvalidField`] when it is out of range.
pub fn to_instant(micros: i64, field: &'static str) -> Result<DateTime<Utc>, InvalidField> {
    DateTime::from_timestamp_micros(micros).ok_or(InvalidField(field))
}

/// `units / 10^scale`, the format of prices and volumes in ticks.
///
/// # Errors
/// [`InvalidField`] when the scale is beyond 28 digits.
pub fn scaled(units: i64, scale: u32, field: &'static str) -> Result<Decimal, InvalidField> {
    Decimal::try_from_i128_with_scale(i128::from(units), scale)
        .ok()
        .ok_or(InvalidField(field))
}

impl From<Price> for wire::Decimal {
    fn from(price: Price) -> Self {
        decimal(price.0)
    }
}

impl From<Quantity> for wire::Decimal {
    fn from(quantity: Quantity) -> Self {
        decimal(quantity.0)
    }
}

impl From<MarketCode> for wire::Market {
    fn from(market: MarketCode) -> Self {
        match market {
            MarketCode::Kospi => Self::Kospi,
            MarketCode::Kosdaq => Self::Kosdaq,
            MarketCode::Global => Self::Global,
            MarketCode::Coin => Self::Coin,
            MarketCode::Gold => Self::Gold,
            MarketCode::Etf => Self::Etf,
        }
    }
}

impl wire::Market {
    /// # Errors
    /// [`InvalidField`] when it is unspecified.
    pub fn to_kernel(self) -> Result<MarketCode, InvalidField> {
        match self {
            Self::Unspecified => Err(InvalidField("market")),
            Self::Kospi => Ok(MarketCode::Kospi),
            Self::Kosdaq => Ok(MarketCode::Kosdaq),
            Self::Global => Ok(MarketCode::Global),
            Self::Coin => Ok(MarketCode::Coin),
            Self::Gold => Ok(MarketCode::Gold),
            Self::Etf => Ok(MarketCode::Etf),
        }
    }
}

impl From<Currency> for wire::Currency {
    fn from(currency: Currency) -> Self {
        match currency {
            Currency::Krw => Self::Krw,
            Currency::Usd => Self::Usd,
        }
    }
}

impl wire::Currency {
    /// # Errors
    /// [`InvalidField`] when it is unspecified.
    pub fn to_kernel(self) -> Result<Currency, InvalidField> {
        match self {
            Self::Unspecified => Err(InvalidField("currency")),
            Self::Krw => Ok(Currency::Krw),
            Self::Usd => Ok(Currency::Usd),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_travel_exactly() {
        for text in [
            "0",
            "71300",
            "0.00012345",
            "-1.5",
            "79228162514264337593543950335",
        ] {
            let value: Decimal = text.parse().unwrap();
            assert_eq!(to_decimal(&decimal(value), "x"), Ok(value));
        }
        assert_eq!(decimal("3.1000".parse().unwrap()).value, "3.1");
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "NaN", "Infinity", "1,000", "１", "1e400", "--1"] {
            let value = wire::Decimal {
                value: text.to_owned(),
            };
            assert_eq!(
                to_decimal(&value, "price"),
                Err(InvalidField("price")),
                "{text:?}"
            );
        }
    }
}
