//! Fills of one tick: price-time priority, within each member's share of the volume.

use std::cmp::Reverse;

use kernel::{AccountCode, OrderId, Price, Quantity};
use market_rules::{PriceBand, TickTable};

use super::{BatchRun, CapOwner, Caps};
use crate::matching::balances::{Paid, Settlement, SettlementError};
use crate::matching::effect::{Effect, Execution};
use crate::matching::fill_model::FillModel;
use crate::matching::offer::{FillRule, Offer, TickContext, offer};
use crate::orders::order::{Order, OrderEvent, Side, Status, end_reason};
use crate::tick_log::Tick;

impl BatchRun<'_> {
    pub(super) fn fill(
        &mut self,
        tick: &Tick,
        opening: bool,
        band: Option<PriceBand>,
    ) -> Result<(), SettlementError> {
        let mut ids = self.open_orders(&tick.code, |order| is_working_at(order, tick));
        if ids.is_empty() {
            return Ok(());
        }
        ids.sort_by_key(|id| self.pass.orders.get(id).map(priority));
        let mut caps = Caps::new();
        for id in ids {
            let Some(order) = self.pass.orders.get_mut(&id) else {
                continue;
            };
            let table = order.tick_table();
            let context = TickContext {
                tick,
                opening,
                band,
                table: &table,
            };
            match offer(order, &context) {
                Offer::None => {}
                Offer::SlippageExceeded => {
                    self.end(
                        id,
                        OrderEvent::Canceled,
                        end_reason::SLIPPAGE_GUARD,
                        tick.time,
                    )?;
                }
                Offer::Trade {
                    price,
                    rule,
                    max_quantity,
                } => {
                    self.trade(id, tick, &table, price, rule, max_quantity, &mut caps)?;
                }
            }
        }
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one offer admitted apart; a struct for it would be named once"
    )]
    fn trade(
        &mut self,
        id: OrderId,
        tick: &Tick,
        table: &TickTable,
        price: Price,
        rule: FillRule,
        max_quantity: Option<Quantity>,
        caps: &mut Caps,
    ) -> Result<(), SettlementError> {
        let Some(order) = self.pass.orders.get_mut(&id) else {
            return Ok(());
        };
        if order.currency == kernel::Currency::Usd && tick.fx_rate.is_none() {
            return Ok(());
        }
        let VolumeShare { owner, cap, before } = volume_share(&self.settlement, order, tick);
        let left = cap.map(|cap| {
            let left = Quantity(cap.0.saturating_sub(before.0));
            *caps.entry(owner).or_insert(left)
        });
        let mut quantity = order.remaining();
        for bound in [left, max_quantity].into_iter().flatten() {
            quantity = quantity.min(bound);
        }
        if !quantity.is_positive() {
            return Ok(());
        }
        let slippage = table.ticks_between(tick.price, price);
        let mut execution = Execution {
            tick_seq: tick.seq,
            time: tick.time,
            trading_day: tick.trading_day,
            tick_price: tick.price,
            bid: tick.bid,
            ask: tick.ask,
            rule,
            slippage_ticks: match order.side {
                Side::Buy => slippage,
                Side::Sell => -slippage,
            },
            cap,
            quantity,
            price,
            fx_rate: tick.fx_rate,
        };
        let paid = match &mut self.settlement {
            Settlement::DryRun => Paid {
                quantity,
                shortfall: None,
                payment: None,
            },
            Settlement::Balances(balances, costs) => balances.pay(order, &execution, costs)?,
        };
        execution.quantity = paid.quantity;
        if paid.quantity.is_positive() {
            if let Some(left) = caps.get_mut(&owner) {
                left.0 -= paid.quantity.0;
            }
            self.record_fill(id, execution, paid)?;
        }
        if let Some(reason) = paid.shortfall {
            self.end(id, OrderEvent::Canceled, reason, tick.time)?;
        }
        Ok(())
    }

    fn record_fill(
        &mut self,
        id: OrderId,
        execution: Execution,
        paid: Paid,
    ) -> Result<(), SettlementError> {
        let Some(order) = self.pass.orders.get_mut(&id) else {
            return Ok(());
        };
        let from = order.status;
        order.filled.0 += execution.quantity.0;
        if let Some(payment) = &paid.payment {
            order.totals = payment.charge.totals;
        }
        let is_complete = !order.remaining().is_positive();
        let change = if is_complete {
            OrderEvent::FilledWholly
        } else {
            OrderEvent::FilledPartly
        };
        order.status = from.after(change)?;
        if is_complete && let Settlement::Balances(balances, _) = &mut self.settlement {
            balances.release(order)?;
        }
        self.effects.push(Effect::Filled {
            order: Box::new(order.clone()),
            from,
            execution: Box::new(execution),
            payment: paid.payment,
        });
        Ok(())
    }
}

/// Whether a tick may fill an order by its age: one read late, from before the order was placed, does
/// not, nor does one from after the order's term.
fn is_working_at(order: &Order, tick: &Tick) -> bool {
    matches!(order.status, Status::Accepted | Status::Partial)
        && order.placed_market_at < tick.time
        && order.expires_at.is_none_or(|end| tick.time < end)
}

/// Whose part of a tick's volume an order takes, how large it is, and what earlier slices of the batch
/// took of it.
struct VolumeShare {
    owner: CapOwner,
    /// `None` for a tick without a volume.
    cap: Option<Quantity>,
    before: Quantity,
}

fn volume_share(settlement: &Settlement<'_>, order: &Order, tick: &Tick) -> VolumeShare {
    let account = order.account_id;
    let code = match settlement {
        Settlement::DryRun => AccountCode::Basic,
        Settlement::Balances(balances, _) => balances.account_code(account),
    };
    // The dry run finds every order that may fill, so there each account has a part of its own.
    let has_own_cap = matches!(settlement, Settlement::DryRun) || code == AccountCode::Competition;
    let before = match settlement {
        Settlement::Balances(balances, _) if !has_own_cap => {
            balances.filled_before(order.member_id, tick)
        }
        Settlement::Balances(..) | Settlement::DryRun => Quantity::ZERO,
    };
    VolumeShare {
        owner: (order.member_id, has_own_cap.then_some(account)),
        cap: tick
            .volume
            .map(|volume| FillModel::V1.cap(code, order.market, volume, tick.price)),
        before,
    }
}

/// Buys before sells; within a side market orders, then the better price, then the older order.
fn priority(order: &Order) -> (Side, bool, Reverse<Price>, Price, OrderId) {
    let price = order.price.unwrap_or_default();
    let (buy, sell) = match order.side {
        Side::Buy => (price, Price::ZERO),
        Side::Sell => (Price::ZERO, price),
    };
    (
        order.side,
        order.price.is_some(),
        Reverse(buy),
        sell,
        order.priority_id,
    )
}
