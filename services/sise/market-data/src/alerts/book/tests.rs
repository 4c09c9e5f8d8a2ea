use proptest::prelude::*;
use proto::market::v1::Tick;
use rust_decimal_macros::dec;

use super::*;

const DAY: i32 = 20_261_120;

fn alert(alert_id: i64, kind: AlertKind, value: Decimal) -> ActiveAlert {
    ActiveAlert {
        alert_id,
        member_id: 7,
        code: "005930".to_owned(),
        kind,
        value,
        shares_day: DAY,
        after_seq: 10,
    }
}

fn tick(seq: i64, trading_day: i32, price: i64) -> TickPrice {
    let tick = Tick {
        code: "005930".to_owned(),
        tick_seq: seq,
        trading_day,
        event_time_us: seq * 1_000,
        price_units: price,
        prev_close_units: 1_000,
        ..Tick::default()
    };
    TickPrice::of(&tick).unwrap()
}

fn batch(ticks: &[TickPrice]) -> TicksByCode {
    TicksByCode::from([("005930".into(), ticks.to_vec())])
}

/// Id, number and price of the tick.
fn fired(book: &mut AlertBook, ticks: &[TickPrice]) -> Vec<(i64, i64, Decimal)> {
    let fired = book.fire(&batch(ticks)).into_iter();
    fired
        .map(|fired| (fired.alert_id, fired.tick_seq, fired.price))
        .collect()
}

#[test]
fn a_level_is_crossed_from_either_side_and_once() {
    let mut book = AlertBook::default();
    book.insert(alert(1, AlertKind::Above, dec!(1_100)));
    book.insert(alert(2, AlertKind::Below, dec!(900)));
    assert!(fired(&mut book, &[tick(11, DAY, 1_099), tick(12, DAY, 901)]).is_empty());
    // Equal is reached.
    let equal = [tick(13, DAY, 1_100), tick(14, DAY, 900)];
    let both = [(1, 13, dec!(1_100)), (2, 14, dec!(900))];
    assert_eq!(fired(&mut book, &equal), both);
    assert!(book.is_empty());
    assert!(fired(&mut book, &equal).is_empty());
}

#[test]
fn a_gap_over_a_level_fires_with_the_first_tick_beyond() {
    let mut book = AlertBook::default();
    book.insert(alert(1, AlertKind::Above, dec!(1_100)));
    let spike = [
        tick(11, DAY, 1_000),
        tick(12, DAY, 1_250),
        tick(13, DAY, 1_300),
        tick(14, DAY, 1_000),
    ];
    assert_eq!(fired(&mut book, &spike), [(1, 12, dec!(1_250))]);
}

#[test]
fn ticks_before_the_creation_do_not_fire() {
    let mut book = AlertBook::default();
    book.insert(alert(1, AlertKind::Above, dec!(1_100)));
    assert!(fired(&mut book, &[tick(9, DAY, 1_200), tick(10, DAY, 1_200)]).is_empty());
    assert_eq!(book.len(), 1);
    let later = [tick(10, DAY, 1_200), tick(11, DAY, 1_150)];
    assert_eq!(fired(&mut book, &later), [(1, 11, dec!(1_150))]);
}

#[test]
fn percentages_are_of_the_previous_close_and_exact() {
    let mut book = AlertBook::default();
    for (id, value) in [
        (1, dec!(3)),
        (2, dec!(3.01)),
        (3, dec!(-3)),
        (4, dec!(-3.01)),
    ] {
        book.insert(alert(id, AlertKind::Percent, value));
    }
    let up = fired(&mut book, &[tick(11, DAY, 1_029), tick(12, DAY, 1_030)]);
    assert_eq!(up, [(1, 12, dec!(1_030))]);
    let down = fired(&mut book, &[tick(13, DAY, 971), tick(14, DAY, 970)]);
    assert_eq!(down, [(3, 14, dec!(970))]);
    assert_eq!(book.len(), 2);
}

