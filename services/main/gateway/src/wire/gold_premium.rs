//! The premium of gold on the Korean exchange.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::market::v1 as market;
use serde::Serialize;
use utoipa::ToSchema;

use super::number::Exact;
use super::time::kst;

/// Gold of the exchange here against gold in the world.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Premium {
    /// 괴리율: percent that it costs more here, two decimals.
    pub(crate) rate: Exact,
    /// Won per gram here.
    pub(crate) domestic_prc: Exact,
    /// Won per gram in the world.
    pub(crate) world_prc: Exact,
    /// Dollars per troy ounce.
    pub(crate) world_usd_per_oz: Exact,
    /// Won per dollar.
    pub(crate) fx_rate: Exact,
    as_of: String,
}

impl TryFrom<market::GoldPremium> for Premium {
    type Error = InvalidField;

    fn try_from(premium: market::GoldPremium) -> Result<Self, InvalidField> {
        let per_ounce = premium.world_dollars_per_ounce.as_ref();
        Ok(Self {
            rate: Exact(required(premium.rate.as_ref(), "rate")?),
            domestic_prc: Exact(required(premium.domestic_price.as_ref(), "domestic_price")?),
            world_prc: Exact(required(premium.world_price.as_ref(), "world_price")?),
            world_usd_per_oz: Exact(required(per_ounce, "world_dollars_per_ounce")?),
            fx_rate: Exact(required(premium.dollar_won.as_ref(), "dollar_won")?),
            as_of: kst(premium.as_of_us, "as_of_us")?,
        })
    }
}
