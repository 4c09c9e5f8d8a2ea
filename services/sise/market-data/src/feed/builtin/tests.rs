//! The feed on the exchange clock, over a weekend.

use std::collections::HashMap;

use chrono::NaiveDate;
use kernel::FixedClock;
use market_rules::{Calendar, Venue};
use proto::market::v1::session_record::Kind;

use super::*;
use crate::feed::SessionChange;
use crate::model::MarketHours;
use crate::model::simulation::Setting;
use crate::pipeline::Normaliser;
use crate::seed;

fn instant_us(text: &str) -> i64 {
    let instant: DateTime<chrono::Utc> = text.parse().unwrap();
    instant.timestamp_micros()
}

/// A few instruments of every venue on real hours, from Friday 8:00 in Seoul.
fn friday() -> (BuiltinFeed, QuoteBoard) {
    let universe = seed::MARKET.read().unwrap();
    let wanted = ["005930", "247540", "122630", "AAPL", "KRW-BTC", "04020000"];
    let mut instruments = universe.instruments;
    instruments.retain(|instrument| wanted.contains(&instrument.code.as_str()));
    let catalogue = Catalogue::new(instruments, universe.indices, universe.currencies);
    let first_live_day: NaiveDate = "2026-11-16".parse().unwrap();
    let setting = Setting {
        seed: b"exchange".to_vec(),
        hours: MarketHours::Exchange,
        history_from: "2026-06-01".parse().unwrap(),
        first_live_day,
        trades_per_second: 6.0,
        ordered: Arc::default(),
    };
    let calendar = Arc::new(Calendar::embedded().unwrap());
    let until = "2026-11-22".parse().unwrap();
    let market = Arc::new(Simulation::new(setting, calendar, &catalogue, until));
    let board = QuoteBoard::new(catalogue);
    let clock = Arc::new(FixedClock::at(DateTime::UNIX_EPOCH));
    let from_us = instant_us("2026-11-19T23:00:00Z");
    let feed = BuiltinFeed::new(market, &board, clock, RateBoard::default(), from_us);
    (feed, board)
}

#[test]
fn sessions_and_auctions_follow_the_exchange_over_a_weekend() {
    let (mut feed, board) = friday();
    let mut normaliser = Normaliser::new(&board);
    let mut changes: Vec<SessionChange> = Vec::new();
    let mut trades: HashMap<String, usize> = HashMap::new();
    let (mut last_us, mut at_us) = (i64::MIN, instant_us("2026-11-19T23:00:00Z"));
    let end_us = instant_us("2026-11-23T01:00:00Z");
    while at_us < end_us {
        let span_us = at_us..at_us + 3_600_000_000;
        at_us = span_us.end;
        for record in feed.records_until(at_us) {
            let time_us = match record {
                FeedRecord::Session(change) => {
                    drop(normaliser.session(change.clone()));
                    changes.push(change);
                    changes.last().unwrap().event_time_us
                }
                FeedRecord::Trade(trade) => {
                    *trades.entry(trade.code.to_string()).or_default() += 1;
                    let told = format!("{trade:?}");
                    let tick = normaliser.tick(trade, span_us.clone());
                    tick.unwrap_or_else(|refused| panic!("{refused:?} {told}"))
                        .event_time_us
                }
                FeedRecord::Refused(refused) => panic!("{refused:?}"),
            };
            assert!(time_us >= last_us);
            last_us = time_us;
        }
    }
    let of = |venue| {
        let venue = changes
            .iter()
            .filter(move |change| change.venue == Some(venue));
        venue
            .map(|change| (change.kind, change.trading_day))
            .collect::<Vec<_>>()
    };
    let krx = [
        // What the log had not been told.
        (Kind::Close, 20_261_119),
        (Kind::Auction, 20_261_120),
        (Kind::Open, 20_261_120),
        (Kind::Auction, 20_261_120),
        (Kind::Close, 20_261_120),
        (Kind::Auction, 20_261_123),
        (Kind::Open, 20_261_123),
    ];
    assert_eq!(of(Venue::Krx), krx);
    let us = [
        (Kind::Close, 20_261_119),
        (Kind::Open, 20_261_120),
        (Kind::Close, 20_261_120),
    ];
    assert_eq!(of(Venue::Us), us);
    let coin = of(Venue::Coin);
    assert_eq!(coin.first(), Some(&(Kind::Open, 20_261_120)));
    assert_eq!(coin.len(), 1 + 3 * 2, "three midnights: {coin:?}");
    assert_eq!(trades.len(), 6, "{trades:?}");
    assert!(trades["KRW-BTC"] > trades["AAPL"], "coins trade at night");
    let before_monday = changes
        .iter()
        .filter(|change| change.trading_day == 20_261_123);
    let bases = before_monday
        .clone()
        .find(|change| change.kind == Kind::Auction)
        .unwrap();
    assert_eq!(bases.bases.len(), 3);
}
