//! Lists, previews and sheets of orders as messages.

use kernel::MemberId;
use proto::common::v1::Currency;
use proto::convert::decimal;
use proto::trading::v1 as wire;

use crate::market_cache::fx_of;
use crate::orders::capacity::OrderCapacity;
use crate::orders::fills::MemberFills;
use crate::orders::history::OrderPage;
use crate::orders::message::{fill_snapshot, order_snapshot};
use crate::orders::preview::OrderPreview;

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
