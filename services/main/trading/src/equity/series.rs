//! Days of several accounts as one series, and what it returned.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use kernel::AccountId;
use rust_decimal::Decimal;
use sea_orm::FromQueryResult;

/// Decimals that are kept of a growth, so that years of days stay exact to the shown ones.
const GROWTH_DECIMALS: u32 = 18;

/// An account at the end of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromQueryResult)]
pub struct AccountDay {
    pub account_id: AccountId,
    pub day: NaiveDate,
    pub equity: i64,
    pub base: i64,
}

/// All accounts at the end of a day, or now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EquityDay {
    pub day: NaiveDate,
    pub equity: i64,
    /// Won put in from outside, less items.
    pub base: i64,
    /// By how much the base changed on the day.
    pub flow: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// Every day, oldest first.
    pub days: Vec<EquityDay>,
    /// Percent, time-weighted; `None` without two days.
    pub return_rate: Option<Decimal>,
    /// The largest fall from a high in percent; `None` without two days.
    pub drawdown_rate: Option<Decimal>,
}

impl Series {
    /// `rows` are in the order of their days; an account counts as it was last until its next row.
    /// Days before `from` are only what the first one is compared with: the last of them is kept. Days
    /// after `closed` are not known yet. The series ends with `end` of the day `to`, if there is one.
    #[must_use]
    pub fn of(
        rows: &[AccountDay],
        (from, to, closed): (Option<NaiveDate>, NaiveDate, NaiveDate),
        end: Option<(i64, i64)>,
    ) -> Self {
        let mut days = Vec::new();
        let mut accounts: BTreeMap<AccountId, (i64, i64)> = BTreeMap::new();
        let (before, rows) = rows.split_at(rows.partition_point(|row| Some(row.day) < from));
        accounts.extend(
            before
                .iter()
                .map(|row| (row.account_id, (row.equity, row.base))),
        );
        let mut base = 0;
        if let Some(day) = from.and_then(|from| from.pred_opt())
            && !accounts.is_empty()
        {
            let start = total(&accounts, day, None);
            base = start.base;
            days.push(start);
        }
        let first = match days.first() {
            Some(start) => start.day.succ_opt(),
            None => rows.first().map(|row| row.day),
        };
        let mut rows = rows.iter().peekable();
        let known = first.into_iter().flat_map(|day| day.iter_days());
        for day in known.take_while(|day| *day < to && *day <= closed) {
            while let Some(row) = rows.next_if(|row| row.day <= day) {
                accounts.insert(row.account_id, (row.equity, row.base));
            }
            let one = total(&accounts, day, Some(base));
            base = one.base;
            days.push(one);
        }
        days.extend(end.map(|(equity, end)| EquityDay {
            day: to,
            equity,
            base: end,
            flow: end - base,
        }));
        let (return_rate, drawdown_rate) = rates(&days).unzip();
        Self {
            days,
            return_rate,
            drawdown_rate,
        }
    }
}

/// `before` is the base of the day before; `None` where the flow of the day is of no matter.
fn total(
    accounts: &BTreeMap<AccountId, (i64, i64)>,
    day: NaiveDate,
    before: Option<i64>,
) -> EquityDay {
    let equity = accounts.values().map(|(equity, _)| equity).sum();
    let base: i64 = accounts.values().map(|(_, base)| base).sum();
    EquityDay {
        day,
        equity,
        base,
        flow: before.map_or(0, |before| base - before),
    }
}

/// Time-weighted return, and the largest fall of what an initial won would have become; in percent.
fn rates(days: &[EquityDay]) -> Option<(Decimal, Decimal)> {
    let (first, later) = days.split_first()?;
    if later.is_empty() {
        return None;
    }
    // The day on which the first money came also has its gain.
    let mut growth = daily_growth(0, first).unwrap_or(Decimal::ONE);
    let mut high = growth.max(Decimal::ONE);
    let mut fall = Decimal::ZERO;
    let mut before = first;
    for day in std::iter::once(first).chain(later) {
        if day.day > before.day {
            let daily = daily_growth(before.equity, day).unwrap_or(Decimal::ONE);
            growth = growth.checked_mul(daily)?.round_dp(GROWTH_DECIMALS);
        }
        high = high.max(growth);
        fall = fall.max(Decimal::ONE - growth.checked_div(high)?);
        before = day;
    }
    let percent = |part: Decimal| (part * Decimal::ONE_HUNDRED).round_dp(4);
    Some((percent(growth - Decimal::ONE), percent(fall)))
}

