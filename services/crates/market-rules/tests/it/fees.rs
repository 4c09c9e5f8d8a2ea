use chrono::NaiveDate;
use kernel::{MarketCode, Quantity, Won, money::Rounding};
use market_rules::fees::{FeeTable, SoldTotal, rates};
use market_rules::quantity::{QuantityFault, QuantityRule};
use proptest::prelude::*;
use rust_decimal::Decimal;
use rust_decimal_macros::dec;

fn on(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn sold_in_won(amount: Decimal, quantity: Decimal) -> SoldTotal {
    SoldTotal {
        amount,
        amount_won: amount,
        quantity,
    }
}

#[test]
fn the_sell_tax_follows_the_year() {
    for (day, tax) in [
        ("2023-06-01", dec!(0.0018)),
        ("2024-12-31", dec!(0.0018)),
        ("2025-01-01", dec!(0.0015)),
        ("2025-12-31", dec!(0.0015)),
        ("2026-01-01", dec!(0.0020)),
        ("2030-01-01", dec!(0.0020)),
    ] {
        for market in [MarketCode::Kospi, MarketCode::Kosdaq] {
            let rates = rates(market, on(day));
            assert_eq!(rates.sell_tax_rate, tax, "{day}");
            assert_eq!(rates.fee_rate, dec!(0.00015));
        }
    }
    for (market, fee) in [
        (MarketCode::Etf, dec!(0.00015)),
        (MarketCode::Coin, dec!(0.0005)),
        (MarketCode::Gold, dec!(0.003)),
    ] {
        let rates = rates(market, on("2026-11-21"));
        assert_eq!((rates.fee_rate, rates.sell_tax_rate), (fee, dec!(0)));
    }
}

#[test]
fn us_sale_fees_follow_their_dates() {
    for (day, sec, taf, most) in [
        ("2025-05-13", dec!(0.0000278), dec!(0.000166), dec!(8.30)),
        ("2025-05-14", dec!(0), dec!(0.000166), dec!(8.30)),
        ("2026-04-03", dec!(0), dec!(0.000195), dec!(9.79)),
        ("2026-04-04", dec!(0.0000206), dec!(0.000195), dec!(9.79)),
        ("2027-01-01", dec!(0.0000206), dec!(0.000232), dec!(11.61)),
    ] {
        let rates = rates(MarketCode::Global, on(day));
        assert_eq!(rates.sec_rate, sec, "{day}");
        assert_eq!(
            (rates.taf_per_share_usd, rates.taf_most_usd),
            (taf, most),
            "{day}"
        );
        assert_eq!(
            (rates.fee_rate, rates.sell_tax_rate),
            (dec!(0.001), dec!(0))
        );
    }
}

#[test]
fn a_sale_is_taxed_on_its_total() {
    let korean = rates(MarketCode::Kospi, on("2026-11-21"));
    let sold = sold_in_won(dec!(71_300), dec!(1));
    assert_eq!(korean.fee(sold.amount_won, Rounding::Down), Ok(Won(10)));
    assert_eq!(korean.fee(sold.amount_won, Rounding::Up), Ok(Won(11)));
    assert_eq!(korean.sell_tax(&sold), Ok(Won(142)));

    let us = rates(MarketCode::Global, on("2026-11-21"));
    assert_eq!(us.buy_fx(dec!(1470)), dec!(1471.47));
    assert_eq!(us.sell_fx(dec!(1470)), dec!(1468.53));
    // 100 shares at $309.35: SEC 30,935 × 0.0000206 = $0.637261, TAF 100 × 0.000195 = $0.0195.
    let sold = SoldTotal {
        amount: dec!(30_935),
        amount_won: dec!(30_935) * dec!(1470),
        quantity: dec!(100),
    };
    assert_eq!(us.sell_tax(&sold), Ok(Won(965)));
    // A million shares reach FINRA's maximum of $9.79.
    let sold = SoldTotal {
        amount: dec!(1),
        amount_won: dec!(1470),
        quantity: dec!(1_000_000),
    };
    assert_eq!(us.sell_tax(&sold), Ok(Won(14_391)));
}

#[test]
fn an_edited_table_must_name_every_market() {
    let standard = rates(MarketCode::Coin, on("2026-11-21"));
    let mut rows: Vec<_> = MarketCode::ALL.map(|market| (market, standard)).to_vec();
    assert!(FeeTable::new(rows.clone()).is_ok());
    rows.pop();
    assert!(FeeTable::new(rows).is_err());
}

#[test]
fn quantities_have_steps_and_bounds() {
    let check = |market, quantity| QuantityRule::for_market(market).check(Quantity(quantity));
    assert_eq!(check(MarketCode::Kospi, dec!(3)), Ok(()));
    assert_eq!(
        check(MarketCode::Kospi, dec!(0)),
        Err(QuantityFault::NotPositive)
    );
    assert_eq!(
        check(MarketCode::Global, dec!(-1)),
        Err(QuantityFault::NotPositive)
    );
    assert_eq!(
        check(MarketCode::Etf, dec!(1.5)),
        Err(QuantityFault::OffStep(Quantity(dec!(1))))
    );
    assert_eq!(check(MarketCode::Coin, dec!(0.00000001)), Ok(()));
    assert!(check(MarketCode::Coin, dec!(0.000000001)).is_err());
    assert_eq!(check(MarketCode::Gold, dec!(5000)), Ok(()));
    assert_eq!(
        check(MarketCode::Gold, dec!(5001)),
        Err(QuantityFault::TooMuch(Quantity(dec!(5000))))
    );
    assert!(check(MarketCode::Coin, Decimal::MAX).is_ok());
    let coin = QuantityRule::for_market(MarketCode::Coin);
    assert_eq!(coin.least_amount, Some(Won(5_000)));
    assert_eq!(
        coin.floor(Quantity(dec!(0.123456789))),
        Quantity(dec!(0.12345678))
    );
}

proptest! {
    #[test]
    fn a_split_sale_never_costs_less(parts in prop::collection::vec((1_i64..500_000, 1_i64..100), 1..20)) {
        let rates = rates(MarketCode::Kospi, on("2026-11-21"));
        let mut total = Decimal::ZERO;
        let mut booked = Won::ZERO;
        let mut quantity = Decimal::ZERO;
        for (price, shares) in parts {
            total += Decimal::from(price * shares);
            quantity += Decimal::from(shares);
            let fee = rates.fee(total, Rounding::Down).unwrap();
            let tax = rates.sell_tax(&sold_in_won(total, quantity)).unwrap();
            let so_far = fee.checked_add(tax).unwrap();
            prop_assert!(so_far >= booked);
            booked = so_far;
        }
        let at_once = rates.fee(total, Rounding::Down).unwrap().0
            + rates.sell_tax(&sold_in_won(total, quantity)).unwrap().0;
        prop_assert_eq!(booked, Won(at_once));
    }
}
