//! Splits that the log did not tell: split of elsewhere, and said.

use chrono::TimeDelta;
use proto::market::v1::Split;
use rust_decimal::Decimal;
use sqlx::PgPool;
use trading::domain::split::SplitRatio;
use trading::matching::split_monitor::SplitMonitor;
use trading::tick_log::{LogRecord, Scope, SessionRecordKind, Venue};

use crate::world::{DAY, SAMSUNG, World, buy, number, sell};

const ME: i64 = 100_001;

fn announced(id: i64, trading_day: i32) -> Split {
    Split {
        split_id: id,
        code: SAMSUNG.to_owned(),
        trading_day,
        new_shares: 10,
        old_shares: 1,
        event_time_us: crate::world::morning().timestamp_micros(),
    }
}

/// Begins a day, with or without the split that comes before it, and lets the matcher store what
/// it knows of it.
async fn begin(world: &mut World, day: i32, price: &str, split: bool) {
    world.now += TimeDelta::days(1);
    let mut records = Vec::new();
    if split {
        let ratio = SplitRatio {
            numerator: 10,
            denominator: 1,
        };
        let scope = Scope::Code(SAMSUNG.to_owned());
        records.push(world.session_record(SessionRecordKind::Split(ratio), scope, day));
    }
    let venue = Scope::Venue(Venue::Krx);
    records.push(world.session_record(SessionRecordKind::Open(Vec::new()), venue, day));
    let mut tick = world.tick(SAMSUNG, price.parse().unwrap(), 1_000);
    if let LogRecord::Tick(tick) = &mut tick {
        tick.trading_day = day;
    }
    records.push(tick);
    world.log(records).await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_last_price_in_old_shares_meets_orders_in_old_shares(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.placed(sell(ME, SAMSUNG, "80000", "4")).await;
    world.log(Vec::new()).await;
    // One batch has the last trade of the day, at which the order fills, and the next morning.
    let last = world.tick(SAMSUNG, "81000".parse().unwrap(), 1_000);
    world.now += TimeDelta::days(1);
    let mut split = announced(4, DAY + 1);
    split.event_time_us = world.now.timestamp_micros();
    world
        .store
        .record_splits(&[split], |_| false)
        .await
        .unwrap();
    let open = world.store.open_splits().await.unwrap();
    world.shard.set_open_splits(open);
    let venue = Scope::Venue(Venue::Krx);
    let opening = world.session_record(SessionRecordKind::Open(Vec::new()), venue, DAY + 1);
    world.log(vec![last, opening]).await;
    let sold = "select quantity::bigint from fill where side = 'SELL'";
    assert_eq!(world.count(sold).await, 4);
    let holding = world.holdings(ME).await.remove(0);
    assert_eq!(number(&holding.quantity), Decimal::from(60));
    world.audit().await;
}

/// What is known of instruments is stored every five seconds.
async fn settled(world: &mut World, splits: &mut SplitMonitor) -> (i64, i64) {
    for _ in 0..30 {
        splits.step().await.unwrap();
        world.log(Vec::new()).await;
        let applied = "select count(*) from share_split where applied_at is not null";
        let missed = "select count(*) from share_split where missed_at is not null";
        let seen = (world.count(applied).await, world.count(missed).await);
        if seen != (0, 0) {
            return seen;
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    (0, 0)
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_split_in_the_log_is_applied(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut splits = SplitMonitor::new(world.store.clone(), 1);
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    for _ in 0..2 {
        let splits = [announced(3, DAY + 1)];
        world.store.record_splits(&splits, |_| false).await.unwrap();
    }
    splits.step().await.unwrap();
    assert_eq!(world.store.open_splits().await.unwrap().len(), 1);
    begin(&mut world, DAY + 1, "7130", true).await;
    assert_eq!(settled(&mut world, &mut splits).await, (1, 0));
    assert_eq!(world.store.newest_split().await.unwrap(), 3);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_split_missing_from_the_log_is_reported_as_missed(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut splits = SplitMonitor::new(world.store.clone(), 1);
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let split = [announced(3, DAY), announced(4, DAY + 1)];
    // One is from before anybody listened.
    let history = |split: &Split| split.trading_day <= DAY;
    world.store.record_splits(&split, history).await.unwrap();
    begin(&mut world, DAY + 1, "7130", false).await;
    let missed = "select count(*) from share_split where missed_at is not null";
    for _ in 0..30 {
        splits.step().await.unwrap();
        world.log(Vec::new()).await;
        if world.count(missed).await == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    let open = world.store.open_splits().await.unwrap();
    assert_eq!(open.len(), 1);
    assert_eq!((open[0].id, open[0].missed_at.is_some()), (4, true));
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_fetched_split_is_applied_before_its_day_starts(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let close = world.session_record(SessionRecordKind::Close, Scope::Venue(Venue::Krx), DAY);
    world.log(vec![close]).await;
    // Waits for the morning, in old shares.
    world.placed(sell(ME, SAMSUNG, "80000", "10")).await;
    world.log(Vec::new()).await;
    let mut split = announced(4, DAY + 1);
    split.event_time_us = (world.now + TimeDelta::hours(12)).timestamp_micros();
    world
        .store
        .record_splits(&[split], |_| false)
        .await
        .unwrap();
    world
        .shard
        .set_open_splits(world.store.open_splits().await.unwrap());
    let owned = async |world: &World| {
        let holding = world.holdings(ME).await.remove(0);
        let waits = world.waiting(ME).await.remove(0);
        let text = |value| number(value).normalize().to_string();
        (
            text(&holding.quantity),
            text(&waits.quantity),
            text(&waits.price),
        )
    };
    // Before its time it is left to the log.
    world.log(Vec::new()).await;
    let before = ["10", "10", "80000"].map(str::to_owned);
    assert_eq!(owned(&world).await, before.into());
    begin(&mut world, DAY + 1, "7130", false).await;
    let after = ["100", "100", "8000"].map(str::to_owned);
    assert_eq!(owned(&world).await, after.clone().into());

    // Neither the log nor a restart applies it again.
    world.restart_matcher(0).await;
    world
        .shard
        .set_open_splits(world.store.open_splits().await.unwrap());
    let ratio = SplitRatio {
        numerator: 10,
        denominator: 1,
    };
    let late = world.session_record(
        SessionRecordKind::Split(ratio),
        Scope::Code(SAMSUNG.to_owned()),
        DAY + 1,
    );
    world.log(vec![late]).await;
    assert_eq!(owned(&world).await, after.into());
    let mut splits = SplitMonitor::new(world.store.clone(), 1);
    assert_eq!(settled(&mut world, &mut splits).await, (1, 0));
    world.audit().await;
}
