//! The practice clock: every market is open all day and a Korean calendar day is a trading day.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use kernel::clock::KST;

use super::TradingHours;

/// The trading day of every venue at an instant.
#[must_use]
pub fn practice_day(instant: DateTime<Utc>) -> NaiveDate {
    instant.with_timezone(&KST).date_naive()
}

/// The session of a practice day: from midnight to midnight in Korea, without auctions. Orders
/// for the day expire at its `close`.
#[must_use]
pub fn practice_hours(day: NaiveDate) -> TradingHours {
    let midnight = day.and_time(NaiveTime::MIN);
    // Korea has no daylight saving, so midnight exists once on every day of these times.
    let open = KST
        .from_local_datetime(&midnight)
        .earliest()
        .map_or(midnight.and_utc(), |instant| instant.with_timezone(&Utc));
    let close = open + TimeDelta::days(1);
    TradingHours {
        trading_day: day,
        auction_from: open,
        open,
        closing_auction_from: close,
        close,
    }
}
