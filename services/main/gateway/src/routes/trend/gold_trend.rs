//! The trend of gold.

use proto::convert::InvalidField;
use proto::market::v1 as market;
use serde::Serialize;
use utoipa::ToSchema;

use super::market_trend::IndexValue;
use crate::wire::gold_premium::Premium;
use crate::wire::item::Item;
use crate::wire::number::Exact;
use crate::wire::rows::decode_rows;
use crate::wire::time::kst;

/// What gold costs.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GoldFigures {
    /// Won per gram here.
    won_per_g: Exact,
    /// Dollars per troy ounce in the world.
    usd_per_oz: Exact,
    /// Won per dollar.
    fx_rate: Exact,
    /// 괴리율 in percent, two decimals.
    premium_rate: Exact,
}

/// How gold does; at most a minute old.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GoldTrend {
    /// GOLD.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Won per gram; null while no price is known.
    index: Option<IndexValue>,
    /// Null while one of the prices is unknown.
    gold: Option<GoldFigures>,
    pub(crate) items: Vec<Item>,
    as_of: String,
}

impl TryFrom<market::GoldTrend> for GoldTrend {
    type Error = InvalidField;

    fn try_from(trend: market::GoldTrend) -> Result<Self, InvalidField> {
        let premium = trend.premium.map(Premium::try_from).transpose()?;
        Ok(Self {
            kind: "GOLD",
            index: trend.index.map(IndexValue::try_from).transpose()?,
            gold: premium.map(|premium| GoldFigures {
                won_per_g: premium.domestic_prc,
                usd_per_oz: premium.world_usd_per_oz,
                fx_rate: premium.fx_rate,
                premium_rate: premium.rate,
            }),
            items: decode_rows(trend.items),
            as_of: kst(trend.as_of_us, "as_of_us")?,
        })
    }
}
