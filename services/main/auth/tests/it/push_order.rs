//! Which push of a key is the last that a phone gets, and what the backlog of one host costs others.

use auth::MIGRATOR;
use auth::domain::PushKind;
use auth::notifications::rules;
use auth::store::{ClaimedPush, PushResult};
use chrono::TimeDelta;
use futures_util::future::join_all;
use proto::trading::v1::OrderStatus;
use serde_json::Value;
use sqlx::PgPool;

use crate::notices::{filled, tell};
use crate::push::browser::Browser;
use crate::push::double::{Double, reply};
use crate::push::stage::{Stage, share};

const LEASE: TimeDelta = TimeDelta::seconds(60);
const PART: &str = "삼성전자 일부가 체결됐어요";
const ALL: &str = "삼성전자 10주를 샀어요";

async fn part(stage: &Stage) {
    let part = filled(stage.session.member_id, 1, OrderStatus::Partial, "3");
    tell(&stage.world, rules::ORDER_FILLED, &part).await;
}

async fn all(stage: &Stage) {
    let all = filled(stage.session.member_id, 2, OrderStatus::Filled, "10");
    tell(&stage.world, rules::ORDER_FILLED, &all).await;
}

/// Divides what is due, and claims it.
async fn claim(stage: &Stage) -> Vec<ClaimedPush> {
    let (store, kind) = (&stage.world.store, PushKind::Web);
    store.divide_deliveries(&[kind], true, 10).await.unwrap();
    let claimed = store.claim_pushes(kind, 64, share(8), &[], LEASE).await;
    claimed.unwrap()
}

