//! Reads the CSV files of sessions and special days; venues without a session and days listed twice are
//! errors.

use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use serde::Deserialize;

use super::{Calendar, Venue, minutes};

const SESSIONS_FILE: &str = "sessions.csv";
const SPECIAL_DAYS_FILE: &str = "special_days.csv";

/// Regular hours of a venue from a date on.
#[derive(Clone, Debug)]
pub(super) struct SessionRow {
    pub(super) venue: Venue,
    pub(super) effective_from: NaiveDate,
    /// The venue whose closures apply.
    pub(super) closed_with: Venue,
    pub(super) weekdays_only: bool,
    pub(super) open: NaiveTime,
    /// `None` = midnight at the end of the day.
    pub(super) close: Option<NaiveTime>,
    pub(super) opening_auction: TimeDelta,
    pub(super) closing_auction: TimeDelta,
}

/// A day with other hours, or closed.
#[derive(Clone, Debug)]
pub(super) enum SpecialDay {
    Closed,
    Hours { open: NaiveTime, close: NaiveTime },
}

impl SpecialDay {
    pub(super) fn is_closed(&self) -> bool {
        match self {
            Self::Closed => true,
            Self::Hours { .. } => false,
        }
    }
}

/// An invalid row of a calendar file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {fault}")]
pub struct CalendarError {
    pub file: &'static str,
    /// From 1.
    pub line: u64,
    pub fault: String,
}

#[derive(Deserialize)]
struct SessionRecord {
    venue: String,
    effective_from: NaiveDate,
    closed_with: String,
    weekdays_only: bool,
    open: String,
    close: String,
    opening_auction_minutes: u32,
    closing_auction_minutes: u32,
}

#[derive(Deserialize)]
struct SpecialRecord {
    venue: String,
    day: NaiveDate,
    kind: String,
    open: String,
    close: String,
}

pub(super) fn embedded() -> Result<Calendar, CalendarError> {
    parse(
        include_str!("../../data/sessions.csv"),
        include_str!("../../data/special_days.csv"),
    )
}

pub(super) fn parse(sessions: &str, special_days: &str) -> Result<Calendar, CalendarError> {
    let sessions = rows(SESSIONS_FILE, sessions, session_row)?;
    for venue in Venue::ALL {
        if !sessions.iter().any(|row: &SessionRow| row.venue == venue) {
            return Err(fault(
                SESSIONS_FILE,
                1,
                format!("venue {} is missing", venue.as_str()),
            ));
        }
    }
    let mut special = BTreeMap::new();
    let mut line = 1;
    for (venue, day, kind) in rows(SPECIAL_DAYS_FILE, special_days, special_row)? {
        line += 1;
        if special.insert((venue, day), kind).is_some() {
            let twice = format!("{} {day} is listed twice", venue.as_str());
            return Err(fault(SPECIAL_DAYS_FILE, line, twice));
        }
    }
    Ok(Calendar { sessions, special })
}

fn rows<Record: for<'de> Deserialize<'de>, Row>(
    file: &'static str,
    text: &str,
    read: impl Fn(Record) -> Result<Row, String>,
) -> Result<Vec<Row>, CalendarError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for (line, record) in (2..).zip(reader.deserialize()) {
        let row = record.map_err(|error: csv::Error| error.to_string());
        rows.push(
            row.and_then(&read)
                .map_err(|text| fault(file, line, text))?,
        );
    }
    Ok(rows)
}

fn session_row(record: SessionRecord) -> Result<SessionRow, String> {
    Ok(SessionRow {
        venue: venue(&record.venue)?,
        effective_from: record.effective_from,
        closed_with: venue(&record.closed_with)?,
        weekdays_only: record.weekdays_only,
        open: time(&record.open)?,
        close: match record.close.as_str() {
            "24:00" => None,
            text => Some(time(text)?),
        },
        opening_auction: minutes(record.opening_auction_minutes),
        closing_auction: minutes(record.closing_auction_minutes),
    })
}

fn special_row(record: SpecialRecord) -> Result<(Venue, NaiveDate, SpecialDay), String> {
    let kind = match record.kind.as_str() {
        "CLOSED" => SpecialDay::Closed,
        "LATE_OPEN" | "EARLY_CLOSE" | "SHIFTED" => {
            let (open, close) = (time(&record.open)?, time(&record.close)?);
            if open >= close {
                return Err(format!("{open} is not before {close}"));
            }
            SpecialDay::Hours { open, close }
        }
        other => return Err(format!("unknown kind {other:?}")),
    };
    Ok((venue(&record.venue)?, record.day, kind))
}

fn venue(text: &str) -> Result<Venue, String> {
    Venue::parse(text).ok_or_else(|| format!("unknown venue {text:?}"))
}

fn time(text: &str) -> Result<NaiveTime, String> {
    NaiveTime::parse_from_str(text, "%H:%M").map_err(|error| format!("{text:?}: {error}"))
}

fn fault(file: &'static str, line: u64, fault: String) -> CalendarError {
    CalendarError { file, line, fault }
}
