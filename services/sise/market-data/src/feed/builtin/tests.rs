//! The feed at day boundaries: nights, weekends, holidays, daylight saving, leap days.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};
use kernel::FixedClock;
use market_rules::{Calendar, Venue};
use proto::market::v1::session_record::Kind;
use rust_decimal::Decimal;

use super::*;
use crate::feed::SessionChange;
use crate::model::MarketHours;
use crate::model::simulation::MarketParameters;
use crate::pipeline::Normaliser;
use crate::seed;

fn instant_us(text: &str) -> i64 {
    let instant: DateTime<chrono::Utc> = text.parse().unwrap();
    instant.timestamp_micros()
}

/// The records of a feed in a span of time.
#[derive(Default)]
struct FeedOutput {
    changes: Vec<SessionChange>,
    /// Trades by code.
    trades: HashMap<String, usize>,
}

impl FeedOutput {
    /// Kinds and trading days of a venue's session changes.
    fn of(&self, venue: Venue) -> Vec<(Kind, i32)> {
        self.of_venue(venue)
            .map(|change| (change.kind, change.trading_day))
            .collect()
    }

    /// Open and close of a venue's trading day, to the minute.
    fn hours(&self, venue: Venue, day: i32) -> (String, String) {
        let at = |kind| {
            let mut found = self
                .of_venue(venue)
                .filter(|change| change.kind == kind && change.trading_day == day);
            let time_us = found.next().map_or(0, |change| change.event_time_us);
            assert!(
                found.next().is_none(),
                "{kind:?} of {day} was reported twice"
            );
            let at = DateTime::from_timestamp_micros(time_us).unwrap();
            at.format("%m-%d %H:%M").to_string()
        };
        (at(Kind::Open), at(Kind::Close))
    }

    /// Session changes of whole venues.
    fn of_venue(&self, venue: Venue) -> impl Iterator<Item = &SessionChange> {
        let changes = self.changes.iter();
        changes.filter(move |change| change.venue == Some(venue) && change.code.is_empty())
    }
}

/// A few instruments of every venue until two days after `first_day`.
fn market(
    hours: MarketHours,
    trades_per_second: f64,
    first_day: NaiveDate,
) -> (Catalogue, Simulation) {
    let universe = seed::MARKET.read().unwrap();
    let wanted = ["005930", "247540", "122630", "AAPL", "KRW-BTC", "04020000"];
    let mut instruments = universe.instruments;
    instruments.retain(|instrument| wanted.contains(&instrument.code.as_str()));
    let catalogue = Catalogue::new(instruments, universe.indices, universe.currencies);
    let first_live_day = match hours {
        MarketHours::Practice { from } => from,
        MarketHours::Exchange => first_day - Days::new(3),
    };
    let parameters = MarketParameters {
        seed: b"exchange".to_vec(),
        hours,
        history_from: first_live_day - Days::new(120),
        first_live_day,
        trades_per_second,
        ordered: Arc::default(),
    };
    let calendar = Arc::new(Calendar::embedded().unwrap());
    let until = first_day + Days::new(2);
    let market = Simulation::new(parameters, calendar, &catalogue, until);
    (catalogue, market)
}

