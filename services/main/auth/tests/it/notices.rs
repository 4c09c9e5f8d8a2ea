//! What becomes of an event: once, batched, queued for its time, and told to open pages.

use std::time::Duration;

use auth::MIGRATOR;
use auth::notifications::consumer;
use auth::notifications::rules;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use messaging::outbox::{self, Relay};
use messaging::{Amqp, Event, NewEvent};
use prost::Message;
use proto::auth::v1::NotificationCreated;
use proto::common::v1::{Currency, Decimal};
use proto::community::v1::{CommentWritten, PostLiked};
use proto::education::v1::StreakAtRisk;
use proto::trading::v1::{
    CompetitionEnded, FillNotice, Order, OrderCategory, OrderFilled, OrderSide, OrderStatus,
};
use sea_orm::SqlxPostgresConnector;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::world::{World, person};

pub(crate) fn event(event_type: &str, body: &impl Message) -> Event {
    Event {
        event_id: Uuid::new_v4(),
        event_type: event_type.to_owned(),
        aggregate_id: "1".to_owned(),
        occurred_at: DateTime::UNIX_EPOCH,
        body: body.encode_to_vec().into(),
    }
}

pub(crate) async fn tell(world: &World, event_type: &str, body: &impl Message) {
    consumer::tell(&world.store, &event(event_type, body))
        .await
        .unwrap();
}

pub(crate) async fn member(world: &World, name: &str) -> i64 {
    let joined = world.join(person(&format!("{name}@b.kr"), name)).await;
    joined.unwrap().member_id
}

pub(crate) fn comment(told: i64, author: i64, id: i64) -> CommentWritten {
    CommentWritten {
        comment_id: id,
        post_id: 51,
        author_id: author,
        told_post_author_id: told,
        excerpt: "저도요".to_owned(),
        ..CommentWritten::default()
    }
}

pub(crate) fn filled(member_id: i64, seq: i64, status: OrderStatus, done: &str) -> OrderFilled {
    let decimal = |text: &str| {
        Some(Decimal {
            value: text.to_owned(),
        })
    };
    OrderFilled {
        notice: Some(FillNotice {
            seq,
            member_id,
            order: Some(Order {
                order_id: 7,
                instrument_name: "삼성전자".to_owned(),
                side: OrderSide::Buy.into(),
                category: OrderCategory::Stock.into(),
                currency: Currency::Krw.into(),
                status: status.into(),
                quantity: decimal("10"),
                filled_quantity: decimal(done),
                average_price: decimal("71300"),
                filled_amount_won: 213_900,
                ..Order::default()
            }),
            fill: None,
        }),
    }
}

fn liked(told: i64, people: &[i64], at: DateTime<Utc>) -> PostLiked {
    PostLiked {
        post_id: 51,
        told_post_author_id: told,
        member_ids: people.to_vec(),
        excerpt: "오늘은 쉬어요".to_owned(),
        liked_at_us: at.timestamp_micros(),
    }
}

/// Title, body and batch of the member's notifications, oldest first.
async fn inbox(world: &World, member: i64) -> Vec<(String, String, i32)> {
    sqlx::query_as("select title, body, batch from notification where member_id = $1 order by id")
        .bind(member)
        .fetch_all(&world.pool)
        .await
        .unwrap()
}

/// Title, urgency and time of the member's pushes, oldest first.
async fn pushes(world: &World, member: i64) -> Vec<(String, bool, DateTime<Utc>)> {
    sqlx::query_as(
        "select title, urgent, not_before from push_delivery where member_id = $1 order by id",
    )
    .bind(member)
    .fetch_all(&world.pool)
    .await
    .unwrap()
}

