//! Orders and fills as messages.

use kernel::MemberId;
use proto::common::v1::{Currency, Market};
use proto::convert::{decimal, micros};
use proto::trading::v1 as wire;

use crate::domain::slippage::{FillPrices, slippage_won};
use crate::market_cache::fx_of;
use crate::orders::capacity::OrderCapacity;
use crate::orders::estimate::applied_fx;
use crate::orders::fills::{MemberFills, OrderDetail};
use crate::orders::history::OrderPage;
use crate::orders::order::{Order, Side, Status};
use crate::orders::preview::OrderPreview;
use crate::orders::snapshot::{FillSnapshot, OrderContext, OrderSnapshot};
use crate::orders::validation::Category;

#[must_use]
pub fn order(order: &Order, context: OrderContext) -> wire::Order {
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

pub(super) fn order_snapshot(snapshot: OrderSnapshot) -> wire::Order {
    order(&snapshot.order, snapshot.context)
}

pub(crate) fn order_detail(detail: OrderDetail) -> wire::OrderDetail {
    wire::OrderDetail {
        order: Some(order_snapshot(detail.order)),
        fills: detail.fills.iter().map(fill_snapshot).collect(),
    }
}

pub(super) fn order_page(page: OrderPage) -> wire::OrderPage {
    wire::OrderPage {
        orders: page.orders.into_iter().map(order_snapshot).collect(),
        next_before_order_id: page.next_before.map_or(0, |id| id.0),
    }
}

pub(super) fn member_fills(fills: MemberFills, member_id: MemberId) -> wire::MemberFills {
    let notices = fills.notices.into_iter().map(|notice| {
        let (order, fill) = notice.fill.unzip();
        wire::FillNotice {
            seq: notice.seq,
            member_id: member_id.0,
            order: order.map(order_snapshot),
            fill: fill.as_ref().map(fill_snapshot),
        }
    });
    wire::MemberFills {
        notices: notices.collect(),
        last_seq: fills.last_seq,
        gap: fills.gap,
    }
}

fn fill_snapshot(FillSnapshot { fill, side, rates }: &FillSnapshot) -> wire::Fill {
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

pub(super) fn order_preview(preview: &OrderPreview) -> wire::OrderPreview {
    let estimate = &preview.estimate;
    wire::OrderPreview {
        price: Some(estimate.price.into()),
        amount_won: estimate.charge.amount.0,
        fee_won: estimate.charge.fee.0,
        tax_won: estimate.charge.tax.0,
        total_won: estimate.total.0,
        fx_rate: preview.fx_rate.map(decimal),
        applied_fx_rate: preview.applied_fx_rate.map(decimal),
        hold_won: preview.hold.map(|won| won.0),
        cost_of_sale_won: estimate.cost_of_sale.map(|won| won.0),
        profit_won: estimate.profit().map(|won| won.0),
        average_after: estimate.average_after.map(Into::into),
        quantity: Some(preview.quantity.into()),
    }
}

pub(super) fn order_capacity(capacity: OrderCapacity) -> wire::OrderCapacity {
    let session = capacity.session();
    let tradable = capacity.is_tradable();
    let OrderCapacity { rates, market, .. } = capacity;
    let (listing, quote) = (market.listing, market.quote);
    let band = quote.as_ref().and_then(|quote| quote.band);
    let rule = listing.quantity_rule();
    let tick_table = listing.tick_table();
    let bands = tick_table.bands().iter();
    wire::OrderCapacity {
        account_no: capacity.account_no,
        available_won: capacity.available.0,
        max_buy_quantity: Some(capacity.max_buy.into()),
        sellable_quantity: Some(capacity.sellable.into()),
        fee_rate: Some(decimal(rates.fee_rate)),
        sell_tax_rate: Some(decimal(rates.sell_tax_rate + rates.sec_rate)),
        tick_table: bands
            .map(|band| wire::TickBand {
                from: Some(decimal(band.from)),
                tick: Some(decimal(band.tick)),
            })
            .collect(),
        lower_limit: band.map(|band| band.lower.into()),
        upper_limit: band.map(|band| band.upper.into()),
        fx_rate: fx_of(quote.as_ref()).map(decimal),
        session: session.as_str().to_owned(),
        quantity_step: Some(rule.step.into()),
        minimum_amount_won: rule.least_amount.map_or(0, |least| least.0),
        warning_code: listing.warning.as_str().to_owned(),
        tradable,
        last_price: quote.map(|quote| quote.last.into()),
        currency: Currency::from(listing.currency).into(),
        instrument_code: listing.code,
    }
}

#[must_use]
pub fn side(side: Side) -> wire::OrderSide {
    match side {
        Side::Buy => wire::OrderSide::Buy,
        Side::Sell => wire::OrderSide::Sell,
    }
}

#[must_use]
pub fn category(category: Category) -> wire::OrderCategory {
    match category {
        Category::Stock => wire::OrderCategory::Stock,
        Category::Coin => wire::OrderCategory::Coin,
        Category::Gold => wire::OrderCategory::Gold,
    }
}

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
