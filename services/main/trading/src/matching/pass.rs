//! One pass of the log over waiting orders.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use kernel::{AccountId, OrderId, Price, Quantity};
use market_rules::PriceBand;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::domain::market::TradingSession;
use crate::domain::split::ShareSplit;
use crate::matching::balances::{Settlement, SettlementError};
use crate::matching::effect::Effect;
use crate::orders::order::{Order, OrderEvent, Status, TimeInForce, end_reason};
use crate::tick_log::{Batch, LogRecord, Scope, SessionRecordKind, Tick, Venue};

mod fill;
mod session;
mod share_split;

/// What the log has said about an instrument so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InstrumentState {
    /// Its venue, once known.
    pub venue: Option<Venue>,
    /// Sequence number of the last tick; lower ones are repetitions.
    pub last_seq: i64,
    /// Price of the last tick.
    pub last_price: Option<Price>,
    /// Market time of the last tick.
    pub last_tick_at: Option<DateTime<Utc>>,
    /// Exchange rate of the last tick.
    pub fx_rate: Option<Decimal>,
    /// Trading day of the last tick or session record.
    pub trading_day: i32,
    /// Where its market stands.
    pub session: TradingSession,
    /// Whether trading in it is halted.
    pub halted: bool,
    /// Whether the next tick is the first of a session.
    pub before_open: bool,
    /// Since when it is in continuous trading.
    pub continuous_since: Option<DateTime<Utc>>,
    /// The day's limits.
    pub band: Option<(Price, Price)>,
    /// Its newest share split. One of the same day or before is a repetition, whoever wrote it.
    #[serde(default)]
    pub last_split: Option<ShareSplit>,
}

impl InstrumentState {
    /// The day's limits.
    #[must_use]
    pub fn band(&self) -> Option<PriceBand> {
        self.band.map(|(lower, upper)| PriceBand { lower, upper })
    }

    /// Whether an order is still in the units before the newest split.
    #[must_use]
    pub fn applies_to(&self, order: &Order) -> bool {
        self.last_split.is_some_and(|split| split.applies_to(order))
    }

    /// Whether its market takes orders: in an auction or in continuous trading.
    fn is_in_session(&self) -> bool {
        matches!(self.session, TradingSession::Open | TradingSession::Auction)
    }
}

/// Waiting orders and what they need to know, for one pass of a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchingPass {
    /// What the log said about each instrument.
    pub instruments: BTreeMap<String, InstrumentState>,
    /// Open orders by id, which is their time priority.
    pub orders: BTreeMap<OrderId, Order>,
    /// Those of `orders` that no boundary has taken yet: a share split divides them, nothing else
    /// of the batch concerns them.
    pub new_orders: BTreeSet<OrderId>,
}

impl MatchingPass {
    /// Lets a batch pass over the orders of this pass.
    ///
    /// # Errors
    /// [`SettlementError`] when the locked rows contradict an order.
    pub fn run(
        &mut self,
        batch: &Batch,
        settlement: Settlement<'_>,
    ) -> Result<Vec<Effect>, SettlementError> {
        let mut run = BatchRun::over(self, batch.closed_at, settlement);
        for record in &batch.records {
            match record {
                LogRecord::Tick(tick) => run.tick(tick)?,
                LogRecord::Session(session_record) => run.session_record(session_record)?,
            }
        }
        run.timers(batch.closed_at)?;
        Ok(run.effects)
    }

    /// Divides the arriving orders that a split before this moment has missed.
    ///
    /// # Errors
    /// [`SettlementError`] when the locked rows contradict an order.
    pub fn split_new_orders(
        &mut self,
        now: DateTime<Utc>,
        settlement: Settlement<'_>,
    ) -> Result<Vec<Effect>, SettlementError> {
        let mut run = BatchRun::over(self, now, settlement);
        for id in run.pass.new_orders.clone() {
            run.split_late_orders(id)?;
        }
        Ok(run.effects)
    }

    /// The instruments whose shares a batch divides, with the first trading day in the new units.
    /// What it repeats of earlier splits is left out.
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

/// One pass of a batch over a pass.
struct BatchRun<'a> {
    pass: &'a mut MatchingPass,
    by_code: BTreeMap<String, Vec<OrderId>>,
    /// Market time at the end of the batch.
    closed_at: DateTime<Utc>,
    settlement: Settlement<'a>,
    effects: Vec<Effect>,
}

impl<'a> BatchRun<'a> {
    fn over(
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
    /// Ends an order and gives back what it kept aside.
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

    /// Open orders of an instrument, oldest first.
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
        let opening = (state.before_open || new_day) && Venue::of(tick.market) != Venue::Coin;
        let trades =
            !state.halted && matches!(tick.session, TradingSession::Open | TradingSession::Auction);
        if tick.session == TradingSession::Open && state.session != TradingSession::Open {
            state.continuous_since = Some(tick.time);
        }
        state.venue = Some(Venue::of(tick.market));
        state.last_seq = tick.seq;
        state.last_price = Some(tick.price);
        state.last_tick_at = Some(tick.time);
        state.fx_rate = tick.fx_rate.or(state.fx_rate);
        state.trading_day = state.trading_day.max(tick.trading_day);
        state.session = tick.session;
        state.before_open = (state.before_open || new_day) && !trades;
        let band = state.band();

        // The records of the session come first in the log; these two lines cover a log that
        // begins in the middle of a session.
        self.expire_days_before(&tick.code, tick.trading_day, tick.time)?;
        if trades {
            self.open_queued(&tick.code, tick.trading_day, tick.time)?;
            self.fill(tick, opening, band)?;
        }
        Ok(())
    }

    /// Ends DAY orders whose day is over.
    fn expire_days_before(
        &mut self,
        code: &str,
        trading_day: i32,
        time: DateTime<Utc>,
    ) -> Result<(), SettlementError> {
        let over = self.open_orders(code, |order| day_is_over(order, trading_day));
        for id in over {
            self.end(id, OrderEvent::Expired, end_reason::SESSION_ENDED, time)?;
        }
        Ok(())
    }

    /// Lets the orders of an instrument in that were queued while its market was shut. In a halt
    /// nothing is let in: they go on waiting until it ends, even over the close.
    fn open_queued(
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

/// Whether a DAY order was placed for a session that had ended when the order was taken up: who
/// places one in the last moment still sees the market open.
pub(super) fn came_late(order: &Order, state: Option<&InstrumentState>) -> bool {
    let Some(state) = state else {
        return false;
    };
    let ended = |day| {
        day < state.trading_day
            || day == state.trading_day && state.session == TradingSession::Closed
    };
    order.time_in_force == TimeInForce::Day
        && order.status != Status::Queued
        && order.trading_day.is_some_and(ended)
}

/// What is left of each account's share of a tick.
type Caps = BTreeMap<AccountId, Quantity>;

#[cfg(test)]
mod tests;