/// What open pages are told.
pub(crate) async fn created(world: &World) -> Vec<NotificationCreated> {
    let bodies: Vec<Vec<u8>> = sqlx::query_scalar(
        "select body from outbox where event_type = 'auth.notification.created.v1' order by id",
    )
    .fetch_all(&world.pool)
    .await
    .unwrap();
    let decode = |body: &Vec<u8>| NotificationCreated::decode(body.as_slice()).unwrap();
    bodies.iter().map(decode).collect()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_event_that_comes_ten_times_is_told_once(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let written = event(rules::COMMENT_WRITTEN, &comment(me, other, 61));
    for _ in 0..10 {
        consumer::tell(&world.store, &written).await.unwrap();
    }
    // The same comment in another event, as after a restored backup.
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 61)).await;
    let told = [(
        "베짱이님이 내 글에 댓글을 남겼어요".to_owned(),
        "저도요".to_owned(),
        1,
    )];
    assert_eq!(inbox(&world, me).await, told);
    assert_eq!(pushes(&world, me).await.len(), 1);
    let created = created(&world).await;
    assert_eq!(created.len(), 1);
    assert_eq!(
        (
            created[0].member_id,
            created[0].unread,
            created[0].r#type.as_str()
        ),
        (me, 1, "COMMENT")
    );
    assert_eq!(inbox(&world, other).await, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn one_event_at_once_from_two_queues_is_told_once(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let written = event(rules::COMMENT_WRITTEN, &comment(me, other, 61));
    let (one, two) = tokio::join!(
        consumer::tell(&world.store, &written),
        consumer::tell(&world.store, &written)
    );
    one.unwrap();
    two.unwrap();
    assert_eq!(inbox(&world, me).await.len(), 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn parts_of_an_order_take_the_newest_text_and_the_end_has_a_row(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    for (seq, done) in [(1, "3"), (3, "8"), (2, "5")] {
        let part = filled(me, seq, OrderStatus::Partial, done);
        tell(&world, rules::ORDER_FILLED, &part).await;
    }
    let all = filled(me, 4, OrderStatus::Filled, "10");
    tell(&world, rules::ORDER_FILLED, &all).await;
    let told = inbox(&world, me).await;
    assert_eq!(told[0].1, "10주 중 8주를 샀어요.");
    assert_eq!(told[0].2, 2, "the late one is passed over");
    assert_eq!(told[1].0, "삼성전자 10주를 샀어요");
    assert_eq!(told.len(), 2);
    // Fills have a channel of their own.
    assert_eq!(created(&world).await, []);
    let pushes = pushes(&world, me).await;
    assert_eq!(pushes.len(), 2);
    assert!(pushes.iter().all(|(_, urgent, _)| *urgent));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn likes_are_counted_by_person_and_hour(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    let at: DateTime<Utc> = "2026-11-21T05:59:59Z".parse().unwrap();
    for people in [&[1, 2][..], &[2], &[3]] {
        tell(&world, rules::POST_LIKED, &liked(me, people, at)).await;
    }
    let next_hour = at + TimeDelta::seconds(1);
    tell(&world, rules::POST_LIKED, &liked(me, &[2], next_hour)).await;
    let body = "오늘은 쉬어요".to_owned();
    assert_eq!(
        inbox(&world, me).await,
        [
            ("3명이 내 글을 좋아해요".to_owned(), body.clone(), 3),
            ("1명이 내 글을 좋아해요".to_owned(), body, 1)
        ]
    );
    assert_eq!(created(&world).await.len(), 2, "once for each row");
    assert_eq!(pushes(&world, me).await, [], "not by default");
}

/// Counting all of them at each like would cost the square of their number.
#[sqlx::test(migrator = "MIGRATOR")]
async fn a_like_adds_to_those_before_without_counting_them(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    let at: DateTime<Utc> = "2026-11-21T05:59:59Z".parse().unwrap();
    tell(&world, rules::POST_LIKED, &liked(me, &[1, 2], at)).await;
    sqlx::query("delete from notification_liker where liker_id = 1")
        .execute(&world.pool)
        .await
        .unwrap();
    tell(&world, rules::POST_LIKED, &liked(me, &[2, 3], at)).await;
    assert_eq!(inbox(&world, me).await[0].2, 3);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn likes_at_once_are_all_counted(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    let at = world.clock.now();
    let tasks = (1..=8).map(|person| {
        let (store, event) = (
            world.store.clone(),
            event(rules::POST_LIKED, &liked(me, &[person], at)),
        );
        tokio::spawn(async move { consumer::tell(&store, &event).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap().unwrap();
    }
    let told = inbox(&world, me).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].0, "8명이 내 글을 좋아해요");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn notices_at_once_each_say_how_many_are_unread(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    // Each takes its time between its row and its end.
    sqlx::raw_sql(
        "create function slow() returns trigger language plpgsql as \
         $$ begin perform pg_sleep(0.2); return new; end $$; \
         create trigger slow after insert on notification \
         for each row execute function slow()",
    )
    .execute(&world.pool)
    .await
    .unwrap();
    let tasks = (61..65).map(|id| {
        let written = event(rules::COMMENT_WRITTEN, &comment(me, other, id));
        let store = world.store.clone();
        tokio::spawn(async move { consumer::tell(&store, &written).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap().unwrap();
    }
    let mut unread: Vec<i32> = created(&world).await.iter().map(|one| one.unread).collect();
    unread.sort_unstable();
    assert_eq!(unread, [1, 2, 3, 4]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_push_waits_for_the_morning_unless_it_is_urgent(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    // 23:30 in Korea.
    world.clock.set("2026-11-21T14:30:00Z".parse().unwrap());
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 61)).await;
    let all = filled(me, 4, OrderStatus::Filled, "10");
    tell(&world, rules::ORDER_FILLED, &all).await;
    let at_risk = StreakAtRisk {
        member_id: me,
        days: 3,
        day: 20_261_121,
        until_us: "2026-11-21T15:00:00Z"
            .parse::<DateTime<Utc>>()
            .unwrap()
            .timestamp_micros(),
    };
    tell(&world, rules::STREAK_AT_RISK, &at_risk).await;
    let times: Vec<(bool, DateTime<Utc>)> = pushes(&world, me)
        .await
        .into_iter()
        .map(|(_, urgent, at)| (urgent, at))
        .collect();
    assert_eq!(
        times,
        [
            (false, "2026-11-21T23:00:00Z".parse().unwrap()),
            (true, world.clock.now())
        ],
        "in the morning the streak has nothing to say"
    );
    assert_eq!(inbox(&world, me).await.len(), 3);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_is_no_member_any_more_is_passed_over(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, 999_999, 61)).await;
    tell(&world, rules::COMMENT_WRITTEN, &comment(999_998, me, 62)).await;
    let told = inbox(&world, me).await;
    assert_eq!(told[0].0, "탈퇴한 사용자님이 내 글에 댓글을 남겼어요");
    assert_eq!(world.count("notification").await, 1);
}

/// What a crash before the commit leaves is told by the next delivery.
#[sqlx::test(migrator = "MIGRATOR")]
async fn a_failure_leaves_nothing_behind(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let written = event(rules::COMMENT_WRITTEN, &comment(me, other, 61));
    let break_pushes = "alter table push_delivery add constraint broken check (false) not valid";
    sqlx::query(break_pushes)
        .execute(&world.pool)
        .await
        .unwrap();
    consumer::tell(&world.store, &written).await.unwrap_err();
    for table in ["notification", "push_delivery", "inbox"] {
        assert_eq!(world.count(table).await, 0, "{table}");
    }
    assert_eq!(created(&world).await, []);
    sqlx::query("alter table push_delivery drop constraint broken")
        .execute(&world.pool)
        .await
        .unwrap();
    consumer::tell(&world.store, &written).await.unwrap();
    assert_eq!(inbox(&world, me).await.len(), 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_cannot_be_read_changes_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    for event_type in [rules::ORDER_FILLED, "trading.order.changed.v1"] {
        let broken = Event {
            body: vec![0xff, 0xff].into(),
            ..event(event_type, &CompetitionEnded::default())
        };
        consumer::tell(&world.store, &broken).await.unwrap_err();
    }
    assert_eq!(world.count("inbox").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn events_arrive_by_the_broker(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    let me = member(&world, "개미왕").await;
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    let shutdown = CancellationToken::new();
    let queue: &'static str = testkit::unique("auth.notices").leak();
    let spec = messaging::consumer::ConsumerSpec {
        queue,
        ..consumer::QUEUES[4]
    };
    let following = consumer::follow(world.store.clone(), amqp.clone(), spec, shutdown.clone());
    tokio::spawn(following);
    let link = amqp.clone();
    let relay = Relay::new(pool.clone(), amqp, "auth-test");
    tokio::spawn(relay.run(shutdown.clone()));
    let database = SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
    let ended = CompetitionEnded {
        competition_id: 5,
        name: "봄 대회".to_owned(),
        member_id: me,
    };
    // Queues of other tests take what this one does not yet: it is bound when something arrives.
    testkit::eventually(Duration::from_secs(60), async || {
        let event = "1".to_owned();
        let sent = NewEvent::new(rules::COMPETITION_ENDED, event, &ended, &world.clock);
        outbox::append(&database, sent).await.unwrap();
        !inbox(&world, me).await.is_empty()
    })
    .await;
    assert_eq!(inbox(&world, me).await[0].0, "대회가 끝났어요");
    let told = "notification where title = '대회가 끝났어요'";
    assert_eq!(world.count(told).await, 1);
    shutdown.cancel();
    let link = link.channel().await;
    let _gone = link.queue_delete(queue.into(), Default::default()).await;
}
