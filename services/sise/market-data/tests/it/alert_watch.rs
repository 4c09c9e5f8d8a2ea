//! The watcher of prices: what fires, once, across crashes, processes, splits and lost logs.

use std::sync::Arc;

use kernel::{Clock, MemberId};
use market_data::alerts::recent::WatchProgress;
use market_data::alerts::watcher::Watcher;
use market_data::error::MarketError;
use messaging::ticks::{Delivered, LogOffset};
use prost::Message;
use proto::market::v1 as wire;
use proto::market::v1::session_record::Kind;
use proto::market::v1::tick_record::Record;
use rust_decimal::Decimal;
use sqlx::PgPool;

use crate::alerts::{MEMBER, above, request};
use crate::world::{World, noon};

const DAY: i32 = 20_261_120;

pub(crate) fn tick(seq: i64, price: i64) -> Record {
    tick_of(DAY, seq, price)
}

fn tick_of(trading_day: i32, seq: i64, price: i64) -> Record {
    Record::Tick(wire::Tick {
        code: "005930".to_owned(),
        tick_seq: seq,
        trading_day,
        event_time_us: noon().timestamp_micros() + seq,
        price_units: price,
        prev_close_units: if trading_day == DAY { 68_000 } else { 14_000 },
        ..wire::Tick::default()
    })
}

fn split(seq: i64) -> Record {
    Record::Session(wire::SessionRecord {
        kind: Kind::Split.into(),
        code: "005930".to_owned(),
        trading_day: DAY + 1,
        session_seq: seq,
        split_numerator: 5,
        split_denominator: 1,
        ..wire::SessionRecord::default()
    })
}

fn in_epoch(epoch: i64, offset: u64, records: &[Record]) -> Delivered {
    let records = records.iter().map(|record| wire::TickRecord {
        record: Some(record.clone()),
    });
    Delivered {
        offset,
        batch: wire::TickBatch {
            producer: "test".to_owned(),
            epoch,
            batch_seq: i64::try_from(offset).unwrap(),
            closed_at_us: noon().timestamp_micros(),
            records: records.collect(),
        },
        missed_batches: 0,
    }
}

pub(crate) fn batch(offset: u64, records: &[Record]) -> Delivered {
    in_epoch(1, offset, records)
}

pub(crate) async fn watcher(world: &World) -> Watcher {
    let clock: Arc<dyn Clock> = Arc::new(world.clock.clone());
    let start = WatchProgress {
        offset: LogOffset { epoch: 1, next: 1 },
        market_time_us: 0,
    };
    Watcher::load(
        world.store.clone(),
        world.board.catalogue().clone(),
        clock,
        start,
    )
    .await
    .unwrap()
}

/// A world in which the price is 70,000 after tick 1.
pub(crate) async fn world(pool: &PgPool) -> World {
    let world = World::new(pool.clone()).await;
    world.trade(&[("005930", 68_000, 70_000, 10)]);
    world
}

pub(crate) async fn create(world: &World, request: wire::CreateAlertRequest) -> i64 {
    let mut alerts = world.alerts.clone();
    let reply = alerts.create_alert(request).await.unwrap().into_inner();
    reply.alert.unwrap().alert_id
}

async fn delete(world: &World, alert_id: i64) {
    let store = &world.store;
    store
        .delete_alert(MemberId(MEMBER), alert_id, &world.clock)
        .await
        .unwrap();
}

