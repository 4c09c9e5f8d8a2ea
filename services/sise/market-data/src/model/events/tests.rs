use std::collections::HashMap;

use rust_decimal_macros::dec;

use super::*;
use crate::model::sample::{self, day, spec};
use crate::model::{InstrumentSpec, Simulation};

fn market(configured: &str, until: &str) -> Simulation {
    sample::market("events", configured, until)
}

#[test]
fn a_year_has_dividends_that_shares_can_pay() {
    let market = market("", "2026-11-03");
    let mut by_currency: HashMap<Currency, usize> = HashMap::new();
    let mut payers = 0;
    for spec in market.specs() {
        let found = spec.events.dividends(
            day("2026-12-01"),
            day("2027-11-30"),
            Decimal::ONE,
            market.factors(),
        );
        let again = spec.events.dividends(
            day("2026-12-01"),
            day("2027-11-30"),
            Decimal::ONE,
            market.factors(),
        );
        assert_eq!(found, again);
        payers += usize::from(!found.is_empty());
        let venue = spec.instrument.venue();
        let base = spec.instrument.base_price.0;
        let year: Decimal = found.iter().map(|dividend| dividend.amount).sum();
        assert!(
            year <= (base * dec!(0.05)).max(dec!(4)),
            "{} {year}",
            spec.instrument.code
        );
        for dividend in &found {
            *by_currency.entry(spec.instrument.currency).or_default() += 1;
            assert!(dividend.amount > Decimal::ZERO);
            assert!(dividend.ex_day <= dividend.record_day);
            assert!(dividend.record_day < dividend.pay_day);
            for day in [dividend.ex_day, dividend.record_day, dividend.pay_day] {
                assert!(market.session(venue, day).is_some(), "{dividend:?}");
            }
        }
    }
    assert!((150..300).contains(&payers), "{payers}");
    assert!(by_currency[&Currency::Krw] > 100, "{by_currency:?}");
    assert!(by_currency[&Currency::Usd] > 250, "{by_currency:?}");
}

#[test]
fn the_record_of_a_domestic_year_is_its_last_trading_day() {
    let market = market("", "2026-11-03");
    let events = |spec: &Arc<InstrumentSpec>| {
        spec.events.dividends(
            day("2026-12-01"),
            day("2026-12-31"),
            Decimal::ONE,
            market.factors(),
        )
    };
    let domestic = market.specs().iter().filter(|spec| {
        let currency = spec.instrument.currency;
        currency == Currency::Krw
    });
    let days: Vec<(NaiveDate, NaiveDate)> = domestic
        .flat_map(events)
        .map(|dividend| (dividend.ex_day, dividend.record_day))
        .collect();
    assert!(days.len() > 50);
    // The exchange is closed on 31 December.
    let expected = (day("2026-12-29"), day("2026-12-30"));
    assert!(days.iter().all(|found| *found == expected), "{days:?}");
}

#[test]
fn a_configured_split_adjusts_price_volume_and_dividend() {
    let calm = market("", "2026-11-20");
    let split = market(
        "split 005930 2026-11-17 5/1; dividend 005930 2026-11-19 100 2026-11-20",
        "2026-11-20",
    );
    let days = |market: &Simulation| {
        let mut days = Vec::new();
        market.walk(spec(market, "005930"), day("2026-11-20"), |day| {
            days.push((day.path.session.day, day));
        });
        days.into_iter().collect::<HashMap<_, _>>()
    };
    let (calm, split) = (days(&calm), days(&split));
    let eve = day("2026-11-16");
    assert_eq!(calm[&eve].close_units, split[&eve].close_units);
    let first = &split[&day("2026-11-17")];
    assert_eq!(first.split, Some((5, 1)));
    let fifth = calm[&eve].close_units / 5;
    assert!(
        (first.base_units - fifth).abs() <= 100,
        "{} {fifth}",
        first.base_units
    );
    assert!(first.lower_units < first.base_units && first.base_units < first.upper_units);
    let undivided = &calm[&day("2026-11-17")];
    assert!((first.close_units * 5 - undivided.close_units).abs() < undivided.close_units / 50);
    assert!(first.volume_units > undivided.volume_units * 4);
    // Ex dividend the price is lower by the amount.
    let before = &split[&day("2026-11-18")];
    let after = &split[&day("2026-11-19")];
    assert_eq!(after.base_units, before.close_units);
    let dropped = after.path.before - before.path.after;
    let expected = (1.0 - 100.0 / after.base_units as f64).ln();
    assert!((dropped - expected).abs() < 1e-9, "{dropped} {expected}");
}

#[test]
fn seeded_splits_are_rare_and_depend_on_the_price() {
    let market = market("", "2026-11-03");
    let splits = |price: Decimal| {
        let mut found = Vec::new();
        let stocks = market.specs().iter().filter(|spec| {
            let code = spec.instrument.market;
            matches!(code, MarketCode::Kospi | MarketCode::Kosdaq)
        });
        for spec in stocks {
            for day in day("2027-01-01").iter_days().take(250) {
                found.extend(spec.events.split(day, price, market.factors()));
            }
        }
        found
    };
    assert_eq!(splits(dec!(70_000)), []);
    let dear = splits(dec!(400_000));
    assert!((10..80).contains(&dear.len()), "{}", dear.len());
    assert!(dear.iter().all(|ratio| *ratio == (5, 1)));
    assert!(splits(dec!(500)).iter().all(|ratio| *ratio == (1, 10)));
}

#[test]
fn invalid_events_are_refused() {
    for text in [
        "split 005930 2026-11-17 5",
        "split 005930 2026-11-17 0/1",
        "dividend 005930 2026-11-17 -1 2026-11-18",
        "halt 005930 10:00 5",
        "party 005930",
    ] {
        assert!(text.parse::<ConfiguredEvents>().is_err(), "{text}");
    }
    assert_eq!(
        "".parse::<ConfiguredEvents>(),
        Ok(ConfiguredEvents::default())
    );
}
