//! Interest of a contract for each way in which it can end.

use chrono::NaiveDate;
use kernel::Won;
use kernel::money::MoneyError;
use rust_decimal::Decimal;

use super::dates::months_between;
use super::{Agreement, Paid, Plan};
use crate::interest::{Compounding, InterestTax, interest, interest_by_days};

/// Percent a year in the first month.
pub const FIRST_MONTH: Decimal = Decimal::from_parts(1, 0, 0, false, 1);
/// Least percent a year from the first and from the third month on.
pub const LEAST_FROM_FIRST: Decimal = Decimal::from_parts(5, 0, 0, false, 1);
pub const LEAST_FROM_THIRD: Decimal = Decimal::ONE;
/// Part of the base rate that a close before maturity has in proportion to its months.
pub const EARLY_SHARE: Decimal = Decimal::from_parts(5, 0, 0, false, 1);
/// Parts of the base rate for what is kept after maturity: in the first month, and until the third.
pub const KEPT_FIRST_MONTH: Decimal = Decimal::from_parts(5, 0, 0, false, 1);
pub const KEPT_UNTIL_THIRD: Decimal = Decimal::from_parts(3, 0, 0, false, 1);
/// Percent a year of what is kept for longer.
pub const KEPT_LATER: Decimal = Decimal::from_parts(5, 0, 0, false, 1);
/// Decimals of a rate that is shown.
const SHOWN_DECIMALS: u32 = 6;

/// What a contract pays out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Earnings {
    /// Percent a year, six decimals; the contract's own for a maturity.
    pub percent: Decimal,
    /// Paid in.
    pub principal: Won,
    /// Before tax.
    pub interest: Won,
    pub tax: InterestTax,
}

impl Earnings {
    fn new(percent: Decimal, principal: Won, interest: Won) -> Result<Self, MoneyError> {
        Ok(Self {
            percent: percent.round_dp(SHOWN_DECIMALS),
            principal,
            interest,
            tax: InterestTax::on(interest)?,
        })
    }

    /// Interest after tax.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn net(&self) -> Result<Won, MoneyError> {
        self.interest.checked_sub(self.tax.total()?)
    }

    /// Principal and interest after tax.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn payout(&self) -> Result<Won, MoneyError> {
        self.principal.checked_add(self.net()?)
    }
}

impl Agreement {
    /// At maturity. Payment k of a savings plan counts the months after its anniversary, on whatever
    /// day it was made.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn at_maturity(&self, payments: &[Paid]) -> Result<Earnings, MoneyError> {
        let interest = self.interest_by_month(payments, self.months)?;
        Earnings::new(self.percent, principal(payments)?, interest)
    }

    /// Interest at the agreed rate after so many months, of the payments that belong to them.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn interest_by_month(&self, payments: &[Paid], month: u32) -> Result<Won, MoneyError> {
        match self.plan {
            Plan::Deposit | Plan::Savings { .. } => {
                let months = |paid: &Paid| (paid.amount, month.saturating_sub(paid.number));
                interest(self.compounding, self.percent, payments.iter().map(months))
            }
            Plan::Free => by_days(self.percent, payments, self.anniversary(month)),
        }
    }

    /// When the contract is closed on a day before maturity: simple interest at a lower rate, without
    /// preference.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn on_early_close(
        &self,
        payments: &[Paid],
        day: NaiveDate,
    ) -> Result<Earnings, MoneyError> {
        let elapsed = self.months_elapsed(day);
        let percent = self.early_percent(elapsed).ok_or(MoneyError::OutOfRange)?;
        let interest = match self.plan {
            Plan::Deposit | Plan::Savings { .. } => {
                let months = |paid: &Paid| (paid.amount, months_between(paid.on, day).min(elapsed));
                interest(Compounding::Simple, percent, payments.iter().map(months))?
            }
            Plan::Free => by_days(percent, payments, day)?,
        };
        Earnings::new(percent, principal(payments)?, interest)
    }

    /// Interest of the principal since maturity, for a contract that was kept. The rate of its newest
    /// span is the rate that is shown.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn after_maturity(&self, principal: Won, day: NaiveDate) -> Result<Earnings, MoneyError> {
        let matured = self.matures_on();
        let first = self.anniversary(self.months.saturating_add(1));
        let third = self.anniversary(self.months.saturating_add(3));
        let spans = [
            (matured, first, self.base_percent * KEPT_FIRST_MONTH),
            (first, third, self.base_percent * KEPT_UNTIL_THIRD),
            (third, NaiveDate::MAX, KEPT_LATER),
        ];
        let mut percent_days = Decimal::ZERO;
        let mut shown = Decimal::ZERO;
        for (from, to, percent) in spans {
            if day >= from {
                shown = percent.min(self.base_percent);
                percent_days += shown * Decimal::from(days_between(from, day.min(to)));
            }
        }
        let interest = interest_by_days(percent_days, [(principal, 1)])?;
        Earnings::new(shown, principal, interest)
    }

    /// Percent a year of a close after so many whole months; `None` on overflow.
    fn early_percent(&self, elapsed: u32) -> Option<Decimal> {
        let part = self
            .base_percent
            .checked_mul(EARLY_SHARE)?
            .checked_mul(Decimal::from(elapsed))?
            .checked_div(Decimal::from(self.months))?;
        let percent = match elapsed {
            0 => FIRST_MONTH,
            1 | 2 => part.max(LEAST_FROM_FIRST),
            3.. => part.max(LEAST_FROM_THIRD),
        };
        Some(percent.min(self.base_percent))
    }
}

/// Interest of a CMA for one day, of its balance at the day's end.
///
/// # Errors
/// [`MoneyError::OutOfRange`] on overflow.
pub fn cma_interest(balance: Won, annual_percent: Decimal) -> Result<Earnings, MoneyError> {
    let interest = interest_by_days(annual_percent, [(balance, 1)])?;
    Earnings::new(annual_percent, balance, interest)
}

fn principal(payments: &[Paid]) -> Result<Won, MoneyError> {
    Won::checked_sum(payments.iter().map(|paid| paid.amount))
}

fn by_days(percent: Decimal, payments: &[Paid], day: NaiveDate) -> Result<Won, MoneyError> {
    let days = |paid: &Paid| (paid.amount, days_between(paid.on, day));
    interest_by_days(percent, payments.iter().map(days))
}

/// 0 if the other day is not later.
fn days_between(from: NaiveDate, to: NaiveDate) -> u32 {
    let days = to.signed_duration_since(from).num_days();
    u32::try_from(days.max(0)).unwrap_or(u32::MAX)
}
