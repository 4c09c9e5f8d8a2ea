//! Interest compared with tables of banks, and its properties.

use kernel::Won;
use market_rules::interest::{Compounding, InterestTax, Payment, Terms};
use proptest::prelude::*;
use rust_decimal::Decimal;
use rust_decimal_macros::dec;

const PRINCIPAL: Won = Won(10_000_000);

fn deposit(annual_percent: Decimal, compounding: Compounding, months: u32) -> Terms {
    Terms {
        payment: Payment::Once,
        compounding,
        annual_percent,
        months,
    }
}

fn savings(annual_percent: Decimal, compounding: Compounding, months: u32) -> Terms {
    Terms {
        payment: Payment::Monthly,
        ..deposit(annual_percent, compounding, months)
    }
}

#[test]
fn a_month_of_a_deposit_pays_what_the_bank_publishes() {
    for (percent, gross, net) in [
        (dec!(1.10), 9_166, 7_766),
        (dec!(1.30), 10_833, 9_173),
        (dec!(1.50), 12_500, 10_580),
        (dec!(2.25), 18_750, 15_870),
    ] {
        let month = deposit(percent, Compounding::Simple, 1).at_maturity(PRINCIPAL);
        let month = month.unwrap();
        assert_eq!(
            (month.interest, month.after_tax),
            (Won(gross), Won(net)),
            "{percent}"
        );
        assert_eq!(month.payout, Won(PRINCIPAL.0 + net));
    }
}

#[test]
fn three_months_of_compound_interest_pay_what_the_bank_publishes() {
    let terms = deposit(dec!(1.30), Compounding::Monthly, 3);
    let end = terms.at_maturity(PRINCIPAL).unwrap();
    assert_eq!((end.interest, end.after_tax), (Won(32_535), Won(27_535)));
    assert_eq!((end.tax.income, end.tax.local), (Won(4_550), Won(450)));
}

#[test]
fn both_taxes_are_rounded_down_to_ten_won() {
    for (interest, income, local) in [
        (0, 0, 0),
        (71, 0, 0),
        (72, 10, 0),
        (715, 100, 10),
        (9_166, 1_280, 120),
        (32_535, 4_550, 450),
    ] {
        let tax = InterestTax::on(Won(interest)).unwrap();
        assert_eq!(
            (tax.income, tax.local),
            (Won(income), Won(local)),
            "{interest}"
        );
    }
}

#[test]
fn savings_earn_for_as_long_as_each_payment_lies_there() {
    // 300,000 a month for a year at 3.6 %: 300,000 × 0.003 × 78.
    let simple = savings(dec!(3.6), Compounding::Simple, 12);
    let end = simple.at_maturity(Won(300_000)).unwrap();
    assert_eq!(end.principal, Won(3_600_000));
    assert_eq!(end.interest, Won(70_200));
    assert_eq!((end.after_tax, end.payout), (Won(59_400), Won(3_659_400)));
    // Two payments: one for two months, one for one.
    let compound = savings(dec!(12), Compounding::Monthly, 2);
    assert_eq!(compound.interest(Won(1_000_000)), Ok(Won(30_100)));
}

#[test]
fn a_whole_number_of_won_is_not_lost_to_a_third() {
    // A twelfth of 0.1 % is not a finite decimal; a month of 12,000,000 at it is still 1,000 won.
    for compounding in [Compounding::Simple, Compounding::Monthly] {
        let month = deposit(dec!(0.1), compounding, 1);
        assert_eq!(month.interest(Won(12_000_000)), Ok(Won(1_000)));
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let terms = savings(dec!(100), Compounding::Monthly, 600);
    assert!(terms.at_maturity(Won(i64::MAX)).is_err());
    assert!(terms.schedule(Won(i64::MAX)).is_err());
}

fn any_terms() -> impl Strategy<Value = Terms> {
    (0_i64..200_000, 1_u32..61, any::<bool>(), any::<bool>()).prop_map(
        |(rate, months, once, simple)| Terms {
            payment: if once {
                Payment::Once
            } else {
                Payment::Monthly
            },
            compounding: if simple {
                Compounding::Simple
            } else {
                Compounding::Monthly
            },
            annual_percent: Decimal::new(rate, 4),
            months,
        },
    )
}

proptest! {
    #[test]
    fn the_sums_agree(terms in any_terms(), amount in 0_i64..1_000_000_000) {
        let end = terms.at_maturity(Won(amount)).unwrap();
        let tax = end.tax.total().unwrap();
        prop_assert_eq!(end.payout.0, end.principal.0 + end.interest.0 - tax.0);
        prop_assert_eq!(end.tax.income.0 % 10 + end.tax.local.0 % 10, 0);
        let whole = end.interest.to_decimal() * dec!(0.154);
        prop_assert!(tax.to_decimal() <= whole && whole < tax.to_decimal() + dec!(21));
    }

    #[test]
    fn compound_interest_is_never_less(terms in any_terms(), amount in 0_i64..1_000_000_000) {
        let of = |compounding| Terms { compounding, ..terms }.interest(Won(amount)).unwrap();
        prop_assert!(of(Compounding::Monthly) >= of(Compounding::Simple));
    }

    #[test]
    fn the_schedule_rises_to_the_end(terms in any_terms(), amount in 0_i64..1_000_000_000) {
        let months = terms.schedule(Won(amount)).unwrap();
        let last = months.last().unwrap();
        prop_assert_eq!(months.len(), usize::try_from(terms.months).unwrap());
        prop_assert_eq!(last.interest, terms.interest(Won(amount)).unwrap());
        prop_assert_eq!(last.paid, terms.principal(Won(amount)).unwrap());
        prop_assert!(months.is_sorted_by_key(|month| (month.paid, month.interest)));
    }

    #[test]
    fn savings_are_deposits_one_after_the_other(
        rate in 0_i64..100_000, months in 1_u32..37, amount in 0_i64..10_000_000, simple in any::<bool>(),
    ) {
        let compounding = if simple { Compounding::Simple } else { Compounding::Monthly };
        let percent = Decimal::new(rate, 4);
        let together = savings(percent, compounding, months).interest(Won(amount)).unwrap().0;
        let one_by_one: i64 = (1..=months)
            .map(|lying| deposit(percent, compounding, lying).interest(Won(amount)).unwrap().0)
            .sum();
        // Each of the deposits loses less than a won to rounding.
        prop_assert!(one_by_one <= together && together <= one_by_one + i64::from(months));
    }
}
