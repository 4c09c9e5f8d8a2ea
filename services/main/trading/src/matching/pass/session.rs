//! Session records and the timers that run on market time, applied to the orders in their scope.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::OrderId;
use market_rules::PriceBand;

use super::{BatchRun, day_is_over};
use crate::domain::market::TradingSession;
use crate::matching::balances::SettlementError;
use crate::matching::instrument_state::{InstrumentState, is_past_session};
use crate::matching::stale_timer;
use crate::orders::order::{Order, OrderEvent, Status, TimeInForce, end_reason};
use crate::tick_log::{Scope, SessionRecord, SessionRecordKind, Venue};

impl BatchRun<'_> {
    pub(super) fn session_record(&mut self, record: &SessionRecord) -> Result<(), SettlementError> {
        let Some(scope) = &record.scope else {
            return Ok(());
        };
        match &record.kind {
            SessionRecordKind::Open(bases) => {
                self.start_session(record, scope, bases, TradingSession::Open)
            }
            SessionRecordKind::Auction(bases) => {
                self.start_session(record, scope, bases, TradingSession::Auction)
            }
            SessionRecordKind::Close => self.close_session(record, scope),
            SessionRecordKind::Halt => {
                self.each_instrument(scope, |state| state.halted = true);
                Ok(())
            }
            SessionRecordKind::Resume => {
                self.each_instrument(scope, |state| {
                    state.halted = false;
                    state.continuous_since = Some(record.time);
                });
                for code in self.codes_in(scope) {
                    let state = self.pass.instruments.get(&code);
                    if state.is_some_and(InstrumentState::is_in_session) {
                        self.activate_queued(&code, record.trading_day, record.time)?;
                    }
                }
                Ok(())
            }
            SessionRecordKind::Split(ratio) => match scope {
                Scope::Code(code) => self.split(code, *ratio, record),
                Scope::Venue(_) => Ok(()),
            },
            SessionRecordKind::Heartbeat => Ok(()),
        }
    }

    fn start_session(
        &mut self,
        record: &SessionRecord,
        scope: &Scope,
        bases: &[(String, Option<PriceBand>)],
        session: TradingSession,
    ) -> Result<(), SettlementError> {
        for (code, band) in bases {
            let state = self.pass.instruments.entry(code.clone()).or_default();
            if is_of_earlier_day(record, state) {
                continue;
            }
            state.band = band.map(|band| (band.lower, band.upper));
            if let Scope::Venue(venue) = scope {
                state.venue = Some(*venue);
            }
        }
        self.each_instrument(scope, |state| {
            if is_of_earlier_day(record, state) {
                return;
            }
            state.before_open |= record.trading_day > state.trading_day;
            state.trading_day = state.trading_day.max(record.trading_day);
            if session == TradingSession::Open && state.session != TradingSession::Open {
                state.continuous_since = Some(record.time);
            }
            state.session = session;
        });
        let expired = |order: &Order| day_is_over(order, record.trading_day);
        for id in self.orders_in(scope, expired) {
            self.expire(id, record.time)?;
        }
        for code in self.codes_in(scope) {
            let state = self.pass.instruments.get(&code);
            if !state.is_some_and(|state| is_of_earlier_day(record, state)) {
                self.activate_queued(&code, record.trading_day, record.time)?;
            }
        }
        Ok(())
    }

    fn close_session(
        &mut self,
        record: &SessionRecord,
        scope: &Scope,
    ) -> Result<(), SettlementError> {
        self.each_instrument(scope, |state| {
            if is_of_earlier_day(record, state) {
                return;
            }
            state.session = TradingSession::Closed;
            state.before_open = true;
            state.continuous_since = None;
        });
        let ends = |order: &Order| {
            order.time_in_force == TimeInForce::Day
                && order.status != Status::Queued
                && order
                    .trading_day
                    .is_none_or(|day| day <= record.trading_day)
        };
        for id in self.orders_in(scope, ends) {
            self.expire(id, record.time)?;
        }
        Ok(())
    }

    /// Ends orders whose term or session is over, and market orders that get no price.
    pub(super) fn timers(&mut self, now: DateTime<Utc>) -> Result<(), SettlementError> {
        let admitted = self.by_code.values().flatten();
        let all: BTreeSet<OrderId> = admitted.copied().collect();
        for id in all {
            let Some(order) = self.pass.orders.get(&id) else {
                continue;
            };
            if !order.status.is_open() {
                continue;
            }
            let state = self.pass.instruments.get(&order.instrument_code);
            if order.expires_at.is_some_and(|end| end <= now) {
                // Only the end of a competition is a term of orders of a day.
                let (event, reason) = match order.time_in_force {
                    TimeInForce::Day => (OrderEvent::Canceled, end_reason::COMPETITION_ENDED),
                    TimeInForce::GoodTillCanceled => (OrderEvent::Expired, end_reason::TERM_ENDED),
                };
                self.end(id, event, reason, now)?;
            } else if is_past_session(order, state) {
                self.expire(id, now)?;
            } else if stale_timer::is_stale(order, state, now) {
                self.end(id, OrderEvent::Canceled, end_reason::STALE_MARKET, now)?;
            }
        }
        Ok(())
    }

    fn each_instrument(&mut self, scope: &Scope, mut change: impl FnMut(&mut InstrumentState)) {
        match scope {
            Scope::Code(code) => {
                change(self.pass.instruments.entry(code.clone()).or_default());
            }
            Scope::Venue(venue) => {
                let states = self.pass.instruments.values_mut();
                states
                    .filter(|state| state.venue == Some(*venue))
                    .for_each(change);
            }
        }
    }

    fn codes_in(&self, scope: &Scope) -> Vec<String> {
        match scope {
            Scope::Code(code) => vec![code.clone()],
            Scope::Venue(_) => {
                let codes = self.by_code.keys();
                codes
                    .filter(|code| {
                        let mut orders = self.open_orders(code, |order| is_in(scope, order));
                        orders.pop().is_some()
                    })
                    .cloned()
                    .collect()
            }
        }
    }

    fn orders_in(&self, scope: &Scope, keep: impl Fn(&Order) -> bool) -> Vec<OrderId> {
        let orders = self.pass.orders.values();
        orders
            .filter(|order| !self.pass.new_orders.contains(&order.id))
            .filter(|order| order.status.is_open() && is_in(scope, order) && keep(order))
            .map(|order| order.id)
            .collect()
    }
}

/// Whether a record belongs to an earlier trading day of the instrument. A repeated one must not
/// open or close the current session.
fn is_of_earlier_day(record: &SessionRecord, state: &InstrumentState) -> bool {
    record.trading_day < state.trading_day
}

fn is_in(scope: &Scope, order: &Order) -> bool {
    match scope {
        Scope::Code(code) => *code == order.instrument_code,
        Scope::Venue(venue) => *venue == Venue::of_market(order.market),
    }
}
