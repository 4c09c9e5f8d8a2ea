use kernel::Price;
use market_rules::{TickClass, TickTable};
use proptest::prelude::*;
use rust_decimal::Decimal;
use rust_decimal_macros::dec;

fn every_table() -> Vec<TickTable> {
    let mut tables: Vec<TickTable> = TickClass::ALL
        .into_iter()
        .map(|class| TickTable::for_class(class, ""))
        .collect();
    for (class, code) in [
        (TickClass::UpbitKrw, "KRW-USDT"),
        (TickClass::UsdCommodity, "NG"),
        (TickClass::UsdCommodity, "HG"),
    ] {
        tables.push(TickTable::for_class(class, code));
    }
    tables
}

/// A table and a price within and beyond its bands, on tick or not.
fn table_and_price() -> impl Strategy<Value = (TickTable, Price)> {
    let price =
        (1_i64..=9_999_999, 0_u32..=9).prop_map(|(units, scale)| Decimal::new(units, scale));
    (prop::sample::select(every_table()), price).prop_map(|(table, price)| (table, Price(price)))
}

#[test]
fn ticks_are_those_of_the_exchanges() {
    for (class, code, price, tick) in [
        (TickClass::KrxStock, "005930", dec!(1999), dec!(1)),
        (TickClass::KrxStock, "005930", dec!(2000), dec!(5)),
        (TickClass::KrxStock, "005930", dec!(4995), dec!(5)),
        (TickClass::KrxStock, "005930", dec!(5000), dec!(10)),
        (TickClass::KrxStock, "005930", dec!(19990), dec!(10)),
        (TickClass::KrxStock, "005930", dec!(20000), dec!(50)),
        (TickClass::KrxStock, "005930", dec!(50000), dec!(100)),
        (TickClass::KrxStock, "005930", dec!(200000), dec!(500)),
        (TickClass::KrxStock, "005930", dec!(500000), dec!(1000)),
        (TickClass::KrxEtf, "069500", dec!(1999), dec!(1)),
        (TickClass::KrxEtf, "069500", dec!(108140), dec!(5)),
        (TickClass::UpbitKrw, "KRW-BTC", dec!(148601000), dec!(1000)),
        (TickClass::UpbitKrw, "KRW-BTC", dec!(999999), dec!(500)),
        (TickClass::UpbitKrw, "KRW-ETH", dec!(100000), dec!(100)),
        (TickClass::UpbitKrw, "KRW-ETH", dec!(99950), dec!(50)),
        (TickClass::UpbitKrw, "KRW-ETH", dec!(10000), dec!(10)),
        (TickClass::UpbitKrw, "KRW-ETH", dec!(9995), dec!(5)),
        (TickClass::UpbitKrw, "KRW-XRP", dec!(3080), dec!(1)),
        (TickClass::UpbitKrw, "KRW-XRP", dec!(100), dec!(1)),
        (TickClass::UpbitKrw, "KRW-XRP", dec!(99.9), dec!(0.1)),
        (TickClass::UpbitKrw, "KRW-XRP", dec!(9.99), dec!(0.01)),
        (TickClass::UpbitKrw, "KRW-XRP", dec!(0.1), dec!(0.001)),
        (TickClass::UpbitKrw, "KRW-XRP", dec!(0.01), dec!(0.0001)),
        (TickClass::UpbitKrw, "KRW-XRP", dec!(0.001), dec!(0.00001)),
        (TickClass::UpbitKrw, "KRW-XRP", dec!(0.0001), dec!(0.000001)),
        (
            TickClass::UpbitKrw,
            "KRW-XRP",
            dec!(0.00001),
            dec!(0.0000001),
        ),
        (
            TickClass::UpbitKrw,
            "KRW-XRP",
            dec!(0.000001),
            dec!(0.00000001),
        ),
        (TickClass::UpbitKrw, "KRW-USDT", dec!(1470), dec!(0.5)),
        (TickClass::UpbitKrw, "KRW-USDC", dec!(9999.5), dec!(0.5)),
        (TickClass::UpbitKrw, "KRW-USDC", dec!(10000), dec!(10)),
        (TickClass::UpbitKrw, "KRW-USDC", dec!(999), dec!(1)),
        (TickClass::KrxGold, "04020000", dec!(187500), dec!(10)),
        (TickClass::UsStock, "AAPL", dec!(309.35), dec!(0.01)),
        (TickClass::UsdCommodity, "WTI", dec!(75), dec!(0.01)),
        (TickClass::UsdCommodity, "NG", dec!(3.4), dec!(0.001)),
        (TickClass::UsdCommodity, "HG", dec!(5.2), dec!(0.0005)),
        (TickClass::Replay, "FB", dec!(38.2318), dec!(0.0001)),
    ] {
        let table = TickTable::for_class(class, code);
        assert_eq!(
            table.tick_at(Price(price)),
            tick,
            "{class:?} {code} {price}"
        );
    }
}

