//! Modifies an order (정정): a new order replaces what remains of the old one, in one transaction.

use chrono::{DateTime, Utc};
use kernel::{OrderId, Price, Quantity, Won};
use proto::trading::v1::OrderReply;

use super::buying_power::{OrderCounters, buying_power, count_acceptance};
use super::change::{ChangeRequest, Locked, OrderResult};
use crate::domain::market::MarketView;
use crate::entity::account;
use crate::error::TradingError;
use crate::events;
use crate::matching::balances::SettlementError;
use crate::orders::order::{FillTotals, Order, OrderEvent, Side, Status};
use crate::orders::validation::{
    Acceptance, BuyingPower, OrderRejection, OrderRequest, OrderSize, validate,
};
use crate::store::Store;
use crate::store::request::StoredReplies;
use crate::store::write_set::WriteSet;

/// Reason in the events of both orders.
const MODIFIED: &str = "MODIFIED_BY_MEMBER";

#[derive(Clone, Debug)]
pub struct ModifyOrder {
    pub request: ChangeRequest,
    /// `None` keeps the price.
    pub price: Option<Price>,
    /// New remaining quantity; `None` keeps the present one.
    pub quantity: Option<Quantity>,
    pub risk_acknowledged: bool,
    /// Remaining quantity on the member's screen: the order is modified only if it still has it.
    /// `None` skips the check.
    pub seen_remaining: Option<Quantity>,
}

impl Store {
    /// Replaces what remains of an order. The new order keeps the time priority of the old one if
    /// only the quantity falls. If the new order is rejected, the old one stays as it was.
    ///
    /// # Errors
    /// [`TradingError`]: not found, already final, changed since it was seen, rejected, or of the
    /// database.
    pub async fn modify_order(&self, modify: &ModifyOrder) -> OrderResult {
        let decide = |locked: Locked, stored: &mut StoredReplies, writes: &mut WriteSet| {
            self.replace(modify, locked, stored.next_order_id()?, writes)
        };
        self.change(&modify.request, 1, decide).await
    }

    /// Validates the new order as if the hold of the old one were released.
    fn replace(
        &self,
        modify: &ModifyOrder,
        mut locked: Locked,
        id: OrderId,
        writes: &mut WriteSet,
    ) -> Result<OrderResult, TradingError> {
        let old = &locked.order;
        let is_as_seen = |seen| seen == old.remaining();
        if !modify.seen_remaining.is_none_or(is_as_seen) {
            let now = self.order_view(old, &locked.account.account.account_no);
            return Ok(Err(TradingError::OrderChanged(Box::new(now))));
        }
        // In the mode a new order is one of the current competition, and otherwise none is: also one that
        // replaces another.
        if !locked.is_current {
            let now = self.market_cache.now();
            let rejection = match locked.competitions.is_ongoing(old.account_id, now) {
                Some(false) => OrderRejection::CompetitionNotOngoing,
                Some(true) | None => OrderRejection::AccountForbidden,
            };
            return Ok(Err(rejection.into()));
        }
        let request = match replacement(modify, old) {
            Ok(request) => request,
            Err(rejection) => return Ok(Err(rejection.into())),
        };
        let view = match self.market_cache.view_for_order(&old.instrument_code) {
            Ok(view) => view,
            Err(rejection) => return Ok(Err(rejection.into())),
        };
        if is_between_units(old, &view) {
            return Ok(Err(TradingError::Busy));
        }
        let limits = &self.policy.limits;
        let mut buying_power = buying_power_without(&locked, limits.per_minute)?;
        let (account, code) = (old.account_id, old.instrument_code.clone());
        let released = (Quantity(-old.remaining().0), Won(-old.held_won.0));
        locked.competitions.ordered(account, &code, released);
        let market_cache = &self.market_cache;
        buying_power.competition = locked
            .competitions
            .state(&locked.account, &view, market_cache);
        let old = &locked.order;
        let rates = |day| self.costs.on(old.market, day);
        let acceptance = match validate(&request, &view, &buying_power, limits, rates) {
            Ok(acceptance) => acceptance,
            Err(rejection) => return Ok(Err(rejection.into())),
        };

        let new = successor(old, id, &request, &acceptance, &view, locked.now);
        if new.side == Side::Sell {
            let more = Quantity(new.quantity.0 - locked.order.remaining().0);
            locked.adjust_hold(more, writes)?;
        }
        Ok(Ok(self.write_replacement(locked, &new, writes)?))
    }

