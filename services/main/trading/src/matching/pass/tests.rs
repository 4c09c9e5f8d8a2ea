//! Batches over orders, as a dry run.

mod settlement;

use chrono::TimeDelta;
use kernel::{AccountId, MarketCode, Price};
use market_rules::PriceBand;
use rust_decimal::Decimal;
use rust_decimal_macros::dec;

use super::*;
use crate::domain::sample::{DAY, at, order, tick};
use crate::orders::order::Side;
use crate::tick_log::SessionRecord;

fn pass(orders: impl IntoIterator<Item = Order>) -> MatchingPass {
    let orders = orders.into_iter();
    MatchingPass {
        orders: orders.map(|order| (order.id, order)).collect(),
        ..MatchingPass::default()
    }
}

fn batch(records: Vec<LogRecord>) -> Batch {
    let closed_at = records
        .iter()
        .map(|record| match record {
            LogRecord::Tick(tick) => tick.time,
            LogRecord::Session(session_record) => session_record.time,
        })
        .max();
    Batch {
        offset: 0,
        epoch: 1,
        closed_at: closed_at.unwrap_or(at(0)),
        records,
    }
}

fn session_record(kind: SessionRecordKind, trading_day: i32, seconds: i64) -> LogRecord {
    LogRecord::Session(SessionRecord {
        seq: 0,
        kind,
        scope: Some(Scope::Venue(Venue::Krx)),
        trading_day,
        time: at(seconds),
    })
}

fn dry_run(pass: &mut MatchingPass, records: Vec<LogRecord>) -> Vec<Effect> {
    pass.run(&batch(records), Settlement::DryRun).unwrap()
}

fn described(effects: &[Effect]) -> Vec<String> {
    let describe = |effect: &Effect| match effect {
        Effect::Filled {
            order, execution, ..
        } => format!(
            "{} {} {} at {} by {}",
            order.id,
            order.status.as_str(),
            execution.quantity,
            execution.price,
            execution.rule.as_str()
        ),
        Effect::Changed { order, reason, .. } => {
            format!("{} {} {reason}", order.id, order.status.as_str())
        }
        Effect::Split { split, .. } => format!("split {} to {}", split.before, split.after),
    };
    effects.iter().map(describe).collect()
}

fn tick_record(seq: i64, price: Decimal, volume: Decimal) -> LogRecord {
    LogRecord::Tick(tick(seq, price, volume))
}

#[test]
fn an_accounts_share_goes_to_the_better_price_and_then_to_the_older_order() {
    let mut pass = pass([
        order(1, Side::Buy, Some(dec!(72_000)), dec!(20)),
        order(2, Side::Buy, Some(dec!(73_000)), dec!(10)),
        order(3, Side::Buy, Some(dec!(72_000)), dec!(20)),
    ]);
    let effects = dry_run(&mut pass, vec![tick_record(1, dec!(71_300), dec!(100))]);
    assert_eq!(
        described(&effects),
        [
            "2 FILLED 10 at 71400 by LIMIT_TAKER",
            "1 PARTIAL 15 at 71400 by LIMIT_TAKER"
        ]
    );
}

#[test]
fn each_account_has_a_share_of_its_own() {
    let mut other = order(2, Side::Buy, None, dec!(50));
    other.account_id = AccountId(2);
    let mut pass = pass([order(1, Side::Buy, None, dec!(50)), other]);
    let effects = dry_run(&mut pass, vec![tick_record(1, dec!(71_300), dec!(100))]);
    assert_eq!(
        described(&effects),
        [
            "1 PARTIAL 25 at 71400 by MARKET_ONE_TICK_WORSE",
            "2 PARTIAL 25 at 71400 by MARKET_ONE_TICK_WORSE"
        ]
    );
}

