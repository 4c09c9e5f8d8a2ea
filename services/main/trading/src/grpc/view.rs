//! Orders, fills and accounts as gRPC messages.

use chrono::{DateTime, Utc};
use market_rules::FeeRates;
use proto::common::v1::{Currency, Market};
use proto::convert::{decimal, micros};
use proto::trading::v1 as wire;

use crate::entity::fill;
use crate::orders::estimate::applied_fx;
use crate::orders::order::{Order, Side, Status};
use crate::orders::validation::Category;

/// What a message about an order needs beside the order.
#[derive(Clone, Copy, Debug)]
pub struct OrderContext<'a> {
    /// The account's number.
    pub account_no: &'a str,
    /// When a DAY order ends, as far as that can be foreseen.
    pub day_end: Option<DateTime<Utc>>,
    /// Whether its instrument is silent.
    pub silent: bool,
}

/// An order.
#[must_use]
pub fn order(order: &Order, around: OrderContext<'_>) -> wire::Order {
    let ends = order.expires_at.or(around.day_end);
    let working = matches!(order.status, Status::Accepted | Status::Partial);
    wire::Order {
        order_id: order.id.0,
        orig_order_id: order.orig_id.map_or(0, |id| id.0),
        account_no: around.account_no.to_owned(),
        instrument_code: order.instrument_code.clone(),
        instrument_name: order.instrument_name.clone(),
        market: Market::from(order.market).into(),
        side: side(order.side).into(),
        category: category(Category::of(order.market.asset_kind())).into(),
        status: status(order.status).into(),
        price: order.price.map(Into::into),
        quantity: Some(order.quantity.into()),
        filled_quantity: Some(order.filled.into()),
        remaining_quantity: Some(order.remaining().into()),
        average_price: order.average_price().map(Into::into),
        fee_won: order.totals.fee.0,
        tax_won: order.totals.tax.0,
        filled_amount_won: order.totals.amount.0,
        end_reason: order.end_reason.clone(),
        placed_at_us: micros(order.placed_at),
        expires_at_us: ends.map_or(0, micros),
        held_won: order.held_won.0,
        currency: Currency::from(order.currency).into(),
        waiting_for_price: order.price.is_none() && working && around.silent,
    }
}

/// A stored execution. `rates` are those of its market and trading day.
#[must_use]
pub fn fill(row: &fill::Model, side: Side, rates: &FeeRates) -> wire::Fill {
    let received = row.amount_won.0 - row.fee_won.0 - row.tax_won.0;
    wire::Fill {
        profit_won: (side == Side::Sell).then_some(received - row.cost_won.0),
        applied_fx_rate: row.fx_rate.map(|fx| decimal(applied_fx(side, fx, rates))),
        fill_id: row.id.0,
        order_id: row.order_id.0,
        tick_seq: row.tick_seq,
        event_time_us: micros(row.event_time),
        tick_price: Some(row.tick_price.into()),
        rule: row.rule.clone(),
        slippage_ticks: row.slippage_ticks,
        cap_quantity: row.cap_quantity.map(Into::into),
        quantity: Some(row.quantity.into()),
        price: Some(row.price.into()),
        amount_won: row.amount_won.0,
        fee_won: row.fee_won.0,
        tax_won: row.tax_won.0,
        fx_rate: row.fx_rate.map(decimal),
        model_version: row.model_version.clone(),
        bid: row.bid.map(Into::into),
        ask: row.ask.map(Into::into),
    }
}

/// A side.
#[must_use]
pub fn side(side: Side) -> wire::OrderSide {
    match side {
        Side::Buy => wire::OrderSide::Buy,
        Side::Sell => wire::OrderSide::Sell,
    }
}

/// A category.
#[must_use]
pub fn category(category: Category) -> wire::OrderCategory {
    match category {
        Category::Stock => wire::OrderCategory::Stock,
        Category::Coin => wire::OrderCategory::Coin,
        Category::Gold => wire::OrderCategory::Gold,
    }
}

/// A state.
#[must_use]
pub fn status(status: Status) -> wire::OrderStatus {
    match status {
        Status::Queued => wire::OrderStatus::Queued,
        Status::Accepted => wire::OrderStatus::Accepted,
        Status::Partial => wire::OrderStatus::Partial,
        Status::Filled => wire::OrderStatus::Filled,
        Status::Canceled => wire::OrderStatus::Canceled,
        Status::Expired => wire::OrderStatus::Expired,
        Status::Replaced => wire::OrderStatus::Replaced,
        Status::Rejected => wire::OrderStatus::Rejected,
    }
}
