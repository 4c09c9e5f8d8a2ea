//! Push services that refuse, fail, hang or are asked twice.

use std::time::{Duration, Instant};

use auth::MIGRATOR;
use auth::domain::PushKind;
use auth::store::HostShare;
use chrono::TimeDelta;
use futures_util::future::join_all;
use sqlx::PgPool;

use crate::push::double::{Double, Reply, reply};
use crate::push::stage::{Stage, expected_topic, share};

fn later(status: u16, seconds: &'static str) -> Reply {
    Reply {
        headers: vec![("retry-after", seconds)],
        ..reply(status)
    }
}

fn silence() -> Reply {
    Reply {
        after: Duration::from_secs(60),
        ..reply(201)
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn dead_subscriptions_are_dropped(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    for (path, status) in [("/gone", 410), ("/unknown", 404), ("/alive", 201)] {
        stage.subscribe(&double, path).await;
        double.answer(path, [reply(status)]);
    }
    stage.tell("하나", false).await;
    assert_eq!(stage.send_due().await, 3);
    assert_eq!((stage.subscriptions().await, stage.waiting().await), (1, 0));
    stage.tell("둘", false).await;
    assert_eq!(stage.send_due().await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_failing_service_is_asked_again_when_it_says_so(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/busy").await;
    stage.subscribe(&double, "/broken").await;
    double.answer("/busy", [later(429, "120"), reply(201)]);
    double.answer("/broken", [reply(500), reply(503), reply(201)]);
    stage.tell("하나", false).await;
    assert_eq!(stage.send_due().await, 2);
    assert_eq!(stage.send_due().await, 0);

    stage.world.clock.advance(TimeDelta::seconds(5));
    assert_eq!(stage.send_due().await, 1);
    stage.world.clock.advance(TimeDelta::seconds(10));
    assert_eq!(stage.send_due().await, 1);
    stage.world.clock.advance(TimeDelta::seconds(104));
    assert_eq!(stage.send_due().await, 0);
    stage.world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(stage.send_due().await, 1);
    assert_eq!((stage.subscriptions().await, stage.waiting().await), (2, 0));
    let topics = double.received().into_iter();
    let mut topics: Vec<String> = topics.map(|push| push.headers["topic"].clone()).collect();
    topics.dedup();
    assert_eq!(topics, [expected_topic()]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_failing_service_is_given_up_and_in_the_end_forgotten(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/refuses").await;
    double.answer("/refuses", [reply(400)]);
    for _push in 0..9 {
        stage.tell("거절", false).await;
    }
    assert_eq!(stage.send_due().await, 9);
    assert_eq!((stage.subscriptions().await, stage.waiting().await), (1, 0));
    // One that is accepted lets it begin anew.
    double.answer("/refuses", [reply(201), reply(400)]);
    stage.tell("받음", false).await;
    stage.send_due().await;
    let again = "push_subscription where failures = 0";
    assert_eq!(stage.world.count(again).await, 1);
    for _push in 0..10 {
        stage.tell("거절", false).await;
    }
    stage.send_due().await;
    assert_eq!(stage.subscriptions().await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_service_that_does_not_accept_our_key_ends_no_subscription(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    for (path, status) in [("/unauthorized", 401), ("/forbidden", 403)] {
        stage.subscribe(&double, path).await;
        double.answer(path, [reply(status)]);
    }
    for _push in 0..12 {
        stage.tell("하나", false).await;
    }
    assert_eq!(stage.send_due().await, 24);
    assert_eq!(
        (stage.subscriptions().await, stage.waiting().await),
        (2, 24)
    );
    for path in ["/unauthorized", "/forbidden"] {
        double.answer(path, [reply(201)]);
    }
    stage.world.clock.advance(TimeDelta::minutes(1));
    assert_eq!(stage.send_due().await, 24);
    assert_eq!(stage.waiting().await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_outage_of_some_hours_loses_nothing(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/away").await;
    double.answer("/away", [reply(503)]);
    let day = TimeDelta::hours(24);
    stage.tell_at("하나", true, TimeDelta::zero(), day).await;
    for _quarter in 0..32 {
        stage.send_due().await;
        stage.world.clock.advance(TimeDelta::minutes(15));
    }
    double.answer("/away", [reply(201)]);
    assert_eq!(stage.send_due().await, 1);
    assert_eq!((stage.subscriptions().await, stage.waiting().await), (1, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_tried_again_or_late_respects_quiet_hours(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/busy").await;
    double.answer("/busy", [later(429, "120"), reply(201)]);
    // 20:59 in Korea.
    stage.world.clock.advance(TimeDelta::minutes(12 * 60 - 1));
    let day = TimeDelta::hours(24);
    stage.tell_at("다시", false, TimeDelta::zero(), day).await;
    assert_eq!(stage.send_due().await, 1);
    // Nobody looked for it before the quiet hours.
    stage.tell_at("늦음", false, TimeDelta::zero(), day).await;
    let evening = TimeDelta::hours(2);
    stage
        .tell_at("밤에는 소용없음", false, TimeDelta::zero(), evening)
        .await;
    stage.tell_at("급함", true, TimeDelta::zero(), day).await;
    // To 07:59.
    for _quarter in 0..44 {
        stage.world.clock.advance(TimeDelta::minutes(15));
        stage.send_due().await;
    }
    assert_eq!(double.count(), 2, "one before, and the urgent one");
    assert_eq!(stage.waiting().await, 2);
    stage.world.clock.advance(TimeDelta::minutes(1));
    stage.send_due().await;
    assert_eq!((double.count(), stage.waiting().await), (4, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_push_that_expires_while_it_waits_is_given_up(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/busy").await;
    double.answer("/busy", [reply(503), later(429, "7200")]);
    stage.tell("하나", false).await;
    assert_eq!(stage.send_due().await, 1);
    assert_eq!(stage.waiting().await, 1);
    stage.world.clock.advance(TimeDelta::minutes(59));
    // It would be worth nothing when it may be sent.
    assert_eq!(stage.send_due().await, 1);
    assert_eq!(stage.waiting().await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_silent_service_delays_no_other(pool: PgPool) {
    let stage = Stage::new(pool).await;
    let (silent, quick) = (Double::start().await, Double::start().await);
    stage.subscribe(&silent, "/silent").await;
    silent.answer("/silent", [silence()]);
    for _push in 0..40 {
        stage.tell("하나", true).await;
    }
    let sender = stage.world.push_sender();
    let begun = Instant::now();
    let sending = tokio::spawn(async move { sender.send_due().await.unwrap() });
    testkit::eventually(Duration::from_secs(5), async || silent.count() >= 8).await;
    stage.subscribe(&quick, "/quick").await;
    stage.tell("둘", false).await;
    // The second process finds the first one's share taken, and its own free.
    let second = stage.world.push_sender();
    let second = tokio::spawn(async move { second.send_due().await.unwrap() });
    testkit::eventually(Duration::from_secs(5), async || quick.count() == 1).await;
    assert!(
        begun.elapsed() < Duration::from_secs(9),
        "{:?}",
        begun.elapsed()
    );
    // A silence ends by itself, and the push is tried later.
    assert!(sending.await.unwrap() >= 16);
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert!(second.await.unwrap() >= 1);
    assert!(stage.waiting().await >= 40);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn ten_senders_at_once_send_each_push_once(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    for number in 0..5 {
        stage.subscribe(&double, &format!("/push/{number}")).await;
    }
    for _push in 0..6 {
        stage.tell("하나", false).await;
    }
    let senders: Vec<_> = (0..10).map(|_| stage.world.push_sender()).collect();
    let sent = join_all(senders.iter().map(|sender| sender.send_due())).await;
    let sent: usize = sent.into_iter().map(Result::unwrap).sum();
    assert_eq!((sent, double.count()), (30, 30));
    assert_eq!(stage.waiting().await, 0);
    let marked = "push_delivery where sent_at is not null";
    assert_eq!(stage.world.count(marked).await, 6);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_crash_after_sending_repeats_the_push_once_under_its_key(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    let browser = stage.subscribe(&double, "/push/one").await;
    stage.tell("하나", false).await;
    let store = &stage.world.store;
    let kinds = [PushKind::Web];
    assert_eq!(store.divide_deliveries(&kinds, false, 10).await.unwrap(), 1);
    let lease = TimeDelta::seconds(60);
    let claimed = store
        .claim_pushes(PushKind::Web, 10, share(10), &[], lease)
        .await
        .unwrap();
    let provider = stage.world.providers().iter().next().unwrap();
    provider.send(&claimed[0].push, &claimed[0].recipient).await;
    // The process dies here. While its lease lasts, nobody else sends.
    assert_eq!(stage.send_due().await, 0);
    stage.world.clock.advance(lease);
    assert_eq!(stage.send_due().await, 1);
    assert_eq!(stage.send_due().await, 0);
    let received = double.received();
    assert_eq!(received.len(), 2);
    assert_eq!(received[0].headers["topic"], received[1].headers["topic"]);
    // The page tells the repetition by its id.
    assert_eq!(
        browser.read(&received[0].body),
        browser.read(&received[1].body)
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn urgent_pushes_go_first(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/push/one").await;
    for _push in 0..3 {
        stage.tell("좋아요", false).await;
    }
    stage.world.clock.advance(TimeDelta::seconds(1));
    let urgent = stage.tell("체결됐어요", true).await;
    let store = &stage.world.store;
    let kinds = [PushKind::Web];
    assert_eq!(store.divide_deliveries(&kinds, true, 10).await.unwrap(), 1);
    assert_eq!(store.divide_deliveries(&kinds, false, 10).await.unwrap(), 3);
    let lease = TimeDelta::seconds(60);
    let first = store
        .claim_pushes(PushKind::Web, 1, share(1), &[], lease)
        .await
        .unwrap();
    assert_eq!(first[0].push.delivery_id, urgent);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_price_goes_before_what_waited_for_the_morning(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/push/one").await;
    for _push in 0..3 {
        stage.tell("댓글이 달렸어요", false).await;
    }
    stage.world.clock.advance(TimeDelta::seconds(1));
    let price = stage.tell("목표 가격이에요", false).await;
    sqlx::query("update push_delivery set type = 'PRICE' where id = $1")
        .bind(price)
        .execute(&stage.world.pool)
        .await
        .unwrap();
    let store = &stage.world.store;
    let kinds = [PushKind::Web];
    assert_eq!(store.divide_deliveries(&kinds, true, 10).await.unwrap(), 1);
    assert_eq!(store.divide_deliveries(&kinds, false, 10).await.unwrap(), 3);
    let lease = TimeDelta::seconds(60);
    let first = store.claim_pushes(PushKind::Web, 1, share(1), &[], lease);
    let first = first.await.unwrap();
    assert_eq!(first[0].push.delivery_id, price);
    assert!(first[0].quiet_hours.is_some(), "not at night");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_service_of_many_browsers_has_more_room_than_a_host(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    for (path, host) in [
        ("/chrome", "fcm.googleapis.com"),
        ("/safari", "push.apple.com"),
        ("/own", "other"),
    ] {
        stage.subscribe(&double, path).await;
        sqlx::query("update push_subscription set host = $1 where address like '%' || $2")
            .bind(host)
            .bind(path)
            .execute(&stage.world.pool)
            .await
            .unwrap();
    }
    for _push in 0..40 {
        stage.tell("하나", true).await;
    }
    let store = &stage.world.store;
    store
        .divide_deliveries(&[PushKind::Web], true, 100)
        .await
        .unwrap();
    let room = HostShare {
        service: 32,
        other: 8,
    };
    let lease = TimeDelta::seconds(60);
    let claimed = store.claim_pushes(PushKind::Web, 200, room, &[], lease);
    let claimed = claimed.await.unwrap();
    let count = |host: &str| claimed.iter().filter(|push| push.host == host).count();
    assert_eq!(
        ["fcm.googleapis.com", "push.apple.com", "other"].map(count),
        [32, 32, 8]
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_wait_that_began_before_the_clock_was_set_back_ends(pool: PgPool) {
    let (stage, double) = (Stage::new(pool).await, Double::start().await);
    stage.subscribe(&double, "/busy").await;
    double.answer("/busy", [reply(503), reply(201)]);
    stage.world.clock.advance(TimeDelta::days(1));
    stage.tell("하나", false).await;
    assert_eq!(stage.send_due().await, 1);
    stage.world.clock.advance(TimeDelta::days(-1));
    assert_eq!(stage.send_due().await, 1);
    assert_eq!(stage.waiting().await, 0);
}
