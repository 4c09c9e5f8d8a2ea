//! The replay is deterministic, also when it resumes.

use std::collections::HashMap;

use clap::Parser;
use prost::Message;
use proto::market::v1::TickBatch;

use super::*;
use crate::pipeline::{Batcher, LogEnd, RefusedLog};
use crate::seed;

fn catalogue() -> Catalogue {
    let universe = seed::REPLAY.read().unwrap();
    Catalogue::new(universe.instruments, universe.indices, universe.currencies)
}

fn feed(settings: &[&str]) -> ReplayFeed {
    let words = ["test"].into_iter().chain(settings.iter().copied());
    let config = FeedConfig::parse_from(words);
    ReplayFeed::open(&config, &catalogue()).unwrap()
}

const WEEK: [&str; 8] = [
    "--replay-from",
    "2005-02-22",
    "--replay-until",
    "2005-03-01",
    "--replay-seconds-per-day",
    "30",
    "--replay-ticks-per-day",
    "300",
];

fn stop() -> Vec<&'static str> {
    WEEK.into_iter()
        .chain(["--replay-at-end", "stop"])
        .collect()
}

fn given(feed: &mut ReplayFeed) -> Vec<FeedBatch> {
    std::iter::from_fn(|| feed.next_batch()).collect()
}

fn bytes(batches: Vec<FeedBatch>) -> Vec<Vec<u8>> {
    let board = QuoteBoard::new(catalogue());
    let end = LogEnd {
        epoch: 1,
        batch_seq: 0,
        is_new_epoch: false,
    };
    let mut batcher = Batcher::new(&board, RefusedLog::new().0, end);
    let batches = batches.into_iter();
    let batches = batches.filter_map(|batch| batcher.batch("replay", batch));
    batches
        .map(|batch: TickBatch| batch.encode_to_vec())
        .collect()
}

#[test]
fn the_same_settings_give_the_same_bytes() {
    let once = bytes(given(&mut feed(&stop())));
    assert!(once.len() > 1_000, "{}", once.len());
    assert_eq!(once, bytes(given(&mut feed(&stop()))));
}

#[test]
fn a_resumed_replay_continues_where_it_stopped() {
    let whole = given(&mut feed(&stop()));
    for place in [0, 1, 150, 299, 300, 301, 777, whole.len() - 1] {
        let mut resumed = feed(&stop());
        resumed.resume(whole[place].market_time_us);
        let rest = given(&mut resumed);
        let records = |batches: &[FeedBatch]| -> Vec<FeedRecord> {
            let records = batches.iter().flat_map(|batch| batch.records.clone());
            // Heartbeats are counted from the start.
            records
                .filter(
                    |record| !matches!(record, FeedRecord::Session(s) if s.kind == Kind::Heartbeat),
                )
                .collect()
        };
        assert_eq!(
            records(&rest),
            records(&whole[place + 1..]),
            "after batch {place}"
        );
    }
    let mut fresh = feed(&stop());
    fresh.resume(fresh.begins_at_us());
    assert_eq!(given(&mut fresh), whole);
}

#[test]
fn a_second_round_continues_in_time() {
    let mut feed = feed(&WEEK);
    let mut last_us = i64::MIN;
    let mut days: HashMap<i32, usize> = HashMap::new();
    // Six days of thirty seconds and ten batches, three rounds.
    for _ in 0..6 * 300 * 3 {
        let batch = feed.next_batch().unwrap();
        assert!(batch.market_time_us > last_us);
        last_us = batch.market_time_us;
        for record in batch.records {
            if let FeedRecord::Session(change) = record
                && change.kind == Kind::Open
            {
                *days.entry(change.trading_day).or_default() += 1;
            }
        }
    }
    assert_eq!(days.len(), 18);
    assert!(days.values().all(|opened| *opened == 1));
    assert!(
        days.contains_key(&20_050_308),
        "a round later is two weeks later"
    );
}

#[test]
fn splits_are_published_before_the_open() {
    let batches = given(&mut feed(&stop()));
    let changes: Vec<SessionChange> = batches
        .into_iter()
        .flat_map(|batch| batch.records)
        .filter_map(|record| match record {
            FeedRecord::Session(change) => Some(change),
            FeedRecord::Trade(_) | FeedRecord::Refused(_) => None,
        })
        .collect();
    let split = changes
        .iter()
        .position(|change| change.kind == Kind::Split)
        .unwrap();
    assert_eq!(changes[split].split, Some((2, 1)));
    assert_eq!(changes[split].trading_day, 20_050_228);
    let open = &changes[split + 1];
    assert_eq!((open.kind, open.trading_day), (Kind::Open, 20_050_228));
    assert!(changes[split].event_time_us < open.event_time_us);
}

#[test]
fn a_span_without_recorded_days_is_refused() {
    let config = FeedConfig::parse_from(["test", "--replay-from", "2020-01-01"]);
    assert!(ReplayFeed::open(&config, &catalogue()).is_err());
}
