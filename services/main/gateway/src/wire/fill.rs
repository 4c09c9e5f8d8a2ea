//! Fills, as receipts.

use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::trading::v1 as trading;
use serde::Serialize;
use utoipa::ToSchema;

use super::number::Exact;
use super::time::kst;

/// One execution of an order and everything its price came from.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Fill {
    fill_sid: i64,
    order_sid: i64,
    /// The trade that filled it.
    tick_seq: i64,
    event_time: String,
    tick_prc: Exact,
    /// MARKET_BID_ASK, MARKET_ONE_TICK_WORSE, LIMIT_TAKER, LIMIT_THROUGH, LIMIT_AT_PRICE,
    /// OPENING_GAP or AUCTION.
    rule: String,
    slippage_ticks: i32,
    /// Won by which a market order's price was worse than `tickPrc`; null for other orders and
    /// where it was no worse.
    slippage: Option<i64>,
    /// The most this trade allowed; null when there was no cap.
    cap_qty: Option<Exact>,
    fill_qty: Exact,
    /// In the instrument's currency.
    fill_prc: Exact,
    /// Won.
    amount: i64,
    /// Won.
    fee: i64,
    /// Won.
    tax: i64,
    /// Won per dollar; null for instruments in won.
    fx_rate: Option<Exact>,
    /// Won per dollar that was paid or received: `fxRate` and the exchange spread.
    applied_fx_rate: Option<Exact>,
    /// Won of the exchange spread; null for instruments in won.
    exchange_cost: Option<i64>,
    /// Won that a sale earned after fee and tax; null for purchases.
    profit: Option<i64>,
    bid_prc: Option<Exact>,
    ask_prc: Option<Exact>,
    model_version: String,
}

impl TryFrom<trading::Fill> for Fill {
    type Error = InvalidField;

    fn try_from(fill: trading::Fill) -> Result<Self, InvalidField> {
        Ok(Self {
            fill_sid: fill.fill_id,
            order_sid: fill.order_id,
            tick_seq: fill.tick_seq,
            event_time: kst(fill.event_time_us, "event_time_us")?,
            tick_prc: Exact(required(fill.tick_price.as_ref(), "tick_price")?),
            slippage_ticks: fill.slippage_ticks,
            slippage: fill.slippage_won,
            cap_qty: optional(fill.cap_quantity.as_ref(), "cap_quantity")?.map(Exact),
            fill_qty: Exact(required(fill.quantity.as_ref(), "quantity")?),
            fill_prc: Exact(required(fill.price.as_ref(), "price")?),
            amount: fill.amount_won,
            fee: fill.fee_won,
            tax: fill.tax_won,
            fx_rate: optional(fill.fx_rate.as_ref(), "fx_rate")?.map(Exact),
            applied_fx_rate: optional(fill.applied_fx_rate.as_ref(), "applied_fx_rate")?.map(Exact),
            exchange_cost: fill.exchange_cost_won,
            profit: fill.profit_won,
            bid_prc: optional(fill.bid.as_ref(), "bid")?.map(Exact),
            ask_prc: optional(fill.ask.as_ref(), "ask")?.map(Exact),
            rule: fill.rule,
            model_version: fill.model_version,
        })
    }
}