#[test]
fn a_repeated_or_older_tick_fills_nothing() {
    let mut pass = pass([order(1, Side::Buy, None, dec!(50))]);
    let first = dry_run(&mut pass, vec![tick_record(5, dec!(71_300), dec!(100))]);
    assert_eq!(first.len(), 1);
    let again = vec![
        tick_record(5, dec!(71_300), dec!(100)),
        tick_record(4, dec!(71_300), dec!(100)),
    ];
    assert!(dry_run(&mut pass, again).is_empty());
}

#[test]
fn a_tick_from_before_the_order_fills_nothing() {
    let mut late = order(1, Side::Buy, None, dec!(1));
    late.placed_market_at = at(10);
    let mut pass = pass([late]);
    assert!(dry_run(&mut pass, vec![tick_record(10, dec!(71_300), dec!(100))]).is_empty());
    assert_eq!(
        dry_run(&mut pass, vec![tick_record(11, dec!(71_300), dec!(100))]).len(),
        1
    );
}

#[test]
fn the_close_ends_day_orders_and_leaves_queued_ones_and_coins() {
    let mut queued = order(2, Side::Buy, Some(dec!(71_000)), dec!(1));
    queued.status = Status::Queued;
    queued.trading_day = None;
    let mut coin = order(3, Side::Buy, Some(dec!(71_000)), dec!(1));
    coin.market = MarketCode::Coin;
    coin.time_in_force = TimeInForce::GoodTillCanceled;
    let mut pass = pass([
        order(1, Side::Buy, Some(dec!(71_000)), dec!(1)),
        queued,
        coin,
    ]);
    let effects = dry_run(
        &mut pass,
        vec![session_record(SessionRecordKind::Close, DAY, 1)],
    );
    assert_eq!(described(&effects), ["1 EXPIRED SESSION_ENDED"]);
}

#[test]
fn the_open_activates_queued_orders_within_the_daily_limits() {
    let queued = |id, price| {
        let mut order = order(id, Side::Buy, Some(price), dec!(1));
        order.status = Status::Queued;
        order.trading_day = None;
        order
    };
    let mut pass = pass([queued(1, dec!(71_000)), queued(2, dec!(40_000))]);
    let band = PriceBand {
        lower: Price(dec!(50_000)),
        upper: Price(dec!(92_000)),
    };
    let bases = vec![("005930".to_owned(), Some(band))];
    let effects = dry_run(
        &mut pass,
        vec![session_record(SessionRecordKind::Open(bases), DAY + 1, 1)],
    );
    assert_eq!(
        described(&effects),
        ["1 ACCEPTED ", "2 EXPIRED PRICE_LIMIT"]
    );
    let opened = pass.orders.get(&OrderId(1)).unwrap();
    assert_eq!(opened.trading_day, Some(DAY + 1));
}

#[test]
fn after_an_auction_no_tick_is_an_opening_gap() {
    let mut pass = pass([order(1, Side::Buy, Some(dec!(72_000)), dec!(1_000))]);
    let mut auction = tick(2, dec!(70_000), dec!(100));
    auction.session = TradingSession::Auction;
    let records = vec![
        session_record(SessionRecordKind::Auction(Vec::new()), DAY, 1),
        LogRecord::Tick(auction),
        session_record(SessionRecordKind::Open(Vec::new()), DAY, 3),
        tick_record(4, dec!(70_000), dec!(100)),
    ];
    let effects = dry_run(&mut pass, records);
    assert_eq!(
        described(&effects),
        [
            "1 PARTIAL 25 at 70000 by AUCTION",
            "1 PARTIAL 25 at 70100 by LIMIT_TAKER"
        ]
    );
}

