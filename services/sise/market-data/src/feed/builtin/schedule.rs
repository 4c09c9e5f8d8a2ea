//! The records of each minute of the built-in market: session changes and trades.

use std::collections::VecDeque;
use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate};
use kernel::Currency;
use market_rules::{Phase, Venue};
use proto::market::v1::{DayBase, SessionState, Snapshot, session_record::Kind};

use crate::feed::{FeedRecord, FeedTrade, SessionChange};
use crate::model::day::InstrumentTrack;
use crate::model::drawn::MAX_PRINT_DELAY_US;
use crate::model::factors::Factors;
use crate::model::pause::PauseKind;
use crate::model::session::MINUTE_US;
use crate::model::{DrawnDay, SimulatedSession, Simulation, Trade};
use crate::quotes::QuoteBoard;
use crate::sessions::{date_of, wire_phase, wire_venue};

use super::news::{self, change};

/// Upper bound of consecutive days without a session.
const MAX_CLOSURE_DAYS: u64 = 15;

pub(super) struct Schedule {
    market: Arc<Simulation>,
    venues: Vec<VenueDay>,
}

/// A venue in its current or last session.
struct VenueDay {
    venue: Venue,
    session: SimulatedSession,
    next: Option<SimulatedSession>,
    // Dividends are announced up to this day.
    announced_until: NaiveDate,
    instruments: Vec<ListedInstrument>,
}

struct ListedInstrument {
    code: Arc<str>,
    in_dollars: bool,
    track: InstrumentTrack,
    drawn: DrawnDay,
}

impl Schedule {
    /// Starts at `from_us`. Session changes that the log does not have yet are added to `due`.
    pub(super) fn at(
        market: Arc<Simulation>,
        board: &QuoteBoard,
        from_us: i64,
        due: &mut VecDeque<(i64, FeedRecord)>,
    ) -> Self {
        let mut venues: Vec<VenueDay> = Venue::ALL
            .into_iter()
            .filter_map(|venue| VenueDay::at(&market, venue, from_us))
            .collect();
        let log_state = board.sessions();
        for venue in &mut venues {
            // After the records that were returned already, so that none is repeated.
            let records = venue.catch_up(&market, &log_state, from_us, from_us + 1);
            due.extend(records.into_iter().map(|record| (from_us + 1, record)));
        }
        Self { market, venues }
    }

    pub(super) fn market(&self) -> &Simulation {
        &self.market
    }

    /// All records of the minute that starts at `start_us`, by time; a session starts before its
    /// first trade and ends after its last.
    pub(super) fn minute(&mut self, start_us: i64) -> Vec<(i64, FeedRecord)> {
        self.advance_sessions(start_us);
        let mut records = Vec::new();
        for venue in &self.venues {
            venue.changes(self.market.factors(), start_us, &mut records);
            venue.pauses(start_us, &mut records);
            venue.trades(&self.market, start_us, &mut records);
        }
        // Session changes have the first time of the minute; the stable sort keeps their order.
        records.sort_by_key(|(time_us, _)| *time_us);
        records
    }

    /// Advances the venues whose next session starts.
    fn advance_sessions(&mut self, now_us: i64) {
        let begins = |venue: &VenueDay| {
            venue
                .next
                .is_some_and(|next| next.auction_from_us <= now_us)
        };
        if !self.venues.iter().any(begins) {
            return;
        }
        let until = utc_date(now_us) + Days::new(2);
        if self.market.factors().computed_until() < Some(until) {
            // Once the feed runs there is no other reference.
            if let Some(market) = Arc::get_mut(&mut self.market) {
                market.extend(until);
            }
        }
        for venue in self.venues.iter_mut().filter(|venue| begins(venue)) {
            venue.next_session(&self.market);
        }
    }
}

