//! The waiting orders of a shard, filed so that a batch finds those it could touch without looking
//! at the others: limits by instrument and price, and what timers watch apart.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use kernel::{OrderId, Price};

use crate::matching::pass::{InstrumentState, MatchingPass, came_late};
use crate::orders::order::{Order, Side, Status, TimeInForce};
use crate::tick_log::{Batch, LogRecord, Scope, Tick, Venue};

/// The waiting orders and what they need to know. Kept between batches and across restarts.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// What the log said about each instrument.
    pub instruments: BTreeMap<String, InstrumentState>,
    orders: BTreeMap<OrderId, Order>,
    shelves: HashMap<String, Shelf>,
    /// Working market orders: a timer watches them, so every batch looks at them.
    at_market: BTreeSet<OrderId>,
    /// Orders that came too late for their session: the next batch ends them.
    late: BTreeSet<OrderId>,
    /// When terms end.
    terms: BTreeSet<(DateTime<Utc>, OrderId)>,
}

/// The orders of one instrument, except working market orders.
#[derive(Clone, Debug, Default)]
struct Shelf {
    /// Orders that any tick may teach something: queued ones, and limits that do not rest yet.
    restless: BTreeSet<OrderId>,
    /// Resting limits. A price that stays on its side of one teaches it nothing: with many orders
    /// far from the market this is what keeps a batch cheap.
    buys: BTreeSet<(Price, OrderId)>,
    sells: BTreeSet<(Price, OrderId)>,
    /// How many DAY orders live in which trading day.
    days: BTreeMap<i32, usize>,
}

impl Book {
    /// A book of these orders.
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

    /// A waiting order.
    #[must_use]
    pub fn get(&self, id: OrderId) -> Option<&Order> {
        self.orders.get(&id)
    }

