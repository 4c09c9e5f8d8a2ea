//! Session records against the orders of their venue, and the timers that run on market time.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::OrderId;
use market_rules::PriceBand;

use super::{BatchRun, InstrumentState, came_late, day_is_over};
use crate::domain::market::TradingSession;
use crate::matching::balances::SettlementError;
use crate::matching::timer;
use crate::orders::order::{Order, OrderEvent, Status, TimeInForce, end_reason};
use crate::tick_log::{Scope, SessionRecord, SessionRecordKind, Venue};

impl BatchRun<'_> {
    pub(super) fn session_record(
        &mut self,
        session_record: &SessionRecord,
    ) -> Result<(), SettlementError> {
        let Some(scope) = &session_record.scope else {
            return Ok(());
        };
        match &session_record.kind {
            SessionRecordKind::Open(bases) => {
                self.begin(session_record, scope, bases, TradingSession::Open)
            }
            SessionRecordKind::Auction(bases) => {
                self.begin(session_record, scope, bases, TradingSession::Auction)
            }
            SessionRecordKind::Close => self.close(session_record, scope),
            SessionRecordKind::Halt => {
                self.each_instrument(scope, |state| state.halted = true);
                Ok(())
            }
            SessionRecordKind::Resume => {
                self.each_instrument(scope, |state| {
                    state.halted = false;
                    state.continuous_since = Some(session_record.time);
                });
                for code in self.codes_in(scope) {
                    let state = self.pass.instruments.get(&code);
                    if state.is_some_and(InstrumentState::is_in_session) {
                        self.open_queued(&code, session_record.trading_day, session_record.time)?;
                    }
                }
                Ok(())
            }
            SessionRecordKind::Split(ratio) => match scope {
                Scope::Code(code) => self.split(code, *ratio, session_record),
                Scope::Venue(_) => Ok(()),
            },
            SessionRecordKind::Heartbeat => Ok(()),
        }
    }

    fn begin(
        &mut self,
        session_record: &SessionRecord,
        scope: &Scope,
        bases: &[(String, Option<PriceBand>)],
        session: TradingSession,
    ) -> Result<(), SettlementError> {
        for (code, band) in bases {
            let state = self.pass.instruments.entry(code.clone()).or_default();
            if is_of_the_past(session_record, state) {
                continue;
            }
            state.band = band.map(|band| (band.lower, band.upper));
            if let Scope::Venue(venue) = scope {
                state.venue = Some(*venue);
            }
        }
        self.each_instrument(scope, |state| {
            if is_of_the_past(session_record, state) {
                return;
            }
            state.before_open |= session_record.trading_day > state.trading_day;
            state.trading_day = state.trading_day.max(session_record.trading_day);
            if session == TradingSession::Open && state.session != TradingSession::Open {
                state.continuous_since = Some(session_record.time);
            }
            state.session = session;
        });
        let over = |order: &Order| day_is_over(order, session_record.trading_day);
        for id in self.orders_in(scope, over) {
            self.end(
                id,
                OrderEvent::Expired,
                end_reason::SESSION_ENDED,
                session_record.time,
            )?;
        }
        for code in self.codes_in(scope) {
            let state = self.pass.instruments.get(&code);
            if !state.is_some_and(|state| is_of_the_past(session_record, state)) {
                self.open_queued(&code, session_record.trading_day, session_record.time)?;
            }
        }
        Ok(())
    }

    fn close(
        &mut self,
        session_record: &SessionRecord,
        scope: &Scope,
    ) -> Result<(), SettlementError> {
        self.each_instrument(scope, |state| {
            if is_of_the_past(session_record, state) {
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
                    .is_none_or(|day| day <= session_record.trading_day)
        };
        for id in self.orders_in(scope, ends) {
            self.end(
                id,
                OrderEvent::Expired,
                end_reason::SESSION_ENDED,
                session_record.time,
            )?;
        }
        Ok(())
    }

    /// Ends orders whose term is over, those that came too late for their session, and market orders
    /// that no price comes for.
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
                self.end(id, OrderEvent::Expired, end_reason::TERM_ENDED, now)?;
            } else if came_late(order, state) {
                self.end(id, OrderEvent::Expired, end_reason::SESSION_ENDED, now)?;
            } else if timer::is_stale(order, state, now) {
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

/// Whether a record is about a day before the one that the instrument is in: a repetition that
/// must not close or open today's session.
fn is_of_the_past(session_record: &SessionRecord, state: &InstrumentState) -> bool {
    session_record.trading_day < state.trading_day
}

fn is_in(scope: &Scope, order: &Order) -> bool {
    match scope {
        Scope::Code(code) => *code == order.instrument_code,
        Scope::Venue(venue) => *venue == Venue::of(order.market),
    }
}
