//! Events set by `MARKET_EVENTS`, in addition to those from the seed.

use std::collections::HashMap;
use std::str::FromStr;

use chrono::{NaiveDate, NaiveDateTime, TimeZone};
use kernel::clock::KST;
use rust_decimal::Decimal;

use crate::model::session::{MINUTE_US, SimulatedSession};

use super::{Dividend, Ratio, instant_us};

/// Configured events by code. Parsed from a list of `split CODE DAY NEW/OLD`, `dividend CODE EX_DAY
/// AMOUNT PAY_DAY`, `halt CODE TIME MINUTES` and `vi CODE TIME`, separated by semicolons; days are
/// `2026-11-24`, times `2026-11-24T10:00:00` in Korea.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfiguredEvents {
    splits: HashMap<(String, NaiveDate), Ratio>,
    dividends: HashMap<(String, NaiveDate), Dividend>,
    halts: Vec<(String, i64, i64)>,
    interruptions: Vec<(String, i64)>,
}

impl ConfiguredEvents {
    pub(super) fn split(&self, code: &str, day: NaiveDate) -> Option<Ratio> {
        self.splits.get(&(code.to_owned(), day)).copied()
    }

    pub(super) fn dividend(&self, code: &str, day: NaiveDate) -> Option<Dividend> {
        self.dividends.get(&(code.to_owned(), day)).cloned()
    }

    pub(super) fn halt(&self, code: &str, session: &SimulatedSession) -> Option<(i64, i64)> {
        let mut halts = self.halts.iter();
        let halt = halts.find(|(of, from_us, _)| of == code && is_in(session, *from_us))?;
        Some((halt.1, halt.2.min(session.end_us)))
    }

    pub(super) fn interruption(&self, code: &str, session: &SimulatedSession) -> Option<i64> {
        let mut interruptions = self.interruptions.iter();
        let found = interruptions.find(|(of, from_us)| of == code && is_in(session, *from_us))?;
        Some(found.1)
    }

    fn add(&mut self, words: &[&str]) -> Option<()> {
        match words {
            ["split", code, day, ratio] => {
                let (new, old) = ratio.split_once('/')?;
                let ratio: Ratio = (new.parse().ok()?, old.parse().ok()?);
                if ratio.0 <= 0 || ratio.1 <= 0 {
                    return None;
                }
                let key = ((*code).to_owned(), day.parse().ok()?);
                self.splits.insert(key, ratio);
            }
            ["dividend", code, ex_day, amount, pay_day] => {
                let ex_day: NaiveDate = ex_day.parse().ok()?;
                let amount: Decimal = amount.parse().ok()?;
                if amount <= Decimal::ZERO {
                    return None;
                }
                let dividend = Dividend {
                    ex_day,
                    record_day: ex_day,
                    pay_day: pay_day.parse().ok()?,
                    amount,
                };
                self.dividends
                    .insert(((*code).to_owned(), ex_day), dividend);
            }
            ["halt", code, from, minutes] => {
                let from_us = korean_us(from)?;
                let minutes: i64 = minutes.parse().ok()?;
                let until_us = from_us.checked_add(minutes.checked_mul(MINUTE_US)?)?;
                self.halts.push(((*code).to_owned(), from_us, until_us));
            }
            ["vi", code, from] => {
                let from_us = korean_us(from)?;
                self.interruptions.push(((*code).to_owned(), from_us));
            }
            _ => return None,
        }
        Some(())
    }
}

impl FromStr for ConfiguredEvents {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut configured = Self::default();
        for one in text.split(';').filter(|one| !one.trim().is_empty()) {
            let words: Vec<&str> = one.split_whitespace().collect();
            configured
                .add(&words)
                .ok_or_else(|| format!("'{}' is no event", one.trim()))?;
        }
        Ok(configured)
    }
}

fn is_in(session: &SimulatedSession, time_us: i64) -> bool {
    session.open_us <= time_us && time_us < session.end_us
}

fn korean_us(text: &str) -> Option<i64> {
    let local: NaiveDateTime = text.parse().ok()?;
    let instant = KST.from_local_datetime(&local).single()?;
    Some(instant_us(instant.to_utc()))
}
