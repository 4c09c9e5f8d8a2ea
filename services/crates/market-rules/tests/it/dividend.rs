use kernel::{Currency, Won};
use market_rules::dividend::tax;
use rstest::rstest;

#[rstest]
#[case(Currency::Krw, 100_000, 15_400)]
// 14 % of 12,345 is 1,728.3, rounded down to 1,720; a tenth of that is 172, rounded down to 170.
#[case(Currency::Krw, 12_345, 1_890)]
#[case(Currency::Krw, 60, 0)]
#[case(Currency::Usd, 12_345, 1_851)]
#[case(Currency::Usd, 0, 0)]
fn a_part_is_withheld(#[case] currency: Currency, #[case] gross: i64, #[case] expected: i64) {
    assert_eq!(tax(Won(gross), currency), Ok(Won(expected)));
}