    /// Ends the old order, and moves its hold to the new one.
    fn write_replacement(
        &self,
        locked: Locked,
        new: &Order,
        writes: &mut WriteSet,
    ) -> Result<OrderReply, TradingError> {
        let Locked {
            order: mut old,
            account: account::WithWon { account: row, .. },
            basic,
            now,
            ..
        } = locked;
        // As many orders are open as before.
        let mut counters = basic.map_or_else(|| row.clone(), |basic| basic.account);
        count_acceptance(&mut counters, self.policy.limits.per_minute, now);
        writes.hold_change(row.id, Won(new.held_won.0 - old.held_won.0));
        let from = old.status;
        old.status = from
            .after(OrderEvent::Replaced)
            .map_err(SettlementError::from)?;
        old.held_won = Won::ZERO;
        writes.account(&counters);
        writes.order(&old, now);
        writes.order_event(&old, Some(from.as_str()), MODIFIED, now);
        writes.new_order(new);
        writes.order_event(new, None, MODIFIED, now);
        Ok(self.modified(&old, new, &row, writes))
    }

    /// Writes the messages of both orders; the reply has the new one.
    fn modified(
        &self,
        old: &Order,
        new: &Order,
        row: &account::Model,
        writes: &mut WriteSet,
    ) -> OrderReply {
        let clock = self.clock.as_ref();
        let gone = self.order_view(old, &row.account_no);
        writes.event(&events::order_changed(old.member_id, gone, clock));
        let wire = self.order_view(new, &row.account_no);
        writes.event(&events::order_changed(new.member_id, wire.clone(), clock));
        OrderReply {
            order: Some(wire),
            replayed: false,
            message: format!("{} {} 정정 완료", new.instrument_name, new.side.korean()),
            fills: Vec::new(),
        }
    }
}

/// Whether the order and the quote are in different units: only one of them has been divided by the
/// newest share split.
fn is_between_units(order: &Order, view: &MarketView) -> bool {
    // An order of that day or later was placed in the new units, whatever `split_day` says.
    let is_older = order.trading_day.is_none_or(|day| day < view.split_day);
    order.split_day > view.split_day || order.split_day < view.split_day && is_older
}

/// Buying power of the account with the hold of the old order released.
fn buying_power_without(locked: &Locked, per_minute: i32) -> Result<BuyingPower, TradingError> {
    let old = &locked.order;
    let held = locked.holding.as_ref();
    let sellable = held.map_or(Quantity::ZERO, |row| row.to_holding().available());
    let row = &locked.account.account;
    let basic = locked.basic.as_ref();
    let counters = OrderCounters {
        row: basic.map_or(row, |basic| &basic.account),
        open_orders: row.open_orders,
    };
    let now = locked.now;
    let mut buying_power = buying_power(&locked.account, counters, sellable, per_minute, now)?;
    buying_power.available = buying_power
        .available
        .checked_add(old.held_won)
        .map_err(SettlementError::from)?;
    if old.side == Side::Sell {
        buying_power.sellable.0 += old.remaining().0;
    }
    buying_power.open_orders -= 1;
    Ok(buying_power)
}

fn replacement(modify: &ModifyOrder, old: &Order) -> Result<OrderRequest, OrderRejection> {
    if old.order_amount.is_some() {
        return Err(OrderRejection::ModifyOrderAmount);
    }
    if old.price.is_none() && modify.price.is_some() {
        return Err(OrderRejection::ModifyMarketPrice);
    }
    let price = modify.price.or(old.price);
    let quantity = modify.quantity.unwrap_or(old.remaining());
    if price == old.price && quantity == old.remaining() {
        return Err(OrderRejection::ModifyNothing);
    }
    Ok(OrderRequest {
        side: old.side,
        category: modify.request.category,
        price,
        size: OrderSize::Quantity(quantity),
        seen_price: None,
        risk_acknowledged: modify.risk_acknowledged,
    })
}

/// The order that replaces `old`. Its fills are counted from zero; its term is that of `old`.
fn successor(
    old: &Order,
    id: OrderId,
    request: &OrderRequest,
    acceptance: &Acceptance,
    view: &MarketView,
    now: DateTime<Utc>,
) -> Order {
    let keeps_place = request.price == old.price && acceptance.quantity < old.remaining();
    let status = match old.status {
        Status::Queued => Status::Queued,
        Status::Accepted
        | Status::Partial
        | Status::Filled
        | Status::Canceled
        | Status::Expired
        | Status::Replaced
        | Status::Rejected => Status::Accepted,
    };
    Order {
        id,
        orig_id: Some(old.id),
        priority_id: if keeps_place { old.priority_id } else { id },
        status,
        price: request.price,
        quantity: acceptance.quantity,
        filled: Quantity::ZERO,
        totals: FillTotals::default(),
        held_won: acceptance.hold,
        resting: keeps_place && old.resting,
        queue_ahead: old.queue_ahead.filter(|_| keeps_place),
        placed_at: now,
        placed_market_at: if keeps_place {
            old.placed_market_at
        } else {
            view.now
        },
        end_reason: String::new(),
        ..old.clone()
    }
}
