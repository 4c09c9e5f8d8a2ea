//! The rows of a [`WriteSet`] as statements.

use std::collections::BTreeMap;

use kernel::MemberId;

use super::WriteSet;
use super::rows::{AdmissionRow, OrderEventRow};
use crate::store::columns::CombinedWrites;

impl WriteSet {
    /// Everything but money and queue positions.
    pub(super) fn rows(&self) -> CombinedWrites {
        let events = self.requests.len() + self.fills.len() + self.ended.len();
        let is_lone = events <= 1 && self.orders.len() <= 1 && self.journals.len() <= 1;
        let mut all = CombinedWrites::new(is_lone);
        self.write_counters(&mut all);
        self.write_new_orders(&mut all);
        self.write_orders(&mut all);
        self.write_holds(&mut all);
        self.write_fills(&mut all);
        self.write_splits(&mut all);
        self.write_transfers(&mut all);
        self.write_purchases(&mut all);
        self.write_events(&mut all);
        self.write_replies(&mut all);
        all
    }

    fn write_counters(&self, all: &mut CombinedWrites) {
        let counters = all
            .columns(&self.accounts)
            .add("id", |row| row.id.0)
            .add("open_orders", |row| row.open_orders)
            .add("rate_second", |row| row.rate_second)
            .add("rate_second_count", |row| row.rate_second_count)
            .add("rate_minute", |row| row.rate_minute)
            .add("rate_minute_count", |row| row.rate_minute_count);
        all.update("account", counters);
    }

    fn write_new_orders(&self, all: &mut CombinedWrites) {
        let new_orders = all
            .columns(&self.new_orders)
            .add("id", |row| row.id.0)
            .optional("orig_order_id", |row| row.orig_order_id.map(|id| id.0))
            .optional("priority_id", |row| row.priority_id.map(|id| id.0))
            .add("account_id", |row| row.account_id.0)
            .add("member_id", |row| row.member_id.0)
            .text("instrument_code", |row| &row.instrument_code)
            .text("instrument_name", |row| &row.instrument_name)
            .text("market", |row| row.market)
            .text("currency", |row| row.currency)
            .text("tick_class", |row| row.tick_class)
            .text("side", |row| row.side)
            .text("status", |row| row.status)
            .optional("price", |row| row.price.map(|price| price.0))
            .add("quantity", |row| row.quantity.0)
            .optional("order_amount_won", |row| {
                row.order_amount_won.map(|won| won.0)
            })
            .optional("reference_price", |row| {
                row.reference_price.map(|price| price.0)
            })
            .text("time_in_force", |row| row.time_in_force)
            .optional("trading_day", |row| row.trading_day)
            .add("split_day", |row| row.split_day)
            .optional("expires_at", |row| row.expires_at)
            .text("end_reason", |row| &row.end_reason)
            .add("resting", |row| row.resting)
            .optional("queue_ahead", |row| row.queue_ahead.map(|ahead| ahead.0))
            .add("placed_at", |row| row.placed_at)
            .add("placed_market_at", |row| row.placed_market_at)
            .optional("ended_at", |row| row.ended_at);
        all.insert("trade_order", new_orders);
    }

    fn write_orders(&self, all: &mut CombinedWrites) {
        let orders = all
            .columns(&self.orders)
            .add("id", |row| row.id.0)
            .text("status", |row| row.status)
            .optional("price", |row| row.price.map(|price| price.0))
            .add("quantity", |row| row.quantity.0)
            .add("filled_quantity", |row| row.filled_quantity.0)
            .optional("reference_price", |row| {
                row.reference_price.map(|price| price.0)
            })
            .optional("trading_day", |row| row.trading_day)
            .add("split_day", |row| row.split_day)
            .add("gross_exact", |row| row.gross_exact)
            .add("quote_exact", |row| row.quote_exact)
            .add("amount_won", |row| row.amount_won.0)
            .add("base_won", |row| row.base_won.0)
            .add("fee_won", |row| row.fee_won.0)
            .add("tax_won", |row| row.tax_won.0)
            .text("end_reason", |row| &row.end_reason)
            .add("resting", |row| row.resting)
            .optional("queue_ahead", |row| row.queue_ahead.map(|ahead| ahead.0))
            .optional("ended_at", |row| row.ended_at);
        all.update("trade_order", orders);
        // Nothing else of their wide rows is written: a close ends hundreds of thousands at once.
        let ended = all
            .columns(&self.ended)
            .add("id", |row| row.id.0)
            .text("status", |row| row.to_status)
            .text("end_reason", |row| &row.reason)
            .add("ended_at", |row| row.ended_at);
        all.update("trade_order", ended);
    }

