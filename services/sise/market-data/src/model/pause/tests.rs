use super::*;
use crate::model::Simulation;
use crate::model::sample::{self, day, spec};

fn market(ordered: &str) -> Simulation {
    sample::market("pauses", ordered, "2026-11-24")
}

fn trades(drawn: &DrawnDay) -> Vec<Trade> {
    let mut trades = Vec::new();
    for minute in 0..drawn.day.path.session.minutes() {
        drawn.for_each_trade(minute, |trade| trades.push(trade));
    }
    trades
}

fn drawn(market: &Simulation, code: &str, wanted: &str) -> DrawnDay {
    let mut found = None;
    market.walk(spec(market, code), day(wanted), |day| found = Some(day));
    found.unwrap().draw(market.factors())
}

#[test]
fn an_interruption_ends_with_everything_at_one_price() {
    let calm = drawn(&market(""), "005930", "2026-11-17");
    assert_eq!(calm.pauses(), []);
    let market = market("vi 005930 2026-11-17T10:00:00");
    let drawn = drawn(&market, "005930", "2026-11-17");
    let [pause] = drawn.pauses() else {
        panic!("{:?}", drawn.pauses());
    };
    assert_eq!(pause.kind, PauseKind::Interruption(Interruption::Static));
    let lasted_s = (pause.until_us - pause.from_us) / SECOND_US;
    assert!((AUCTION_S..=AUCTION_S + LATE_END_S).contains(&lasted_s));
    let trades = trades(&drawn);
    let inside: Vec<&Trade> = trades
        .iter()
        .filter(|trade| pause.covers(trade.event_time_us))
        .collect();
    assert_eq!(inside, [&pause.auction.unwrap()]);
    let times = trades.windows(2);
    assert!(
        times
            .into_iter()
            .all(|pair| pair[0].event_time_us < pair[1].event_time_us)
    );
    // The volume of the interrupted trades is traded at the end.
    let volume = |drawn: &DrawnDay| -> i64 {
        self::trades(drawn)
            .iter()
            .map(|trade| trade.volume_units)
            .sum()
    };
    assert_eq!(volume(&drawn), volume(&calm));
}

#[test]
fn a_halt_has_no_trades() {
    let market = market("halt 005930 2026-11-17T10:00:00 30");
    let drawn = drawn(&market, "005930", "2026-11-17");
    let [pause] = drawn.pauses() else {
        panic!("{:?}", drawn.pauses());
    };
    assert_eq!((pause.kind, pause.auction), (PauseKind::Halt, None));
    let silent = trades(&drawn);
    assert!(
        silent
            .iter()
            .all(|trade| !pause.covers(trade.event_time_us))
    );
    let after = silent
        .iter()
        .any(|trade| trade.event_time_us > pause.until_us);
    assert!(after);
}

#[test]
fn only_large_moves_are_interrupted() {
    let market = market("");
    let (mut days, mut fixed, mut moving, mut halts) = (0, 0, 0, 0);
    let domestic = market
        .specs()
        .iter()
        .filter(|spec| can_pause(spec.instrument.market) && !spec.instrument.halted);
    for spec in domestic {
        let own = thresholds(spec.instrument.market, spec.instrument.leverage).unwrap();
        market.walk(spec, day("2026-11-20"), |day| {
            if !day.live {
                return;
            }
            let drawn = day.draw(market.factors());
            days += 1;
            for pause in drawn.pauses() {
                match pause.kind {
                    PauseKind::Halt => halts += 1,
                    PauseKind::Interruption(Interruption::Static) => fixed += 1,
                    PauseKind::Interruption(Interruption::Dynamic) => moving += 1,
                }
            }
            // Outside of pauses every trade is within the threshold of the opening price.
            if drawn.pauses().is_empty() {
                let last = drawn.day.path.session.end_us - INTERRUPTION_CUTOFF_S * SECOND_US;
                let trades = trades(&drawn);
                let open = trades[0].price_units as f64;
                for trade in trades.iter().filter(|trade| trade.event_time_us < last) {
                    let moved = (trade.price_units as f64 / open - 1.0).abs() * 100.0;
                    let is_small = trade.price_units < 1_000;
                    assert!(
                        moved < f64::from(own.fixed_percent) || is_small,
                        "{} {moved}",
                        spec.instrument.code
                    );
                }
            }
        });
    }
    assert!(days > 3_000, "{days}");
    let interrupted = fixed + moving;
    assert!(
        (1..days / 20).contains(&interrupted),
        "{fixed} {moving} of {days}"
    );
    assert!(halts < 20, "{halts}");
}