impl VenueDay {
    /// The session at `now_us`, or the last one before it.
    fn at(market: &Simulation, venue: Venue, now_us: i64) -> Option<Self> {
        let today = utc_date(now_us) + Days::new(1);
        let session = today
            .iter_days()
            .rev()
            .take(usize::try_from(MAX_CLOSURE_DAYS).unwrap_or(0))
            .filter_map(|day| market.session(venue, day))
            .find(|session| session.auction_from_us <= now_us)?;
        cache_minutes(market, &session);
        let specs = market.specs().iter();
        let instruments = specs
            .filter(|spec| spec.node.venue == venue)
            .filter_map(|spec| {
                let mut last = None;
                let track = market.walk(spec, session.day, |day| last = Some(day));
                let drawn = last?.draw(market.factors());
                Some(ListedInstrument {
                    code: Arc::from(spec.instrument.code.as_str()),
                    in_dollars: spec.instrument.currency == Currency::Usd,
                    track,
                    drawn,
                })
            });
        Some(Self {
            venue,
            instruments: instruments.collect(),
            next: session_after(market, venue, session.day),
            announced_until: session.day,
            session,
        })
    }

    /// The session changes that the log does not have yet.
    fn catch_up(
        &mut self,
        market: &Simulation,
        log_state: &Snapshot,
        from_us: i64,
        now_us: i64,
    ) -> Vec<FeedRecord> {
        let day = self.session.trading_day();
        let wanted = (day, wire_phase(phase(&self.session, from_us)));
        let mut venues = log_state.venues.iter();
        let known = venues
            .find(|session| session.venue == i32::from(wire_venue(self.venue)))
            .map(|session| (session.trading_day, session.state()));
        let mut records = self.ended_pauses(log_state, from_us, now_us);
        if let Some((known_day, state)) = known
            && known_day != day
            && state != SessionState::Closed
        {
            records.push(self.change(Kind::Close, known_day, now_us));
        }
        let known_day = known.and_then(|(known_day, _)| date_of(known_day));
        let first_live_day = market.parameters().first_live_day;
        let announced_until = known_day.map_or(first_live_day, |day| day.max(first_live_day));
        records.extend(self.missed_splits(market, known_day, now_us));
        for listed in &self.instruments {
            // All announced dividends: repeating a known one has no effect.
            let reach_back = announced_until - Days::new(news::ANNOUNCEMENT_DAYS + 1);
            let dividends =
                news::dividends(&listed.drawn.day, reach_back, market.factors(), now_us);
            records.extend(dividends);
        }
        if known != Some(wanted) {
            let kind = match phase(&self.session, from_us) {
                Phase::Open => Kind::Open,
                Phase::Auction => Kind::Auction,
                Phase::Closed => Kind::Close,
            };
            records.extend(self.session_start(kind, now_us));
        }
        records.extend(self.running_pauses(from_us, now_us));
        records
    }

    /// Splits after the last trading day in the log.
    fn missed_splits(
        &self,
        market: &Simulation,
        known_day: Option<NaiveDate>,
        now_us: i64,
    ) -> Vec<FeedRecord> {
        let Some(known_day) = known_day.filter(|day| *day < self.session.day) else {
            return Vec::new();
        };
        let mut records = Vec::new();
        for listed in &self.instruments {
            market.walk(listed.track.spec(), self.session.day, |day| {
                if day.path.session.day > known_day {
                    records.extend(news::split(&day, now_us));
                }
            });
        }
        records
    }

    /// Ends of pauses that are still running according to the log.
    fn ended_pauses(&self, log_state: &Snapshot, from_us: i64, now_us: i64) -> Vec<FeedRecord> {
        let mut records = Vec::new();
        for listed in &self.instruments {
            let day = &listed.drawn.day;
            let pauses = listed.drawn.pauses().iter();
            let running = pauses.filter(|pause| pause.covers(from_us));
            let running: Vec<PauseKind> = running.map(|pause| pause.kind).collect();
            let halted_in_log = log_state
                .halted_codes
                .iter()
                .any(|code| **code == *listed.code);
            if halted_in_log && !day.halted && !running.contains(&PauseKind::Halt) {
                let resume = news::of_code(Kind::Resume, day, now_us);
                records.push(FeedRecord::Session(resume));
            }
            let auction_in_log = log_state
                .auctions
                .iter()
                .any(|one| *one.code == *listed.code);
            let in_auction = running.iter().any(|kind| *kind != PauseKind::Halt);
            if auction_in_log && !in_auction {
                let open = news::of_code(Kind::Open, day, now_us);
                records.push(FeedRecord::Session(open));
            }
        }
        records
    }

