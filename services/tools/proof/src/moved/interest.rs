//! Interest and its tax, computed a second time from the terms alone.

use chrono::NaiveDate;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::acts::products::Plan;

const MONTHS_OF_PERCENT: Decimal = Decimal::from_parts(1_200, 0, 0, false, 0);
const DAYS_OF_PERCENT: Decimal = Decimal::from_parts(36_500, 0, 0, false, 0);

pub(super) struct Terms {
    pub(super) plan: Plan,
    pub(super) is_compound: bool,
    /// Percent a year.
    pub(super) rate: Decimal,
    pub(super) months: i32,
    pub(super) matures_on: NaiveDate,
}

pub(super) struct Payment {
    pub(super) number: i32,
    pub(super) won: i64,
    pub(super) paid_on: NaiveDate,
}

impl Terms {
    /// Gross at maturity, floored once; `None` if it cannot be computed.
    pub(super) fn interest(&self, payments: &[Payment]) -> Option<i64> {
        let mut sum = Decimal::ZERO;
        for payment in payments {
            let won = Decimal::from(payment.won);
            let months = match self.plan {
                Plan::Free => {
                    let days = (self.matures_on - payment.paid_on).num_days();
                    sum += won * self.rate * Decimal::from(days);
                    continue;
                }
                Plan::Deposit => self.months,
                Plan::Savings => self.months - payment.number,
            };
            sum += if self.is_compound {
                won * (self.growth(months)? - Decimal::ONE)
            } else {
                won * self.rate * Decimal::from(months)
            };
        }
        let exact = match (self.plan, self.is_compound) {
            (Plan::Free, _) => sum.checked_div(DAYS_OF_PERCENT)?,
            (_, true) => sum,
            (_, false) => sum.checked_div(MONTHS_OF_PERCENT)?,
        };
        exact.floor().to_i64()
    }

    /// What one won has become after so many months.
    fn growth(&self, months: i32) -> Option<Decimal> {
        let month = Decimal::ONE + self.rate.checked_div(MONTHS_OF_PERCENT)?;
        (0..months).try_fold(Decimal::ONE, |grown, _| grown.checked_mul(month))
    }
}

/// Gross of a day of a CMA.
pub(super) fn of_day(won: i64, rate: Decimal) -> Option<i64> {
    let exact = (Decimal::from(won) * rate).checked_div(DAYS_OF_PERCENT)?;
    exact.floor().to_i64()
}

/// On income and the local one, each cut to ten won.
pub(super) fn taxes(gross: i64) -> (i64, i64) {
    let income = gross * 14 / 1_000 * 10;
    (income, income / 100 * 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn terms(plan: Plan, is_compound: bool) -> Terms {
        Terms {
            plan,
            is_compound,
            rate: Decimal::new(36, 1),
            months: 12,
            matures_on: day("2027-11-27"),
        }
    }

    fn payments(count: i32, won: i64) -> Vec<Payment> {
        (0..count)
            .map(|number| Payment {
                number,
                won,
                paid_on: day("2026-11-27"),
            })
            .collect()
    }

    #[test]
    fn interest_follows_the_terms() {
        let deposit = payments(1, 1_000_000);
        assert_eq!(terms(Plan::Deposit, false).interest(&deposit), Some(36_000));
        assert_eq!(terms(Plan::Deposit, true).interest(&deposit), Some(36_599));
        // Seventy-eight months of a sum.
        let savings = payments(12, 100_000);
        assert_eq!(terms(Plan::Savings, false).interest(&savings), Some(23_400));
        assert_eq!(terms(Plan::Free, false).interest(&deposit), Some(36_000));
        assert_eq!(taxes(36_000), (5_040, 500));
        assert_eq!(of_day(1_000_000, Decimal::new(25, 1)), Some(68));
    }
}
