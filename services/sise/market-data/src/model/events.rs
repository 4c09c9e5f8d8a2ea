//! Corporate actions and halts, drawn from the seed by name and day, so an installation always has
//! the same ones. Settings can add more.

mod configured;

use std::sync::Arc;

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, Utc};
use kernel::{Currency, MarketCode};
use rust_decimal::{Decimal, RoundingStrategy};

use crate::catalogue::Instrument;

use super::factors::Factors;
use super::noise::Key;
use super::session::{MINUTE_US, SimulatedSession};

pub use configured::ConfiguredEvents;

/// Mean number of trading days between splits while a price is far from its usual range.
const DAYS_BETWEEN_SPLITS: f64 = 1_500.0;
/// No split within this many days before an ex-day, so an announced amount stays valid.
const SPLIT_FREE_DAYS_BEFORE_EX: u64 = 45;
/// Mean number of trading days between news halts of a domestic share.
const DAYS_BETWEEN_HALTS: f64 = 2_000.0;
const HALT_MINUTES: usize = 30;
/// Upper bound of consecutive days without a session.
const MAX_CLOSURE_DAYS: usize = 15;

const SPLIT: u64 = 0;
const HALT: u64 = 1;
const HALT_MINUTE: u64 = 2;
const PAYS: u64 = 10;
const QUARTERLY: u64 = 11;
const YIELD: u64 = 12;
const DAY_OF_MONTH: u64 = 13;
const MONTH: u64 = 14;

/// New shares and old shares.
pub type Ratio = (i64, i64);

#[derive(Clone, Debug, PartialEq)]
pub struct Dividend {
    /// First trading day without the dividend.
    pub ex_day: NaiveDate,
    pub record_day: NaiveDate,
    pub pay_day: NaiveDate,
    /// Per share, in the instrument's currency.
    pub amount: Decimal,
}

#[derive(Clone, Debug)]
pub struct Events {
    key: Key,
    instrument: Arc<Instrument>,
    configured: Arc<ConfiguredEvents>,
}

impl Events {
    #[must_use]
    pub fn new(
        seed: &[u8],
        instrument: &Arc<Instrument>,
        configured: &Arc<ConfiguredEvents>,
    ) -> Self {
        Self {
            key: Key::of(seed, &format!("events of {}", instrument.code)),
            instrument: Arc::clone(instrument),
            configured: Arc::clone(configured),
        }
    }

    /// The split before `day`, if any. `price` is the previous close.
    #[must_use]
    pub fn split(&self, day: NaiveDate, price: Decimal, factors: &Factors) -> Option<Ratio> {
        if let Some(ratio) = self.configured.split(&self.instrument.code, day) {
            return Some(ratio);
        }
        let ratio = self.plausible_ratio(price)?;
        let drawn = self.key.on(day).uniform(SPLIT) * DAYS_BETWEEN_SPLITS < 1.0;
        let until = day.checked_add_days(Days::new(SPLIT_FREE_DAYS_BEFORE_EX))?;
        let quiet = || self.dividends(day, until, Decimal::ONE, factors).is_empty();
        (drawn && quiet()).then_some(ratio)
    }

    fn plausible_ratio(&self, price: Decimal) -> Option<Ratio> {
        let steps: [(u32, Ratio); 3] = match self.instrument.market {
            MarketCode::Kospi | MarketCode::Kosdaq => {
                [(1_000_000, (10, 1)), (300_000, (5, 1)), (700, (1, 10))]
            }
            MarketCode::Global => [(1_000, (10, 1)), (400, (4, 1)), (2, (1, 10))],
            MarketCode::Etf | MarketCode::Coin | MarketCode::Gold => return None,
        };
        let [(dearest, most), (dear, some), (cheap, joined)] = steps;
        if price >= Decimal::from(dearest) {
            Some(most)
        } else if price >= Decimal::from(dear) {
            Some(some)
        } else {
            (price < Decimal::from(cheap)).then_some(joined)
        }
    }

    /// Dividends with `from <= ex_day <= until`, oldest first. `shares` is today's shares per share
    /// in the seed.
    #[must_use]
    pub fn dividends(
        &self,
        from: NaiveDate,
        until: NaiveDate,
        shares: Decimal,
        factors: &Factors,
    ) -> Vec<Dividend> {
        let days = from.iter_days().take_while(|day| *day <= until);
        days.filter_map(|day| self.dividend(day, shares, factors))
            .collect()
    }