    /// What orders keep aside, and which of them wait for the matcher.
    fn write_holds(&self, all: &mut CombinedWrites) {
        let holds = all
            .columns(&self.holds)
            .add("order_id", |row| row.order_id.0)
            .add("account_id", |row| row.account_id.0)
            .text("instrument_code", |row| &row.instrument_code)
            .add("amount_won", |row| row.amount_won.0)
            .add("quantity", |row| row.quantity.0);
        all.insert_but(
            "hold",
            holds,
            "on conflict (order_id) do update \
             set amount_won = excluded.amount_won, quantity = excluded.quantity",
        );
        let holdings = all
            .columns(&self.holdings)
            .add("account_id", |row| row.account_id.0)
            .text("instrument_code", |row| &row.instrument_code)
            .add("member_id", |row| row.member_id.0)
            .text("instrument_name", |row| &row.instrument_name)
            .text("market", |row| row.market)
            .text("currency", |row| row.currency)
            .add("quantity", |row| row.quantity.0)
            .add("held_quantity", |row| row.held_quantity.0)
            .add("cost_won", |row| row.cost_won.0)
            .add("cost_quote", |row| row.cost_quote);
        all.insert_but(
            "holding",
            holdings,
            "on conflict (account_id, instrument_code) do update set \
             quantity = excluded.quantity, held_quantity = excluded.held_quantity, \
             cost_won = excluded.cost_won, cost_quote = excluded.cost_quote",
        );
        all.insert(
            "new_order",
            all.columns(&self.arrived).add("order_id", |id| id.0),
        );
        let closed: Vec<i64> = self.ended_holds.iter().map(|id| id.0).collect();
        let ended: Vec<i64> = self.ended.iter().map(|row| row.id.0).collect();
        let over = [closed.as_slice(), &ended].concat();
        all.delete("hold", all.columns(&over).add("order_id", |id| *id));
        let admitted: &[AdmissionRow] = self.admission.as_slice();
        all.insert(
            "order_taken",
            all.columns(admitted)
                .add("shard", |row| row.shard)
                .add("epoch", |row| row.epoch)
                .add("eligible_from", |row| row.eligible_from)
                .lists("order_ids", |row| {
                    row.order_ids.iter().map(|id| id.0).collect()
                }),
        );
        let admitted = admitted.iter().flat_map(|row| &row.order_ids);
        let known: Vec<i64> = admitted.map(|id| id.0).chain(over).collect();
        all.delete("new_order", all.columns(&known).add("order_id", |id| *id));
        // The rows of these orders are written with all that is known.
        let written = self.orders.iter().map(|row| row.id.0).chain(ended);
        let written: Vec<i64> = written.collect();
        all.delete(
            "order_place",
            all.columns(&written).add("order_id", |id| *id),
        );
    }

    fn write_fills(&self, all: &mut CombinedWrites) {
        let fills = all
            .columns(&self.fills)
            .add("id", |row| row.id.0)
            .add("order_id", |row| row.order_id.0)
            .add("account_id", |row| row.account_id.0)
            .add("member_id", |row| row.member_id.0)
            .add("member_seq", |row| row.member_seq)
            .text("instrument_code", |row| &row.instrument_code)
            .text("side", |row| row.side)
            .add("tick_seq", |row| row.tick_seq)
            .add("event_time", |row| row.event_time)
            .add("trading_day", |row| row.trading_day)
            .add("tick_price", |row| row.tick_price.0)
            .optional("bid", |row| row.bid.map(|price| price.0))
            .optional("ask", |row| row.ask.map(|price| price.0))
            .text("rule", |row| row.rule)
            .add("slippage_ticks", |row| row.slippage_ticks)
            .optional("cap_quantity", |row| row.cap_quantity.map(|cap| cap.0))
            .add("quantity", |row| row.quantity.0)
            .add("price", |row| row.price.0)
            .add("amount_won", |row| row.amount_won.0)
            .add("base_won", |row| row.base_won.0)
            .add("fee_won", |row| row.fee_won.0)
            .add("tax_won", |row| row.tax_won.0)
            .optional("fx_rate", |row| row.fx_rate)
            .add("cost_won", |row| row.cost_won.0)
            .add("cost_quote", |row| row.cost_quote)
            .text("model_version", |row| row.model_version)
            .add("journal_id", |row| row.journal_id);
        all.insert("fill", fills);
        let mut newest: BTreeMap<MemberId, i64> = BTreeMap::new();
        for row in &self.fills {
            let last = newest.entry(row.member_id).or_insert(row.member_seq);
            *last = row.member_seq.max(*last);
        }
        let newest: Vec<(MemberId, i64)> = newest.into_iter().collect();
        all.insert_but(
            "member_fill_seq",
            all.columns(&newest)
                .add("member_id", |(member, _)| member.0)
                .add("last_seq", |(_, seq)| *seq),
            "on conflict (member_id) do update set last_seq = excluded.last_seq",
        );
    }

    fn write_splits(&self, all: &mut CombinedWrites) {
        let splits = all
            .columns(&self.splits)
            .add("id", |row| row.id.0)
            .add("account_id", |row| row.account_id.0)
            .text("instrument_code", |row| &row.instrument_code)
            .add("trading_day", |row| row.trading_day)
            .add("numerator", |row| row.numerator)
            .add("denominator", |row| row.denominator)
            .add("quantity_before", |row| row.quantity_before.0)
            .add("quantity_after", |row| row.quantity_after.0)
            .add("paid_won", |row| row.paid_won.0)
            .add("cost_won", |row| row.cost_won.0)
            .add("cost_quote", |row| row.cost_quote);
        all.insert("holding_split", splits);
    }

