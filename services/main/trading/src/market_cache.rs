//! An in-memory copy of the market, by which orders are validated: instruments and latest quotes, from
//! market-data's snapshot and the tick log. While market-data is unavailable the last values stay; an
//! instrument without a price cannot be ordered.

mod days;
mod feed;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use kernel::{MarketCode, Price, Quantity};
use market_rules::{Calendar, PriceBand};
use parking_lot::RwLock;
use rust_decimal::Decimal;
use tokio::sync::watch;

use crate::domain::market::{Listing, MarketView, Quote, TradingSession};
use crate::domain::split::SplitRatio;
use crate::matching::stale_timer;
use crate::orders::rejection::OrderRejection;
use crate::tick_log::{Batch, LogRecord, Scope, SessionRecord, SessionRecordKind, Tick, Venue};

pub use feed::MarketFeed;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarketClock {
    /// Open all day; a trading day is a calendar day in Korea. Replays use it too.
    #[default]
    AllDay,
    /// Sessions and calendars of the exchanges.
    Exchange,
}

/// Instruments and quotes. Cheap to read from many tasks.
#[derive(Default)]
pub struct MarketCache {
    state: RwLock<State>,
    /// Whether instruments have been loaded.
    is_listed: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    listings: HashMap<String, Listing>,
    quotes: HashMap<String, Latest>,
    venues: HashMap<Venue, (TradingSession, i32)>,
    bands: HashMap<String, Option<PriceBand>>,
    halted: HashMap<String, bool>,
    /// Trading day of the newest split by instrument.
    split_days: HashMap<String, i32>,
    /// Newest session record; older ones are repetitions.
    session_seq: i64,
    now: DateTime<Utc>,
    head: Option<(i64, i64)>,
    clock: MarketClock,
    calendar: Option<Calendar>,
}

#[derive(Clone)]
struct Latest {
    tick: Tick,
    /// From the newest tick or session record.
    session: TradingSession,
    trading_day: i32,
    /// Traded on the trading day before.
    volume_before: Option<Quantity>,
}

impl MarketCache {
    /// `None` when the instrument is unknown.
    #[must_use]
    pub fn view(&self, code: &str) -> Option<MarketView> {
        let state = self.state.read();
        let listing = state.listings.get(code)?.clone();
        Some(MarketView {
            quote: state.quote(code),
            listing,
            now: state.now,
            split_day: state.split_days.get(code).copied().unwrap_or_default(),
        })
    }

    /// The market of an instrument for an order.
    ///
    /// # Errors
    /// [`OrderRejection::NotTradable`] when there is no such instrument, and [`OrderRejection::PriceAwaited`]
    /// while it is not known which there are.
    pub fn view_for_order(&self, code: &str) -> Result<MarketView, OrderRejection> {
        self.view(code).ok_or_else(|| {
            if *self.is_listed.borrow() {
                OrderRejection::NotTradable
            } else {
                OrderRejection::PriceAwaited
            }
        })
    }

    /// Whether instruments are known, and nobody can trade this one: it is suspended, or there is none.
    #[must_use]
    pub fn is_out_of_trade(&self, code: &str) -> bool {
        let state = self.state.read();
        let listing = state.listings.get(code);
        *self.is_listed.borrow() && listing.is_none_or(|listing| !listing.tradable)
    }

    /// Waits until instruments have been loaded.
    pub async fn listed(&self) {
        let mut is_listed = self.is_listed.subscribe();
        // The sender lives as long as `self`.
        let _closed = is_listed.wait_for(|is_listed| *is_listed).await;
    }

    #[must_use]
    pub fn quote(&self, code: &str) -> Option<Quote> {
        self.state.read().quote(code)
    }

    /// The latest quote, and the trading day of the newest split in whose units it is; zero when none is
    /// known.
    #[must_use]
    pub fn quote_and_split_day(&self, code: &str) -> Option<(Quote, i32)> {
        let state = self.state.read();
        let quote = state.quote(code)?;
        Some((
            quote,
            state.split_days.get(code).copied().unwrap_or_default(),
        ))
    }

