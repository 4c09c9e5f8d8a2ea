//! When markets are open: sessions, auctions, holidays, and the day a trade counts for.
//!
//! Hours and closures are data ([`Calendar::embedded`] carries the project's own, and another text
//! of the same format may replace it). A year that has closures listed is listed whole; outside
//! the listed years only weekends are closed. Days are the venue's own: Seoul's for Korean venues
//! and coins, New York's for US shares, so a US session that passes Korean midnight is one day.

mod practice;
mod table;

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc, Weekday};
use chrono_tz::Tz;
use kernel::MarketCode;

pub use practice::{practice_day, practice_hours};
pub use table::CalendarError;

use table::{SessionRow, SpecialDay};

/// A group of instruments with the same hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Venue {
    /// KOSPI, KOSDAQ and ETFs.
    Krx,
    /// US shares.
    Us,
    /// Coins, which never close.
    Coin,
    /// Gold on the Korea Exchange and the world commodities shown beside it.
    Gold,
}

impl Venue {
    /// Every venue.
    pub const ALL: [Self; 4] = [Self::Krx, Self::Us, Self::Coin, Self::Gold];

    /// The spelling in tables and messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Krx => "KRX",
            Self::Us => "US",
            Self::Coin => "COIN",
            Self::Gold => "GOLD",
        }
    }

    /// Reads the spelling; `None` when it is not one of the list.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|venue| venue.as_str() == text)
    }

    /// Where instruments of a market trade.
    #[must_use]
    pub fn of_market(market: MarketCode) -> Self {
        match market {
            MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf => Self::Krx,
            MarketCode::Global => Self::Us,
            MarketCode::Coin => Self::Coin,
            MarketCode::Gold => Self::Gold,
        }
    }

    /// The zone whose date is the trading day.
    #[must_use]
    pub fn time_zone(self) -> Tz {
        match self {
            Self::Krx | Self::Coin | Self::Gold => kernel::clock::KST,
            Self::Us => kernel::clock::NEW_YORK,
        }
    }
}

/// What a venue does at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Orders wait for the next session.
    Closed,
    /// Orders gather for one price: before the open or before the close.
    Auction,
    /// Continuous trading.
    Open,
}

/// The session of one venue on one trading day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TradingHours {
    /// The day that trades count for, in the venue's own zone.
    pub trading_day: NaiveDate,
    /// When the opening auction begins; equal to `open` where there is none.
    pub auction_from: DateTime<Utc>,
    /// First instant of continuous trading.
    pub open: DateTime<Utc>,
    /// When the closing auction begins; equal to `close` where there is none.
    pub closing_auction_from: DateTime<Utc>,
    /// First instant after the session.
    pub close: DateTime<Utc>,
}

impl TradingHours {
    /// What happens at `instant` as far as this day's session tells.
    #[must_use]
    pub fn phase_at(&self, instant: DateTime<Utc>) -> Phase {
        if instant < self.auction_from || instant >= self.close {
            Phase::Closed
        } else if instant < self.open || instant >= self.closing_auction_from {
            Phase::Auction
        } else {
            Phase::Open
        }
    }

    /// The instants at which the phase changes, ascending, with the phase that begins.
    #[must_use]
    pub fn changes(&self) -> Vec<(DateTime<Utc>, Phase)> {
        let mut changes = Vec::with_capacity(4);
        if self.auction_from < self.open {
            changes.push((self.auction_from, Phase::Auction));
        }
        changes.push((self.open, Phase::Open));
        if self.closing_auction_from < self.close {
            changes.push((self.closing_auction_from, Phase::Auction));
        }
        changes.push((self.close, Phase::Closed));
        changes
    }
}

/// Phase and trading day of a venue at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VenueState {
    /// What the venue does.
    pub phase: Phase,
    /// The day whose session is running, or the last one whose session has begun.
    pub trading_day: NaiveDate,
}

/// Sessions and closures of every venue.
#[derive(Clone, Debug)]
pub struct Calendar {
    sessions: Vec<SessionRow>,
    special: BTreeMap<(Venue, NaiveDate), SpecialDay>,
}

/// How many days a calendar should reach ahead; with fewer left it is time for the next year's.
pub const CALENDAR_MARGIN_DAYS: i64 = 60;

/// No search for a trading day looks further than this: the longest real closure is 12 days.
const LONGEST_CLOSURE_DAYS: u64 = 30;

impl Calendar {
    /// The project's own calendar.
    ///
    /// # Errors
    /// [`CalendarError`] names the file and line that cannot be read; a test excludes it.
    pub fn embedded() -> Result<Self, CalendarError> {
        table::embedded()
    }

    /// Reads a calendar from texts in the format of the files under `data/`.
    ///
    /// # Errors
    /// [`CalendarError`] names the file and line that cannot be read.
    pub fn parse(sessions_csv: &str, special_days_csv: &str) -> Result<Self, CalendarError> {
        table::parse(sessions_csv, special_days_csv)
    }

    /// The session of a day, or `None` when the venue is closed all day.
    #[must_use]
    pub fn hours(&self, venue: Venue, day: NaiveDate) -> Option<TradingHours> {
        let session = self.session(venue, day)?;
        let special = self.special.get(&(venue, day));
        let closures = self.special.get(&(session.closed_with, day));
        if special.or(closures).is_some_and(SpecialDay::is_closed) {
            return None;
        }
        if session.weekdays_only && matches!(day.weekday(), Weekday::Sat | Weekday::Sun) {
            return None;
        }
        let (open, close) = match special {
            Some(SpecialDay::Hours { open, close }) => (*open, Some(*close)),
            Some(SpecialDay::Closed) | None => (session.open, session.close),
        };
        let zone = venue.time_zone();
        let open = local(zone, day, open)?;
        let close = match close {
            Some(close) => local(zone, day, close)?,
            None => local(zone, day.succ_opt()?, NaiveTime::MIN)?,
        };
        Some(TradingHours {
            trading_day: day,
            auction_from: open - session.opening_auction,
            open,
            closing_auction_from: close - session.closing_auction,
            close,
        })
    }

