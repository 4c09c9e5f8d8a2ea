//! A day in which every batch of the log arrives twice, and batches that are broken off while they
//! are stored: what the members own in the end is the same to the byte.

use proto::trading::v1 as wire;
use sqlx::PgPool;
use trading::domain::market::TradingSession;
use trading::domain::split::SplitRatio;
use trading::matching::{Partition, Shard};
use trading::tick_log::{Batch, LogRecord, Scope, SessionRecordKind, Venue};

use crate::world::{APPLE, DAY, SAMSUNG, World, buy, sell};

const MEMBERS: i64 = 6;
const FIRST: i64 = 300_001;

/// Everything that the log decides, in an order of its own.
const OUTCOME: &str = "
    select string_agg(line, E'\\n' order by line) from (
        select format('fill %s %s %s %s %s %s %s', order_id, tick_seq, quantity, price, amount_won,
            fee_won, cost_won) as line from fill
        union all
        select format('holding %s %s %s %s %s %s', account_id, instrument_code, quantity,
            held_quantity, cost_won, cost_quote) from holding
        union all
        select format('split %s %s %s %s %s %s', account_id, instrument_code, trading_day,
            quantity_before, quantity_after, paid_won) from holding_split
        union all
        select format('order %s %s %s %s %s %s', id, status, price, quantity, filled_quantity,
            end_reason) from trade_order
        union all
        select format('account %s %s %s %s', id, amount, held, open_orders) from account
            join balance on account_id = id
    ) lines";

/// What members do between two batches.
#[derive(Clone, Copy)]
enum Act {
    Nothing,
    /// All of them buy at the market.
    BuyMarket,
    /// Each buys and sells at prices around this one.
    Around(i64),
}

/// Fails with the lines that differ.
fn assert_same(outcome: &str, once: &str, case: &str) {
    let differs = |a: &str, b: &str| {
        let missing = a
            .lines()
            .filter(|line| !b.lines().any(|other| other == *line));
        missing.map(str::to_owned).collect::<Vec<_>>()
    };
    let (new, lost) = (differs(outcome, once), differs(once, outcome));
    assert!(
        new.is_empty() && lost.is_empty(),
        "{case}: {new:#?} instead of {lost:#?}"
    );
}

/// Session records, a trade, how many days after the first, and what the members do then.
type Line = (
    Vec<(SessionRecordKind, Scope)>,
    Option<(i64, TradingSession)>,
    i32,
    Act,
);

impl World {
    async fn outcome(&self) -> String {
        let outcome: Option<String> = sqlx::query_scalar(OUTCOME)
            .fetch_one(&self.pool)
            .await
            .unwrap();
        outcome.unwrap_or_default()
    }

    async fn act(&self, act: Act) {
        for index in 0..MEMBERS {
            let member = FIRST + index;
            match act {
                Act::Nothing => {}
                Act::BuyMarket => {
                    self.placed(buy(member, APPLE, "", "7")).await;
                }
                Act::Around(price) => {
                    for off in [-2 - index, index] {
                        let price = (price + off).max(1).to_string();
                        self.placed(buy(member, APPLE, &price, "1")).await;
                        let _not_owned = self.place(sell(member, APPLE, &price, "1")).await;
                    }
                }
            }
        }
    }

    /// Numbers the session records as market-data does.
    fn numbered(&mut self, mut records: Vec<LogRecord>, seq: &mut i64) -> Batch {
        for record in &mut records {
            if let LogRecord::Session(session_record) = record {
                *seq += 1;
                session_record.seq = *seq;
            }
        }
        self.batch(records)
    }