/// What a won became on the day. Money that came in counts from its morning, and money that was taken
/// out until its evening. `None` when there was none to begin with.
fn daily_growth(before: i64, day: &EquityDay) -> Option<Decimal> {
    let began_with = before.checked_add(day.flow.max(0)).filter(|won| *won > 0)?;
    let ended_with = day.equity.checked_sub(day.flow.min(0))?;
    Decimal::from(ended_with).checked_div(Decimal::from(began_with))
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, number).unwrap()
    }

    fn row(account: i64, number: u32, equity: i64, base: i64) -> AccountDay {
        AccountDay {
            account_id: AccountId(account),
            day: day(number),
            equity,
            base,
        }
    }

    fn figures(series: &Series) -> Vec<(NaiveDate, i64, i64, i64)> {
        let days = series.days.iter();
        days.map(|one| (one.day, one.equity, one.base, one.flow))
            .collect()
    }

    #[test]
    fn money_that_comes_in_is_no_return() {
        let rows = [
            row(1, 2, 1_000, 1_000),
            row(1, 3, 1_100, 1_000),
            row(1, 4, 2_200, 2_000),
        ];
        let series = Series::of(&rows, (None, day(5), day(4)), Some((2_310, 2_000)));
        assert_eq!(
            figures(&series),
            [
                (day(2), 1_000, 1_000, 1_000),
                (day(3), 1_100, 1_000, 0),
                (day(4), 2_200, 2_000, 1_000),
                (day(5), 2_310, 2_000, 0),
            ]
        );
        // 10 %, 100 more of 2,100, and 5 %.
        assert_eq!(series.return_rate, Some(dec!(21.0000)));
        assert_eq!(series.drawdown_rate, Some(dec!(0)));
    }

    #[test]
    fn a_transfer_between_accounts_changes_nothing() {
        let rows = [
            row(1, 2, 1_000, 1_000),
            row(1, 3, 600, 600),
            row(2, 3, 400, 400),
            row(2, 4, 500, 400),
        ];
        let series = Series::of(&rows, (None, day(5), day(4)), None);
        let totals = [
            (day(2), 1_000, 1_000, 1_000),
            (day(3), 1_000, 1_000, 0),
            (day(4), 1_100, 1_000, 0),
        ];
        assert_eq!(figures(&series), totals);
        assert_eq!(series.return_rate, Some(dec!(10)));
    }

    #[test]
    fn a_window_begins_with_the_day_before_it_and_a_day_without_a_row_is_as_the_one_before() {
        let rows = [
            row(1, 1, 1_000, 1_000),
            row(1, 3, 2_000, 1_000),
            row(1, 6, 1_500, 1_000),
        ];
        let series = Series::of(&rows, (Some(day(5)), day(7), day(6)), Some((1_800, 1_100)));
        let shown = [
            (day(4), 2_000, 1_000, 0),
            (day(5), 2_000, 1_000, 0),
            (day(6), 1_500, 1_000, 0),
            (day(7), 1_800, 1_100, 100),
        ];
        assert_eq!(figures(&series), shown);
        // 2,000 to 1,500, then 1,600 to 1,800.
        assert_eq!(series.return_rate, Some(dec!(-15.6250)));
        assert_eq!(series.drawdown_rate, Some(dec!(25)));
    }

    #[test]
    fn the_gain_of_the_first_day_counts_and_one_day_has_no_return() {
        let first = [row(1, 2, 900, 1_000)];
        let series = Series::of(&first, (None, day(3), day(2)), Some((900, 1_000)));
        assert_eq!(series.return_rate, Some(dec!(-10)));
        assert_eq!(series.drawdown_rate, Some(dec!(10)));
        let today = Series::of(&[], (None, day(3), day(2)), Some((900, 1_000)));
        assert_eq!(figures(&today), [(day(3), 900, 1_000, 1_000)]);
        assert_eq!(today.return_rate, None);
        assert_eq!(
            Series::of(&[], (None, day(3), day(2)), None),
            Series::default()
        );
    }

    #[test]
    fn money_that_is_taken_out_is_no_loss() {
        // It fell by a hundredth, and everything was moved away.
        let rows = [row(1, 2, 1_000_000, 1_000_000), row(1, 3, 0, 10_000)];
        let series = Series::of(&rows, (None, day(4), day(3)), None);
        assert_eq!(series.return_rate, Some(dec!(-1)));
    }

    #[test]
    fn a_day_that_is_not_closed_is_left_out() {
        let rows = [row(1, 2, 1_000, 1_000), row(1, 3, 1_100, 1_000)];
        let series = Series::of(&rows, (None, day(6), day(4)), Some((1_210, 1_000)));
        let days: Vec<NaiveDate> = series.days.iter().map(|one| one.day).collect();
        assert_eq!(days, [day(2), day(3), day(4), day(6)]);
        assert_eq!(series.return_rate, Some(dec!(21)));
    }

    #[test]
    fn an_account_that_was_emptied_returns_nothing_until_money_comes() {
        let rows = [
            row(1, 2, 1_000, 1_000),
            row(1, 3, 0, 0),
            row(1, 4, 500, 500),
        ];
        let series = Series::of(&rows, (None, day(5), day(4)), Some((550, 500)));
        assert_eq!(series.return_rate, Some(dec!(10)));
    }
}
