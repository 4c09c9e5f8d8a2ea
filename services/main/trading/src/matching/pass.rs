//! A matching pass: one batch of the log over the orders that it may affect.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use kernel::{AccountId, MemberId, OrderId, Quantity};

use crate::domain::market::TradingSession;
use crate::matching::balances::{Settlement, SettlementError};
use crate::matching::effect::Effect;
use crate::matching::instrument_state::InstrumentState;
use crate::orders::order::{Order, OrderEvent, Status, TimeInForce, end_reason};
use crate::tick_log::{Batch, LogRecord, Scope, SessionRecordKind, Tick, Venue};

mod fill;
mod session;
mod share_split;

/// Orders and instrument states of one pass. Running it changes both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchingPass {
    pub instruments: BTreeMap<String, InstrumentState>,
    /// Open orders. Ids ascend in the order of placement.
    pub orders: BTreeMap<OrderId, Order>,
    /// Orders not admitted yet: a share split of the batch applies to them, nothing else does.
    pub new_orders: BTreeSet<OrderId>,
}

impl MatchingPass {
    /// Applies a batch and returns its effects in log order.
    ///
    /// # Errors
    /// [`SettlementError`] when the locked balances contradict an order.
    pub fn run(
        &mut self,
        batch: &Batch,
        settlement: Settlement<'_>,
    ) -> Result<Vec<Effect>, SettlementError> {
        let mut run = BatchRun::new(self, batch.closed_at, settlement);
        for record in &batch.records {
            match record {
                LogRecord::Tick(tick) => run.tick(tick)?,
                LogRecord::Session(record) => run.session_record(record)?,
            }
        }
        run.timers(batch.closed_at)?;
        Ok(run.effects)
    }

    /// Applies the newest splits to the new orders that were priced before them.
    ///
    /// # Errors
    /// [`SettlementError`] when the locked balances contradict an order.
    pub fn split_new_orders(
        &mut self,
        now: DateTime<Utc>,
        settlement: Settlement<'_>,
    ) -> Result<Vec<Effect>, SettlementError> {
        let mut run = BatchRun::new(self, now, settlement);
        for id in run.pass.new_orders.clone() {
            run.split_late_order(id)?;
        }
        Ok(run.effects)
    }

    /// Instruments that the batch splits, with the first trading day in the new units; repeated
    /// splits are left out.
    #[must_use]
    pub fn splits(&self, batch: &Batch) -> BTreeMap<String, i32> {
        let records = batch.records.iter();
        records
            .filter_map(|record| match record {
                LogRecord::Session(session_record) => {
                    match (&session_record.kind, &session_record.scope) {
                        (SessionRecordKind::Split(_), Some(Scope::Code(code))) => {
                            let known = self.instruments.get(code);
                            let last = known.and_then(|state| state.last_split);
                            let is_new = last
                                .is_none_or(|last| last.trading_day < session_record.trading_day);
                            is_new.then(|| (code.clone(), session_record.trading_day))
                        }
                        _ => None,
                    }
                }
                LogRecord::Tick(_) => None,
            })
            .collect()
    }
}

/// The state of a running pass.
struct BatchRun<'a> {
    pass: &'a mut MatchingPass,
    by_code: BTreeMap<String, Vec<OrderId>>,
    /// Market time at the end of the batch.
    closed_at: DateTime<Utc>,
    settlement: Settlement<'a>,
    effects: Vec<Effect>,
}

impl<'a> BatchRun<'a> {
    fn new(
        pass: &'a mut MatchingPass,
        closed_at: DateTime<Utc>,
        settlement: Settlement<'a>,
    ) -> Self {
        let mut by_code: BTreeMap<String, Vec<OrderId>> = BTreeMap::new();
        let admitted = pass.orders.values();
        for order in admitted.filter(|order| !pass.new_orders.contains(&order.id)) {
            let ids = by_code.entry(order.instrument_code.clone()).or_default();
            ids.push(order.id);
        }
        Self {
            pass,
            by_code,
            closed_at,
            settlement,
            effects: Vec::new(),
        }
    }
}

