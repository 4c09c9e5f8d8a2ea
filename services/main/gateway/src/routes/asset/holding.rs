use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::trading::v1 as trading;
use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::item::{non_empty, percent_change};
use crate::wire::likes::{Likeable, Likes};
use crate::wire::market::{Currency, MarketCode};
use crate::wire::number::Exact;

/// What an account holds of an instrument.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Holding {
    acno: String,
    pub(crate) isu_srt_cd: String,
    isu_kor_nm: String,
    market_code: MarketCode,
    currency: Currency,
    ju_qty: Exact,
    /// Part of the quantity that open sell orders hold.
    held_qty: Exact,
    /// Average price paid, in the instrument's currency.
    ju_prc: Exact,
    /// Won paid, without fees.
    total_ju_prc: i64,
    /// Last price; null when none is known, and then neither are the values from it.
    trd_prc: Option<Exact>,
    prev_dd_prc: Option<Exact>,
    /// Change since the previous close in percent, two decimals.
    fluc_rt: Option<Exact>,
    /// Won it is worth.
    eval_prc: Option<i64>,
    /// Won gained or lost.
    profit_prc: Option<i64>,
    /// Percent gained or lost, two decimals.
    profit_rt: Option<Exact>,
    /// Won per dollar; null for instruments in won.
    fx_rt: Option<Exact>,
    /// Investment warning, 00 to 03.
    warn_code: String,
    pub(crate) like: bool,
}

impl TryFrom<trading::Holding> for Holding {
    type Error = InvalidField;

    fn try_from(holding: trading::Holding) -> Result<Self, InvalidField> {
        let price = optional(holding.last_price.as_ref(), "last_price")?;
        let prev_close = optional(holding.prev_close.as_ref(), "prev_close")?;
        let cost = Decimal::from(holding.cost_won);
        let change = |(now, before)| Exact(percent_change(now, before));
        Ok(Self {
            market_code: holding.market().to_kernel()?.into(),
            currency: holding.currency().to_kernel()?.into(),
            ju_qty: Exact(required(holding.quantity.as_ref(), "quantity")?),
            held_qty: Exact(
                optional(holding.held_quantity.as_ref(), "held_quantity")?.unwrap_or(Decimal::ZERO),
            ),
            ju_prc: Exact(required(holding.average_price.as_ref(), "average_price")?),
            total_ju_prc: holding.cost_won,
            trd_prc: price.map(Exact),
            prev_dd_prc: prev_close.map(Exact),
            fluc_rt: price.zip(prev_close).map(change),
            eval_prc: price.map(|_| holding.value_won),
            profit_prc: price.map(|_| holding.profit_won),
            profit_rt: price
                .filter(|_| !cost.is_zero())
                .map(|_| change((cost + Decimal::from(holding.profit_won), cost))),
            fx_rt: optional(holding.fx_rate.as_ref(), "fx_rate")?.map(Exact),
            warn_code: non_empty(holding.warning_code).unwrap_or_else(|| "00".to_owned()),
            like: false,
            acno: holding.account_no,
            isu_srt_cd: holding.instrument_code,
            isu_kor_nm: holding.instrument_name,
        })
    }
}

impl Likeable for Holding {
    fn is_in(&self, likes: &Likes) -> bool {
        likes.has_code(&self.isu_srt_cd)
    }

    fn like(&mut self) -> &mut bool {
        &mut self.like
    }
}