#[test]
fn an_invalid_price_has_two_valid_neighbours() {
    let table = TickTable::for_class(TickClass::KrxStock, "005930");
    let around = |price| {
        let (below, above) = table.neighbours(Price(price));
        (below.map(|price| price.0), above.0)
    };
    assert_eq!(around(dec!(71_342)), (Some(dec!(71_300)), dec!(71_400)));
    assert_eq!(around(dec!(1_999.5)), (Some(dec!(1_999)), dec!(2_000)));
    assert_eq!(around(dec!(0.3)), (None, dec!(1)));
    assert_eq!(around(dec!(-5)), (None, dec!(1)));
    assert_eq!(around(dec!(71_300)), (Some(dec!(71_300)), dec!(71_300)));
}

#[test]
fn one_tick_worse_crosses_into_the_next_band() {
    let table = TickTable::for_class(TickClass::KrxStock, "005930");
    assert_eq!(table.next_up(Price(dec!(1_999))), Price(dec!(2_000)));
    assert_eq!(table.next_up(Price(dec!(2_000))), Price(dec!(2_005)));
    assert_eq!(
        table.next_down(Price(dec!(2_000))),
        Some(Price(dec!(1_999)))
    );
    assert_eq!(
        table.next_down(Price(dec!(2_005))),
        Some(Price(dec!(2_000)))
    );
    assert_eq!(table.next_down(Price(dec!(1))), None);
    assert_eq!(table.step_down(Price(dec!(3)), 9), Price(dec!(1)));
    assert_eq!(
        table.ticks_between(Price(dec!(1_998)), Price(dec!(2_010))),
        4
    );
    assert_eq!(
        table.ticks_between(Price(dec!(2_010)), Price(dec!(1_998))),
        -4
    );
}

#[test]
fn the_ends_of_the_number_range_do_no_harm() {
    for table in every_table() {
        for price in [Decimal::MAX, Decimal::MIN, dec!(0), Decimal::new(1, 28)] {
            let price = Price(price);
            let (below, above) = table.neighbours(price);
            assert!(below.is_none_or(|below| below <= price) && price <= above);
            assert!(table.nearest(price).is_positive());
            assert!(table.next_down(price).is_none_or(|lower| lower <= price));
            assert!(table.ticks_between(Price::ZERO, price) >= 0);
        }
    }
}

proptest! {
    #[test]
    fn rounding_brackets_a_price((table, price) in table_and_price()) {
        let (below, above) = (table.floor(price), table.ceil(price));
        prop_assert!(below <= price && price <= above);
        prop_assert!(table.is_on_tick(above));
        prop_assert!(!below.is_positive() || table.is_on_tick(below));
        prop_assert_eq!(table.is_on_tick(price), below == above);
        let nearest = table.nearest(price);
        prop_assert!(nearest == below || nearest == above);
        prop_assert!(table.ticks_between(below, above) <= 1);
    }

    #[test]
    fn up_and_down_undo_each_other((table, price) in table_and_price(), steps in 1_u32..20) {
        let start = table.ceil(price);
        prop_assert_eq!(table.next_down(table.next_up(start)), Some(start));
        let end = table.step_up(start, steps);
        prop_assert!(table.is_on_tick(end));
        prop_assert_eq!(table.ticks_between(start, end), i64::from(steps));
        prop_assert_eq!(table.step_down(end, steps), start);
    }

    #[test]
    fn no_valid_price_is_skipped((table, price) in table_and_price()) {
        let start = table.ceil(price);
        let next = table.next_up(start);
        let middle = Price((start.0 + next.0) / dec!(2));
        prop_assert!(!table.is_on_tick(middle));
        prop_assert_eq!(table.floor(middle), start);
        prop_assert_eq!(table.ceil(middle), next);
        prop_assert!(start.0.normalize().scale() <= table.scale());
    }
}