    /// Last prices and exchange rates of instruments, all of one position of the log.
    #[must_use]
    pub fn prices<'a>(
        &self,
        codes: impl Iterator<Item = &'a str>,
    ) -> Vec<Option<(Price, Option<Decimal>)>> {
        let state = self.state.read();
        let latest = codes.map(|code| state.quotes.get(code));
        latest
            .map(|latest| latest.map(|latest| (latest.tick.price, latest.tick.fx_rate)))
            .collect()
    }

    /// Market time: the time of the newest record of the log.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        self.state.read().now
    }

    /// Epoch and offset of the newest batch of the log; `None` before the first.
    #[must_use]
    pub fn log_head(&self) -> Option<(i64, i64)> {
        self.state.read().head
    }

    /// Whether the price of an instrument is stale, so that market orders wait.
    #[must_use]
    pub fn is_silent(&self, market: MarketCode, code: &str) -> bool {
        let state = self.state.read();
        let last = state.quotes.get(code);
        last.is_some_and(|latest| {
            latest.session == TradingSession::Open
                && stale_timer::is_silent(market, latest.tick.time, state.now)
        })
    }

    pub fn set_listings(&self, listings: impl IntoIterator<Item = Listing>) {
        let listings: HashMap<String, Listing> = listings
            .into_iter()
            .map(|listing| (listing.code.clone(), listing))
            .collect();
        let is_listed = !listings.is_empty();
        self.state.write().listings = listings;
        self.is_listed.send_replace(is_listed);
    }

    pub fn set_clock(&self, clock: MarketClock) {
        let mut state = self.state.write();
        state.clock = clock;
        if clock == MarketClock::Exchange && state.calendar.is_none() {
            state.calendar = Calendar::embedded().ok();
        }
    }

    /// Sets a venue's session from a snapshot.
    pub fn set_venue(&self, venue: Venue, session: TradingSession, trading_day: i32) {
        let mut state = self.state.write();
        state.venues.insert(venue, (session, trading_day));
        let quotes = state.quotes.values_mut();
        for latest in quotes.filter(|latest| Venue::of_market(latest.tick.market) == venue) {
            latest.session = session;
            latest.trading_day = latest.trading_day.max(trading_day);
        }
    }

    /// Sets the session of an instrument that differs from its venue's.
    pub fn set_session(&self, code: &str, session: TradingSession) {
        if let Some(latest) = self.state.write().quotes.get_mut(code) {
            latest.session = session;
        }
    }

    /// Sets the daily price limits of an instrument.
    pub fn set_band(&self, code: &str, band: Option<PriceBand>) {
        self.state.write().bands.insert(code.to_owned(), band);
    }

    /// Sets the newest session record of a snapshot; records up to it are repetitions.
    pub fn set_session_seq(&self, seq: i64) {
        let mut state = self.state.write();
        state.session_seq = seq;
    }

    /// Sets the trading day of the newest split, in whose units the prices of a snapshot are.
    pub fn set_split_day(&self, code: &str, trading_day: i32) {
        let mut state = self.state.write();
        let known = state.split_days.entry(code.to_owned()).or_default();
        *known = trading_day.max(*known);
    }

    /// Sets what was traded on the trading day before `trading_day`, which is the present one.
    pub fn set_volume_before(&self, code: &str, trading_day: i32, volume: Quantity) {
        let mut state = self.state.write();
        if let Some(latest) = state.quotes.get_mut(code)
            && latest.trading_day == trading_day
        {
            latest.volume_before = Some(volume);
        }
    }

    /// Halts these instruments and resumes all others.
    pub fn set_halted(&self, codes: &[String]) {
        let halted = codes.iter().map(|code| (code.clone(), true)).collect();
        self.state.write().halted = halted;
    }

    pub fn apply(&self, batch: &Batch) {
        let mut state = self.state.write();
        if state.head.is_some_and(|(epoch, _)| epoch < batch.epoch) {
            // A new log restarts the numbering, perhaps below what was read of the lost one.
            state.session_seq = 0;
        }
        for record in &batch.records {
            match record {
                LogRecord::Tick(tick) => state.tick(tick),
                LogRecord::Session(record) => state.session_record(record),
            }
        }
        state.now = state.now.max(batch.closed_at);
        state.head = state.head.max(Some((batch.epoch, batch.offset)));
    }
}

impl State {
    fn quote(&self, code: &str) -> Option<Quote> {
        let latest = self.quotes.get(code)?;
        let halted = self.halted.get(code).copied().unwrap_or(false);
        Some(Quote {
            last: latest.tick.price,
            prev_close: latest.tick.prev_close,
            bid: latest.tick.bid,
            ask: latest.tick.ask,
            band: self.bands.get(code).copied().flatten(),
            session: if halted {
                TradingSession::Halted
            } else {
                latest.session
            },
            trading_day: latest.trading_day,
            fx_rate: latest.tick.fx_rate,
            tick_time: latest.tick.time,
            day_volume: latest
                .tick
                .day_volume
                .filter(|_| latest.tick.trading_day == latest.trading_day),
            volume_before: latest.volume_before,
        })
    }

