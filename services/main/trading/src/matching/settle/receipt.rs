//! Receipts of fills and splits: their rows, journals and messages.

use kernel::FillId;
use market_rules::FeeRates;
use proto::convert::{decimal, micros};
use proto::trading::v1 as wire;

use crate::domain::settlement::postings;
use crate::domain::slippage::{FillPrices, slippage_won};
use crate::events;
use crate::ledger::{Journal, JournalKind, Source};
use crate::matching::effect::{Effect, Execution, Payment};
use crate::matching::fill_model::FillModel;
use crate::orders::estimate::applied_fx;
use crate::orders::order::{Order, Side};
use crate::store::Store;
use crate::store::write_set::{FillRow, SplitRow, WriteSet};

#[derive(Clone, Copy)]
pub(super) struct ReceiptIds {
    pub(super) receipt: FillId,
    pub(super) journal: i64,
}

/// A fill with the further facts of its receipt.
pub(super) struct Filled<'a> {
    pub(super) ids: ReceiptIds,
    /// Number of the fill among the member's fills.
    pub(super) member_seq: i64,
    pub(super) account_no: &'a str,
    pub(super) order: &'a Order,
    pub(super) execution: &'a Execution,
    pub(super) payment: &'a Payment,
}

impl Store {
    /// Writes a fill's row, journal and message.
    pub(super) fn write_fill(&self, filled: &Filled<'_>, writes: &mut WriteSet) {
        writes.journal(filled.journal());
        filled.write_row(writes);
        let order = self.order_view(filled.order, filled.account_no);
        let day = filled.execution.trading_day;
        let rates = self.costs.on(filled.order.market, day);
        let notice = wire::FillNotice {
            seq: filled.member_seq,
            member_id: filled.order.member_id.0,
            order: Some(order),
            fill: Some(filled.to_wire(&rates)),
        };
        writes.event(&events::order_filled(notice, self.clock.as_ref()));
    }
}

impl Filled<'_> {
    fn journal(&self) -> Journal {
        Journal {
            id: self.ids.journal,
            kind: JournalKind::OrderFilled,
            source: Source::Fill(self.ids.receipt),
            occurred_at: self.execution.time,
            postings: postings(self.order.account_id, self.order.side, &self.payment.charge),
        }
    }

    fn write_row(&self, writes: &mut WriteSet) {
        let (order, execution) = (self.order, self.execution);
        let (charge, cost) = (&self.payment.charge, &self.payment.cost);
        writes.fill(FillRow {
            id: self.ids.receipt,
            order_id: order.id,
            account_id: order.account_id,
            member_id: order.member_id,
            member_seq: self.member_seq,
            instrument_code: order.instrument_code.clone(),
            side: order.side.as_str(),
            tick_seq: execution.tick_seq,
            event_time: execution.time,
            trading_day: execution.trading_day,
            tick_price: execution.tick_price,
            bid: execution.bid,
            ask: execution.ask,
            rule: execution.rule.as_str(),
            slippage_ticks: self.slippage_ticks(),
            cap_quantity: execution.cap,
            quantity: execution.quantity,
            price: execution.price,
            amount_won: charge.amount,
            base_won: charge.base,
            fee_won: charge.fee,
            tax_won: charge.tax,
            fx_rate: execution.fx_rate,
            cost_won: cost.won,
            cost_quote: cost.quote,
            model_version: FillModel::V1.version,
            journal_id: self.ids.journal,
        });
    }

    fn to_wire(&self, rates: &FeeRates) -> wire::Fill {
        let (execution, charge) = (self.execution, &self.payment.charge);
        let side = self.order.side;
        let earned = charge.received().0 - self.payment.cost.won.0;
        wire::Fill {
            profit_won: (side == Side::Sell).then_some(earned),
            applied_fx_rate: execution
                .fx_rate
                .map(|fx| decimal(applied_fx(side, fx, rates))),
            fill_id: self.ids.receipt.0,
            order_id: self.order.id.0,
            tick_seq: execution.tick_seq,
            event_time_us: micros(execution.time),
            tick_price: Some(execution.tick_price.into()),
            rule: execution.rule.as_str().to_owned(),
            slippage_ticks: self.slippage_ticks(),
            cap_quantity: execution.cap.map(Into::into),
            quantity: Some(execution.quantity.into()),
            price: Some(execution.price.into()),
            amount_won: charge.amount.0,
            fee_won: charge.fee.0,
            tax_won: charge.tax.0,
            fx_rate: execution.fx_rate.map(decimal),
            model_version: FillModel::V1.version.to_owned(),
            bid: execution.bid.map(Into::into),
            ask: execution.ask.map(Into::into),
            slippage_won: slippage_won(&FillPrices {
                rule: execution.rule.as_str(),
                side,
                tick_price: execution.tick_price,
                price: execution.price,
                quantity: execution.quantity,
                fx_rate: execution.fx_rate,
            }),
            exchange_cost_won: execution
                .fx_rate
                .map(|_dollars| (charge.amount.0 - charge.base.0).abs()),
        }
    }

    fn slippage_ticks(&self) -> i32 {
        i32::try_from(self.execution.slippage_ticks).unwrap_or(i32::MAX)
    }
}

/// Writes the split of a holding and the journal of what it paid out.
pub(super) fn write_split(ids: ReceiptIds, effect: &Effect, writes: &mut WriteSet) {
    let Effect::Split {
        account_id,
        code,
        ratio,
        split,
        trading_day,
        time,
    } = effect
    else {
        return;
    };
    writes.split(SplitRow {
        id: ids.receipt,
        account_id: *account_id,
        instrument_code: code.clone(),
        trading_day: *trading_day,
        numerator: ratio.numerator,
        denominator: ratio.denominator,
        quantity_before: split.before,
        quantity_after: split.after,
        paid_won: split.paid,
        cost_won: split.cost.won,
        cost_quote: split.cost.quote,
    });
    writes.journal(Journal {
        id: ids.journal,
        kind: JournalKind::ShareSplit,
        source: Source::HoldingSplit(ids.receipt),
        occurred_at: *time,
        postings: split.postings(*account_id),
    });
}
