//! Trading days by the clock of the market: those of the exchanges, or the days of a calendar in Korea.

use chrono::{DateTime, Days, NaiveDate, Utc};
use kernel::MarketCode;
use kernel::clock::{KST, NEW_YORK};

use super::{MarketCache, MarketClock};
use crate::domain::day::date_of;
use crate::tick_log::Venue;

/// Days in which every market opens a few times.
const LONGEST_CLOSURE: usize = 30;

impl MarketCache {
    /// The earliest current trading day of all venues; 0 before any is known.
    #[must_use]
    pub fn oldest_day(&self) -> i32 {
        let state = self.state.read();
        let days = state.venues.values().map(|(_, day)| *day);
        days.min().unwrap_or_default()
    }

    /// The expected end of DAY orders of a trading day.
    #[must_use]
    pub fn day_end(&self, market: MarketCode, trading_day: i32) -> Option<DateTime<Utc>> {
        let state = self.state.read();
        let day = date_of(trading_day);
        match (state.clock, &state.calendar) {
            (MarketClock::Exchange, Some(calendar)) => {
                let venue = Venue::of_market(market);
                calendar.hours(venue, day).map(|hours| hours.close)
            }
            (MarketClock::Exchange, None) | (MarketClock::AllDay, _) => {
                let midnight = day.checked_add_days(Days::new(1))?.and_hms_opt(0, 0, 0)?;
                let end = midnight.and_local_timezone(KST).single()?;
                Some(end.with_timezone(&Utc))
            }
        }
    }

    /// `count` trading days later. Every calendar day is one, unless the clock is the exchange's.
    #[must_use]
    pub fn later_day(&self, market: MarketCode, trading_day: i32, count: u32) -> NaiveDate {
        let state = self.state.read();
        let day = date_of(trading_day);
        let later = day.checked_add_days(Days::new(count.into()));
        let (MarketClock::Exchange, Some(calendar)) = (state.clock, &state.calendar) else {
            return later.unwrap_or(day);
        };
        let venue = Venue::of_market(market);
        let following = day.iter_days().skip(1).take(LONGEST_CLOSURE);
        let mut open = following.filter(|day| calendar.hours(venue, *day).is_some());
        match count.checked_sub(1) {
            None => day,
            Some(before) => {
                let before = usize::try_from(before).unwrap_or(0);
                open.nth(before).or(later).unwrap_or(day)
            }
        }
    }

    /// The date of an instant in a market's trading-day calendar.
    #[must_use]
    pub fn date_at(&self, market: MarketCode, instant: DateTime<Utc>) -> NaiveDate {
        match (self.state.read().clock, Venue::of_market(market)) {
            (MarketClock::Exchange, Venue::Us) => instant.with_timezone(&NEW_YORK).date_naive(),
            (MarketClock::Exchange, Venue::Krx | Venue::Coin | Venue::Gold)
            | (MarketClock::AllDay, _) => instant.with_timezone(&KST).date_naive(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trading_days_are_those_of_the_exchange_where_there_are_sessions() {
        let market_cache = MarketCache::default();
        let instant = "2026-11-24T15:30:00Z".parse().unwrap();
        let dates = || {
            [MarketCode::Kospi, MarketCode::Global]
                .map(|market| market_cache.date_at(market, instant).to_string())
        };
        assert_eq!(dates(), ["2026-11-25", "2026-11-25"]);
        market_cache.set_clock(MarketClock::Exchange);
        assert_eq!(dates(), ["2026-11-25", "2026-11-24"]);
    }

    #[test]
    fn later_days_leave_out_those_on_which_the_exchange_is_closed() {
        let market_cache = MarketCache::default();
        let later = |market, day, count| market_cache.later_day(market, day, count).to_string();
        assert_eq!(later(MarketCode::Kospi, 20_261_120, 2), "2026-11-22");
        market_cache.set_clock(MarketClock::Exchange);
        // From a Friday.
        assert_eq!(later(MarketCode::Kospi, 20_261_120, 0), "2026-11-20");
        assert_eq!(later(MarketCode::Kospi, 20_261_120, 2), "2026-11-24");
        assert_eq!(later(MarketCode::Global, 20_261_120, 1), "2026-11-23");
        // Thanksgiving, a Thursday.
        assert_eq!(later(MarketCode::Global, 20_261_125, 1), "2026-11-27");
        // Christmas and the last day of the year, on which the exchange in Seoul is closed.
        assert_eq!(later(MarketCode::Etf, 20_261_224, 1), "2026-12-28");
    }
}
