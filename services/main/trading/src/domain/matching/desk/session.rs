//! Session records against the orders of their venue, and the timers that run on market time.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::OrderId;
use market_rules::PriceBand;

use super::{Instrument, Pass, came_late, day_is_over};
use crate::domain::market::TradingSession;
use crate::domain::matching::record::{Notice, NoticeKind, Scope, Venue};
use crate::domain::matching::timer;
use crate::domain::matching::vault::VaultError;
use crate::domain::order::{Order, OrderEvent, Status, TimeInForce, end_reason};

impl Pass<'_> {
    pub(super) fn notice(&mut self, notice: &Notice) -> Result<(), VaultError> {
        let Some(scope) = &notice.scope else {
            return Ok(());
        };
        match &notice.kind {
            NoticeKind::Open(bases) => self.begin(notice, scope, bases, TradingSession::Open),
            NoticeKind::Auction(bases) => self.begin(notice, scope, bases, TradingSession::Auction),
            NoticeKind::Close => self.close(notice, scope),
            NoticeKind::Halt => {
                self.each_instrument(scope, |state| state.halted = true);
                Ok(())
            }
            NoticeKind::Resume => {
                self.each_instrument(scope, |state| {
                    state.halted = false;
                    state.continuous_since = Some(notice.time);
                });
                for code in self.codes_in(scope) {
                    let state = self.desk.instruments.get(&code);
                    if state.is_some_and(Instrument::is_in_session) {
                        self.open_queued(&code, notice.trading_day, notice.time)?;
                    }
                }
                Ok(())
            }
            NoticeKind::Split(ratio) => match scope {
                Scope::Code(code) => self.split(code, *ratio, notice),
                Scope::Venue(_) => Ok(()),
            },
            NoticeKind::Heartbeat => Ok(()),
        }
    }

    fn begin(
        &mut self,
        notice: &Notice,
        scope: &Scope,
        bases: &[(String, Option<PriceBand>)],
        session: TradingSession,
    ) -> Result<(), VaultError> {
        for (code, band) in bases {
            let state = self.desk.instruments.entry(code.clone()).or_default();
            if is_of_the_past(notice, state) {
                continue;
            }
            state.band = band.map(|band| (band.lower, band.upper));
            if let Scope::Venue(venue) = scope {
                state.venue = Some(*venue);
            }
        }
        self.each_instrument(scope, |state| {
            if is_of_the_past(notice, state) {
                return;
            }
            state.before_open |= notice.trading_day > state.trading_day;
            state.trading_day = state.trading_day.max(notice.trading_day);
            if session == TradingSession::Open && state.session != TradingSession::Open {
                state.continuous_since = Some(notice.time);
            }
            state.session = session;
        });
        let over = |order: &Order| day_is_over(order, notice.trading_day);
        for id in self.orders_in(scope, over) {
            self.end(
                id,
                OrderEvent::Expired,
                end_reason::SESSION_ENDED,
                notice.time,
            )?;
        }
        for code in self.codes_in(scope) {
            let state = self.desk.instruments.get(&code);
            if !state.is_some_and(|state| is_of_the_past(notice, state)) {
                self.open_queued(&code, notice.trading_day, notice.time)?;
            }
        }
        Ok(())
    }

    fn close(&mut self, notice: &Notice, scope: &Scope) -> Result<(), VaultError> {
        self.each_instrument(scope, |state| {
            if is_of_the_past(notice, state) {
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
                    .is_none_or(|day| day <= notice.trading_day)
        };
        for id in self.orders_in(scope, ends) {
            self.end(
                id,
                OrderEvent::Expired,
                end_reason::SESSION_ENDED,
                notice.time,
            )?;
        }
        Ok(())
    }

    /// Ends orders whose term is over, those that came too late for their session, and market orders
    /// that no price comes for.
    pub(super) fn timers(&mut self, now: DateTime<Utc>) -> Result<(), VaultError> {
        let taken = self.by_code.values().flatten();
        let all: BTreeSet<OrderId> = taken.copied().collect();
        for id in all {
            let Some(order) = self.desk.orders.get(&id) else {
                continue;
            };
            if !order.status.is_open() {
                continue;
            }
            let state = self.desk.instruments.get(&order.instrument_code);
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

    fn each_instrument(&mut self, scope: &Scope, mut change: impl FnMut(&mut Instrument)) {
        match scope {
            Scope::Code(code) => {
                change(self.desk.instruments.entry(code.clone()).or_default());
            }
            Scope::Venue(venue) => {
                let states = self.desk.instruments.values_mut();
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
        let orders = self.desk.orders.values();
        orders
            .filter(|order| !self.desk.arriving.contains(&order.id))
            .filter(|order| order.status.is_open() && is_in(scope, order) && keep(order))
            .map(|order| order.id)
            .collect()
    }
}

/// Whether a record is about a day before the one that the instrument is in: a repetition that
/// must not close or open today's session.
fn is_of_the_past(notice: &Notice, state: &Instrument) -> bool {
    notice.trading_day < state.trading_day
}

fn is_in(scope: &Scope, order: &Order) -> bool {
    match scope {
        Scope::Code(code) => *code == order.instrument_code,
        Scope::Venue(venue) => *venue == Venue::of(order.market),
    }
}