fn titles(double: &Double, browser: &Browser) -> Vec<String> {
    let received = double.received().into_iter();
    received
        .map(|push| serde_json::from_slice::<Value>(&browser.read(&push.body)).unwrap())
        .map(|text| text["title"].as_str().unwrap().to_owned())
        .collect()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_part_is_not_tried_again_after_the_whole(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    let browser = stage.subscribe(&double, "/push/one").await;
    double.answer("/push/one", [reply(503), reply(201)]);
    part(&stage).await;
    assert_eq!(stage.send_due().await, 1);
    all(&stage).await;
    assert_eq!(stage.send_due().await, 1);
    stage.world.clock.advance(TimeDelta::hours(1));
    assert_eq!(stage.send_due().await, 0);
    assert_eq!(titles(&double, &browser), [PART, ALL]);
    assert_eq!(stage.waiting().await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_whole_waits_until_a_part_has_its_answer(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/push/one").await;
    part(&stage).await;
    let under_way = claim(&stage).await;
    assert_eq!(under_way[0].push.title, PART);
    all(&stage).await;
    for _second in 0..3 {
        assert_eq!(claim(&stage).await.len(), 0);
        stage.world.clock.advance(TimeDelta::seconds(1));
    }
    let failed = PushResult::Later(kernel::Clock::now(&stage.world.clock));
    let store = &stage.world.store;
    store
        .store_push_result(&under_way[0], failed)
        .await
        .unwrap();
    let next = claim(&stage).await;
    assert_eq!(next.len(), 1);
    assert_eq!((next[0].push.title.as_str(), next[0].tries), (ALL, 1));
    assert_eq!(stage.waiting().await, 1, "the part is dropped");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_part_whose_sender_died_keeps_the_whole_for_a_minute(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    let browser = stage.subscribe(&double, "/push/one").await;
    part(&stage).await;
    assert_eq!(claim(&stage).await.len(), 1);
    all(&stage).await;
    assert_eq!(stage.send_due().await, 0);
    stage.world.clock.advance(LEASE);
    assert_eq!(stage.send_due().await, 1);
    assert_eq!(titles(&double, &browser), [ALL]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_part_that_is_told_late_is_no_news(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    let browser = stage.subscribe(&double, "/push/one").await;
    all(&stage).await;
    part(&stage).await;
    assert_eq!(stage.send_due().await, 1);
    assert_eq!(titles(&double, &browser), [ALL]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_late_part_does_not_change_a_newer_text_that_waits(pool: PgPool) {
    let stage = Stage::new(pool).await;
    let member = stage.session.member_id;
    sqlx::query("insert into notification_setting values ($1, 'PARTIAL', false, true)")
        .bind(member)
        .execute(&stage.world.pool)
        .await
        .unwrap();
    for (seq, done) in [(2, "5"), (1, "3")] {
        let part = filled(member, seq, OrderStatus::Partial, done);
        tell(&stage.world, rules::ORDER_FILLED, &part).await;
    }
    let newest = "push_delivery where body = '10주 중 5주를 샀어요.'";
    assert_eq!(stage.world.count(newest).await, 1);
}

/// As the digest of tomorrow, which begins while that of today is tried again.
#[sqlx::test(migrator = "MIGRATOR")]
async fn a_newer_one_that_waits_for_its_time_replaces_nothing_yet(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    let browser = stage.subscribe(&double, "/push/one").await;
    let (day, two_days) = (TimeDelta::hours(24), TimeDelta::hours(48));
    stage
        .tell_at("오늘", false, TimeDelta::zero(), two_days)
        .await;
    stage.tell_at("내일", false, day, two_days).await;
    sqlx::query("update push_delivery set collapse_key = 'digest'")
        .execute(&stage.world.pool)
        .await
        .unwrap();
    assert_eq!(stage.send_due().await, 1);
    stage.world.clock.advance(day);
    assert_eq!(stage.send_due().await, 1);
    assert_eq!(titles(&double, &browser), ["오늘", "내일"]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn of_many_claims_at_once_none_has_two_of_a_key(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    let browser = stage.subscribe(&double, "/push/one").await;
    part(&stage).await;
    let store = &stage.world.store;
    store
        .divide_deliveries(&[PushKind::Web], true, 10)
        .await
        .unwrap();
    all(&stage).await;
    store
        .divide_deliveries(&[PushKind::Web], true, 10)
        .await
        .unwrap();
    // Each claims one, so that the two pushes have two processes.
    let claims = (0..8).map(|_| store.claim_pushes(PushKind::Web, 1, share(1), &[], LEASE));
    let claimed = join_all(claims).await.into_iter().flat_map(Result::unwrap);
    let claimed: Vec<String> = claimed.map(|push| push.push.title).collect();
    assert!(claimed.len() <= 1, "{claimed:?}");
    stage.world.clock.advance(LEASE);
    stage.send_due().await;
    assert_eq!(titles(&double, &browser).last().unwrap(), ALL);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_backlog_of_a_host_hides_no_other(pool: PgPool) {
    let stage = Stage::new(pool).await;
    let (slow, quick) = (Double::start().await, Double::start().await);
    stage.subscribe(&slow, "/slow").await;
    stage.subscribe(&quick, "/quick").await;
    // A backlog that is older than what the quick one gets.
    sqlx::raw_sql(
        "with d as (insert into push_delivery (member_id, type, title, body, link, collapse_key, \
         urgent, not_before, expires_at, created_at, sent_at) select (select id from member limit 1), \
         'FILL', 't', 'b', '/', 'slow:' || n, true, '2026-11-20', '2026-12-01', '2026-11-20', \
         '2026-11-20' from generate_series(1, 50000) n returning id) \
         insert into push_send (delivery_id, subscription_id, kind, host, urgent, next_try_at, \
         expires_at) select d.id, s.id, 'WEB', s.host, true, '2026-11-20', '2026-12-01' \
         from d, push_subscription s where s.address ~ '/slow$'; analyze;",
    )
    .execute(&stage.world.pool)
    .await
    .unwrap();
    stage.tell("체결됐어요", false).await;
    let store = &stage.world.store;
    store
        .divide_deliveries(&[PushKind::Web], false, 10)
        .await
        .unwrap();
    let before = reads(&stage.world.pool).await;
    let claimed = store
        .claim_pushes(PushKind::Web, 64, share(8), &[], LEASE)
        .await;
    let mut hosts: Vec<(String, usize)> = Vec::new();
    for push in claimed.unwrap() {
        match hosts.iter_mut().find(|(host, _)| *host == push.host) {
            Some((_, count)) => *count += 1,
            None => hosts.push((push.host, 1)),
        }
    }
    hosts.sort_by_key(|(_, count)| *count);
    let counts: Vec<usize> = hosts.iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [1, 8]);
    let read = reads(&stage.world.pool).await - before;
    assert!(read < 1_000, "{read} rows for nine pushes");
}

/// Rows of the queue that were read since the beginning.
async fn reads(pool: &PgPool) -> i64 {
    // The pool may have other connections, which tell what they read a little later.
    tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
    sqlx::query_scalar(
        "select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables \
         where relname = 'push_send'",
    )
    .fetch_one(pool)
    .await
    .unwrap()
}
