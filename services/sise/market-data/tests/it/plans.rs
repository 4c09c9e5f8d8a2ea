//! No statement reads a table from end to end that grows with members or with time. What ran is
//! asked of the database itself, so a statement that is added here or there is seen as well.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{MemberId, RequestId};
use market_data::alerts::AlertKind;
use market_data::alerts::book::FiredAlert;
use market_data::alerts::draft::Draft;
use market_data::alerts::recent::WatchProgress;
use market_data::candles::book::Changes;
use market_data::candles::retention::Retention;
use market_data::candles::split::{self, Split, Splits};
use market_data::candles::state::{self, NewestMinutes};
use market_data::candles::thinned::WantedSpan;
use market_data::candles::{CandleStore, Period};
use market_data::erasure;
use market_data::quotes::LogProgress;
use market_data::store::{Baseline, HoldingChange, InstrumentSplit, NewAlert};
use market_rules::Venue;
use messaging::event::NewEvent;
use messaging::ticks::LogOffset;
use proto::market::v1::{ListDividendsRequest, ListSplitsRequest, Snapshot};
use rust_decimal::Decimal;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use uuid::Uuid;

use crate::world::{World, noon};

/// Rows enough that a planner that has another way takes it.
const FILL: &str = "
alter table item_holder disable trigger user;
alter table item_like disable trigger user;
alter table product_like disable trigger user;
insert into item_holder (member_id, code, quantity)
    select member, code, 1 from generate_series(1, 20000) member,
        (select code from instrument order by code limit 10) i;
insert into inbox select 'market.holders', gen_random_uuid(), $NOON - make_interval(mins => n)
    from generate_series(1, 200000) n;
insert into item_like select member, code, $NOON from generate_series(1, 20000) member,
    (select code from instrument order by code limit 10) i;
insert into product_like select member, id, $NOON from generate_series(1, 20000) member,
    (select id from savings_product order by id limit 10) p;
insert into search_history select member, 'STOCK', n::text, $NOON
    from generate_series(1, 20000) member, generate_series(1, 10) n;
insert into item_opening select code, date '2026-11-20' - n, member, $NOON - make_interval(days => n)
    from generate_series(1, 2000) member, generate_series(0, 9) n,
        (select code from instrument order by code limit 10) i;
insert into price_alert (member_id, code, kind, value, shares_day, after_seq, created_at)
    select n, '005930', 'ABOVE', 71000, 20261120, 1, $NOON from generate_series(1, 50000) n;
insert into price_alert (member_id, code, kind, value, shares_day, after_seq, created_at, fired_at,
    fired_price, fired_seq)
    select n, '005930', 'ABOVE', 71000, 20261120, 1, $NOON, $NOON - make_interval(mins => n), 1, 2
    from generate_series(1, 150000) n;
insert into price_alert_change (alert_id, changed_at)
    select n, $NOON - make_interval(mins => n) from generate_series(1, 50000) n;
insert into request select n, 'request-1', 'alert', '', '', $NOON - make_interval(mins => n)
    from generate_series(1, 50000) n;
insert into erasure select 1000000 + n, $NOON - make_interval(mins => n), case when n > 100 then $NOON end
    from generate_series(1, 50000) n;
insert into sise_member select member, $NOON from generate_series(1, 200000) member;
insert into refused_tick (refused_at, feed, reason, sample)
    select $NOON - make_interval(mins => n), 'test', 'test', '' from generate_series(1, 100000) n;
-- As after months, when new minutes have taken the places of deleted ones.
insert into candle_minute select code, $NOON - make_interval(mins => n), 20261120, 1, 1, 1, 1, 1
    from generate_series(1, 20000) n, (select code from instrument order by code limit 10) i
    order by md5(code || n);
insert into candle_day select code, to_char(date '2026-11-20' - n, 'YYYYMMDD')::integer, 1, 1, 1, 1, 1
    from generate_series(1, 2000) n, (select code from instrument order by code limit 100) i;
-- A trigger would write the same few rows again and again in one transaction.
insert into item_followers select code, member_id % 16, 2 * count(*) from item_like group by 1, 2;
insert into product_followers
    select product_id, member_id % 16, count(*) from product_like group by 1, 2;
