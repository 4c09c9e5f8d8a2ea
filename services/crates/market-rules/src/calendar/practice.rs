//! The practice clock: every market is open all day, and a Korean calendar day is a trading day.

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, TimeZone, Utc};
use kernel::clock::KST;

use super::TradingHours;

/// The trading day at an instant, the same for every venue.
#[must_use]
pub fn practice_day(instant: DateTime<Utc>) -> NaiveDate {
    instant.with_timezone(&KST).date_naive()
}

/// From midnight to midnight in Korea, without auctions. Day orders expire at its `close`.
#[must_use]
pub fn practice_hours(day: NaiveDate) -> TradingHours {
    let midnight = day.and_time(NaiveTime::MIN);
    // Korea has no daylight saving, so midnight is unambiguous.
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