#[test]
fn without_an_auction_the_first_tick_of_a_session_is_an_opening_gap() {
    let mut pass = pass([]);
    dry_run(
        &mut pass,
        vec![
            tick_record(1, dec!(73_000), dec!(1)),
            session_record(SessionRecordKind::Close, DAY, 2),
        ],
    );
    let mut queued = order(1, Side::Buy, Some(dec!(72_000)), dec!(50));
    queued.status = Status::Queued;
    queued.trading_day = None;
    pass.orders.insert(queued.id, queued);
    let mut first = tick(4, dec!(68_000), dec!(100));
    first.trading_day = DAY + 1;
    let mut second = tick(5, dec!(68_000), dec!(100));
    second.trading_day = DAY + 1;
    let records = vec![
        session_record(SessionRecordKind::Open(Vec::new()), DAY + 1, 3),
        LogRecord::Tick(first),
        LogRecord::Tick(second),
    ];
    assert_eq!(
        described(&dry_run(&mut pass, records)),
        [
            "1 ACCEPTED ",
            "1 PARTIAL 25 at 68000 by OPENING_GAP",
            "1 FILLED 25 at 68100 by LIMIT_TAKER"
        ]
    );
}

#[test]
fn nothing_trades_in_a_halt() {
    let mut pass = pass([order(1, Side::Buy, None, dec!(1))]);
    let halt = |kind, seconds| {
        LogRecord::Session(SessionRecord {
            seq: 0,
            kind,
            scope: Some(Scope::Code("005930".to_owned())),
            trading_day: DAY,
            time: at(seconds),
        })
    };
    let records = vec![
        tick_record(1, dec!(71_300), dec!(0)),
        halt(SessionRecordKind::Halt, 2),
        tick_record(3, dec!(71_300), dec!(100)),
    ];
    let mut first = pass.clone();
    first.orders.clear();
    dry_run(&mut first, records);
    pass.instruments = first.instruments;
    assert!(dry_run(&mut pass, vec![tick_record(4, dec!(71_300), dec!(100))]).is_empty());
    let resumed = vec![
        halt(SessionRecordKind::Resume, 5),
        tick_record(6, dec!(71_300), dec!(100)),
    ];
    assert_eq!(dry_run(&mut pass, resumed).len(), 1);
}

#[test]
fn a_market_order_without_a_price_is_canceled_after_its_wait() {
    let mut pass = pass([
        order(1, Side::Buy, None, dec!(1)),
        order(2, Side::Buy, Some(dec!(71_000)), dec!(1)),
    ]);
    let mut quiet = batch(Vec::new());
    quiet.closed_at = at(0) + TimeDelta::seconds(359);
    assert!(pass.run(&quiet, Settlement::DryRun).unwrap().is_empty());
    quiet.closed_at = at(0) + TimeDelta::seconds(360);
    let effects = pass.run(&quiet, Settlement::DryRun).unwrap();
    assert_eq!(described(&effects), ["1 CANCELED STALE_MARKET"]);
}

#[test]
fn the_stale_timer_stops_while_the_market_is_closed() {
    // One of the day would end with its session.
    let mut order = order(1, Side::Buy, None, dec!(100));
    order.time_in_force = TimeInForce::GoodTillCanceled;
    let mut pass = pass([order]);
    let mut closed = tick(1, dec!(71_300), dec!(4));
    closed.session = TradingSession::Open;
    dry_run(&mut pass, vec![LogRecord::Tick(closed)]);
    let state = pass.instruments.get_mut("005930").unwrap();
    state.session = TradingSession::Closed;
    let mut quiet = batch(Vec::new());
    quiet.closed_at = at(10_000);
    assert!(pass.run(&quiet, Settlement::DryRun).unwrap().is_empty());
}

#[test]
fn a_term_ends_in_market_time() {
    let mut coin = order(1, Side::Buy, Some(dec!(71_000)), dec!(1));
    coin.time_in_force = TimeInForce::GoodTillCanceled;
    coin.expires_at = Some(at(100));
    let mut pass = pass([coin]);
    assert!(dry_run(&mut pass, vec![tick_record(99, dec!(72_000), dec!(1))]).is_empty());
    let effects = dry_run(&mut pass, vec![tick_record(100, dec!(72_000), dec!(1))]);
    assert_eq!(described(&effects), ["1 EXPIRED TERM_ENDED"]);
}