alter table item_holder enable trigger user;
alter table item_like enable trigger user;
alter table product_like enable trigger user;
analyze;
select pg_stat_reset();";

async fn everything(world: &World, pool: &PgPool) {
    let (store, clock) = (&world.store, &world.clock);
    let member = MemberId(7_777);
    let code = "005930";
    let at = noon() - TimeDelta::hours(1);
    let change = HoldingChange {
        member,
        code: code.to_owned(),
        quantity: Decimal::ONE,
        at,
    };
    store
        .record_holding_change(Uuid::from_u128(1), &change, clock)
        .await
        .unwrap();
    store
        .delete_old_events(TimeDelta::days(139), clock)
        .await
        .unwrap();
    alerts(world).await;
    store.note_opening(member, code, clock).await.unwrap();
    assert!(store.opening_weights(noon()).await.unwrap().len() >= 10);
    store
        .delete_old_openings(TimeDelta::days(9), clock)
        .await
        .unwrap();
    for liked in [true, false] {
        store.like_item(member, code, liked, clock).await.unwrap();
        store.like_product(member, 1, liked, clock).await.unwrap();
    }
    store.liked_codes(member).await.unwrap();
    let followers = store.followers_of_items().await.unwrap();
    assert!(followers.iter().any(|(_, followers)| *followers > 39_000));
    assert_eq!(store.likes_of_products().await.unwrap().len(), 10);
    store.liked_products(member).await.unwrap();
    store.searches(member, "STOCK").await.unwrap();
    store
        .note_search(member, "STOCK", "삼성", clock)
        .await
        .unwrap();
    store.forget_search(member, "STOCK", None).await.unwrap();
    store.register_member(member, clock).await.unwrap();
    let candles = CandleStore::new(pool.clone());
    let first: String = sqlx::query_scalar("select min(code) from instrument")
        .fetch_one(pool)
        .await
        .unwrap();
    for period in [
        Period::Day,
        Period::Weekly,
        Period::ThreeMonth,
        Period::Year,
        Period::FiveYear,
    ] {
        let shown = candles.candles(&first, Venue::Krx, period, None).await;
        assert!(!shown.unwrap().is_empty());
    }
    let span = WantedSpan {
        code: first.clone(),
        before: None,
        from: noon() - TimeDelta::hours(12),
        until: noon(),
    };
    let thinned = candles.thinned(&[span]).await.unwrap();
    assert_eq!(thinned.get(&first).map(Vec::len), Some(60));
    candles
        .dividends(&ListDividendsRequest::default())
        .await
        .unwrap();
    let split = Split {
        new_shares: 2,
        old_shares: 1,
        at_us: noon().timestamp_micros(),
    };
    let changes = Changes {
        splits: Splits::from([((first.as_str().into(), 20_261_121), split)]),
        ..Changes::default()
    };
    let mut connection = pool.acquire().await.unwrap();
    split::save(&mut connection, &changes.splits).await.unwrap();
    let progress = LogProgress {
        offset: LogOffset { epoch: 1, next: 0 },
        ..LogProgress::default()
    };
    let (stored, sessions) = (NewestMinutes::new(), Snapshot::default());
    state::save(pool, &changes, &stored, &[], progress, &sessions)
        .await
        .unwrap();
    state::load(pool).await.unwrap();
    candles.splits(&ListSplitsRequest::default()).await.unwrap();
    assert_eq!(store.apply_splits_to_holders(1_000).await.unwrap(), 20_000);
    what_is_old(world, pool).await;
}

async fn what_is_old(world: &World, pool: &PgPool) {
    let (store, clock) = (&world.store, &world.clock);
    let retention = Retention {
        minute_candles: TimeDelta::days(10),
        refused_ticks: TimeDelta::days(30),
    };
    let now: DateTime<Utc> = noon();
    let expired = retention.enforce(pool, now, now).await.unwrap();
    // The minutes of ten instruments beyond ten days, and refusals beyond thirty.
    assert_eq!(expired, 10 * (20_000 - 14_400) + (100_000 - 43_200));
    erasure::erase(store, clock, MemberId(7_777)).await.unwrap();
    // Those that have waited for an hour.
    assert_eq!(erasure::finish(store, clock).await.unwrap(), 41);
}