    /// How many orders wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.orders.len()
    }

    /// Whether no order waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    /// Files an order, in the place of what was known of it.
    pub fn insert(&mut self, order: Order) {
        self.remove(order.id);
        let shelf = self
            .shelves
            .entry(order.instrument_code.clone())
            .or_default();
        match Place::of(&order) {
            Place::AtMarket => {
                self.at_market.insert(order.id);
            }
            Place::Restless => {
                shelf.restless.insert(order.id);
            }
            Place::Buy(price) => {
                shelf.buys.insert((price, order.id));
            }
            Place::Sell(price) => {
                shelf.sells.insert((price, order.id));
            }
        }
        if came_late(&order, self.instruments.get(&order.instrument_code)) {
            self.late.insert(order.id);
        }
        if let Some(day) = day_of(&order) {
            *shelf.days.entry(day).or_default() += 1;
        }
        if let Some(end) = order.expires_at {
            self.terms.insert((end, order.id));
        }
        self.orders.insert(order.id, order);
    }

    /// Lets go of an order.
    pub fn remove(&mut self, id: OrderId) {
        let Some(order) = self.orders.remove(&id) else {
            return;
        };
        self.late.remove(&id);
        if let Some(end) = order.expires_at {
            self.terms.remove(&(end, id));
        }
        let Some(shelf) = self.shelves.get_mut(&order.instrument_code) else {
            return;
        };
        match Place::of(&order) {
            Place::AtMarket => self.at_market.remove(&id),
            Place::Restless => shelf.restless.remove(&id),
            Place::Buy(price) => shelf.buys.remove(&(price, id)),
            Place::Sell(price) => shelf.sells.remove(&(price, id)),
        };
        if let Some(day) = day_of(&order)
            && let Some(count) = shelf.days.get_mut(&day)
        {
            *count -= 1;
            if *count == 0 {
                shelf.days.remove(&day);
            }
        }
    }

    /// Those orders that a batch could touch, and what the log said about their instruments.
    #[must_use]
    pub fn affected_by(&self, batch: &Batch) -> MatchingPass {
        let reach = Reach::of(batch);
        let mut ids = self.at_market.clone();
        ids.extend(&self.late);
        let ended = self.terms.range(..=(batch.closed_at, OrderId(i64::MAX)));
        ids.extend(ended.map(|(_, id)| *id));
        for (code, span) in &reach.codes {
            if let Some(shelf) = self.shelves.get(*code) {
                shelf.reached(span, &mut ids);
            }
        }
        if !reach.venues.is_empty() {
            // A session begins or ends: a few times a day all of them are looked at.
            let orders = self.orders.values();
            let there = orders.filter(|order| reach.venues.contains(&Venue::of(order.market)));
            ids.extend(there.map(|order| order.id));
        }
        let orders: BTreeMap<OrderId, Order> = ids
            .iter()
            .filter_map(|id| Some((*id, self.orders.get(id)?.clone())))
            .collect();
        let instruments = if reach.session {
            self.instruments.clone()
        } else {
            let named = orders.values().map(|order| order.instrument_code.as_str());
            let codes: BTreeSet<&str> = reach.codes.keys().copied().chain(named).collect();
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

    /// Takes over what a pass over an excerpt has found, and lets go of orders that ended.
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

impl Shelf {
    fn reached(&self, span: &Span, ids: &mut BTreeSet<OrderId>) {
        ids.extend(&self.restless);
        let day_is_over = self.days.keys().next().is_some_and(|day| *day < span.day);
        if span.noticed || day_is_over {
            ids.extend(self.buys.iter().map(|(_, id)| *id));
            ids.extend(self.sells.iter().map(|(_, id)| *id));
        } else if let Some((low, high)) = span.prices {
            let buys = self.buys.range((low, OrderId(i64::MIN))..);
            ids.extend(buys.map(|(_, id)| *id));
            let sells = self.sells.range(..=(high, OrderId(i64::MAX)));
            ids.extend(sells.map(|(_, id)| *id));
        }
    }
}

/// Where an order is filed.
enum Place {
    AtMarket,
    Restless,
    Buy(Price),
    Sell(Price),
}

impl Place {
    fn of(order: &Order) -> Self {
        match (order.status, order.price, order.side) {
            (Status::Queued, _, _) => Self::Restless,
            (_, None, _) => Self::AtMarket,
            _ if !order.resting => Self::Restless,
            (_, Some(limit), Side::Buy) => Self::Buy(limit),
            (_, Some(limit), Side::Sell) => Self::Sell(limit),
        }
    }
}

fn day_of(order: &Order) -> Option<i32> {
    let is_day = order.time_in_force == TimeInForce::Day;
    order.trading_day.filter(|_| is_day)
}

/// What a batch could touch.
#[derive(Default)]
struct Reach<'a> {
    codes: HashMap<&'a str, Span>,
    venues: BTreeSet<Venue>,
    /// Whether a session record may change instruments that no tick names.
    session: bool,
}

/// What a batch says about one instrument.
#[derive(Default)]
struct Span {
    /// Lowest and highest price traded.
    prices: Option<(Price, Price)>,
    /// Newest trading day.
    day: i32,
    /// Whether a session record names it.
    noticed: bool,
}

impl<'a> Reach<'a> {
    fn of(batch: &'a Batch) -> Self {
        let mut reach = Self::default();
        for record in &batch.records {
            match record {
                LogRecord::Tick(tick) => reach.tick(tick),
                LogRecord::Session(session_record) => {
                    reach.session |= session_record.scope.is_some();
                    match &session_record.scope {
                        Some(Scope::Venue(venue)) => {
                            reach.venues.insert(*venue);
                        }
                        Some(Scope::Code(code)) => {
                            reach.codes.entry(code).or_default().noticed = true;
                        }
                        None => {}
                    }
                }
            }
        }
        reach
    }

    fn tick(&mut self, tick: &'a Tick) {
        let span = self.codes.entry(&tick.code).or_default();
        let (low, high) = span.prices.unwrap_or((tick.price, tick.price));
        span.prices = Some((low.min(tick.price), high.max(tick.price)));
        span.day = span.day.max(tick.trading_day);
    }
}

#[cfg(test)]
mod tests;
