//! Market hours: sessions, auctions, holidays and trading days.
//!
//! Hours and closures are data ([`Calendar::embedded`], or another text of the same format). A year
//! with listed closures must be complete; in other years only weekends are closed. Days are in the
//! venue's time zone: Seoul for Korean venues and coins, New York for US shares, so a US session
//! that crosses Korean midnight is one day.

mod practice;
mod table;

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc, Weekday};
use chrono_tz::Tz;
use kernel::MarketCode;
use serde::{Deserialize, Serialize};

pub use practice::{practice_day, practice_hours};
pub use table::CalendarError;

use table::{SessionRow, SpecialDay};

/// Instruments with the same hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Venue {
    /// KOSPI, KOSDAQ and ETFs.
    Krx,
    Us,
    /// Coins, open all day.
    Coin,
    /// Gold on the Korea Exchange and world commodities.
    Gold,
}

impl Venue {
    pub const ALL: [Self; 4] = [Self::Krx, Self::Us, Self::Coin, Self::Gold];

    /// The name in tables and messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Krx => "KRX",
            Self::Us => "US",
            Self::Coin => "COIN",
            Self::Gold => "GOLD",
        }
    }

    /// `None` for an unknown name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|venue| venue.as_str() == text)
    }

    /// The venue of a market.
    #[must_use]
    pub fn of_market(market: MarketCode) -> Self {
        match market {
            MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf => Self::Krx,
            MarketCode::Global => Self::Us,
            MarketCode::Coin => Self::Coin,
            MarketCode::Gold => Self::Gold,
        }
    }

    /// The time zone of the trading day.
    #[must_use]
    pub fn time_zone(self) -> Tz {
        match self {
            Self::Krx | Self::Coin | Self::Gold => kernel::clock::KST,
            Self::Us => kernel::clock::NEW_YORK,
        }
    }
}

/// The phase of a venue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Orders wait for the next session.
    Closed,
    /// Call auction before the open or before the close.
    Auction,
    /// Continuous trading.
    Open,
}

/// The session of a venue on a trading day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TradingHours {
    /// In the venue's time zone.
    pub trading_day: NaiveDate,
    /// Start of the opening auction; equal to `open` where there is none.
    pub auction_from: DateTime<Utc>,
    /// Start of continuous trading.
    pub open: DateTime<Utc>,
    /// Start of the closing auction; equal to `close` where there is none.
    pub closing_auction_from: DateTime<Utc>,
    pub close: DateTime<Utc>,
}

/// Sessions and closures of all venues.
#[derive(Clone, Debug)]
pub struct Calendar {
    sessions: Vec<SessionRow>,
    special: BTreeMap<(Venue, NaiveDate), SpecialDay>,
}

/// Days that a calendar should cover in advance.
pub const CALENDAR_MARGIN_DAYS: i64 = 60;

impl Calendar {
    /// The embedded calendar.
    ///
    /// # Errors
    /// [`CalendarError`] with file and line; excluded by a test.
    pub fn embedded() -> Result<Self, CalendarError> {
        table::embedded()
    }

    /// Parses texts in the format of the files in `data/`.
    ///
    /// # Errors
    /// [`CalendarError`] with file and line.
    pub fn parse(sessions_csv: &str, special_days_csv: &str) -> Result<Self, CalendarError> {
        table::parse(sessions_csv, special_days_csv)
    }

    /// `None` when the venue is closed all day.
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

    /// The end of the last year with listed closures.
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

    /// The venues whose calendar ends within [`CALENDAR_MARGIN_DAYS`] of `today`, with the
    /// remaining days (negative after the end). Processes log a warning for them.
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

    fn session(&self, venue: Venue, day: NaiveDate) -> Option<&SessionRow> {
        let rows = || self.sessions.iter().filter(|row| row.venue == venue);
        let in_force = rows().filter(|row| row.effective_from <= day);
        let first = || rows().min_by_key(|row| row.effective_from);
        in_force.max_by_key(|row| row.effective_from).or_else(first)
    }
}

/// Converts a local time. No session starts in the hour that daylight saving skips.
fn local(zone: Tz, day: NaiveDate, time: NaiveTime) -> Option<DateTime<Utc>> {
    let instant = zone.from_local_datetime(&day.and_time(time)).earliest()?;
    Some(instant.with_timezone(&Utc))
}

fn minutes(count: u32) -> TimeDelta {
    TimeDelta::minutes(i64::from(count))
}
