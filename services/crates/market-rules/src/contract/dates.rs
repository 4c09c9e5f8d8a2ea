//! When the payments of a contract are due, and when it matures.

use chrono::{Datelike, Days, Months, NaiveDate};

use super::{Agreement, Plan};

/// Whole calendar months from one day to another; 0 if the other is not later.
#[must_use]
pub fn months_between(from: NaiveDate, to: NaiveDate) -> u32 {
    let years = to.year() - from.year();
    let of_year = |day: NaiveDate| i32::try_from(day.month0()).unwrap_or(0);
    let most = years * 12 + of_year(to) - of_year(from);
    let Ok(most) = u32::try_from(most) else {
        return 0;
    };
    if after_months(from, most) <= to {
        most
    } else {
        most.saturating_sub(1)
    }
}

/// The day so many months later; the last of its month where that is shorter.
fn after_months(day: NaiveDate, months: u32) -> NaiveDate {
    day.checked_add_months(Months::new(months))
        .unwrap_or(NaiveDate::MAX)
}

/// The first day with this number on or after `from`; the last of a month that is shorter.
fn on_or_after(from: NaiveDate, number: u32) -> NaiveDate {
    let in_month = |first: NaiveDate| {
        let exact = first.with_day(number);
        let last = after_months(first, 1).pred_opt();
        exact.or(last).unwrap_or(first)
    };
    let first = from.with_day(1).unwrap_or(from);
    let found = in_month(first);
    if found >= from {
        found
    } else {
        in_month(after_months(first, 1))
    }
}

impl Agreement {
    /// The day after so many months of the contract.
    #[must_use]
    pub fn anniversary(&self, months: u32) -> NaiveDate {
        after_months(self.opened_on, months)
    }

    #[must_use]
    pub fn matures_on(&self) -> NaiveDate {
        self.anniversary(self.months)
    }

    /// Whole months of the contract that have passed, at most its term.
    #[must_use]
    pub fn months_elapsed(&self, today: NaiveDate) -> u32 {
        months_between(self.opened_on, today).min(self.months)
    }

    /// Payments of the term that have a due day.
    #[must_use]
    pub fn payments(&self) -> u32 {
        match self.plan {
            Plan::Deposit | Plan::Free => 1,
            Plan::Savings { .. } => self.months,
        }
    }

    /// The day on which a payment is due; `None` if the contract has no such payment. Always before
    /// the anniversary after the payment's own: months of different lengths could otherwise make two
    /// payments due on one day, or the last one at maturity.
    #[must_use]
    pub fn due_on(&self, number: u32) -> Option<NaiveDate> {
        if number >= self.payments() {
            return None;
        }
        let Plan::Savings { transfer_day } = self.plan else {
            return Some(self.opened_on);
        };
        if number == 0 {
            return Some(self.opened_on);
        }
        let latest = self
            .anniversary(number.saturating_add(1))
            .checked_sub_days(Days::new(1))?;
        Some(on_or_after(self.anniversary(number), transfer_day).min(latest))
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;
    use crate::interest::Compounding;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn savings(opened_on: &str, months: u32, transfer_day: u32) -> Agreement {
        Agreement {
            plan: Plan::Savings { transfer_day },
            compounding: Compounding::Simple,
            base_percent: Decimal::ONE,
            percent: Decimal::ONE,
            opened_on: day(opened_on),
            months,
        }
    }

    #[test]
    fn the_31st_falls_on_the_end_of_a_month_and_comes_back() {
        let contract = savings("2026-01-31", 12, 31);
        let anniversaries = (0..5).map(|month| contract.anniversary(month).to_string());
        let expected = [
            "2026-01-31",
            "2026-02-28",
            "2026-03-31",
            "2026-04-30",
            "2026-05-31",
        ];
        assert_eq!(anniversaries.collect::<Vec<_>>(), expected);
        assert_eq!(contract.due_on(1), Some(day("2026-02-28")));
        assert_eq!(contract.due_on(2), Some(day("2026-03-31")));
        assert_eq!(contract.due_on(12), None);
        assert_eq!(contract.matures_on(), day("2027-01-31"));
    }

    #[test]
    fn months_are_whole_calendar_months() {
        for (from, to, months) in [
            ("2026-01-31", "2026-02-27", 0),
            ("2026-01-31", "2026-02-28", 1),
            ("2026-01-31", "2026-03-30", 1),
            ("2026-01-31", "2026-03-31", 2),
            ("2024-02-29", "2025-02-28", 12),
            ("2026-11-25", "2026-11-25", 0),
            ("2026-11-25", "2026-12-24", 0),
            ("2026-11-25", "2027-11-25", 12),
            ("2026-11-25", "2026-11-24", 0),
            ("2026-11-25", "2020-01-01", 0),
        ] {
            assert_eq!(months_between(day(from), day(to)), months, "{from} {to}");
        }
    }

    #[test]
    fn a_payment_is_due_on_the_transfer_day_after_its_anniversary() {
        let contract = savings("2026-11-25", 3, 10);
        assert_eq!(contract.due_on(0), Some(day("2026-11-25")));
        assert_eq!(contract.due_on(1), Some(day("2027-01-10")));
        assert_eq!(contract.due_on(2), Some(day("2027-02-10")));
        assert_eq!(contract.matures_on(), day("2027-02-25"));
    }

    #[test]
    fn due_days_rise_and_end_before_maturity() {
        for opened in [
            "2026-01-28",
            "2026-01-29",
            "2026-01-30",
            "2026-01-31",
            "2024-02-29",
        ] {
            for transfer_day in 1..=31 {
                let contract = savings(opened, 25, transfer_day);
                let due: Vec<NaiveDate> = (0..25).filter_map(|k| contract.due_on(k)).collect();
                assert_eq!(due.len(), 25);
                assert!(
                    due.is_sorted_by(|one, next| one < next),
                    "{opened} {transfer_day}"
                );
                assert!(due.iter().all(|day| *day < contract.matures_on()));
                for (number, due) in (0_u32..).zip(&due) {
                    assert!(contract.anniversary(number) <= *due);
                }
            }
        }
    }
}
