//! The board with constructed batches.

use proto::market::v1::{
    DayBase, SessionRecord, SessionState, Tick, TickBatch, TickRecord, Venue, session_record::Kind,
    tick_record::Record,
};

use super::*;
use crate::seed;

fn board() -> QuoteBoard {
    let universe = seed::MARKET.read().unwrap();
    QuoteBoard::new(Catalogue::new(
        universe.instruments,
        universe.indices,
        universe.currencies,
    ))
}

fn batch(epoch: i64, batch_seq: i64, records: Vec<Record>) -> TickBatch {
    TickBatch {
        producer: "test".to_owned(),
        epoch,
        batch_seq,
        closed_at_us: batch_seq * 1_000,
        records: records
            .into_iter()
            .map(|record| TickRecord {
                record: Some(record),
            })
            .collect(),
    }
}

fn open(session_seq: i64, trading_day: i32, base_units: i64) -> Record {
    Record::Session(SessionRecord {
        kind: Kind::Open.into(),
        venue: Venue::Krx.into(),
        trading_day,
        session_seq,
        bases: vec![DayBase {
            code: "005930".to_owned(),
            price_scale: 0,
            base_units,
            lower_limit_units: base_units * 7 / 10,
            upper_limit_units: base_units * 13 / 10,
        }],
        ..SessionRecord::default()
    })
}

fn tick(tick_seq: i64, trading_day: i32, price_units: i64) -> Record {
    Record::Tick(Tick {
        code: "005930".to_owned(),
        tick_seq,
        trading_day,
        price_units,
        prev_close_units: 250_000,
        open_units: 251_000,
        high_units: 262_000,
        low_units: 249_000,
        volume_units: 3,
        acc_volume_units: 1_000,
        bid_units: price_units,
        ..Tick::default()
    })
}

fn apply(board: &QuoteBoard, offset: u64, batch: TickBatch) -> usize {
    let mut fresh = 0;
    board.apply(offset, batch, |_| fresh += 1);
    fresh
}

#[test]
fn duplicates_and_older_epochs_change_nothing() {
    let board = board();
    let first = batch(
        7,
        1,
        vec![open(1, 20_261_120, 250_000), tick(10, 20_261_120, 259_000)],
    );
    assert_eq!(apply(&board, 0, first.clone()), 2);
    assert_eq!(apply(&board, 1, first), 0);
    assert_eq!(
        apply(&board, 2, batch(7, 2, vec![tick(9, 20_261_120, 1)])),
        0
    );
    assert_eq!(
        apply(&board, 3, batch(6, 99, vec![tick(11, 20_261_120, 2)])),
        0
    );
    assert_eq!(board.tick("005930").unwrap().price_units, 259_000);
    let progress = board.progress();
    assert_eq!(
        (
            progress.offset.epoch,
            progress.offset.next,
            progress.batch_seq
        ),
        (7, 3, 2)
    );
}

#[test]
fn a_new_day_starts_from_the_base_price() {
    let board = board();
    assert_eq!(board.quote("005930"), None);
    let records = vec![open(1, 20_261_120, 250_000), tick(10, 20_261_120, 259_000)];
    apply(&board, 0, batch(1, 1, records));
    let quote = board.quote("005930").unwrap();
    assert_eq!(quote.high.unwrap().value, "262000");
    assert_eq!(quote.upper_limit.unwrap().value, "325000");
    assert_eq!(quote.ask, None);
    apply(&board, 1, batch(1, 2, vec![open(2, 20_261_121, 259_000)]));
    let quote = board.quote("005930").unwrap();
    assert_eq!(quote.trading_day, 20_261_121);
    for value in [
        quote.price,
        quote.prev_close,
        quote.open,
        quote.high,
        quote.low,
    ] {
        assert_eq!(value.unwrap().value, "259000");
    }
    assert_eq!(quote.acc_volume.unwrap().value, "0");
    assert_eq!((quote.bid, quote.ask), (None, None));
}

#[test]
fn a_restored_board_equals_the_original() {
    let board = board();
    let mut halt = SessionRecord {
        kind: Kind::Halt.into(),
        venue: Venue::Krx.into(),
        code: "005930".to_owned(),
        session_seq: 2,
        ..SessionRecord::default()
    };
    let records = vec![
        open(1, 20_261_120, 250_000),
        tick(10, 20_261_120, 259_000),
        Record::Session(halt.clone()),
    ];
    apply(&board, 4, batch(1, 1, records));
    let again = self::board();
    again.restore(
        board.progress(),
        &board.sessions(),
        vec![board.tick("005930").unwrap()],
        Vec::new(),
    );
    assert_eq!(again.snapshot(&[]), board.snapshot(&[]));
    assert_eq!(again.snapshot(&[]).next_offset, 5);
    assert_eq!(
        again.quote("005930").unwrap().session(),
        SessionState::Halted
    );
    halt.set_kind(Kind::Resume);
    halt.session_seq = 3;
    apply(&again, 5, batch(1, 2, vec![Record::Session(halt)]));
    assert_eq!(again.quote("005930").unwrap().session(), SessionState::Open);
}

#[test]
fn an_untraded_share_has_its_base_price() {
    let board = board();
    apply(&board, 0, batch(1, 1, vec![open(1, 20_261_120, 250_000)]));
    let snapshot = board.snapshot(&["005930".to_owned(), "nobody".to_owned()]);
    assert_eq!(snapshot.ticks.len(), 1);
    assert_eq!(snapshot.ticks[0].price_units, 250_000);
    assert_eq!(snapshot.ticks[0].tick_seq, 0);
}

#[test]
fn the_market_value_is_unchanged_by_a_split() {
    let board = board();
    let split = |session_seq, trading_day, new, old| {
        Record::Session(SessionRecord {
            kind: Kind::Split.into(),
            venue: Venue::Krx.into(),
            code: "005930".to_owned(),
            trading_day,
            session_seq,
            split_numerator: new,
            split_denominator: old,
            ..SessionRecord::default()
        })
    };
    let listed = board.catalogue().get("005930").unwrap().listed_shares;
    let listed = listed.unwrap();
    let worth = |board: &QuoteBoard| {
        let price = board.tick("005930").unwrap().price_units;
        let item = crate::listing::item(board.catalogue().get("005930").unwrap(), board);
        item.instrument.unwrap().listed_shares * price
    };
    let records = vec![open(1, 20_261_120, 250_000), tick(10, 20_261_120, 260_000)];
    apply(&board, 0, batch(1, 1, records));
    let before = worth(&board);
    assert_eq!(before, listed * 260_000);
    let divided = vec![
        split(2, 20_261_121, 5, 1),
        open(3, 20_261_121, 52_000),
        tick(11, 20_261_121, 52_000),
    ];
    apply(&board, 1, batch(1, 2, divided.clone()));
    assert_eq!(worth(&board), before);
    // The log may be read again from an earlier offset.
    apply(&board, 1, batch(1, 2, divided));
    assert_eq!(worth(&board), before);

    let again = self::board();
    again.restore(
        board.progress(),
        &board.sessions(),
        vec![board.tick("005930").unwrap()],
        vec![("005930".to_owned(), 20_261_121, 5, 1)],
    );
    assert_eq!(worth(&again), before);
    let joined = vec![split(4, 20_261_122, 1, 10), tick(12, 20_261_122, 520_000)];
    apply(&again, 2, batch(1, 3, joined));
    assert_eq!(worth(&again), before);
    assert_eq!(again.in_todays_shares("000660", 7), 7);
}