/// Runs the feed of a [`market`] between two instants. Records must be in order and accepted by the
/// pipeline.
fn run_feed(hours: MarketHours, trades_per_second: f64, from: &str, until: &str) -> FeedOutput {
    let (from_us, until_us) = (instant_us(from), instant_us(until));
    let first_day = DateTime::from_timestamp_micros(from_us)
        .unwrap()
        .date_naive();
    let (catalogue, market) = market(hours, trades_per_second, first_day);
    let (board, market) = (QuoteBoard::new(catalogue), Arc::new(market));
    let clock = Arc::new(FixedClock::at(DateTime::UNIX_EPOCH));
    let mut feed = BuiltinFeed::new(market, &board, clock, LatestRates::default(), from_us);

    let mut normaliser = Normaliser::new(&board);
    let mut output = FeedOutput::default();
    let (mut last_us, mut at_us) = (i64::MIN, from_us);
    while at_us < until_us {
        let span_us = at_us..at_us + 3_600_000_000;
        at_us = span_us.end;
        for record in feed.records_until(at_us) {
            let time_us = match record {
                FeedRecord::Session(change) => {
                    drop(normaliser.session(change.clone()));
                    let time_us = change.event_time_us;
                    output.changes.push(change);
                    time_us
                }
                FeedRecord::Trade(trade) => {
                    *output.trades.entry(trade.code.to_string()).or_default() += 1;
                    let text = format!("{trade:?}");
                    let tick = normaliser.tick(trade, span_us.clone());
                    tick.unwrap_or_else(|refused| panic!("{refused:?} {text}"))
                        .event_time_us
                }
                FeedRecord::Refused(refused) => panic!("{refused:?}"),
            };
            assert!(time_us >= last_us);
            last_us = time_us;
        }
    }
    output
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn times(open: &str, close: &str) -> (String, String) {
    (open.to_owned(), close.to_owned())
}

#[test]
fn sessions_and_auctions_follow_the_exchange_over_a_weekend() {
    // From Friday 8:00 in Seoul.
    let output = run_feed(
        MarketHours::Exchange,
        6.0,
        "2026-11-19T23:00:00Z",
        "2026-11-23T01:00:00Z",
    );
    let krx = [
        // The log did not have these records.
        (Kind::Close, 20_261_119),
        (Kind::Auction, 20_261_120),
        (Kind::Open, 20_261_120),
        (Kind::Auction, 20_261_120),
        (Kind::Close, 20_261_120),
        (Kind::Auction, 20_261_123),
        (Kind::Open, 20_261_123),
    ];
    assert_eq!(output.of(Venue::Krx), krx);
    let us = [
        (Kind::Close, 20_261_119),
        (Kind::Open, 20_261_120),
        (Kind::Close, 20_261_120),
    ];
    assert_eq!(output.of(Venue::Us), us);
    let coin = output.of(Venue::Coin);
    assert_eq!(coin.first(), Some(&(Kind::Open, 20_261_120)));
    assert_eq!(coin.len(), 1 + 3 * 2, "three midnights: {coin:?}");
    assert_eq!(output.trades.len(), 6, "{:?}", output.trades);
    assert!(
        output.trades["KRW-BTC"] > output.trades["AAPL"],
        "coins trade at night"
    );
    let mut monday = output
        .changes
        .iter()
        .filter(|change| change.trading_day == 20_261_123);
    let bases = monday
        .find(|change| change.kind == Kind::Auction)
        .map(|change| change.bases.len());
    assert_eq!(bases, Some(3));
}

#[test]
fn the_us_session_follows_daylight_saving() {
    // Daylight saving ends on 1 November, a Sunday.
    let autumn = run_feed(
        MarketHours::Exchange,
        0.2,
        "2026-10-30T12:00:00Z",
        "2026-11-03T00:00:00Z",
    );
    assert_eq!(
        autumn.hours(Venue::Us, 20_261_030),
        times("10-30 13:30", "10-30 20:00")
    );
    assert_eq!(
        autumn.hours(Venue::Us, 20_261_102),
        times("11-02 14:30", "11-02 21:00")
    );
    // And starts on 14 March.
    let spring = run_feed(
        MarketHours::Exchange,
        0.2,
        "2027-03-12T12:00:00Z",
        "2027-03-16T00:00:00Z",
    );
    assert_eq!(
        spring.hours(Venue::Us, 20_270_312),
        times("03-12 14:30", "03-12 21:00")
    );
    assert_eq!(
        spring.hours(Venue::Us, 20_270_315),
        times("03-15 13:30", "03-15 20:00")
    );
}

#[test]
fn a_year_ends_with_holidays_and_begins_late() {
    let output = run_feed(
        MarketHours::Exchange,
        0.2,
        "2026-12-29T23:00:00Z",
        "2027-01-04T08:00:00Z",
    );
    let days = |venue| {
        let changes = output.of(venue).into_iter();
        let opened = changes.filter(|(kind, _)| *kind == Kind::Open);
        opened.map(|(_, day)| day).collect::<Vec<_>>()
    };
    // The exchange in Seoul is closed on 31 December and 1 January.
    assert_eq!(days(Venue::Krx), [20_261_230, 20_270_104]);
    assert_eq!(days(Venue::Gold), [20_261_230, 20_270_104]);
    assert_eq!(days(Venue::Us), [20_261_230, 20_261_231]);
    assert_eq!(
        output.hours(Venue::Krx, 20_270_104),
        times("01-04 01:00", "01-04 06:30")
    );
    let coin = days(Venue::Coin);
    assert_eq!(
        coin,
        [
            20_261_230, 20_261_231, 20_270_101, 20_270_102, 20_270_103, 20_270_104
        ]
    );
}

#[test]
fn a_practice_day_ends_and_begins_at_midnight_in_seoul_on_leap_days_too() {
    let practice = MarketHours::Practice {
        from: day("2028-02-20"),
    };
    let output = run_feed(
        practice,
        0.2,
        "2028-02-28T12:00:00Z",
        "2028-03-01T16:00:00Z",
    );
    for venue in Venue::ALL {
        let expected = [
            (Kind::Open, 20_280_228),
            (Kind::Close, 20_280_228),
            (Kind::Open, 20_280_229),
            (Kind::Close, 20_280_229),
            (Kind::Open, 20_280_301),
            (Kind::Close, 20_280_301),
            (Kind::Open, 20_280_302),
        ];
        assert_eq!(output.of(venue), expected, "{venue:?}");
        // Korean midnight is 15:00 UTC of the previous day.
        assert_eq!(
            output.hours(venue, 20_280_229),
            times("02-28 15:00", "02-29 15:00")
        );
    }
}

/// Values and what they are compared with, by index or currency.
fn told(
    (catalogue, market): &(Catalogue, Simulation),
    at: &str,
) -> HashMap<String, (Decimal, Decimal)> {
    let rates = LatestRates::default();
    tell_rates(&rates, market, catalogue, instant_us(at));
    let told = rates.currencies().into_iter().chain(rates.indices());
    told.map(|rate| (rate.code, (rate.value, rate.previous)))
        .collect()
}

#[test]
fn an_index_is_compared_with_the_close_before_its_session() {
    let mut parts = market(MarketHours::Exchange, 1.0, day("2026-11-11"));
    parts.1.extend(day("2026-11-17"));
    let value = |code: &str, at: &str| told(&parts, at)[code].0;
    let kospi = ["2026-11-12T07:00:00Z", "2026-11-13T07:00:00Z"];
    let [thursday, friday] = kospi.map(|closed| value("0001", closed));
    let new_york = ["2026-11-11T22:00:00Z", "2026-11-12T22:00:00Z"];
    let [before_thursday, before_friday] = new_york.map(|closed| value("SPX", closed));
    assert!(thursday != friday && before_thursday != before_friday);
    for (at, kospi, new_york) in [
        // At noon in Seoul, Thursday's session in New York was the last one.
        ("2026-11-13T03:00:00Z", thursday, before_thursday),
        // The session in New York goes over midnight in Seoul.
        ("2026-11-13T14:59:59Z", thursday, before_friday),
        ("2026-11-13T15:00:01Z", thursday, before_friday),
        ("2026-11-14T05:00:00Z", thursday, before_friday),
        // On Monday from the auction on.
        ("2026-11-15T23:29:59Z", thursday, before_friday),
        ("2026-11-15T23:30:00Z", friday, before_friday),
        ("2026-11-16T00:30:00Z", friday, before_friday),
    ] {
        let told = told(&parts, at);
        assert_eq!((told["0001"].1, told["SPX"].1), (kospi, new_york), "{at}");
    }
    assert_eq!(value("0001", "2026-11-14T05:00:00Z"), friday);
    // Currencies know no sessions.
    let dollar = told(&parts, "2026-11-14T05:00:00Z")["USD"].1;
    assert_eq!(dollar, value("USD", "2026-11-13T15:00:00Z"));
}

#[test]
fn values_of_a_practice_day_are_compared_with_its_midnight() {
    let practice = MarketHours::Practice {
        from: day("2026-11-10"),
    };
    let mut parts = market(practice, 1.0, day("2026-11-11"));
    parts.1.extend(day("2026-11-17"));
    let midnight = told(&parts, "2026-11-13T15:00:00Z");
    for at in [
        "2026-11-13T15:00:00Z",
        "2026-11-14T05:00:00Z",
        "2026-11-14T14:59:59Z",
    ] {
        for (code, (_, previous)) in told(&parts, at) {
            assert_eq!(previous, midnight[&code].0, "{code} at {at}");
        }
    }
}
