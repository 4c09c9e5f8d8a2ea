//! The cost or proceeds of an order that is not placed.

use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::code::{Acno, Code};
use crate::wire::number::Exact;
use crate::wire::order_enums::Side;

/// An order that is only reckoned.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PreviewDraft {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    pub(crate) _member_sid: i64,
    /// Account; `00` (also when it is missing) is one's basic account.
    pub(crate) acno: Option<Acno>,
    pub(crate) isu_srt_cd: Code,
    pub(crate) side: Side,
    /// Price in the instrument's currency; null or 0 = what a market order would get now.
    pub(crate) ju_prc: Option<Exact>,
    /// Quantity; with `orderAmount` it may be absent, and is an upper bound otherwise.
    pub(crate) ju_qty: Option<Exact>,
    /// Of a market BUY: won that it may cost, fee and exchange spread included.
    pub(crate) order_amount: Option<Exact>,
}

/// What one fill at the price would book: to the won what the ledger would say.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderPreview {
    /// The price that was reckoned with, in the instrument's currency.
    price: Exact,
    /// The quantity that was reckoned with.
    ju_qty: Option<Exact>,
    /// Won, without fee and tax.
    amount: i64,
    /// Won.
    fee: i64,
    /// Won.
    tax: i64,
    /// Won to pay (BUY) or to receive (SELL).
    total: i64,
    /// Won per dollar; null for instruments in won.
    fx_rate: Option<Exact>,
    /// Won that the sold part has cost; null for a BUY and when less is held.
    cost_of_sale: Option<i64>,
    /// Won that the sale earns after fee and tax.
    profit: Option<i64>,
    /// Average price after a BUY, in the instrument's currency.
    average_after: Option<Exact>,
    /// Won kept aside until a BUY has filled, and the most it may cost; null for a SELL.
    hold: Option<i64>,
    /// Won per dollar that is paid or received: `fxRate` and the exchange spread.
    applied_fx_rate: Option<Exact>,
}

impl TryFrom<trading::OrderPreview> for OrderPreview {
    type Error = InvalidField;

    fn try_from(preview: trading::OrderPreview) -> Result<Self, InvalidField> {
        Ok(Self {
            price: Exact(required(preview.price.as_ref(), "price")?),
            ju_qty: optional(preview.quantity.as_ref(), "quantity")?.map(Exact),
            amount: preview.amount_won,
            fee: preview.fee_won,
            tax: preview.tax_won,
            total: preview.total_won,
            fx_rate: optional(preview.fx_rate.as_ref(), "fx_rate")?.map(Exact),
            cost_of_sale: preview.cost_of_sale_won,
            profit: preview.profit_won,
            average_after: optional(preview.average_after.as_ref(), "average_after")?.map(Exact),
            hold: preview.hold_won,
            applied_fx_rate: optional(preview.applied_fx_rate.as_ref(), "applied_fx_rate")?
                .map(Exact),
        })
    }
}
