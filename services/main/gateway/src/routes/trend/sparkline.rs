//! The prices of a day, for a row of a list.

use proto::convert::{InvalidField, to_decimal, to_optional_decimal as optional};
use proto::market::v1 as market;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::number::Exact;

/// The day's prices of an instrument.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sparkline {
    /// Code.
    isu_srt_cd: String,
    /// Close of the day before; null before the market's first price.
    prev_dd_prc: Option<Exact>,
    /// From the day's open until now, of coins 24 hours; at equal distances in time, oldest first.
    #[schema(max_items = 60)]
    prices: Vec<Exact>,
}

impl TryFrom<market::Sparkline> for Sparkline {
    type Error = InvalidField;

    fn try_from(line: market::Sparkline) -> Result<Self, InvalidField> {
        let price = |price| to_decimal(price, "prices").map(Exact);
        let prices = line.prices.iter().map(price);
        Ok(Self {
            prices: prices.collect::<Result<_, InvalidField>>()?,
            prev_dd_prc: optional(line.prev_close.as_ref(), "prev_close")?.map(Exact),
            isu_srt_cd: line.code,
        })
    }
}
