//! What members want to hear of, and when.

use auth::MIGRATOR;
use auth::notifications::rules;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use proto::auth::v1 as wire;
use proto::community::v1::PostLiked;
use proto::trading::v1::OrderStatus;
use sqlx::PgPool;
use tonic::Status;

use crate::notices::{comment, filled, member, tell};
use crate::notifications::{list, unread};
use crate::world::{World, reason};

async fn settings(world: &World, member_id: i64) -> wire::NotificationSettings {
    let request = wire::GetNotificationSettingsRequest { member_id };
    let mut client = world.notifications.clone();
    let answer = client.get_notification_settings(request);
    answer.await.unwrap().into_inner()
}

async fn set(
    world: &World,
    change: wire::SetNotificationSettingsRequest,
) -> Result<wire::NotificationSettings, Status> {
    let mut client = world.notifications.clone();
    let answer = client.set_notification_settings(change);
    Ok(answer.await?.into_inner())
}

fn channels(kind: &str, inbox: bool, push: bool) -> wire::NotificationChannels {
    wire::NotificationChannels {
        r#type: kind.to_owned(),
        inbox,
        push,
    }
}

fn change(
    member_id: i64,
    types: Vec<wire::NotificationChannels>,
) -> wire::SetNotificationSettingsRequest {
    wire::SetNotificationSettingsRequest {
        member_id,
        types,
        ..wire::SetNotificationSettingsRequest::default()
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn only_what_differs_from_the_default_is_stored(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    let before = settings(&world, me).await;
    assert_eq!(before.types.len(), 13);
    assert!(before.types.iter().all(|row| row.inbox));
    let silent: Vec<&str> = before
        .types
        .iter()
        .filter(|row| !row.push)
        .map(|row| row.r#type.as_str())
        .collect();
    assert_eq!(silent, ["LIKE"]);
    assert_eq!(
        (before.quiet_from, before.quiet_until, before.digest),
        (1_260, 480, false)
    );

    let wanted = change(
        me,
        vec![channels("LIKE", true, true), channels("FILL", false, true)],
    );
    let after = set(&world, wanted.clone()).await.unwrap();
    assert_eq!(after, settings(&world, me).await);
    assert_eq!(after.types[0], channels("FILL", false, true));
    assert_eq!(world.count("notification_setting").await, 2);
    // A repeat, and the way back.
    assert_eq!(set(&world, wanted).await.unwrap(), after);
    let back = change(
        me,
        vec![channels("LIKE", true, false), channels("FILL", true, true)],
    );
    assert_eq!(set(&world, back).await.unwrap(), before);
    assert_eq!(world.count("notification_setting").await, 0);

    let quiet = wire::SetNotificationSettingsRequest {
        quiet_from: Some(0),
        digest: Some(true),
        ..change(me, Vec::new())
    };
    let after = set(&world, quiet).await.unwrap();
    assert_eq!(
        (after.quiet_from, after.quiet_until, after.digest),
        (0, 480, true)
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn bad_settings_change_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    let before = settings(&world, me).await;
    let with = |quiet_from: i32| wire::SetNotificationSettingsRequest {
        quiet_from: Some(quiet_from),
        ..change(me, vec![channels("FILL", false, false)])
    };
    for (wrong, why) in [
        (
            change(me, vec![channels("MAIL", true, true)]),
            "INVALID_NOTIFICATION_TYPE",
        ),
        (
            change(
                me,
                vec![channels("FILL", true, false), channels("FILL", false, true)],
            ),
            "INVALID_NOTIFICATION_TYPE",
        ),
        (with(1_440), "INVALID_QUIET_HOURS"),
        (with(-1), "INVALID_QUIET_HOURS"),
        (with(i32::MAX), "INVALID_QUIET_HOURS"),
        (change(999_999, Vec::new()), "MEMBER_NOT_FOUND"),
    ] {
        assert_eq!(reason(&set(&world, wrong).await.unwrap_err()), why);
    }
    assert_eq!(settings(&world, me).await, before);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn two_changes_at_once_are_both_kept(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    let one = wire::SetNotificationSettingsRequest {
        quiet_from: Some(60),
        ..change(me, Vec::new())
    };
    let other = wire::SetNotificationSettingsRequest {
        quiet_until: Some(120),
        ..change(me, Vec::new())
    };
    let (first, second) = tokio::join!(set(&world, one), set(&world, other));
    first.unwrap();
    second.unwrap();
    let after = settings(&world, me).await;
    assert_eq!((after.quiet_from, after.quiet_until), (60, 120));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_switched_off_does_not_arrive(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let wanted = vec![
        channels("COMMENT", false, false),
        channels("FILL", false, true),
        channels("PARTIAL", true, false),
    ];
    set(&world, change(me, wanted)).await.unwrap();
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 61)).await;
    for (seq, status) in [(1, OrderStatus::Partial), (2, OrderStatus::Filled)] {
        tell(&world, rules::ORDER_FILLED, &filled(me, seq, status, "3")).await;
    }
    let page = list(&world, me, "", "").await.unwrap();
    let kinds: Vec<&str> = page
        .notifications
        .iter()
        .map(|row| row.r#type.as_str())
        .collect();
    assert_eq!(kinds, ["PARTIAL"]);
    assert_eq!(unread(&world, me).await.unread, 1);
    let pushes: Vec<(String, Option<i64>)> =
        sqlx::query_as("select type, notification_id from push_delivery")
            .fetch_all(&world.pool)
            .await
            .unwrap();
    assert_eq!(pushes, [("FILL".to_owned(), None)]);
    assert_eq!(
        world
            .count("outbox where event_type = 'auth.notification.created.v1'")
            .await,
        0,
        "an open page hears only of what is in the inbox"
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_digest_is_one_push_a_morning(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let digest = wire::SetNotificationSettingsRequest {
        digest: Some(true),
        ..change(me, Vec::new())
    };
    set(&world, digest).await.unwrap();
    for id in 61..=63 {
        tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, id)).await;
    }
    let all = filled(me, 4, OrderStatus::Filled, "10");
    tell(&world, rules::ORDER_FILLED, &all).await;
    let read = "select title, body, link, not_before from push_delivery order by id";
    let pushes = || {
        sqlx::query_as::<_, (String, String, String, DateTime<Utc>)>(read).fetch_all(&world.pool)
    };
    assert_eq!(
        pushes().await.unwrap()[1].0,
        "삼성전자 10주를 샀어요",
        "urgent ones come alone"
    );
    // What is read or in no inbox any more waits no more.
    sqlx::query("update notification set read_at = now() where dedupe_key = 'comment:61'")
        .execute(&world.pool)
        .await
        .unwrap();
    world.clock.set("2026-11-21T23:00:00Z".parse().unwrap());
    divide(&world).await;
    assert_eq!(
        pushes().await.unwrap()[0],
        (
            "새 알림을 모았어요".to_owned(),
            "알림 2개가 기다리고 있어요.".to_owned(),
            "/notifications".to_owned(),
            "2026-11-21T23:00:00Z".parse().unwrap()
        )
    );
    assert_eq!(world.count("push_send").await, 2);
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 64)).await;
    assert_eq!(pushes().await.unwrap().len(), 3, "of the next morning");
    let all = "update notification set read_at = now() where read_at is null";
    sqlx::query(all).execute(&world.pool).await.unwrap();
    world.clock.advance(TimeDelta::days(1));
    divide(&world).await;
    assert_eq!(world.count("push_send").await, 2, "nothing waits");
}

async fn divide(world: &World) {
    let kinds = [auth::domain::PushKind::Sink];
    while world
        .store
        .divide_deliveries(&kinds, false, 10)
        .await
        .unwrap()
        > 0
    {}
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn every_quiet_period_of_a_day_has_its_digest(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let wanted = vec![channels("COMMENT", false, true)];
    let digest = wire::SetNotificationSettingsRequest {
        digest: Some(true),
        ..change(me, wanted)
    };
    set(&world, digest).await.unwrap();
    for id in [61, 62] {
        tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, id)).await;
    }
    world.clock.set("2026-11-21T23:00:00Z".parse().unwrap());
    divide(&world).await;
    // 13:00 to 14:00 in Korea.
    sqlx::query("update notification_preference set quiet_from = 780, quiet_until = 840")
        .execute(&world.pool)
        .await
        .unwrap();
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 63)).await;
    world.clock.set("2026-11-22T05:00:00Z".parse().unwrap());
    divide(&world).await;
    let read = "select body from push_delivery where collapse_key = 'digest' order by id";
    let bodies: Vec<String> = sqlx::query_scalar(read)
        .fetch_all(&world.pool)
        .await
        .unwrap();
    assert_eq!(
        bodies,
        ["알림 2개가 기다리고 있어요.", "알림 1개가 기다리고 있어요."]
    );
    assert_eq!(world.count("push_send").await, 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn likes_without_an_inbox_are_counted_together(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    let wanted = vec![channels("LIKE", false, true)];
    set(&world, change(me, wanted)).await.unwrap();
    // 23:30 in Korea.
    world.clock.set("2026-11-21T14:30:00Z".parse().unwrap());
    for people in [(1..=250).collect(), vec![251]] {
        let liked = PostLiked {
            post_id: 51,
            told_post_author_id: me,
            member_ids: people,
            excerpt: "오늘은 쉬어요".to_owned(),
            liked_at_us: world.clock.now().timestamp_micros(),
        };
        tell(&world, rules::POST_LIKED, &liked).await;
    }
    let titles: Vec<String> = sqlx::query_scalar("select title from push_delivery")
        .fetch_all(&world.pool)
        .await
        .unwrap();
    assert_eq!(titles, ["251명이 내 글을 좋아해요"]);
}
