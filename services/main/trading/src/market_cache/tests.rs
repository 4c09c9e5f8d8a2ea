//! Volumes from one day to the next.

use rust_decimal_macros::dec;

use super::*;
use crate::domain::sample;

#[test]
fn the_volume_of_a_day_is_that_before_of_the_next() {
    let market_cache = MarketCache::default();
    let traded = |trading_day: i32, seq: i64, day_volume: i64| {
        let mut tick = sample::tick(seq, dec!(100), dec!(1));
        tick.trading_day = trading_day;
        tick.day_volume = Some(Quantity(Decimal::from(day_volume)));
        market_cache.apply(&Batch {
            offset: seq,
            epoch: 1,
            closed_at: tick.time,
            records: vec![LogRecord::Tick(tick.clone())],
        });
        let quote = market_cache.quote(&tick.code).unwrap();
        (quote.day_volume, quote.volume_before)
    };
    let shares = |count: i64| Some(Quantity(Decimal::from(count)));
    assert_eq!(traded(20_261_120, 1, 5), (shares(5), None));
    assert_eq!(traded(20_261_120, 2, 8), (shares(8), None));
    let code = sample::tick(1, dec!(100), dec!(1)).code;
    market_cache.set_volume_before(&code, 20_261_119, Quantity(dec!(3)));
    assert_eq!(
        traded(20_261_120, 3, 9),
        (shares(9), None),
        "of another day"
    );
    market_cache.set_volume_before(&code, 20_261_120, Quantity(dec!(3)));
    assert_eq!(traded(20_261_120, 4, 10), (shares(10), shares(3)));
    assert_eq!(traded(20_261_121, 5, 1), (shares(1), shares(10)));
}

#[test]
fn volumes_are_in_the_shares_of_the_day_of_a_split() {
    let market_cache = MarketCache::default();
    let mut tick = sample::tick(1, dec!(100), dec!(1));
    tick.trading_day = 20_261_120;
    tick.day_volume = Some(Quantity(dec!(200)));
    let log = |offset: i64, record: LogRecord| {
        market_cache.apply(&Batch {
            offset,
            epoch: 1,
            closed_at: tick.time,
            records: vec![record],
        });
    };
    log(1, LogRecord::Tick(tick.clone()));
    market_cache.set_volume_before(&tick.code, 20_261_120, Quantity(dec!(30)));
    let session = |kind, scope| {
        LogRecord::Session(SessionRecord {
            kind,
            scope: Some(scope),
            trading_day: 20_261_121,
            time: tick.time,
            seq: 0,
        })
    };
    let ratio = SplitRatio {
        numerator: 10,
        denominator: 1,
    };
    let split = SessionRecordKind::Split(ratio);
    log(2, session(split, Scope::Code(tick.code.clone())));
    let quote = market_cache.quote(&tick.code).unwrap();
    assert_eq!(quote.day_volume, Some(Quantity(dec!(2000))));
    assert_eq!(quote.volume_before, Some(Quantity(dec!(300))));
    let open = SessionRecordKind::Open(Vec::new());
    log(
        3,
        session(open, Scope::Venue(Venue::of_market(tick.market))),
    );
    let quote = market_cache.quote(&tick.code).unwrap();
    assert_eq!(quote.day_volume, None);
    assert_eq!(quote.volume_before, Some(Quantity(dec!(2000))));
}