async fn alerts(world: &World) {
    let (store, clock) = (&world.store, &world.clock);
    let member = MemberId(7_777);
    let new = NewAlert {
        member,
        request: RequestId::parse("request-2").unwrap(),
        code: "005930".to_owned(),
        draft: Draft {
            kind: AlertKind::Above,
            value: Decimal::from(72_000),
        },
    };
    let baseline = || {
        Ok(Baseline {
            shares_day: 20_261_120,
            tick_seq: 1,
        })
    };
    let (alert, _) = store
        .create_alert(&new, 1_000_000, clock, baseline)
        .await
        .unwrap();
    assert_eq!(store.alerts(member, clock).await.unwrap().len(), 3);
    assert_eq!(store.newest_alert_change().await.unwrap(), 50_001);
    assert_eq!(store.alert_changes(50_000, 10).await.unwrap().len(), 1);
    assert_eq!(store.active_alerts(100, 10).await.unwrap().len(), 10);
    let firing = FiredAlert {
        alert_id: alert.alert_id,
        member_id: member.0,
        code: "005930".into(),
        kind: AlertKind::Above,
        value: alert.value,
        price: alert.value,
        tick_seq: 2,
        fired_at_us: noon().timestamp_micros(),
    };
    let event = NewEvent::new(
        "market.alert.fired.v1",
        "1".to_owned(),
        &Snapshot::default(),
        clock,
    );
    let settled = store.settle_alerts(vec![(firing, event)], WatchProgress::default(), clock);
    assert_eq!(settled.await.unwrap(), 1);
    store
        .delete_alert(member, alert.alert_id, clock)
        .await
        .unwrap();
    store.delete_old_alerts(clock).await.unwrap();
    store.delete_old_requests(clock).await.unwrap();
    store.splits_due_to_alerts().await.unwrap();
    let split = InstrumentSplit {
        code: "005930".to_owned(),
        trading_day: 20_261_121,
        new_shares: 5,
        old_shares: 1,
    };
    assert_eq!(store.split_alerts(&split, 1_000).await.unwrap(), 1_000);
}

#[sqlx::test(migrator = "market_data::MIGRATOR")]
async fn no_large_table_is_read_from_end_to_end(pool: PgPool) {
    // A pool of its own: its sessions report what they did when they end.
    let working = PgPoolOptions::new()
        .max_connections(4)
        .connect_with((*pool.connect_options()).clone())
        .await
        .unwrap();
    let world = World::new(working.clone()).await;
    let noon = format!("timestamptz '{}'", noon().to_rfc3339());
    let fill: &'static str = FILL.replace("$NOON", &noon).leak();
    let mut filling = pool.acquire().await.unwrap();
    sqlx::raw_sql(fill).execute(&mut *filling).await.unwrap();
    // What migrations and the filling read is not what is tested.
    let forget = "select pg_stat_force_next_flush(); select 1; select pg_stat_reset()";
    sqlx::raw_sql(forget).execute(&mut *filling).await.unwrap();
    drop(filling);
    everything(&world, &working).await;
    drop(world);
    working.close().await;
    let mut scanned: Vec<String> = Vec::new();
    testkit::eventually(Duration::from_secs(20), async || {
        scanned = sqlx::query_scalar(
            "select t.relname from pg_stat_user_tables t join pg_class c on c.oid = t.relid
             where t.seq_scan > 0 and c.reltuples > 10000 order by t.relname",
        )
        .fetch_all(&pool)
        .await
        .unwrap();
        let seen = "select coalesce(sum(idx_scan), 0)::bigint from pg_stat_user_tables";
        let seen: i64 = sqlx::query_scalar(seen).fetch_one(&pool).await.unwrap();
        seen > 20
    })
    .await;
    assert_eq!(scanned, Vec::<String>::new());
    // And that it would be seen.
    sqlx::query("select count(*) from item_like where liked_at < now()")
        .execute(&pool)
        .await
        .unwrap();
    sqlx::query("select pg_stat_force_next_flush()")
        .execute(&pool)
        .await
        .unwrap();
    let seen = "select seq_scan > 0 from pg_stat_user_tables where relname = $1";
    testkit::eventually(Duration::from_secs(20), async || {
        sqlx::query_scalar(seen)
            .bind("item_like")
            .fetch_one(&pool)
            .await
            .unwrap()
    })
    .await;
}