    /// A day and the beginning of the two after it: auctions, a halt, an interruption, a night
    /// with orders, a split of seven for two, and ordinary trades.
    fn script(&mut self, seq: &mut i64) -> Vec<(Batch, Act)> {
        let code = || Scope::Code(APPLE.to_owned());
        let venue = || Scope::Venue(Venue::Us);
        let split = SessionRecordKind::Split(SplitRatio {
            numerator: 7,
            denominator: 2,
        });
        let lines: Vec<Line> = vec![
            (vec![], None, 0, Act::BuyMarket),
            (vec![], None, 0, Act::Nothing),
            (vec![], Some((20, TradingSession::Open)), 0, Act::Around(20)),
            (
                vec![(SessionRecordKind::Halt, code())],
                None,
                0,
                Act::Nothing,
            ),
            (
                vec![(SessionRecordKind::Resume, code())],
                Some((21, TradingSession::Open)),
                0,
                Act::Around(21),
            ),
            (
                vec![(SessionRecordKind::Auction(vec![]), code())],
                None,
                0,
                Act::Around(22),
            ),
            (vec![], Some((23, TradingSession::Auction)), 0, Act::Nothing),
            (
                vec![(SessionRecordKind::Open(vec![]), code())],
                Some((21, TradingSession::Open)),
                0,
                Act::Around(21),
            ),
            (
                vec![(SessionRecordKind::Close, venue())],
                None,
                0,
                Act::Around(21),
            ),
            (
                vec![
                    (split, code()),
                    (SessionRecordKind::Auction(vec![]), venue()),
                ],
                None,
                1,
                Act::Around(6),
            ),
            (
                vec![(SessionRecordKind::Open(vec![]), venue())],
                Some((6, TradingSession::Open)),
                1,
                Act::Around(6),
            ),
            (vec![], Some((5, TradingSession::Open)), 1, Act::Nothing),
            (
                vec![(SessionRecordKind::Close, venue())],
                Some((7, TradingSession::Open)),
                1,
                Act::Nothing,
            ),
            (
                vec![(SessionRecordKind::Open(vec![]), venue())],
                None,
                2,
                Act::Around(6),
            ),
            (vec![], Some((6, TradingSession::Open)), 2, Act::Nothing),
        ];
        let mut script = Vec::new();
        for (notices, trade, days, act) in lines {
            let mut records: Vec<LogRecord> = notices
                .into_iter()
                .map(|(kind, scope)| self.session_record(kind, scope, DAY + days))
                .collect();
            if let Some((price, session)) = trade {
                let mut record = self.tick(APPLE, price.into(), 1_000_000);
                if let LogRecord::Tick(tick) = &mut record {
                    tick.trading_day = DAY + days;
                    tick.session = session;
                }
                records.insert(0, record);
            }
            script.push((self.numbered(records, seq), act));
        }
        script
    }

    /// Delivers a batch once more, at a place of its own in the log; or, to compare with, a batch
    /// that says nothing but the time.
    async fn again(&mut self, batch: &Batch, is_empty: bool) {
        let mut repeated = Batch {
            offset: self.offset,
            ..batch.clone()
        };
        if is_empty {
            repeated.records.clear();
        }
        self.offset += 1;
        self.market_cache.apply(&repeated);
        self.shard.process(repeated).await.unwrap();
    }

    /// Plays the script; after batch `place` those that `repeats` says are delivered again.
    async fn play(&mut self, repeats: impl Fn(usize) -> Vec<usize>, is_empty: bool) {
        let mut seq = 1_000;
        let script = self.script(&mut seq);
        // Repetitions have places of their own between these.
        for (place, (batch, act)) in script.iter().enumerate() {
            let batch = Batch {
                offset: self.offset,
                ..batch.clone()
            };
            self.offset += 1;
            self.market_cache.apply(&batch);
            self.shard.process(batch).await.unwrap();
            for index in repeats(place) {
                self.again(&script[index].0, is_empty).await;
            }
            self.act(*act).await;
        }
    }
}

