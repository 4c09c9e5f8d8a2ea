//! Orders and fills as messages. Events and the replies to requests are stored as they are sent, so
//! these are made in the transaction, and not only by `grpc`.

use proto::common::v1::{Currency, Market};
use proto::convert::{decimal, micros};
use proto::trading::v1 as wire;

use crate::domain::slippage::{FillPrices, slippage_won};
use crate::orders::estimate::applied_fx;
use crate::orders::fills::OrderDetail;
use crate::orders::order::{Order, Side, Status};
use crate::orders::request::Category;
use crate::orders::snapshot::{FillSnapshot, OrderContext, OrderSnapshot};
use crate::store::Store;

impl Store {
    pub(crate) fn order_view(&self, order: &Order, account_no: &str) -> wire::Order {
        order_message(order, self.order_context(order, account_no.to_owned()))
    }
}

pub(crate) fn order_snapshot(snapshot: OrderSnapshot) -> wire::Order {
    order_message(&snapshot.order, snapshot.context)
}

pub(crate) fn order_detail(detail: OrderDetail) -> wire::OrderDetail {
    wire::OrderDetail {
        order: Some(order_snapshot(detail.order)),
        fills: detail.fills.iter().map(fill_snapshot).collect(),
    }
}

pub(crate) fn fill_snapshot(FillSnapshot { fill, side, rates }: &FillSnapshot) -> wire::Fill {
    let received = fill.amount_won.0 - fill.fee_won.0 - fill.tax_won.0;
    wire::Fill {
        profit_won: (*side == Side::Sell).then_some(received - fill.cost_won.0),
        applied_fx_rate: fill.fx_rate.map(|fx| decimal(applied_fx(*side, fx, rates))),
        fill_id: fill.id.0,
        order_id: fill.order_id.0,
        tick_seq: fill.tick_seq,
        event_time_us: micros(fill.event_time),
        tick_price: Some(fill.tick_price.into()),
        rule: fill.rule.clone(),
        slippage_ticks: fill.slippage_ticks,
        cap_quantity: fill.cap_quantity.map(Into::into),
        quantity: Some(fill.quantity.into()),
        price: Some(fill.price.into()),
        amount_won: fill.amount_won.0,
        fee_won: fill.fee_won.0,
        tax_won: fill.tax_won.0,
        fx_rate: fill.fx_rate.map(decimal),
        model_version: fill.model_version.clone(),
        bid: fill.bid.map(Into::into),
        ask: fill.ask.map(Into::into),
        slippage_won: slippage_won(&FillPrices {
            rule: &fill.rule,
            side: *side,
            tick_price: fill.tick_price,
            price: fill.price,
            quantity: fill.quantity,
            fx_rate: fill.fx_rate,
        }),
        exchange_cost_won: fill
            .fx_rate
            .map(|_dollars| (fill.amount_won.0 - fill.base_won.0).abs()),
    }
}

fn order_message(order: &Order, context: OrderContext) -> wire::Order {
    // An order of a competition ends with its session or with the event.
    let ends = order.expires_at.into_iter().chain(context.day_end).min();
    let working = matches!(order.status, Status::Accepted | Status::Partial);
    wire::Order {
        order_id: order.id.0,
        orig_order_id: order.orig_id.map_or(0, |id| id.0),
        account_no: context.account_no,
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
        waiting_for_price: order.price.is_none() && working && context.silent,
        order_amount_won: order.order_amount.map(|won| won.0),
    }
}

fn side(side: Side) -> wire::OrderSide {
    match side {
        Side::Buy => wire::OrderSide::Buy,
        Side::Sell => wire::OrderSide::Sell,
    }
}

fn category(category: Category) -> wire::OrderCategory {
    match category {
        Category::Stock => wire::OrderCategory::Stock,
        Category::Coin => wire::OrderCategory::Coin,
        Category::Gold => wire::OrderCategory::Gold,
    }
}

fn status(status: Status) -> wire::OrderStatus {
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
