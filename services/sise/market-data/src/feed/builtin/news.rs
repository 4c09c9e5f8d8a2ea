//! Session records of single instruments: splits before a day, pauses within it, and announced
//! dividends.

use chrono::{Days, NaiveDate};
use market_rules::Venue;
use market_rules::volatility;
use proto::convert::decimal;
use proto::market::v1::{Dividend, Interruption, session_record::Kind};

use crate::feed::{FeedRecord, SessionChange};
use crate::model::factors::Factors;
use crate::model::pause::{Pause, PauseKind};
use crate::model::session::yyyymmdd;
use crate::model::{InstrumentDay, InstrumentSpec};

/// Days between the announcement and the ex-day.
pub(super) const ANNOUNCEMENT_DAYS: u64 = 30;

/// A session record of a whole venue, or of one `code` in it.
pub(super) fn change(
    kind: Kind,
    venue: Venue,
    code: &str,
    trading_day: i32,
    now_us: i64,
) -> SessionChange {
    SessionChange {
        kind,
        venue: Some(venue),
        code: code.to_owned(),
        trading_day,
        event_time_us: now_us,
        ..SessionChange::default()
    }
}

/// The split before a day, if any.
pub(super) fn split(day: &InstrumentDay, now_us: i64) -> Option<FeedRecord> {
    let ratio = day.split?;
    let (venue, code) = (day.spec.node.venue, &day.spec.instrument.code);
    let trading_day = day.path.session.trading_day();
    Some(FeedRecord::Session(SessionChange {
        split: Some(ratio),
        ..change(Kind::Split, venue, code, trading_day, now_us)
    }))
}

pub(super) fn pause_begins(day: &InstrumentDay, pause: &Pause, now_us: i64) -> FeedRecord {
    let (kind, interruption) = match pause.kind {
        PauseKind::Halt => (Kind::Halt, Interruption::Unspecified),
        PauseKind::Interruption(volatility::Interruption::Static) => {
            (Kind::Auction, Interruption::Static)
        }
        PauseKind::Interruption(volatility::Interruption::Dynamic) => {
            (Kind::Auction, Interruption::Dynamic)
        }
    };
    FeedRecord::Session(SessionChange {
        interruption,
        ..of_code(kind, day, now_us)
    })
}

pub(super) fn pause_ends(day: &InstrumentDay, pause: &Pause, now_us: i64) -> FeedRecord {
    let kind = match pause.kind {
        PauseKind::Halt => Kind::Resume,
        PauseKind::Interruption(_) => Kind::Open,
    };
    FeedRecord::Session(of_code(kind, day, now_us))
}

pub(super) fn of_code(kind: Kind, day: &InstrumentDay, now_us: i64) -> SessionChange {
    let (venue, code) = (day.spec.node.venue, &day.spec.instrument.code);
    change(kind, venue, code, day.path.session.trading_day(), now_us)
}

/// The dividends announced after `announced_until` and up to this day.
pub(super) fn dividends(
    day: &InstrumentDay,
    announced_until: NaiveDate,
    factors: &Factors,
    now_us: i64,
) -> Vec<FeedRecord> {
    let today = day.path.session.day;
    let announced_ex_day = |day: NaiveDate| day.checked_add_days(Days::new(ANNOUNCEMENT_DAYS));
    let (Some(from), Some(until)) = (
        announced_ex_day(announced_until).and_then(|day| day.succ_opt()),
        announced_ex_day(today),
    ) else {
        return Vec::new();
    };
    let spec = &day.spec;
    let found = spec.events.dividends(from, until, day.shares, factors);
    let records = found.into_iter().map(|dividend| {
        FeedRecord::Session(SessionChange {
            dividend: Some(wire_dividend(spec, &dividend)),
            ..of_code(Kind::Dividend, day, now_us)
        })
    });
    records.collect()
}

fn wire_dividend(spec: &InstrumentSpec, dividend: &crate::model::events::Dividend) -> Dividend {
    Dividend {
        code: spec.instrument.code.clone(),
        ex_day: yyyymmdd(dividend.ex_day),
        record_day: yyyymmdd(dividend.record_day),
        pay_day: yyyymmdd(dividend.pay_day),
        amount: Some(decimal(dividend.amount)),
        currency: proto::common::v1::Currency::from(spec.instrument.currency).into(),
        dividend_id: 0,
    }
}
