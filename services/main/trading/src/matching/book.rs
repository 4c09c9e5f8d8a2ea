//! The order book of a shard: waiting orders, indexed so that a batch finds those that it may affect
//! without a scan. Limits are indexed by instrument and price, timers by their time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use kernel::{OrderId, Price};

use crate::matching::instrument_state::{InstrumentState, is_past_session};
use crate::matching::pass::MatchingPass;
use crate::orders::order::{Order, Side, Status, TimeInForce};
use crate::tick_log::{Batch, LogRecord, Scope, Tick, Venue};

/// Waiting orders and the instrument states that they are matched against.
#[derive(Clone, Debug, Default)]
pub struct OrderBook {
    pub instruments: BTreeMap<String, InstrumentState>,
    orders: BTreeMap<OrderId, Order>,
    by_instrument: HashMap<String, InstrumentOrders>,
    /// Working market orders. Every batch affects them, because they time out.
    at_market: BTreeSet<OrderId>,
    /// DAY orders that were admitted after their session had ended; the next batch ends them.
    late: BTreeSet<OrderId>,
    /// Orders by the end of their term.
    terms: BTreeSet<(DateTime<Utc>, OrderId)>,
}

/// Index of the orders of one instrument, working market orders excepted.
#[derive(Clone, Debug, Default)]
struct InstrumentOrders {
    /// Orders that any tick may change: queued ones, and limits that do not rest yet.
    every_tick: BTreeSet<OrderId>,
    /// Resting limits. Only a trade at the limit or beyond it changes them, so a batch costs nothing
    /// for orders far from the market.
    buys: BTreeSet<(Price, OrderId)>,
    sells: BTreeSet<(Price, OrderId)>,
    /// Number of DAY orders by trading day.
    days: BTreeMap<i32, usize>,
}

impl OrderBook {
    #[must_use]
    pub fn new(
        instruments: BTreeMap<String, InstrumentState>,
        orders: impl IntoIterator<Item = Order>,
    ) -> Self {
        let mut book = Self {
            instruments,
            ..Self::default()
        };
        for order in orders {
            book.insert(order);
        }
        book
    }

    #[must_use]
    pub fn get(&self, id: OrderId) -> Option<&Order> {
        self.orders.get(&id)
    }