/// The events in the outbox.
async fn events(pool: &PgPool) -> Vec<wire::MarketAlertFired> {
    let bodies: Vec<Vec<u8>> = sqlx::query_scalar(
        "select body from outbox where event_type = 'market.alert.fired.v1' order by id",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    let decode = |body: &Vec<u8>| wire::MarketAlertFired::decode(body.as_slice()).unwrap();
    bodies.iter().map(decode).collect()
}

/// Id, number of the tick and price of each event.
async fn fired(pool: &PgPool) -> Vec<(i64, i64, String)> {
    let events = events(pool).await.into_iter();
    events
        .map(|event| (event.alert_id, event.tick_seq, event.price))
        .collect()
}

async fn stored_progress(pool: &PgPool) -> (i64, i64) {
    let progress = "select epoch, next_offset from price_alert_progress";
    sqlx::query_as(progress).fetch_one(pool).await.unwrap()
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn an_alert_fires_once_with_its_event(pool: PgPool) {
    let world = world(&pool).await;
    let id = create(&world, above("one", "71000")).await;
    let mut watcher = watcher(&world).await;
    assert_eq!(watcher.waiting(), 1);
    for (offset, price) in [(1, 70_900), (2, 71_000), (3, 70_000), (4, 72_000)] {
        let seq = i64::try_from(offset).unwrap() + 1;
        watcher
            .process(batch(offset, &[tick(seq, price)]))
            .await
            .unwrap();
    }
    let events = events(&pool).await;
    assert_eq!(
        events,
        [wire::MarketAlertFired {
            alert_id: id,
            member_id: MEMBER,
            code: "005930".to_owned(),
            name: "삼성전자".to_owned(),
            kind: "ABOVE".to_owned(),
            value: "71000".to_owned(),
            price: "71000".to_owned(),
            currency: "KRW".to_owned(),
            tick_seq: 3,
            fired_at_us: noon().timestamp_micros() + 3,
            market_code: "KOSPI".to_owned(),
        }]
    );
    let shown = world
        .store
        .alerts(MemberId(MEMBER), &world.clock)
        .await
        .unwrap();
    let firing = shown[0].fired.as_ref().unwrap();
    assert_eq!((firing.tick_seq, firing.price), (3, Decimal::from(71_000)));
    assert_eq!(firing.at.timestamp_micros(), noon().timestamp_micros() + 3);
    // The days close by what the candle reader has read, not by this.
    let readers: i64 = sqlx::query_scalar("select count(*) from tick_reader")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(readers, 0);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_running_watcher_learns_of_alerts_and_misses_no_tick(pool: PgPool) {
    let world = world(&pool).await;
    let mut watcher = watcher(&world).await;
    let spike = create(&world, above("spike", "71000")).await;
    let gone = create(&world, above("gone", "71500")).await;
    let later = create(&world, request("later", wire::AlertKind::Below, "60000")).await;
    delete(&world, gone).await;
    // The price was there and is back before the watcher hears of the alerts.
    let ticks = [tick(2, 71_200), tick(3, 72_000), tick(4, 70_000)];
    assert_eq!(watcher.process(batch(1, &ticks)).await.unwrap(), 0);
    assert_eq!(watcher.follow_changes().await.unwrap(), 1);
    assert_eq!(watcher.waiting(), 1);
    assert_eq!(watcher.follow_changes().await.unwrap(), 0);
    watcher.process(batch(2, &[tick(5, 59_000)])).await.unwrap();
    let expected = [
        (spike, 2, "71200".to_owned()),
        (later, 5, "59000".to_owned()),
    ];
    assert_eq!(fired(&pool).await, expected);
    // What the price was before an alert does not fire it.
    let _fresh = create(&world, above("fresh", "70500")).await;
    let known = world.board.tick("005930").unwrap().tick_seq;
    assert_eq!(known, 1);
    sqlx::query("update price_alert set after_seq = 5 where fired_at is null")
        .execute(&pool)
        .await
        .unwrap();
    assert_eq!(watcher.follow_changes().await.unwrap(), 0);
    assert_eq!(watcher.waiting(), 1);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_crash_at_any_statement_fires_exactly_once(pool: PgPool) {
    let world = world(&pool).await;
    let one = create(&world, above("one", "71000")).await;
    let two = create(&world, request("two", wire::AlertKind::Percent, "5")).await;
    let rows = [tick(2, 71_000), tick(3, 71_400)];
    // Each point at which the transaction may end before it commits.
    for table in ["price_alert_progress", "price_alert", "outbox"] {
        let mut watcher = watcher(&world).await;
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!(
            "create function crash() returns trigger language plpgsql as \
                 $$ begin raise exception 'crash'; end $$; \
             create trigger crash after insert or update on {table} execute function crash()"
        )))
        .execute(&pool)
        .await
        .unwrap();
        let crashed = watcher.process(batch(1, &rows)).await;
        assert!(
            matches!(crashed, Err(MarketError::Database(_))),
            "{table}: {crashed:?}"
        );
        sqlx::raw_sql("drop function crash cascade")
            .execute(&pool)
            .await
            .unwrap();
        assert!(fired(&pool).await.is_empty(), "{table}");
        assert_eq!(stored_progress(&pool).await, (1, 1));
    }
    // And after the commit, before anything else: the batch is read again.
    for _ in 0..3 {
        let mut watcher = watcher(&world).await;
        assert_eq!(watcher.offset(), LogOffset { epoch: 1, next: 1 });
        watcher.process(batch(1, &rows)).await.unwrap();
    }
    let once = [(one, 2, "71000".to_owned()), (two, 3, "71400".to_owned())];
    assert_eq!(fired(&pool).await, once);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn two_watchers_fire_an_alert_once(pool: PgPool) {
    let world = world(&pool).await;
    for n in 0..40 {
        create(&world, above(&format!("n{n}"), &(71_000 + n).to_string())).await;
    }
    let (mut one, mut other) = (watcher(&world).await, watcher(&world).await);
    for offset in 1..=4 {
        let price = 71_000 + i64::try_from(offset).unwrap() * 10;
        let seq = i64::try_from(offset).unwrap() + 1;
        let ticks = batch(offset, &[tick(seq, price)]);
        let (first, second) = tokio::join!(one.process(ticks.clone()), other.process(ticks));
        let count = first.unwrap() + second.unwrap();
        assert_eq!(
            count,
            if offset == 1 {
                11
            } else if offset == 4 {
                9
            } else {
                10
            }
        );
    }
    let mut ids: Vec<i64> = fired(&pool).await.iter().map(|(id, ..)| *id).collect();
    assert_eq!(ids.len(), 40);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 40);
    // One that is behind what is stored stops.
    let ahead = WatchProgress {
        offset: LogOffset { epoch: 1, next: 50 },
        market_time_us: 1,
    };
    world.store.save_watch_progress(ahead).await.unwrap();
    let behind = one.keep_up().await;
    assert!(matches!(behind, Err(MarketError::WatchOvertaken)));
    assert_eq!(stored_progress(&pool).await, (1, 50));
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_deletion_and_a_firing_leave_one_of_two_states(pool: PgPool) {
    let world = world(&pool).await;
    let mut firings = 0;
    for round in 0..12_u64 {
        let id = create(&world, above(&format!("r{round}"), "71000")).await;
        let mut watcher = watcher(&world).await;
        let seq = i64::try_from(round).unwrap() + 2;
        let ticks = batch(round + 1, &[tick(seq, 71_000)]);
        let deleting = async {
            if round % 2 == 0 {
                tokio::task::yield_now().await;
            }
            delete(&world, id).await;
        };
        let (count, ()) = tokio::join!(watcher.process(ticks), deleting);
        firings += count.unwrap();
        assert_eq!(
            fired(&pool).await.len(),
            firings,
            "an event for each firing"
        );
        let left: i64 = sqlx::query_scalar("select count(*) from price_alert")
            .fetch_one(&pool)
            .await
            .unwrap();
        assert_eq!(left, 0);
    }
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_split_divides_alerts_once_and_fires_none(pool: PgPool) {
    let world = world(&pool).await;
    let high = create(&world, above("high", "75000")).await;
    let low = create(&world, request("low", wire::AlertKind::Below, "65000")).await;
    let percent = create(&world, request("percent", wire::AlertKind::Percent, "20")).await;
    let values = async || -> Vec<(i64, Decimal, i32)> {
        let rows = "select alert_id, value, shares_day from price_alert order by alert_id";
        sqlx::query_as(rows).fetch_all(&pool).await.unwrap()
    };
    let mut first = watcher(&world).await;
    let before = [tick(2, 70_000), split(1), tick_of(DAY + 1, 3, 14_100)];
    assert_eq!(first.process(batch(1, &before)).await.unwrap(), 0);
    // The table learns of it a moment later.
    first.keep_up().await.unwrap();
    assert_eq!(values().await[0].1, Decimal::from(75_000));
    sqlx::query(
        "insert into instrument_split (code, trading_day, new_shares, old_shares, at) \
         values ('005930', $1, 5, 1, now())",
    )
    .bind(DAY + 1)
    .execute(&pool)
    .await
    .unwrap();
    for _ in 0..3 {
        first.keep_up().await.unwrap();
    }
    let divided = [
        (high, Decimal::from(15_000), DAY + 1),
        (low, Decimal::from(13_000), DAY + 1),
        (percent, Decimal::from(20), DAY),
    ];
    assert_eq!(values().await, divided);
    // A successor reads the ticks of before again, which are in the old shares.
    let mut second = watcher(&world).await;
    assert_eq!(second.process(batch(1, &before)).await.unwrap(), 0);
    let after = [tick_of(DAY + 1, 4, 15_000), tick_of(DAY + 1, 5, 12_900)];
    assert_eq!(second.process(batch(2, &after)).await.unwrap(), 2);
    let told: Vec<_> = events(&pool)
        .await
        .into_iter()
        .map(|event| (event.value, event.price))
        .collect();
    let text = |value: &str, price: &str| (value.to_owned(), price.to_owned());
    assert_eq!(told, [text("15000", "15000"), text("13000", "12900")]);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn a_lost_log_is_followed_and_an_older_epoch_is_not(pool: PgPool) {
    let world = world(&pool).await;
    let one = create(&world, above("one", "71000")).await;
    let two = create(&world, above("two", "72000")).await;
    let mut watcher = watcher(&world).await;
    watcher
        .process(batch(900, &[tick(2, 70_500)]))
        .await
        .unwrap();
    // The next log begins at 0 again.
    let fires = watcher
        .process(in_epoch(2, 0, &[tick(3, 71_000)]))
        .await
        .unwrap();
    assert_eq!(
        (fires, watcher.offset()),
        (1, LogOffset { epoch: 2, next: 1 })
    );
    // What the old writer had under way does not count.
    assert_eq!(
        watcher
            .process(batch(901, &[tick(3, 99_000)]))
            .await
            .unwrap(),
        0
    );
    let mut gap = in_epoch(2, 7, &[tick(9, 72_500)]);
    gap.missed_batches = 5;
    assert_eq!(watcher.process(gap).await.unwrap(), 1);
    let both = [(one, 3, "71000".to_owned()), (two, 9, "72500".to_owned())];
    assert_eq!(fired(&pool).await, both);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn alerts_are_loaded_in_pages(pool: PgPool) {
    let world = world(&pool).await;
    sqlx::query(
        "insert into price_alert (member_id, code, kind, value, shares_day, after_seq, created_at) \
         select 1000 + n, '005930', 'ABOVE', 71000 + n % 100, $1, 1, now() \
         from generate_series(1, 12000) n",
    )
    .bind(DAY)
    .execute(&pool)
    .await
    .unwrap();
    let mut watcher = watcher(&world).await;
    assert_eq!(watcher.waiting(), 12_000);
    // Stored in several transactions.
    let fires = watcher.process(batch(1, &[tick(2, 71_049)])).await.unwrap();
    assert_eq!((fires, watcher.waiting()), (6_000, 6_000));
    assert_eq!(fired(&pool).await.len(), 6_000);
}
