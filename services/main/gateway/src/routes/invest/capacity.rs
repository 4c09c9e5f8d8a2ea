//! What an order sheet needs.

use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::trading::v1 as trading;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::item::non_empty;
use crate::wire::market::Currency;
use crate::wire::number::Exact;
use crate::wire::tick_band::TickBand;

/// What an order sheet needs for one instrument.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderCapacity {
    acno: String,
    isu_srt_cd: String,
    /// Won.
    available_cash: i64,
    max_buy_qty: Exact,
    sellable_qty: Exact,
    /// A fraction: 0.00015 is 0.015 %.
    fee_rate: Exact,
    /// A fraction, of sales.
    tax_rate: Exact,
    tick_table: Vec<TickBand>,
    limits: PriceLimits,
    /// Won per dollar; null for instruments in won.
    fx_rate: Option<Exact>,
    /// OPEN, AUCTION, CLOSED or HALTED.
    session: String,
    /// Quantities are multiples of it.
    qty_step: Exact,
    /// Won.
    min_amount: i64,
    /// Investment warning, 00 to 03.
    warn_code: String,
    tradable: bool,
    /// Last price; null when none is known.
    trd_prc: Option<Exact>,
    currency: Currency,
}

/// The day's price limits; null where there is none.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PriceLimits {
    lower: Option<Exact>,
    upper: Option<Exact>,
}

impl TryFrom<trading::OrderCapacity> for OrderCapacity {
    type Error = InvalidField;

    fn try_from(capacity: trading::OrderCapacity) -> Result<Self, InvalidField> {
        let bands = capacity.tick_table.iter().cloned().map(TickBand::try_from);
        Ok(Self {
            currency: capacity.currency().to_kernel()?.into(),
            available_cash: capacity.available_won,
            max_buy_qty: Exact(required(
                capacity.max_buy_quantity.as_ref(),
                "max_buy_quantity",
            )?),
            sellable_qty: Exact(required(
                capacity.sellable_quantity.as_ref(),
                "sellable_quantity",
            )?),
            fee_rate: Exact(required(capacity.fee_rate.as_ref(), "fee_rate")?),
            tax_rate: Exact(required(capacity.sell_tax_rate.as_ref(), "sell_tax_rate")?),
            tick_table: bands.collect::<Result<_, _>>()?,
            limits: PriceLimits {
                lower: optional(capacity.lower_limit.as_ref(), "lower_limit")?.map(Exact),
                upper: optional(capacity.upper_limit.as_ref(), "upper_limit")?.map(Exact),
            },
            fx_rate: optional(capacity.fx_rate.as_ref(), "fx_rate")?.map(Exact),
            qty_step: Exact(required(capacity.quantity_step.as_ref(), "quantity_step")?),
            min_amount: capacity.minimum_amount_won,
            trd_prc: optional(capacity.last_price.as_ref(), "last_price")?.map(Exact),
            tradable: capacity.tradable,
            warn_code: non_empty(capacity.warning_code).unwrap_or_else(|| "00".to_owned()),
            session: capacity.session,
            acno: capacity.account_no,
            isu_srt_cd: capacity.instrument_code,
        })
    }
}
