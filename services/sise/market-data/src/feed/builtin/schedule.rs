//! What happens in each minute of the built-in market: sessions that begin and end, and trades.

use std::collections::VecDeque;
use std::sync::Arc;

use chrono::{DateTime, Days, NaiveDate};
use kernel::Currency;
use market_rules::{Phase, Venue};
use proto::market::v1::{DayBase, SessionState, session_record::Kind};

use crate::feed::{FeedRecord, FeedTrade, SessionChange};
use crate::model::day::InstrumentTrack;
use crate::model::session::MINUTE_US;
use crate::model::{DrawnDay, Session, Simulation, Trade};
use crate::quotes::QuoteBoard;
use crate::sessions::{wire_phase, wire_venue};

/// Days without a session in a row at most.
const LONGEST_CLOSURE_DAYS: u64 = 15;

/// The market from one minute to the next.
pub(super) struct Schedule {
    market: Arc<Simulation>,
    venues: Vec<VenueDay>,
}

/// A venue in its present session, which may be over.
struct VenueDay {
    venue: Venue,
    session: Session,
    next: Option<Session>,
    instruments: Vec<Listed>,
}

struct Listed {
    code: Arc<str>,
    in_dollars: bool,
    track: InstrumentTrack,
    drawn: DrawnDay,
}

impl Schedule {
    /// The market at `from_us`. Whatever the log has not told of the sessions yet goes to `due`.
    pub(super) fn at(
        market: Arc<Simulation>,
        board: &QuoteBoard,
        from_us: i64,
        due: &mut VecDeque<(i64, FeedRecord)>,
    ) -> Self {
        let venues: Vec<VenueDay> = Venue::ALL
            .into_iter()
            .filter_map(|venue| VenueDay::at(&market, venue, from_us))
            .collect();
        let told = board.venues();
        for venue in &venues {
            let wanted = (
                venue.session.trading_day(),
                wire_phase(phase(&venue.session, from_us)),
            );
            let known = told
                .iter()
                .find(|told| told.venue == i32::from(wire_venue(venue.venue)))
                .map(|told| (told.trading_day, told.state()));
            if known == Some(wanted) {
                continue;
            }
            // Just after what was given, so that nothing is told twice.
            let now_us = from_us + 1;
            if let Some((day, state)) = known
                && day != wanted.0
                && state != SessionState::Closed
            {
                let close = venue.change(Kind::Close, day, now_us);
                due.push_back((now_us, close));
            }
            let kind = match phase(&venue.session, from_us) {
                Phase::Open => Kind::Open,
                Phase::Auction => Kind::Auction,
                Phase::Closed => Kind::Close,
            };
            due.extend(venue.begin(kind, now_us).map(|record| (now_us, record)));
        }
        Self { market, venues }
    }

    pub(super) fn market(&self) -> &Simulation {
        &self.market
    }

    /// Everything that happens in the minute that begins at `start_us`, by time; sessions begin
    /// before the first trade and end after the last.
    pub(super) fn minute(&mut self, start_us: i64) -> Vec<(i64, FeedRecord)> {
        self.roll(start_us);
        let mut records = Vec::new();
        for venue in &self.venues {
            venue.changes(start_us, &mut records);
            venue.trades(&self.market, start_us, &mut records);
        }
        // Changes of a minute happen at its very beginning; the sort keeps their order.
        records.sort_by_key(|(time_us, _)| *time_us);
        records
    }

    /// Moves venues whose next session begins now on to it.
    fn roll(&mut self, now_us: i64) {
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
            // Nobody else holds the market once the feed has begun.
            if let Some(market) = Arc::get_mut(&mut self.market) {
                market.extend(until);
            }
        }
        for venue in self.venues.iter_mut().filter(|venue| begins(venue)) {
            venue.move_on(&self.market);
        }
    }
}