    /// Starts of pauses that are running.
    fn running_pauses(&self, from_us: i64, now_us: i64) -> Vec<FeedRecord> {
        let mut records = Vec::new();
        for listed in &self.instruments {
            let pauses = listed.drawn.pauses().iter();
            for pause in pauses.filter(|pause| pause.covers(from_us)) {
                records.push(news::pause_begins(&listed.drawn.day, pause, now_us));
            }
        }
        records
    }

    fn next_session(&mut self, market: &Simulation) {
        let Some(session) = self.next else { return };
        cache_minutes(market, &session);
        for listed in &mut self.instruments {
            let day = listed.track.advance(&session, market.factors());
            listed.drawn = day.draw(market.factors());
        }
        self.next = session_after(market, self.venue, session.day);
        self.announced_until = self.session.day;
        self.session = session;
    }

    /// The session changes at `now_us`, a whole minute.
    fn changes(&self, factors: &Factors, now_us: i64, records: &mut Vec<(i64, FeedRecord)>) {
        let session = &self.session;
        // Without an overnight close the previous session ends where this one starts.
        if now_us == session.auction_from_us
            && let Some(before) = session.day.pred_opt()
            && !session.overnight
        {
            let before = crate::model::session::yyyymmdd(before);
            records.push((now_us, self.change(Kind::Close, before, now_us)));
        }
        if now_us == session.auction_from_us {
            let news = self.news(self.announced_until, factors, now_us);
            records.extend(news.into_iter().map(|record| (now_us, record)));
        }
        let auction = session.auction_from_us < session.open_us;
        if auction && now_us == session.auction_from_us {
            let started = self.session_start(Kind::Auction, now_us);
            records.extend(started.map(|record| (now_us, record)));
        }
        if now_us == session.open_us {
            let open_us = continuous_from_us(session);
            let started = self.session_start(Kind::Open, open_us);
            records.extend(started.map(|record| (open_us, record)));
        }
        if now_us == session.end_us && session.end_us < session.close_us {
            let day = session.trading_day();
            records.push((now_us, self.change(Kind::Auction, day, now_us)));
        }
        if now_us == session.close_us && session.overnight {
            let day = session.trading_day();
            records.push((now_us, self.change(Kind::Close, day, now_us)));
        }
    }

    /// The start of a day or of its trading, with bases, limits and halts.
    fn session_start(&self, kind: Kind, now_us: i64) -> impl Iterator<Item = FeedRecord> {
        let day = self.session.trading_day();
        let started = SessionChange {
            bases: self
                .instruments
                .iter()
                .map(ListedInstrument::base)
                .collect(),
            ..change(kind, self.venue, "", day, now_us)
        };
        let halted = self
            .instruments
            .iter()
            .filter(|listed| listed.drawn.day.halted);
        let halts = halted
            .map(move |listed| news::of_code(Kind::Halt, &listed.drawn.day, now_us))
            .map(FeedRecord::Session);
        std::iter::once(FeedRecord::Session(started)).chain(halts)
    }

    fn change(&self, kind: Kind, trading_day: i32, now_us: i64) -> FeedRecord {
        FeedRecord::Session(change(kind, self.venue, "", trading_day, now_us))
    }