    /// Number of waiting orders.
    #[must_use]
    pub fn len(&self) -> usize {
        self.orders.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    /// Inserts an order, or replaces it.
    pub fn insert(&mut self, order: Order) {
        self.remove(order.id);
        let index = self
            .by_instrument
            .entry(order.instrument_code.clone())
            .or_default();
        match IndexEntry::of(&order) {
            IndexEntry::AtMarket => {
                self.at_market.insert(order.id);
            }
            IndexEntry::EveryTick => {
                index.every_tick.insert(order.id);
            }
            IndexEntry::Buy(price) => {
                index.buys.insert((price, order.id));
            }
            IndexEntry::Sell(price) => {
                index.sells.insert((price, order.id));
            }
        }
        if is_past_session(&order, self.instruments.get(&order.instrument_code)) {
            self.late.insert(order.id);
        }
        if let Some(day) = day_order_day(&order) {
            *index.days.entry(day).or_default() += 1;
        }
        if let Some(end) = order.expires_at {
            self.terms.insert((end, order.id));
        }
        self.orders.insert(order.id, order);
    }

    pub fn remove(&mut self, id: OrderId) {
        let Some(order) = self.orders.remove(&id) else {
            return;
        };
        self.late.remove(&id);
        if let Some(end) = order.expires_at {
            self.terms.remove(&(end, id));
        }
        let Some(index) = self.by_instrument.get_mut(&order.instrument_code) else {
            return;
        };
        match IndexEntry::of(&order) {
            IndexEntry::AtMarket => self.at_market.remove(&id),
            IndexEntry::EveryTick => index.every_tick.remove(&id),
            IndexEntry::Buy(price) => index.buys.remove(&(price, id)),
            IndexEntry::Sell(price) => index.sells.remove(&(price, id)),
        };
        if let Some(day) = day_order_day(&order)
            && let Some(count) = index.days.get_mut(&day)
        {
            *count -= 1;
            if *count == 0 {
                index.days.remove(&day);
            }
        }
    }

    /// Copies the orders that a batch may affect, with the states of their instruments.
    #[must_use]
    pub fn affected_by(&self, batch: &Batch) -> MatchingPass {
        let affected = AffectedScope::of(batch);
        let mut ids = self.at_market.clone();
        ids.extend(&self.late);
        let ended = self.terms.range(..=(batch.closed_at, OrderId(i64::MAX)));
        ids.extend(ended.map(|(_, id)| *id));
        for (code, activity) in &affected.codes {
            if let Some(index) = self.by_instrument.get(*code) {
                index.collect_affected(activity, &mut ids);
            }
        }
        if !affected.venues.is_empty() {
            // A session begins or ends: a full scan, a few times a day.
            let orders = self.orders.values();
            let there =
                orders.filter(|order| affected.venues.contains(&Venue::of_market(order.market)));
            ids.extend(there.map(|order| order.id));
        }
        let orders: BTreeMap<OrderId, Order> = ids
            .iter()
            .filter_map(|id| Some((*id, self.orders.get(id)?.clone())))
            .collect();
        let instruments = if affected.session {
            self.instruments.clone()
        } else {
            let named = orders.values().map(|order| order.instrument_code.as_str());
            let codes: BTreeSet<&str> = affected.codes.keys().copied().chain(named).collect();
            let states = codes.into_iter();
            states
                .filter_map(|code| self.instruments.get_key_value(code))
                .map(|(code, state)| (code.clone(), state.clone()))
                .collect()
        };
        MatchingPass {
            instruments,
            orders,
            new_orders: BTreeSet::new(),
        }
    }

    /// Writes the result of a pass back; orders that ended leave the book.
    pub fn apply(&mut self, passed: MatchingPass) {
        self.instruments.extend(passed.instruments);
        for order in passed.orders.into_values() {
            if order.status.is_open() {
                self.insert(order);
            } else {
                self.remove(order.id);
            }
        }
    }
}

impl InstrumentOrders {
    fn collect_affected(&self, activity: &CodeActivity, ids: &mut BTreeSet<OrderId>) {
        ids.extend(&self.every_tick);
        let day_is_over = self
            .days
            .keys()
            .next()
            .is_some_and(|day| *day < activity.day);
        if activity.has_session_record || day_is_over {
            ids.extend(self.buys.iter().map(|(_, id)| *id));
            ids.extend(self.sells.iter().map(|(_, id)| *id));
        } else if let Some((low, high)) = activity.prices {
            let buys = self.buys.range((low, OrderId(i64::MIN))..);
            ids.extend(buys.map(|(_, id)| *id));
            let sells = self.sells.range(..=(high, OrderId(i64::MAX)));
            ids.extend(sells.map(|(_, id)| *id));
        }
    }
}

/// The index that an order is in.
enum IndexEntry {
    AtMarket,
    EveryTick,
    Buy(Price),
    Sell(Price),
}

impl IndexEntry {
    fn of(order: &Order) -> Self {
        match (order.status, order.price, order.side) {
            (Status::Queued, _, _) => Self::EveryTick,
            (_, None, _) => Self::AtMarket,
            _ if !order.resting => Self::EveryTick,
            (_, Some(limit), Side::Buy) => Self::Buy(limit),
            (_, Some(limit), Side::Sell) => Self::Sell(limit),
        }
    }
}

fn day_order_day(order: &Order) -> Option<i32> {
    let is_day = order.time_in_force == TimeInForce::Day;
    order.trading_day.filter(|_| is_day)
}

/// Instruments and venues that a batch may affect.
#[derive(Default)]
struct AffectedScope<'a> {
    codes: HashMap<&'a str, CodeActivity>,
    venues: BTreeSet<Venue>,
    /// Whether a session record may change instruments without a tick.
    session: bool,
}

/// Activity of one instrument in a batch.
#[derive(Default)]
struct CodeActivity {
    /// Lowest and highest traded price.
    prices: Option<(Price, Price)>,
    day: i32,
    has_session_record: bool,
}

impl<'a> AffectedScope<'a> {
    fn of(batch: &'a Batch) -> Self {
        let mut affected = Self::default();
        for record in &batch.records {
            match record {
                LogRecord::Tick(tick) => affected.tick(tick),
                LogRecord::Session(session_record) => {
                    affected.session |= session_record.scope.is_some();
                    match &session_record.scope {
                        Some(Scope::Venue(venue)) => {
                            affected.venues.insert(*venue);
                        }
                        Some(Scope::Code(code)) => {
                            affected.codes.entry(code).or_default().has_session_record = true;
                        }
                        None => {}
                    }
                }
            }
        }
        affected
    }

    fn tick(&mut self, tick: &'a Tick) {
        let activity = self.codes.entry(&tick.code).or_default();
        let (low, high) = activity.prices.unwrap_or((tick.price, tick.price));
        activity.prices = Some((low.min(tick.price), high.max(tick.price)));
        activity.day = activity.day.max(tick.trading_day);
    }
}

#[cfg(test)]
mod tests;
