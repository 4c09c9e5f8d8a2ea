use kernel::{MarketCode, Price};
use market_rules::{TickClass, TickTable, daily_limits};
use proptest::prelude::*;
use rust_decimal::Decimal;
use rust_decimal_macros::dec;
use serde::Deserialize;

/// A day on which a real share closed at its limit: the base price and the limit.
#[derive(Deserialize)]
struct Observed {
    market: String,
    code: String,
    base: Decimal,
    side: String,
    limit: Decimal,
}

#[test]
fn every_observed_limit_is_the_computed_one() {
    let text = include_str!("../../data/price_limits_observed.csv");
    let mut seen = 0;
    for row in csv::Reader::from_reader(text.as_bytes()).deserialize() {
        let row: Observed = row.unwrap();
        let market = MarketCode::parse(&row.market).unwrap();
        let table = TickTable::for_class(TickClass::KrxStock, &row.code);
        let band = daily_limits(market, 1, Price(row.base), &table).unwrap();
        let computed = match row.side.as_str() {
            "UPPER" => band.upper,
            "LOWER" => band.lower,
            other => panic!("side {other}"),
        };
        assert_eq!(computed.0, row.limit, "{} from {}", row.code, row.base);
        seen += 1;
    }
    assert_eq!(seen, 208);
}

#[test]
fn each_market_has_its_own_band() {
    let band = |market, leverage, base, class| {
        let table = TickTable::for_class(class, "");
        daily_limits(market, leverage, Price(base), &table).map(|band| (band.lower.0, band.upper.0))
    };
    for (market, leverage, base, class, expected) in [
        (
            MarketCode::Kospi,
            1,
            dec!(65_600),
            TickClass::KrxStock,
            Some((dec!(46_000), dec!(85_200))),
        ),
        (
            MarketCode::Etf,
            1,
            dec!(10_000),
            TickClass::KrxEtf,
            Some((dec!(7_000), dec!(13_000))),
        ),
        (
            MarketCode::Etf,
            2,
            dec!(10_000),
            TickClass::KrxEtf,
            Some((dec!(4_000), dec!(16_000))),
        ),
        (
            MarketCode::Etf,
            -2,
            dec!(101),
            TickClass::KrxEtf,
            Some((dec!(41), dec!(161))),
        ),
        (
            MarketCode::Gold,
            1,
            dec!(187_500),
            TickClass::KrxGold,
            Some((dec!(168_750), dec!(206_250))),
        ),
        (
            MarketCode::Gold,
            1,
            dec!(3_970),
            TickClass::UsdCommodity,
            None,
        ),
        (
            MarketCode::Global,
            1,
            dec!(309.35),
            TickClass::UsStock,
            None,
        ),
        (MarketCode::Coin, 1, dec!(3_080), TickClass::UpbitKrw, None),
        (MarketCode::Kospi, 1, dec!(0), TickClass::KrxStock, None),
        (
            MarketCode::Kospi,
            1,
            dec!(1),
            TickClass::KrxStock,
            Some((dec!(1), dec!(1))),
        ),
        (
            MarketCode::Etf,
            5,
            dec!(100),
            TickClass::KrxEtf,
            Some((dec!(1), dec!(250))),
        ),
    ] {
        assert_eq!(
            band(market, leverage, base, class),
            expected,
            "{market:?} {leverage} {base}"
        );
    }
}

proptest! {
    #[test]
    fn a_band_holds_its_base_and_stays_within_thirty_percent(units in 1_i64..5_000_000) {
        let table = TickTable::for_class(TickClass::KrxStock, "005930");
        let base = table.floor(Price(Decimal::from(units)));
        let band = daily_limits(MarketCode::Kospi, 1, base, &table).unwrap();
        prop_assert!(band.contains(base));
        prop_assert!(table.is_on_tick(band.lower) && table.is_on_tick(band.upper));
        prop_assert!(band.upper.0 <= base.0 * dec!(1.3));
        prop_assert!(band.lower.0 >= base.0 * dec!(0.7));
    }
}