    fn write_transfers(&self, all: &mut CombinedWrites) {
        let transfers = all
            .columns(&self.transfers)
            .add("id", |row| row.id)
            .add("member_id", |row| row.member_id.0)
            .add("from_account_id", |row| row.from_account_id.0)
            .add("to_account_id", |row| row.to_account_id.0)
            .add("amount_won", |row| row.amount_won.0)
            .add("from_balance_won", |row| row.from_balance_won.0)
            .add("to_balance_won", |row| row.to_balance_won.0)
            .text("request_id", |row| &row.request_id)
            .add("created_at", |row| row.created_at);
        all.insert("transfer", transfers);
    }

    fn write_purchases(&self, all: &mut CombinedWrites) {
        let owned = all
            .columns(&self.purchases)
            .add("account_id", |row| row.account_id.0)
            .add("item_id", |row| row.item_id)
            .add("quantity", |row| row.quantity)
            .add("used", |row| row.used);
        all.insert_but(
            "member_item as m",
            owned,
            "on conflict (account_id, item_id) do update set \
             quantity = m.quantity + excluded.quantity, used = m.used + excluded.used",
        );
        let purchases = all
            .columns(&self.purchases)
            .add("id", |row| row.id)
            .add("account_id", |row| row.account_id.0)
            .add("item_id", |row| row.item_id)
            .add("quantity", |row| row.quantity)
            .text("currency", |row| row.currency)
            .add("spent", |row| row.spent)
            .add("deposit_won", |row| row.deposit_won.0)
            .text("status", |row| row.status)
            .add("bought_at", |row| row.bought_at);
        all.insert("purchase", purchases);
    }

    fn write_events(&self, all: &mut CombinedWrites) {
        let ended = self.ended.iter().map(|row| OrderEventRow {
            order_id: row.id,
            from_status: Some(row.from_status),
            to_status: row.to_status,
            reason: row.reason.clone(),
            occurred_at: row.occurred_at,
        });
        let events: Vec<OrderEventRow> = self.order_events.iter().cloned().chain(ended).collect();
        let events = all
            .columns(&events)
            .add("order_id", |row| row.order_id.0)
            .optional("from_status", |row| row.from_status.map(str::to_owned))
            .text("to_status", |row| row.to_status)
            .text("reason", |row| &row.reason)
            .add("occurred_at", |row| row.occurred_at);
        all.insert("order_event", events);
    }

    fn write_replies(&self, all: &mut CombinedWrites) {
        let outbox = all
            .columns(&self.outbox)
            .add("event_id", |row| row.event_id)
            .text("event_type", |row| row.event_type)
            .text("aggregate_id", |row| &row.aggregate_id)
            .add("body", |row| row.body.clone())
            .optional("traceparent", |row| row.traceparent.clone())
            .add("occurred_at", |row| row.occurred_at);
        all.insert("outbox", outbox);
        let requests = all
            .columns(&self.requests)
            .add("member_id", |row| row.member_id.0)
            .text("request_id", |row| &row.request_id)
            .optional("kind", |row| row.kind.map(str::to_owned))
            .add("body_hash", |row| row.body_hash.clone())
            .add("answer", |row| row.answer.clone())
            .not_before_now("created_at", |row| row.created_at);
        all.insert("request", requests);
    }

    /// What a statement after [`WriteSet::rows`] writes: queue positions, because an order that has
    /// ended in this transaction has none any more, and changes of a base, because the counters of
    /// an account are in the same row.
    pub(super) fn later_rows(&self) -> CombinedWrites {
        let mut all = CombinedWrites::default();
        self.write_base_changes(&mut all);
        let positions = all
            .columns(&self.queue_positions)
            .add("order_id", |row| row.id.0)
            .add("resting", |row| row.resting)
            .optional("queue_ahead", |row| row.queue_ahead.map(|ahead| ahead.0))
            .optional("reference_price", |row| {
                row.reference_price.map(|price| price.0)
            });
        all.insert_but(
            "order_place",
            positions,
            "where exists (select 1 from hold h where h.order_id = d.order_id) \
             on conflict (order_id) do update set resting = excluded.resting, \
             queue_ahead = excluded.queue_ahead, reference_price = excluded.reference_price",
        );
        all
    }

    pub(super) fn write_base_changes(&self, all: &mut CombinedWrites) {
        let changes = all
            .columns(&self.base_changes)
            .add("id", |row| row.account.0)
            .add("education_deposit_won", |row| row.change.education.0)
            .add("bought_deposit_won", |row| row.change.bought.0)
            .add("purchased_items_won", |row| row.change.items.0)
            .add("net_transfers_won", |row| row.change.transferred.0);
        all.increase("account", changes);
    }
}