    /// The dividend with this ex-day.
    #[must_use]
    pub fn dividend(&self, day: NaiveDate, shares: Decimal, factors: &Factors) -> Option<Dividend> {
        if let Some(configured) = self.configured.dividend(&self.instrument.code, day) {
            return Some(configured);
        }
        let chance = match self.instrument.market {
            MarketCode::Kospi => 0.75,
            MarketCode::Kosdaq => 0.40,
            MarketCode::Global => 0.65,
            MarketCode::Etf | MarketCode::Coin | MarketCode::Gold => return None,
        };
        if self.key.uniform(PAYS) >= chance {
            return None;
        }
        let is_foreign = self.instrument.market == MarketCode::Global;
        let quarterly = is_foreign || self.key.uniform(QUARTERLY) < 0.35;
        let (record_day, pay_after_days) = if is_foreign {
            (self.foreign_record_day(day, factors)?, 21)
        } else {
            let after_days = if quarterly { 45 } else { 105 };
            (
                self.domestic_record_day(day, quarterly, factors)?,
                after_days,
            )
        };
        let payments = if quarterly { 4 } else { 1 };
        let pay_from = record_day.checked_add_days(Days::new(pay_after_days))?;
        Some(Dividend {
            ex_day: day,
            record_day,
            pay_day: self.first_session_day(pay_from, factors)?,
            amount: self.amount(payments, shares)?,
        })
    }

    /// Settlement takes one day in New York, so the record day is the ex-day.
    fn foreign_record_day(&self, day: NaiveDate, factors: &Factors) -> Option<NaiveDate> {
        let first_month = (self.key.uniform(MONTH) * 3.0) as u32;
        if day.month0() % 3 != first_month {
            return None;
        }
        let wanted = 1 + (self.key.uniform(DAY_OF_MONTH) * 25.0) as u32;
        let wanted = day.with_day(wanted)?;
        (self.first_session_day(wanted, factors)? == day).then_some(day)
    }

    /// The record day is the last trading day of a quarter or year. Settlement takes two days, so
    /// the ex-day is the trading day before it.
    fn domestic_record_day(
        &self,
        day: NaiveDate,
        quarterly: bool,
        factors: &Factors,
    ) -> Option<NaiveDate> {
        let pays = if quarterly {
            day.month().is_multiple_of(3)
        } else {
            day.month() == 12
        };
        if !pays || day.day() < 20 {
            return None;
        }
        let next_month = day.with_day(1)?.checked_add_months(Months::new(1))?;
        let venue = self.instrument.venue();
        let mut last = next_month.pred_opt()?.iter_days().rev().filter(|day| {
            let session = factors.session(venue, *day);
            session.is_some()
        });
        let record_day = last.next()?;
        (last.next()? == day).then_some(record_day)
    }

    fn first_session_day(&self, from: NaiveDate, factors: &Factors) -> Option<NaiveDate> {
        let venue = self.instrument.venue();
        let mut days = from.iter_days().take(MAX_CLOSURE_DAYS);
        days.find(|day| factors.session(venue, *day).is_some())
    }

    /// A yield of 0.5 % to 4.5 % of the seed's price a year.
    fn amount(&self, payments: i64, shares: Decimal) -> Option<Decimal> {
        let ten_thousandths = 50 + (self.key.uniform(YIELD) * 400.0) as i64;
        let exact = self.instrument.base_price.0 * Decimal::new(ten_thousandths, 4)
            / Decimal::from(payments);
        let exact = exact.checked_div(shares)?;
        let (decimals, least) = match self.instrument.currency {
            Currency::Krw => (0, Decimal::ONE),
            Currency::Usd => (2, Decimal::new(1, 2)),
        };
        let rounded = exact.round_dp_with_strategy(decimals, RoundingStrategy::ToZero);
        Some(rounded.max(least))
    }

    /// Start and end of the day's halt.
    #[must_use]
    pub fn halt(&self, session: &SimulatedSession) -> Option<(i64, i64)> {
        if let Some(configured) = self.configured.halt(&self.instrument.code, session) {
            return Some(configured);
        }
        match self.instrument.market {
            MarketCode::Kospi | MarketCode::Kosdaq => {}
            MarketCode::Global | MarketCode::Etf | MarketCode::Coin | MarketCode::Gold => {
                return None;
            }
        }
        let key = self.key.on(session.day);
        let room = session.minutes().checked_sub(3 * HALT_MINUTES)?;
        if key.uniform(HALT) * DAYS_BETWEEN_HALTS >= 1.0 {
            return None;
        }
        let minute = HALT_MINUTES + (key.uniform(HALT_MINUTE) * room as f64) as usize;
        let from_us = session.minute_start_us(minute);
        Some((from_us, from_us + HALT_MINUTES as i64 * MINUTE_US))
    }

    /// Start of a configured interruption.
    #[must_use]
    pub fn interruption(&self, session: &SimulatedSession) -> Option<i64> {
        self.configured.interruption(&self.instrument.code, session)
    }
}

fn instant_us(instant: DateTime<Utc>) -> i64 {
    instant.timestamp_micros()
}

#[cfg(test)]
mod tests;