impl BatchRun<'_> {
    /// Ends an order whose session is over.
    fn expire(&mut self, id: OrderId, time: DateTime<Utc>) -> Result<(), SettlementError> {
        self.end(id, OrderEvent::Expired, end_reason::SESSION_ENDED, time)
    }

    /// Ends an order and releases its hold.
    fn end(
        &mut self,
        id: OrderId,
        change: OrderEvent,
        reason: &'static str,
        time: DateTime<Utc>,
    ) -> Result<(), SettlementError> {
        let Some(order) = self.pass.orders.get_mut(&id) else {
            return Ok(());
        };
        let from = order.status;
        let to = from.after(change)?;
        if let Settlement::Balances(balances, _) = &mut self.settlement {
            balances.release(order)?;
        }
        order.status = to;
        reason.clone_into(&mut order.end_reason);
        self.effects.push(Effect::Changed {
            order: Box::new(order.clone()),
            from,
            reason,
            time,
        });
        Ok(())
    }

    /// Open, admitted orders of an instrument, oldest first.
    fn open_orders(&self, code: &str, keep: impl Fn(&Order) -> bool) -> Vec<OrderId> {
        let ids = self.by_code.get(code).into_iter().flatten();
        ids.filter(|id| {
            let order = self.pass.orders.get(id);
            order.is_some_and(|order| order.status.is_open() && keep(order))
        })
        .copied()
        .collect()
    }

    fn tick(&mut self, tick: &Tick) -> Result<(), SettlementError> {
        let state = self.pass.instruments.entry(tick.code.clone()).or_default();
        if tick.seq <= state.last_seq {
            return Ok(());
        }
        let new_day = state.trading_day > 0 && tick.trading_day > state.trading_day;
        let opening =
            (state.before_open || new_day) && Venue::of_market(tick.market) != Venue::Coin;
        let trades =
            !state.halted && matches!(tick.session, TradingSession::Open | TradingSession::Auction);
        if tick.session == TradingSession::Open && state.session != TradingSession::Open {
            state.continuous_since = Some(tick.time);
        }
        state.venue = Some(Venue::of_market(tick.market));
        state.last_seq = tick.seq;
        state.last_price = Some(tick.price);
        state.last_tick_at = Some(tick.time);
        state.fx_rate = tick.fx_rate.or(state.fx_rate);
        state.trading_day = state.trading_day.max(tick.trading_day);
        state.session = tick.session;
        state.before_open = (state.before_open || new_day) && !trades;
        let band = state.band();

        // Session records precede the ticks; this covers a log that begins within a session.
        self.expire_days_before(&tick.code, tick.trading_day, tick.time)?;
        if trades {
            self.activate_queued(&tick.code, tick.trading_day, tick.time)?;
            self.fill(tick, opening, band)?;
        }
        Ok(())
    }

    /// Expires DAY orders of earlier trading days.
    fn expire_days_before(
        &mut self,
        code: &str,
        trading_day: i32,
        time: DateTime<Utc>,
    ) -> Result<(), SettlementError> {
        let expired = self.open_orders(code, |order| day_is_over(order, trading_day));
        for id in expired {
            self.expire(id, time)?;
        }
        Ok(())
    }

    /// Activates orders that were queued while the market was closed. In a halt they stay queued,
    /// even past the close.
    fn activate_queued(
        &mut self,
        code: &str,
        trading_day: i32,
        time: DateTime<Utc>,
    ) -> Result<(), SettlementError> {
        let state = self.pass.instruments.get(code);
        if state.is_some_and(|state| state.halted) {
            return Ok(());
        }
        let band = state.and_then(InstrumentState::band);
        for id in self.open_orders(code, |order| order.status == Status::Queued) {
            let Some(order) = self.pass.orders.get_mut(&id) else {
                continue;
            };
            let outside = match (order.price, band) {
                (Some(price), Some(band)) => !band.contains(price),
                _ => false,
            };
            if outside {
                self.end(id, OrderEvent::Expired, end_reason::PRICE_LIMIT, time)?;
                continue;
            }
            let from = order.status;
            order.status = from.after(OrderEvent::SessionOpened)?;
            order.trading_day = Some(trading_day);
            self.effects.push(Effect::Changed {
                order: Box::new(order.clone()),
                from,
                reason: "",
                time,
            });
        }
        Ok(())
    }
}

fn day_is_over(order: &Order, trading_day: i32) -> bool {
    order.time_in_force == TimeInForce::Day
        && order.trading_day.is_some_and(|day| day < trading_day)
}

/// Remaining quantity that each account may take of a tick.
type Caps = BTreeMap<CapOwner, Quantity>;
/// The accounts of a member share one part of a tick's volume; a competition account has its own.
type CapOwner = (MemberId, Option<AccountId>);

#[cfg(test)]
mod tests;