impl VenueDay {
    /// The session that `now_us` falls into or that was last before it.
    fn at(market: &Simulation, venue: Venue, now_us: i64) -> Option<Self> {
        let today = utc_date(now_us) + Days::new(1);
        let session = today
            .iter_days()
            .rev()
            .take(usize::try_from(LONGEST_CLOSURE_DAYS).unwrap_or(0))
            .filter_map(|day| market.session(venue, day))
            .find(|session| session.auction_from_us <= now_us)?;
        keep_minutes(market, &session);
        let specs = market.specs().iter();
        let instruments = specs
            .filter(|spec| spec.node.venue == venue)
            .filter_map(|spec| {
                let mut last = None;
                let track = market.walk(spec, session.day, |day| last = Some(day));
                let drawn = last?.draw(market.factors());
                Some(Listed {
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
            session,
        })
    }

    fn move_on(&mut self, market: &Simulation) {
        let Some(session) = self.next else { return };
        keep_minutes(market, &session);
        for listed in &mut self.instruments {
            let day = listed.track.advance(&session, market.factors());
            listed.drawn = day.draw(market.factors());
        }
        self.next = session_after(market, self.venue, session.day);
        self.session = session;
    }

    /// The changes of the session that happen at `now_us`, a whole minute.
    fn changes(&self, now_us: i64, records: &mut Vec<(i64, FeedRecord)>) {
        let session = &self.session;
        // The session before ends where this one begins when nothing sleeps.
        if now_us == session.auction_from_us
            && let Some(before) = session.day.pred_opt()
            && !session.overnight
        {
            let before = crate::model::session::yyyymmdd(before);
            records.push((now_us, self.change(Kind::Close, before, now_us)));
        }
        let auction = session.auction_from_us < session.open_us;
        if auction && now_us == session.auction_from_us {
            let begun = self.begin(Kind::Auction, now_us);
            records.extend(begun.map(|record| (now_us, record)));
        }
        if now_us == session.open_us {
            let begun = self.begin(Kind::Open, now_us);
            records.extend(begun.map(|record| (now_us, record)));
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

    /// The beginning of a day or of its trading, with bases and limits, and the halts in it.
    fn begin(&self, kind: Kind, now_us: i64) -> impl Iterator<Item = FeedRecord> {
        let day = self.session.trading_day();
        let mut begun = SessionChange {
            kind,
            venue: Some(self.venue),
            code: String::new(),
            trading_day: day,
            event_time_us: now_us,
            bases: Vec::new(),
            split: None,
        };
        begun.bases = self.instruments.iter().map(Listed::base).collect();
        let halted = self
            .instruments
            .iter()
            .filter(|listed| listed.drawn.day.halted);
        let halts = halted.map(move |listed| {
            FeedRecord::Session(SessionChange {
                kind: Kind::Halt,
                venue: Some(self.venue),
                code: listed.code.to_string(),
                trading_day: day,
                event_time_us: now_us,
                bases: Vec::new(),
                split: None,
            })
        });
        std::iter::once(FeedRecord::Session(begun)).chain(halts)
    }

    fn change(&self, kind: Kind, trading_day: i32, now_us: i64) -> FeedRecord {
        FeedRecord::Session(SessionChange {
            kind,
            venue: Some(self.venue),
            code: String::new(),
            trading_day,
            event_time_us: now_us,
            bases: Vec::new(),
            split: None,
        })
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

impl Listed {
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

fn phase(session: &Session, now_us: i64) -> Phase {
    if now_us < session.auction_from_us || now_us >= session.close_us {
        Phase::Closed
    } else if now_us < session.open_us || now_us >= session.end_us {
        Phase::Auction
    } else {
        Phase::Open
    }
}

fn session_after(market: &Simulation, venue: Venue, day: NaiveDate) -> Option<Session> {
    (1..=LONGEST_CLOSURE_DAYS)
        .filter_map(|step| day.checked_add_days(Days::new(step)))
        .find_map(|day| market.session(venue, day))
}

/// The factors' minutes of a session are asked for again and again while it lasts.
fn keep_minutes(market: &Simulation, session: &Session) {
    market
        .factors()
        .keep_minutes(session.open_us, session.close_us);
}

fn utc_date(time_us: i64) -> NaiveDate {
    DateTime::from_timestamp_micros(time_us)
        .unwrap_or_default()
        .date_naive()
}