    fn tick(&mut self, tick: &Tick) {
        // On a day without a trade a snapshot contains the tick of the day before.
        if let Some(latest) = self.quotes.get(&tick.code)
            && (tick.seq, tick.trading_day) <= (latest.tick.seq, latest.tick.trading_day)
        {
            return;
        }
        let venue = self.venues.get(&Venue::of_market(tick.market));
        let newer = venue.filter(|(_, day)| *day > tick.trading_day);
        let (session, trading_day) = newer.copied().unwrap_or((tick.session, tick.trading_day));
        let known = self.quotes.get(&tick.code);
        let volume_before = known.and_then(|known| {
            if known.trading_day == trading_day {
                known.volume_before
            } else {
                known.tick.day_volume
            }
        });
        let latest = Latest {
            tick: tick.clone(),
            session,
            trading_day,
            volume_before,
        };
        self.quotes.insert(tick.code.clone(), latest);
    }

    fn session_record(&mut self, record: &SessionRecord) {
        self.now = self.now.max(record.time);
        if record.is_repeated(&mut self.session_seq) {
            return;
        }
        let session = match &record.kind {
            SessionRecordKind::Open(bases) | SessionRecordKind::Auction(bases) => {
                for (code, band) in bases {
                    self.bands.insert(code.clone(), *band);
                }
                if matches!(record.kind, SessionRecordKind::Open(_)) {
                    TradingSession::Open
                } else {
                    TradingSession::Auction
                }
            }
            SessionRecordKind::Close => TradingSession::Closed,
            SessionRecordKind::Halt => return self.halt(record, true),
            SessionRecordKind::Resume => return self.halt(record, false),
            SessionRecordKind::Split(ratio) => {
                if let Some(Scope::Code(code)) = &record.scope {
                    self.split(code, *ratio, record.trading_day);
                }
                return;
            }
            SessionRecordKind::Heartbeat => return,
        };
        if let Some(Scope::Venue(venue)) = &record.scope {
            let known = self.venues.get(venue);
            if known.is_none_or(|(_, day)| *day <= record.trading_day) {
                self.venues.insert(*venue, (session, record.trading_day));
            }
        }
        let day = record.trading_day;
        let current = |latest: &&mut Latest| latest.trading_day <= day;
        for latest in self.in_scope(record).filter(current) {
            latest.session = session;
            if latest.trading_day < record.trading_day {
                latest.volume_before = latest.tick.day_volume;
                latest.trading_day = record.trading_day;
            }
        }
    }

    /// Converts the last price and volumes. A second split of one trading day is a repetition.
    fn split(&mut self, code: &str, ratio: SplitRatio, trading_day: i32) {
        let known = self.split_days.entry(code.to_owned()).or_default();
        if *known >= trading_day {
            return;
        }
        *known = trading_day;
        if let Some(latest) = self.quotes.get_mut(code) {
            latest.tick.price = ratio.price(latest.tick.price);
            latest.tick.prev_close = ratio.price(latest.tick.prev_close);
            // Best prices in old units are void; the next trade brings new ones.
            latest.tick.bid = None;
            latest.tick.ask = None;
            let in_new_shares = |volume| ratio.quantity(volume);
            latest.tick.day_volume = latest.tick.day_volume.map(in_new_shares);
            latest.volume_before = latest.volume_before.map(in_new_shares);
        }
    }

    fn halt(&mut self, record: &SessionRecord, halted: bool) {
        let codes: Vec<String> = match &record.scope {
            Some(Scope::Code(code)) => vec![code.clone()],
            Some(Scope::Venue(_)) | None => {
                let latest = self.in_scope(record);
                latest.map(|latest| latest.tick.code.clone()).collect()
            }
        };
        for code in codes {
            self.halted.insert(code, halted);
        }
    }

    fn in_scope(&mut self, record: &SessionRecord) -> impl Iterator<Item = &mut Latest> {
        let latest = self.quotes.values_mut();
        latest.filter(|latest| match &record.scope {
            Some(Scope::Venue(venue)) => *venue == Venue::of_market(latest.tick.market),
            Some(Scope::Code(code)) => *code == latest.tick.code,
            None => false,
        })
    }
}

/// Won per unit of the quote's currency.
#[must_use]
pub fn fx_of(quote: Option<&Quote>) -> Option<Decimal> {
    quote.and_then(|quote| quote.fx_rate)
}

#[cfg(test)]
mod tests;