/// What comes of the day when these batches are repeated after those that they are given for.
async fn outcome_of(
    pool: &PgPool,
    repeats: impl Fn(usize) -> Vec<usize>,
    is_empty: bool,
) -> String {
    let mut world = World::new(pool.clone()).await;
    world.play(repeats, is_empty).await;
    world.audit().await;
    let fills = world.count("select count(*) from fill").await;
    let splits = world.count("select count(*) from holding_split").await;
    assert!(
        fills > 40 && splits == MEMBERS,
        "{fills} fills, {splits} splits"
    );
    let outcome = world.outcome().await;
    world.empty().await;
    outcome
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_day_that_arrives_twice_is_the_same_day(pool: PgPool) {
    // Each batch late by the same number of batches.
    for lag in 0..15 {
        let late = |place: usize| place.checked_sub(lag).into_iter().collect();
        let once = outcome_of(&pool, late, true).await;
        let twice = outcome_of(&pool, late, false).await;
        assert_same(&twice, &once, &format!("repeated {lag} batches later"));
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_day_with_repeated_batches_is_the_same_day(pool: PgPool) {
    // After each batch, the day's records since one of them are repeated.
    for first in (0..15).step_by(2) {
        let since = |place: usize| (first..=place).collect();
        let once = outcome_of(&pool, since, true).await;
        let again = outcome_of(&pool, since, false).await;
        assert_same(&again, &once, &format!("everything since {first}"));
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn another_writers_copy_of_a_split_changes_nothing(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.play(|_| Vec::new(), false).await;
    let once = world.outcome().await;
    let split = SessionRecordKind::Split(SplitRatio {
        numerator: 7,
        denominator: 2,
    });
    let mut copy = world.session_record(split, Scope::Code(APPLE.to_owned()), DAY + 1);
    if let LogRecord::Session(session_record) = &mut copy {
        session_record.seq = 5_000;
    }
    let price = world.market_cache.quote(APPLE).unwrap().last;
    world.log(vec![copy]).await;
    assert_same(&world.outcome().await, &once, "another writer's copy");
    assert_eq!(world.market_cache.quote(APPLE).unwrap().last, price);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_close_of_a_past_day_ends_nothing(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.play(|_| Vec::new(), false).await;
    let waiting = world.waiting(FIRST).await.len();
    let mut close =
        world.session_record(SessionRecordKind::Close, Scope::Venue(Venue::Us), DAY + 1);
    if let LogRecord::Session(session_record) = &mut close {
        session_record.seq = 5_000;
    }
    world.log(vec![close]).await;
    assert_eq!(world.waiting(FIRST).await.len(), waiting);
    let placed = world.placed(buy(FIRST, APPLE, "1", "1")).await;
    assert_eq!(
        placed.status(),
        wire::OrderStatus::Accepted,
        "the market is open"
    );
    world.log(Vec::new()).await;
    world.log(Vec::new()).await;
    assert_eq!(world.waiting(FIRST).await.len(), waiting + 1);
    world.audit().await;
}

/// Breaks a transaction that writes this account.
fn fault(account: i64) -> String {
    format!(
        "create function break_off() returns trigger language plpgsql as $$
         begin raise exception 'broken off'; end $$;
         create trigger break_off before update on account for each row
         when (old.id = {account}) execute function break_off()"
    )
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_large_batch_resumes_after_the_last_settled_slice(pool: PgPool) {
    let mut outcomes = Vec::new();
    for broken in 0..=MEMBERS {
        let mut world = World::new(pool.clone()).await;
        world.shard = Shard::load(&world.store, Partition { index: 0, count: 1 })
            .await
            .unwrap()
            .in_slices_of(2);
        world.act(Act::BuyMarket).await;
        world.log(Vec::new()).await;
        let mut seq = 1_000;
        let tick = world.tick(APPLE, 20.into(), 1_000_000);
        world.log(vec![tick]).await;
        world.act(Act::Around(20)).await;
        world.log(Vec::new()).await;
        // Fills, ended orders and split holdings in one batch.
        let tick = world.tick(APPLE, 17.into(), 1_000_000);
        let split = SessionRecordKind::Split(SplitRatio {
            numerator: 7,
            denominator: 2,
        });
        let records = vec![
            tick,
            world.session_record(SessionRecordKind::Close, Scope::Venue(Venue::Us), DAY),
            world.session_record(split, Scope::Code(APPLE.to_owned()), DAY + 1),
            world.session_record(
                SessionRecordKind::Open(Vec::new()),
                Scope::Venue(Venue::Us),
                DAY + 1,
            ),
        ];
        if broken % 2 == 1 {
            // It is the first of another log, which counts from before what was read.
            world.epoch = 2;
            seq = 10;
        }
        let batch = world.numbered(records, &mut seq);
        world.market_cache.apply(&batch);
        if broken > 0 {
            sqlx::raw_sql(sqlx::AssertSqlSafe(fault(broken)))
                .execute(&pool)
                .await
                .unwrap();
            assert!(world.shard.process(batch).await.is_err());
            let left = "drop trigger break_off on account; drop function break_off()";
            sqlx::raw_sql(left).execute(&pool).await.unwrap();
            if broken > 2 {
                assert!(world.count("select count(*) from holding_split").await > 0);
            }
            world.restart_matcher(0).await;
        } else {
            world.shard.process(batch).await.unwrap();
        }
        world.log(Vec::new()).await;
        assert_eq!(
            world.count("select count(*) from holding_split").await,
            MEMBERS
        );
        outcomes.push(world.outcome().await);
        world.audit().await;
        world.empty().await;
    }
    for (broken, outcome) in outcomes.iter().enumerate() {
        assert_eq!(outcome, &outcomes[0], "broken off at account {broken}");
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_tick_that_comes_again_in_a_new_log_fills_nothing_twice(pool: PgPool) {
    let mut world = World::new(pool).await;
    // The first takes the account's whole share of the tick, and the second some of the next.
    let mut orders = Vec::new();
    for quantity in ["25", "40"] {
        let order = world.placed(buy(FIRST, SAMSUNG, "", quantity)).await;
        orders.push(order.order_id);
    }
    world.log(Vec::new()).await;
    let mut ticks = Vec::new();
    for volume in [100, 100] {
        let tick = world.tick(SAMSUNG, "71300".parse().unwrap(), volume);
        ticks.push(tick.clone());
        world.log(vec![tick]).await;
    }
    let fills = async |world: &World| {
        let mut fills = Vec::new();
        for order in &orders {
            fills.push(world.detail(FIRST, *order).await.fills.len());
        }
        fills
    };
    assert_eq!(fills(&world).await, [1, 1]);

    // The matcher dies before it has stored what it knows of the instrument, and the log with the
    // process that writes it, which resumes before the ticks.
    let shard = Shard::load(&world.store, Partition { index: 0, count: 1 });
    world.shard = shard.await.unwrap();
    world.epoch += 1;
    world.log(ticks).await;
    assert_eq!(fills(&world).await, [1, 1]);
    world.trade(SAMSUNG, "71300", 100).await;
    assert_eq!(fills(&world).await, [1, 2]);
    world.audit().await;
}