    /// Splits before the session, and dividends announced since `announced_until`.
    fn news(&self, announced_until: NaiveDate, factors: &Factors, now_us: i64) -> Vec<FeedRecord> {
        let days = self.instruments.iter().map(|listed| &listed.drawn.day);
        let splits = days.clone().filter_map(|day| news::split(day, now_us));
        let dividends = days.flat_map(|day| news::dividends(day, announced_until, factors, now_us));
        splits.chain(dividends).collect()
    }

    /// Starts and ends of pauses in a minute.
    fn pauses(&self, start_us: i64, records: &mut Vec<(i64, FeedRecord)>) {
        let minute = start_us..start_us + MINUTE_US;
        for listed in &self.instruments {
            let day = &listed.drawn.day;
            for pause in listed.drawn.pauses() {
                if minute.contains(&pause.from_us) {
                    let begins = news::pause_begins(day, pause, pause.from_us);
                    records.push((pause.from_us, begins));
                }
                let end_us = pause.until_us + 1;
                if minute.contains(&end_us) {
                    records.push((end_us, news::pause_ends(day, pause, end_us)));
                }
            }
        }
    }

    fn trades(&self, market: &Simulation, start_us: i64, records: &mut Vec<(i64, FeedRecord)>) {
        let session = &self.session;
        let trading = session.open_us <= start_us && start_us < session.end_us;
        let closing = start_us..start_us + MINUTE_US;
        for listed in &self.instruments {
            let mut add = |trade: Trade| {
                records.push((trade.event_time_us, listed.trade(market, &trade)));
            };
            if trading {
                let minute = session.minute_at(start_us);
                listed.drawn.for_each_trade(minute, &mut add);
            }
            let auction = listed.drawn.auction_trade();
            if let Some(trade) = auction.filter(|trade| closing.contains(&trade.event_time_us)) {
                add(trade);
            }
        }
    }
}

impl ListedInstrument {
    fn base(&self) -> DayBase {
        let day = &self.drawn.day;
        DayBase {
            code: self.code.to_string(),
            price_scale: day.spec.grid.scale(),
            base_units: day.base_units,
            lower_limit_units: day.lower_units,
            upper_limit_units: day.upper_units,
        }
    }

    fn trade(&self, market: &Simulation, trade: &Trade) -> FeedRecord {
        let (bid_size_units, ask_size_units) = self.drawn.displayed_sizes(trade);
        FeedRecord::Trade(FeedTrade {
            code: Arc::clone(&self.code),
            event_time_us: trade.event_time_us,
            price_units: trade.price_units,
            volume_units: Some(trade.volume_units),
            bid_units: trade.bid_units,
            ask_units: trade.ask_units,
            bid_size_units,
            ask_size_units,
            won_per_dollar_e4: if self.in_dollars {
                market.won_per_dollar_e4(trade.event_time_us)
            } else {
                0
            },
        })
    }
}

fn phase(session: &SimulatedSession, now_us: i64) -> Phase {
    if now_us < session.auction_from_us || now_us >= session.close_us {
        Phase::Closed
    } else if now_us < continuous_from_us(session) || now_us >= session.end_us {
        Phase::Auction
    } else {
        Phase::Open
    }
}

/// Start of continuous trading: after the opening print where there is an auction.
fn continuous_from_us(session: &SimulatedSession) -> i64 {
    if session.auction_from_us < session.open_us {
        session.open_us + MAX_PRINT_DELAY_US
    } else {
        session.open_us
    }
}

fn session_after(market: &Simulation, venue: Venue, day: NaiveDate) -> Option<SimulatedSession> {
    (1..=MAX_CLOSURE_DAYS)
        .filter_map(|step| day.checked_add_days(Days::new(step)))
        .find_map(|day| market.session(venue, day))
}

/// The minutes of the factors are read repeatedly during a session.
fn cache_minutes(market: &Simulation, session: &SimulatedSession) {
    market
        .factors()
        .cache_minutes(session.open_us, session.close_us);
}

fn utc_date(time_us: i64) -> NaiveDate {
    DateTime::from_timestamp_micros(time_us)
        .unwrap_or_default()
        .date_naive()
}
