//! Orders, replies to order requests, and pages of orders.

use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::trading::v1 as trading;
use serde::Serialize;
use utoipa::ToSchema;

use super::fill::Fill;
use super::item::non_empty;
use super::market::{Currency, MarketCode};
use super::number::Exact;
use super::order_enums::{OrderCategory, OrderGb, OrderStatus, Side};
use super::rows::decode_rows;
use super::time::{kst, kst_if_set};

/// An order as it stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Order {
    order_sid: i64,
    /// The order this one replaced.
    orig_order_sid: Option<i64>,
    acno: String,
    isu_srt_cd: String,
    isu_kor_nm: String,
    market_code: MarketCode,
    currency: Currency,
    side: Side,
    order_gb: OrderGb,
    order_category: OrderCategory,
    status: OrderStatus,
    /// The status as members read it.
    status_name: String,
    /// Limit price; null for a market order.
    ju_prc: Option<Exact>,
    ju_qty: Exact,
    /// Won that a market buy by amount may cost, fee included; null for other orders.
    order_amount: Option<i64>,
    filled_qty: Exact,
    remain_qty: Exact,
    /// Average price of what filled; null until something did.
    avg_prc: Option<Exact>,
    /// Won bought or sold so far, without fee and tax.
    filled_amount: i64,
    /// Won.
    fee: i64,
    /// Won.
    tax: i64,
    /// Won still held for it.
    held_amount: i64,
    /// Why it ended without filling.
    end_reason: Option<String>,
    /// A market order that has seen no price for a while.
    waiting_for_price: bool,
    order_time: String,
    expire_time: Option<String>,
}

impl TryFrom<trading::Order> for Order {
    type Error = InvalidField;

    fn try_from(order: trading::Order) -> Result<Self, InvalidField> {
        let status = OrderStatus::try_from(order.status())?;
        let (side, order_gb) = match order.side() {
            trading::OrderSide::Buy => (Side::Buy, OrderGb::Buy),
            trading::OrderSide::Sell => (Side::Sell, OrderGb::Sell),
            trading::OrderSide::Unspecified => return Err(InvalidField("side")),
        };
        Ok(Self {
            market_code: order.market().to_kernel()?.into(),
            currency: order.currency().to_kernel()?.into(),
            side,
            order_gb,
            order_category: order.category().try_into()?,
            status,
            status_name: status.name().to_owned(),
            ju_prc: optional(order.price.as_ref(), "price")?.map(Exact),
            ju_qty: Exact(required(order.quantity.as_ref(), "quantity")?),
            order_amount: order.order_amount_won,
            filled_qty: Exact(required(order.filled_quantity.as_ref(), "filled_quantity")?),
            remain_qty: Exact(required(
                order.remaining_quantity.as_ref(),
                "remaining_quantity",
            )?),
            avg_prc: optional(order.average_price.as_ref(), "average_price")?.map(Exact),
            filled_amount: order.filled_amount_won,
            fee: order.fee_won,
            tax: order.tax_won,
            held_amount: order.held_won,
            end_reason: non_empty(order.end_reason),
            waiting_for_price: order.waiting_for_price,
            order_time: kst(order.placed_at_us, "placed_at_us")?,
            expire_time: kst_if_set(order.expires_at_us, "expires_at_us")?,
            order_sid: order.order_id,
            orig_order_sid: Some(order.orig_order_id).filter(|id| *id != 0),
            acno: order.account_no,
            isu_srt_cd: order.instrument_code,
            isu_kor_nm: order.instrument_name,
        })
    }
}

/// The answer to an order or to a cancellation.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderReply {
    order_sid: i64,
    orig_order_sid: Option<i64>,
    status: OrderStatus,
    filled_qty: Exact,
    remain_qty: Exact,
    avg_prc: Option<Exact>,
    /// Won.
    fee: i64,
    /// Won.
    tax: i64,
    /// A Korean sentence about what was done.
    message: String,
    order: Order,
    fills: Vec<Fill>,
}

impl TryFrom<trading::OrderReply> for OrderReply {
    type Error = InvalidField;

    fn try_from(reply: trading::OrderReply) -> Result<Self, InvalidField> {
        let order = Order::try_from(reply.order.ok_or(InvalidField("order"))?)?;
        Ok(Self {
            order_sid: order.order_sid,
            orig_order_sid: order.orig_order_sid,
            status: order.status,
            filled_qty: order.filled_qty,
            remain_qty: order.remain_qty,
            avg_prc: order.avg_prc,
            fee: order.fee,
            tax: order.tax,
            message: reply.message,
            order,
            fills: fills(reply.fills)?,
        })
    }
}

/// A page of orders.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OrderPage {
    /// Newest first.
    orders: Vec<Order>,
    /// Asks for the next page; null when there is none.
    next_cursor: Option<String>,
}

impl TryFrom<trading::OrderPage> for OrderPage {
    type Error = InvalidField;

    fn try_from(page: trading::OrderPage) -> Result<Self, InvalidField> {
        Ok(Self {
            orders: decode_rows(page.orders),
            next_cursor: Some(page.next_before_order_id)
                .filter(|id| *id != 0)
                .map(|id| id.to_string()),
        })
    }
}

/// An order with its receipts.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OrderDetail {
    order: Order,
    fills: Vec<Fill>,
}

impl TryFrom<trading::OrderDetail> for OrderDetail {
    type Error = InvalidField;

    fn try_from(detail: trading::OrderDetail) -> Result<Self, InvalidField> {
        Ok(Self {
            order: detail.order.ok_or(InvalidField("order"))?.try_into()?,
            fills: fills(detail.fills)?,
        })
    }
}

fn fills(fills: Vec<trading::Fill>) -> Result<Vec<Fill>, InvalidField> {
    fills.into_iter().map(Fill::try_from).collect()
}