    /// Whether the venue opens on a day.
    #[must_use]
    pub fn is_trading_day(&self, venue: Venue, day: NaiveDate) -> bool {
        self.hours(venue, day).is_some()
    }

    /// The first trading day after `day`.
    #[must_use]
    pub fn next_trading_day(&self, venue: Venue, day: NaiveDate) -> NaiveDate {
        self.first_trading_day(
            venue,
            (1..=LONGEST_CLOSURE_DAYS).map(|step| day + Days::new(step)),
        )
        .unwrap_or(day + Days::new(1))
    }

    /// The last trading day before `day`.
    #[must_use]
    pub fn previous_trading_day(&self, venue: Venue, day: NaiveDate) -> NaiveDate {
        self.first_trading_day(
            venue,
            (1..=LONGEST_CLOSURE_DAYS).map(|step| day - Days::new(step)),
        )
        .unwrap_or(day - Days::new(1))
    }

    /// The last `count` trading days before `day`, oldest first.
    #[must_use]
    pub fn trading_days_before(
        &self,
        venue: Venue,
        day: NaiveDate,
        count: usize,
    ) -> Vec<NaiveDate> {
        let earlier = std::iter::successors(Some(self.previous_trading_day(venue, day)), |day| {
            Some(self.previous_trading_day(venue, *day))
        });
        let mut days: Vec<NaiveDate> = earlier.take(count).collect();
        days.reverse();
        days
    }

    /// Phase and trading day at an instant.
    #[must_use]
    pub fn state_at(&self, venue: Venue, instant: DateTime<Utc>) -> VenueState {
        let today = instant.with_timezone(&venue.time_zone()).date_naive();
        match self.hours(venue, today) {
            Some(hours) if instant >= hours.auction_from => VenueState {
                phase: hours.phase_at(instant),
                trading_day: today,
            },
            Some(_) | None => VenueState {
                phase: Phase::Closed,
                trading_day: self.previous_trading_day(venue, today),
            },
        }
    }

    /// Phase at an instant.
    #[must_use]
    pub fn phase_at(&self, venue: Venue, instant: DateTime<Utc>) -> Phase {
        self.state_at(venue, instant).phase
    }

    /// The next instant after `instant` at which the phase or the trading day changes, with what
    /// holds from then on.
    #[must_use]
    pub fn next_change(
        &self,
        venue: Venue,
        instant: DateTime<Utc>,
    ) -> Option<(DateTime<Utc>, VenueState)> {
        let today = instant.with_timezone(&venue.time_zone()).date_naive();
        let days =
            (0..=LONGEST_CLOSURE_DAYS).filter_map(|step| today.checked_add_days(Days::new(step)));
        let changes = days
            .filter_map(|day| self.hours(venue, day))
            .flat_map(|hours| hours.changes());
        let (at, _) = changes.into_iter().find(|(at, _)| *at > instant)?;
        Some((at, self.state_at(venue, at)))
    }

    /// The last day the venue's closures are known for: the end of the last listed year.
    #[must_use]
    pub fn covered_until(&self, venue: Venue) -> Option<NaiveDate> {
        let closed_with = self
            .sessions
            .iter()
            .find(|row| row.venue == venue)?
            .closed_with;
        let listed = self.special.keys().filter(|(of, _)| *of == closed_with);
        let year = listed.map(|(_, day)| day.year()).max()?;
        NaiveDate::from_ymd_opt(year, 12, 31)
    }

    /// The venues whose calendar ends within [`CALENDAR_MARGIN_DAYS`] of `today`, with the days
    /// that are left (negative when it has ended). Whoever runs on this calendar warns of them.
    #[must_use]
    pub fn running_out(&self, today: NaiveDate) -> Vec<(Venue, i64)> {
        let with_closures = Venue::ALL.into_iter().filter_map(|venue| {
            let left = (self.covered_until(venue)? - today).num_days();
            Some((venue, left))
        });
        with_closures
            .filter(|(_, left)| *left < CALENDAR_MARGIN_DAYS)
            .collect()
    }

    fn first_trading_day(
        &self,
        venue: Venue,
        mut days: impl Iterator<Item = NaiveDate>,
    ) -> Option<NaiveDate> {
        days.find(|day| self.is_trading_day(venue, *day))
    }

    fn session(&self, venue: Venue, day: NaiveDate) -> Option<&SessionRow> {
        let rows = || self.sessions.iter().filter(|row| row.venue == venue);
        let in_force = rows().filter(|row| row.effective_from <= day);
        let first = || rows().min_by_key(|row| row.effective_from);
        in_force.max_by_key(|row| row.effective_from).or_else(first)
    }
}

/// A local time as an instant. Sessions never begin inside the hour that daylight saving skips.
fn local(zone: Tz, day: NaiveDate, time: NaiveTime) -> Option<DateTime<Utc>> {
    let instant = zone.from_local_datetime(&day.and_time(time)).earliest()?;
    Some(instant.with_timezone(&Utc))
}

/// Minutes as a span of time.
fn minutes(count: u32) -> TimeDelta {
    TimeDelta::minutes(i64::from(count))
}
