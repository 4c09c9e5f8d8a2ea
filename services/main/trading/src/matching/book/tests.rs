//! A batch has the same effects on the affected orders as on all orders.

use chrono::TimeDelta;
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::*;
use crate::domain::sample::{self, DAY, at};
use crate::matching::balances::Settlement;
use crate::matching::effect::Effect;
use crate::tick_log::{SessionRecord, SessionRecordKind};

const CODES: [&str; 3] = ["005930", "000660", "035720"];

fn orders() -> impl Strategy<Value = Vec<Order>> {
    let one = (
        0..3_usize,
        any::<bool>(),
        prop::option::weighted(0.8, 0..20_i64),
        1..30_i64,
        0..4_u8,
        any::<bool>(),
    );
    prop::collection::vec(one, 0..60).prop_map(|drawn| {
        let drawn = (1..).zip(drawn);
        drawn
            .map(|(id, (code, buys, price, quantity, kind, rests))| {
                let side = if buys { Side::Buy } else { Side::Sell };
                let price = price.map(|step| Decimal::from(70_000 + 100 * step));
                let mut order = sample::order(id, side, price, Decimal::from(quantity));
                CODES[code].clone_into(&mut order.instrument_code);
                order.resting = rests;
                match kind {
                    0 => {
                        order.status = Status::Queued;
                        order.trading_day = None;
                    }
                    1 => {
                        order.time_in_force = TimeInForce::GoodTillCanceled;
                        order.trading_day = None;
                        order.expires_at = Some(at(5 * quantity));
                    }
                    _ => {}
                }
                order
            })
            .collect()
    })
}

fn batches() -> impl Strategy<Value = Vec<Batch>> {
    let tick = (0..3_usize, 0..20_i64, 0..100_i64);
    let batch = (prop::collection::vec(tick, 0..4), 0..12_u8);
    prop::collection::vec(batch, 1..25).prop_map(|drawn| {
        let mut seq = 0;
        let mut day = DAY;
        let mut batches = Vec::new();
        for (ticks, kind) in drawn {
            let mut records = Vec::new();
            let venue = |kind, trading_day, seq| {
                LogRecord::Session(SessionRecord {
                    seq: 0,
                    kind,
                    scope: Some(Scope::Venue(Venue::Krx)),
                    trading_day,
                    time: at(seq * 5),
                })
            };
            match kind {
                0 => records.push(venue(SessionRecordKind::Close, day, seq)),
                1 => {
                    day += 1;
                    records.push(venue(SessionRecordKind::Open(Vec::new()), day, seq));
                }
                2 => day += 1,
                3 => records.push(LogRecord::Session(SessionRecord {
                    seq: 0,
                    kind: SessionRecordKind::Halt,
                    scope: Some(Scope::Code(CODES[0].to_owned())),
                    trading_day: day,
                    time: at(seq * 5),
                })),
                _ => {}
            }
            for (code, step, volume) in ticks {
                seq += 1;
                let price = Decimal::from(70_000 + 100 * step);
                let mut tick = sample::tick(seq, price, Decimal::from(volume));
                CODES[code].clone_into(&mut tick.code);
                tick.time = at(seq * 5);
                tick.trading_day = day;
                records.push(LogRecord::Tick(tick));
            }
            batches.push(Batch {
                offset: 0,
                epoch: 1,
                closed_at: at(seq * 5) + TimeDelta::seconds(1),
                records,
            });
        }
        batches
    })
}

proptest! {
    #[test]
    fn affected_orders_are_complete(orders in orders(), batches in batches()) {
        let mut whole = MatchingPass {
            orders: orders.iter().map(|order| (order.id, order.clone())).collect(),
            ..MatchingPass::default()
        };
        let mut book = OrderBook::new(BTreeMap::new(), orders);
        for batch in &batches {
            let expected: Vec<Effect> = whole.run(batch, Settlement::DryRun).unwrap();
            whole.orders.retain(|_, order| order.status.is_open());
            let mut pass = book.affected_by(batch);
            prop_assert_eq!(pass.run(batch, Settlement::DryRun).unwrap(), expected);
            book.apply(pass);
            prop_assert_eq!(&book.orders, &whole.orders);
            prop_assert_eq!(&book.instruments, &whole.instruments);
        }
        let ids: Vec<OrderId> = book.orders.keys().copied().collect();
        for id in ids {
            book.remove(id);
        }
        prop_assert!(book.is_empty() && book.at_market.is_empty() && book.terms.is_empty());
        for index in book.by_instrument.values() {
            prop_assert!(index.every_tick.is_empty() && index.buys.is_empty());
            prop_assert!(index.sells.is_empty() && index.days.is_empty());
        }
    }
}

#[test]
fn resting_limits_beyond_the_traded_prices_are_not_affected() {
    let far = |id| {
        let mut order = sample::order(id, Side::Buy, Some(Decimal::from(60_000)), Decimal::ONE);
        order.resting = true;
        order
    };
    let near = sample::order(5_000, Side::Buy, Some(Decimal::from(71_000)), Decimal::ONE);
    let book = OrderBook::new(BTreeMap::new(), (1..5_000).map(far).chain([near]));
    let batch = Batch {
        offset: 0,
        epoch: 1,
        closed_at: at(1),
        records: vec![LogRecord::Tick(sample::tick(
            1,
            Decimal::from(71_300),
            Decimal::TEN,
        ))],
    };
    let pass = book.affected_by(&batch);
    assert_eq!(pass.orders.len(), 1);
    assert_eq!(book.len(), 5_000);
}