#[test]
fn a_split_divides_prices_once_and_ticks_count_in_their_own_shares() {
    let mut book = AlertBook::default();
    book.insert(alert(1, AlertKind::Below, dec!(900)));
    book.insert(alert(2, AlertKind::Above, dec!(1_100)));
    book.insert(alert(3, AlertKind::Percent, dec!(-50)));
    let after = DAY + 1;
    for _ in 0..3 {
        book.split("005930", after, (5, 1));
    }
    // 1,000 before is 200 after: neither direction is reached, also by a late tick of before.
    let quiet = [tick(11, DAY, 1_000), tick(12, after, 1_000 / 5)];
    let fires = book.fire(&batch(&quiet));
    let percent: Vec<i64> = fires.iter().map(|fired| fired.alert_id).collect();
    assert_eq!(percent, [3], "the change is of the tick's own close");
    let late = book.fire(&batch(&[tick(13, DAY, 1_100)]));
    assert_eq!((late[0].value, late[0].price), (dec!(1_100), dec!(1_100)));
    let new = book.fire(&batch(&[tick(14, after, 180)]));
    assert_eq!((new[0].value, new[0].price), (dec!(180), dec!(180)));
    // One that was stored in the new shares is not divided again, whenever the split is heard of.
    for heard_first in [true, false] {
        let mut book = AlertBook::default();
        let stored = ActiveAlert {
            shares_day: after,
            ..alert(4, AlertKind::Above, dec!(220))
        };
        if heard_first {
            book.split("005930", after, (5, 1));
        }
        book.insert(stored);
        book.split("005930", after, (5, 1));
        assert!(fired(&mut book, &[tick(15, after, 219)]).is_empty());
        assert_eq!(
            fired(&mut book, &[tick(16, after, 220)]),
            [(4, 16, dec!(220))]
        );
    }
}

#[test]
fn a_removed_alert_is_silent() {
    let mut book = AlertBook::default();
    book.insert(alert(1, AlertKind::Above, dec!(1_100)));
    book.remove(1);
    book.remove(1);
    assert!(fired(&mut book, &[tick(11, DAY, 1_200)]).is_empty());
    assert!(book.by_code.is_empty());
}

proptest! {
    #[test]
    fn the_sets_find_what_a_look_at_every_alert_finds(
        levels in prop::collection::vec((0_usize..3, -99_i64..2_000, 0_i64..8), 1..40),
        prices in prop::collection::vec(1_i64..2_500, 1..12),
    ) {
        let kinds = [AlertKind::Above, AlertKind::Below, AlertKind::Percent];
        let alerts: Vec<ActiveAlert> = (1..).zip(levels).map(|(id, (kind, value, after_seq))| {
            let kind = kinds[kind];
            let value = match kind {
                AlertKind::Percent => Decimal::new(if value == 0 { 1 } else { value }, 1),
                AlertKind::Above | AlertKind::Below => Decimal::from(value.abs() + 1),
            };
            ActiveAlert { after_seq, ..alert(id, kind, value) }
        }).collect();
        let ticks: Vec<TickPrice> =
            (1..).zip(&prices).map(|(seq, price)| tick(seq, DAY, *price)).collect();
        let mut book = AlertBook::default();
        alerts.iter().cloned().for_each(|alert| book.insert(alert));
        let found: Vec<(i64, i64)> = book.fire(&batch(&ticks)).into_iter()
            .map(|fired| (fired.alert_id, fired.tick_seq)).collect();
        let reaches = |alert: &ActiveAlert, price: i64| {
            let price = Decimal::from(price);
            let change = (price - dec!(1000)) / dec!(10);
            match alert.kind {
                AlertKind::Above => price >= alert.value,
                AlertKind::Below => price <= alert.value,
                AlertKind::Percent if alert.value < Decimal::ZERO => change <= alert.value,
                AlertKind::Percent => change >= alert.value,
            }
        };
        let expected: Vec<(i64, i64)> = alerts.iter().filter_map(|alert| {
            let first = (1..).zip(&prices)
                .find(|(seq, price)| *seq > alert.after_seq && reaches(alert, **price));
            Some((alert.alert_id, first?.0))
        }).collect();
        prop_assert_eq!(found, expected);
    }
}

/// What the setting `PRICE_ALERTS_MAX` says. Each test has a process of its own.
#[test]
fn an_alert_costs_about_160_bytes() {
    const ALERTS: i64 = 500_000;
    let mut book = AlertBook::default();
    let before = resident_bytes();
    for id in 1..=ALERTS {
        // Spread over codes and levels as those of members are.
        let level = Decimal::from(1_000 + id * 7_919 % 90_000);
        let kind = [AlertKind::Above, AlertKind::Below][usize::from(id % 2 == 0)];
        book.insert(ActiveAlert {
            code: format!("{:06}", id % 3_000),
            ..alert(id, kind, level)
        });
    }
    let each = (resident_bytes() - before) / ALERTS;
    assert_eq!(i64::try_from(book.len()).unwrap(), ALERTS);
    assert!((60..200).contains(&each), "{each} bytes");
}

fn resident_bytes() -> i64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: i64 = statm.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4_096
}
