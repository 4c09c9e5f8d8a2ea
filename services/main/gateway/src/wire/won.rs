//! Whole won in requests.

use serde::Deserialize;
use utoipa::ToSchema;

/// Won: a whole number from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "i64")]
#[schema(value_type = i64, minimum = 1)]
pub(crate) struct PositiveWon(pub(crate) i64);

impl TryFrom<i64> for PositiveWon {
    type Error = &'static str;

    fn try_from(won: i64) -> Result<Self, Self::Error> {
        if won > 0 {
            Ok(Self(won))
        } else {
            Err("1원부터 보낼 수 있어요")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_won_from_one_are_read() {
        let read = |text| serde_json::from_str::<PositiveWon>(text).ok();
        assert_eq!(read("1"), Some(PositiveWon(1)));
        for wrong in ["0", "-1", "1.5", "\"1\"", "null", "9223372036854775808"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
