//! Contracts compared with tables that were computed by themselves, and their properties.

use chrono::{Days, NaiveDate};
use kernel::Won;
use market_rules::contract::{Agreement, Earnings, Paid, Plan, cma_interest, months_between};
use market_rules::interest::{Compounding, InterestTax};
use proptest::prelude::*;
use rust_decimal::Decimal;
use rust_decimal_macros::dec;
use serde::Deserialize;

const FIXED: &str = include_str!("../data/contracts.csv");
const BY_DAYS: &str = include_str!("../data/free.csv");

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FixedRow {
    kind: String,
    interest_type: String,
    amount: i64,
    base_rate_percent: Decimal,
    term_months: u32,
    close: String,
    months_elapsed: u32,
    applied_rate_percent: Decimal,
    #[serde(flatten)]
    sums: SumsRow,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DaysRow {
    kind: String,
    base_rate_percent: Decimal,
    days: u64,
    #[serde(rename = "payments(amount@day)")]
    payments: String,
    #[serde(flatten)]
    sums: SumsRow,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct SumsRow {
    paid_in: i64,
    gross_interest: i64,
    income_tax: i64,
    local_tax: i64,
    payout: i64,
}

impl SumsRow {
    fn of(earnings: &Earnings) -> Self {
        Self {
            paid_in: earnings.principal.0,
            gross_interest: earnings.interest.0,
            income_tax: earnings.tax.income.0,
            local_tax: earnings.tax.local.0,
            payout: earnings.payout().unwrap().0,
        }
    }
}

fn rows<R: for<'a> Deserialize<'a>>(table: &str) -> Vec<R> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    reader.deserialize().map(|row| row.unwrap()).collect()
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn after(from: NaiveDate, days: u64) -> NaiveDate {
    from.checked_add_days(Days::new(days)).unwrap()
}

fn contract(plan: Plan, percent: Decimal, months: u32) -> Agreement {
    Agreement {
        plan,
        compounding: Compounding::Simple,
        base_percent: percent,
        percent,
        opened_on: day("2026-01-01"),
        months,
    }
}

/// All payments until a number of months have passed, each on its anniversary.
fn paid_on_time(contract: &Agreement, amount: Won, elapsed: u32) -> Vec<Paid> {
    let made = match contract.plan {
        Plan::Deposit => 1,
        Plan::Savings { .. } | Plan::Free => (elapsed + 1).min(contract.months),
    };
    let payment = |number| Paid {
        number,
        amount,
        on: contract.anniversary(number),
    };
    (0..made).map(payment).collect()
}

#[test]
fn deposits_and_savings_pay_what_the_table_says() {
    let table: Vec<FixedRow> = rows(FIXED);
    assert_eq!(table.len(), 120);
    for row in table {
        let plan = match row.kind.as_str() {
            "DEPOSIT" => Plan::Deposit,
            "SAVE" => Plan::Savings { transfer_day: 1 },
            other => panic!("kind {other}"),
        };
        let mut contract = contract(plan, row.base_rate_percent, row.term_months);
        if row.interest_type == "02" {
            contract.compounding = Compounding::Monthly;
        }
        let payments = paid_on_time(&contract, Won(row.amount), row.months_elapsed);
        let earned = match row.close.as_str() {
            "MATURITY" => contract.at_maturity(&payments).unwrap(),
            "EARLY" => {
                let closed = contract.anniversary(row.months_elapsed);
                contract.on_early_close(&payments, closed).unwrap()
            }
            other => panic!("close {other}"),
        };
        assert_eq!(SumsRow::of(&earned), row.sums, "{row:?}");
        assert_eq!(earned.percent, row.applied_rate_percent, "{row:?}");
    }
}

#[test]
fn free_plans_and_kept_contracts_pay_by_days_what_the_table_says() {
    let table: Vec<DaysRow> = rows(BY_DAYS);
    assert_eq!(table.len(), 60);
    for row in table {
        let earned = match row.kind.as_str() {
            "FREE" => free_by_days(&row),
            "KEEP" => {
                let mut kept = contract(Plan::Deposit, row.base_rate_percent, 12);
                kept.opened_on = day("2025-07-01");
                let principal = Won(row.sums.paid_in);
                let closed = after(day("2026-07-01"), row.days);
                kept.after_maturity(principal, closed).unwrap()
            }
            other => panic!("kind {other}"),
        };
        assert_eq!(SumsRow::of(&earned), row.sums, "{row:?}");
    }
}

/// A contract of so many days that they are not whole months: it opens as long before the first of a
/// month.
fn free_by_days(row: &DaysRow) -> Earnings {
    let contract = contract(Plan::Free, row.base_rate_percent, 1);
    let opened = contract.matures_on().checked_sub_days(Days::new(row.days));
    let opened = opened.unwrap();
    let payment = |(number, text): (usize, &str)| {
        let (amount, day) = text.split_once('@').unwrap();
        Paid {
            number: u32::try_from(number).unwrap(),
            amount: Won(amount.parse().unwrap()),
            on: after(opened, day.parse().unwrap()),
        }
    };
    let payments: Vec<Paid> = row.payments.split(';').enumerate().map(payment).collect();
    contract.at_maturity(&payments).unwrap()
}

#[test]
fn a_payment_that_was_late_counts_from_its_month_only_at_maturity() {
    let contract = contract(Plan::Savings { transfer_day: 1 }, dec!(12), 12);
    let paid = |number, on: &str| Paid {
        number,
        amount: Won(100_000),
        on: day(on),
    };
    // Payment 1 is two weeks late, payment 2 was missed.
    let payments = [
        paid(0, "2026-01-01"),
        paid(1, "2026-02-15"),
        paid(3, "2026-04-01"),
    ];
    let matured = contract.at_maturity(&payments).unwrap();
    assert_eq!(matured.interest, Won(1_000 * (12 + 11 + 9)));
    // Four months later: 4, 2 and 1 whole months at 12 % / 2 × 4/12.
    let closed = contract
        .on_early_close(&payments, day("2026-05-10"))
        .unwrap();
    assert_eq!(closed.percent, dec!(2));
    assert_eq!(closed.interest, Won(100_000 * 2 * (4 + 2 + 1) / 1_200));
}

#[test]
fn a_preference_is_lost_before_maturity_and_after_it() {
    let mut contract = contract(Plan::Deposit, dec!(3), 12);
    contract.percent = dec!(4);
    let payments = paid_on_time(&contract, Won(1_200_000), 0);
    assert_eq!(
        contract.at_maturity(&payments).unwrap().interest,
        Won(48_000)
    );
    let early = contract
        .on_early_close(&payments, day("2026-12-31"))
        .unwrap();
    assert_eq!((early.percent, early.interest), (dec!(1.375), Won(15_125)));
    let kept = contract
        .after_maturity(Won(1_200_000), day("2027-01-11"))
        .unwrap();
    assert_eq!((kept.percent, kept.interest), (dec!(1.5), Won(493)));
}

#[test]
fn a_cma_earns_every_day() {
    let earned = cma_interest(Won(10_000_000), dec!(2.5)).unwrap();
    assert_eq!(earned.interest, Won(684));
    assert_eq!((earned.tax.income, earned.tax.local), (Won(90), Won(0)));
    assert_eq!(cma_interest(Won(0), dec!(2.5)).unwrap().interest, Won(0));
}

#[test]
fn what_does_not_fit_is_an_error() {
    let contract = contract(Plan::Savings { transfer_day: 31 }, dec!(1000), 600);
    let payments = paid_on_time(&contract, Won(i64::MAX), 600);
    contract.at_maturity(&payments).unwrap_err();
    let closed = contract.anniversary(599);
    contract.on_early_close(&payments, closed).unwrap_err();
}

fn any_contract() -> impl Strategy<Value = Agreement> {
    (
        0_u32..3,
        1_u32..32,
        any::<bool>(),
        0_i64..200_000,
        0_i64..20_000,
        1_u32..37,
        0_u64..2_000,
    )
        .prop_map(|(plan, transfer_day, simple, base, more, months, opened)| {
            let plan = match plan {
                0 => Plan::Deposit,
                1 => Plan::Savings { transfer_day },
                _ => Plan::Free,
            };
            Agreement {
                plan,
                compounding: if simple || plan == Plan::Free {
                    Compounding::Simple
                } else {
                    Compounding::Monthly
                },
                base_percent: Decimal::new(base, 4),
                percent: Decimal::new(base + more, 4),
                opened_on: after(day("2024-01-01"), opened),
                months,
            }
        })
}

/// The payments that were made by a day; a bit of `missed` skips one.
fn payments(contract: &Agreement, amount: Won, missed: u64, by: NaiveDate) -> Vec<Paid> {
    let times = match contract.plan {
        Plan::Deposit => 1,
        Plan::Savings { .. } | Plan::Free => contract.months,
    };
    (0..times)
        .filter(|number| *number == 0 || missed & (1 << number) == 0)
        .map(|number| Paid {
            number,
            amount,
            on: contract
                .due_on(number)
                .unwrap_or(contract.anniversary(number)),
        })
        .filter(|paid| paid.on <= by)
        .collect()
}

proptest! {
    #[test]
    fn an_early_close_never_earns_more_than_maturity_and_no_month_earns_less_than_the_one_before(
        contract in any_contract(), amount in 1_i64..100_000_000, missed in any::<u64>(), days in 0_u64..40,
    ) {
        let mut before = Won(0);
        for month in 0..contract.months {
            let closed = after(contract.anniversary(month), days)
                .min(contract.matures_on().pred_opt().unwrap());
            let made = payments(&contract, Won(amount), missed, closed);
            let early = contract.on_early_close(&made, closed).unwrap();
            prop_assert!(early.interest >= before, "month {month}");
            prop_assert!(early.percent <= contract.base_percent);
            prop_assert!(early.interest <= contract.at_maturity(&made).unwrap().interest);
            before = early.interest;
        }
        let all = payments(&contract, Won(amount), missed, contract.matures_on());
        prop_assert!(contract.at_maturity(&all).unwrap().interest >= before);
    }

    #[test]
    fn two_halves_earn_less_than_two_won_more_than_the_whole(
        contract in any_contract(), one in 1_i64..50_000_000, other in 1_i64..50_000_000,
        month in 0_u32..36, kept in 0_u64..1_000,
    ) {
        let contract = Agreement { plan: Plan::Deposit, ..contract };
        let closed = contract.anniversary(month.min(contract.months - 1));
        let paid = |amount| [Paid { number: 0, amount: Won(amount), on: contract.opened_on }];
        let late = after(contract.matures_on(), kept);
        let earned = |amount| {
            [
                contract.at_maturity(&paid(amount)).unwrap(),
                contract.on_early_close(&paid(amount), closed).unwrap(),
                contract.after_maturity(Won(amount), late).unwrap(),
            ]
        };
        for ((one, other), whole) in earned(one).iter().zip(earned(other)).zip(earned(one + other)) {
            let gained = one.interest.0 + other.interest.0 - whole.interest.0;
            prop_assert!((-1..=0).contains(&gained), "{gained}");
        }
    }

    #[test]
    fn what_is_kept_earns_more_with_every_day_and_never_more_than_the_base_rate(
        contract in any_contract(), amount in 0_i64..100_000_000, days in 0_u64..1_000,
    ) {
        let close = |days| contract.after_maturity(Won(amount), after(contract.matures_on(), days));
        let (today, tomorrow) = (close(days).unwrap(), close(days + 1).unwrap());
        prop_assert!(today.interest <= tomorrow.interest);
        let most = Decimal::from(amount) * contract.base_percent * Decimal::from(days) / dec!(36500);
        prop_assert!(today.interest.to_decimal() <= most);
        prop_assert_eq!(close(0).unwrap().interest, Won(0));
    }

    #[test]
    fn the_sums_of_a_payout_agree(contract in any_contract(), amount in 1_i64..100_000_000) {
        let made = payments(&contract, Won(amount), 0, contract.matures_on());
        let end = contract.at_maturity(&made).unwrap();
        prop_assert_eq!(end.tax, InterestTax::on(end.interest).unwrap());
        let tax = end.tax.total().unwrap();
        prop_assert_eq!(end.payout().unwrap().0, end.principal.0 + end.interest.0 - tax.0);
        prop_assert!(end.net().unwrap() >= Won(0));
        prop_assert_eq!(contract.interest_by_month(&made, contract.months).unwrap(), end.interest);
    }

    #[test]
    fn whole_months_are_those_between_anniversaries(contract in any_contract(), days in 0_u64..1_200) {
        let today = after(contract.opened_on, days);
        let months = months_between(contract.opened_on, today);
        prop_assert!(contract.anniversary(months) <= today);
        prop_assert!(contract.anniversary(months + 1) > today);
    }
}
