//! A post that nobody sees any more takes along what members were told of its comments and likes.

use auth::MIGRATOR;
use auth::notifications::{consumer, rules, withdrawals};
use chrono::TimeDelta;
use kernel::Clock;
use messaging::Event;
use prost::Message;
use proto::community::v1::{CommentWritten, PostHidden, PostLiked, PostWithdrawn};
use sqlx::PgPool;

use crate::notices::{comment, event, member};
use crate::world::World;

const OF_POST: &str = "notification where link = '/community/detail?communitySid=51'";

/// An event of now.
fn now(world: &World, event_type: &str, body: &impl Message) -> Event {
    Event {
        occurred_at: world.clock.now(),
        ..event(event_type, body)
    }
}

fn withdrawn(world: &World, post_id: i64) -> Event {
    let body = PostWithdrawn {
        post_id,
        withdrawn_at_us: world.clock.now().timestamp_micros(),
    };
    now(world, withdrawals::POST_WITHDRAWN, &body)
}

fn liked(world: &World, told: i64, by: i64) -> Event {
    let body = PostLiked {
        post_id: 51,
        told_post_author_id: told,
        member_ids: vec![by],
        excerpt: "오늘은 쉬어요".to_owned(),
        liked_at_us: world.clock.now().timestamp_micros(),
    };
    now(world, rules::POST_LIKED, &body)
}

fn written(world: &World, body: &CommentWritten) -> Event {
    now(world, rules::COMMENT_WRITTEN, body)
}

async fn tell(world: &World, event: &Event) {
    consumer::tell(&world.store, event).await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_post_that_is_gone_takes_its_notices_along(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let reply = CommentWritten {
        parent_id: 61,
        told_comment_author_id: other,
        ..comment(0, me, 62)
    };
    let elsewhere = CommentWritten {
        post_id: 510,
        ..comment(me, other, 63)
    };
    for body in [comment(me, other, 61), reply, elsewhere] {
        tell(&world, &written(&world, &body)).await;
    }
    tell(&world, &liked(&world, me, other)).await;
    let hidden = PostHidden {
        decision_id: 1,
        told_author_id: me,
        kind: "POST".to_owned(),
        post_id: 51,
        decision: "HIDDEN".to_owned(),
        ..PostHidden::default()
    };
    tell(&world, &now(&world, rules::POST_HIDDEN, &hidden)).await;
    assert_eq!(world.count(OF_POST).await, 4);
    world.clock.advance(TimeDelta::seconds(1));
    let gone = withdrawn(&world, 51);
    for _redelivered in 0..2 {
        tell(&world, &gone).await;
    }
    // What was decided stays, and what is told of another post.
    assert_eq!(world.count(OF_POST).await, 1);
    assert_eq!(world.count("notification where type = 'REPORT'").await, 1);
    assert_eq!(world.count("notification").await, 2);
    assert_eq!(world.count("push_delivery").await, 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_comes_after_its_post_is_gone_is_not_told(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let late = [
        written(&world, &comment(me, other, 61)),
        liked(&world, me, other),
    ];
    world.clock.advance(TimeDelta::seconds(1));
    let gone = withdrawn(&world, 51);
    tell(&world, &gone).await;
    for event in &late {
        tell(&world, event).await;
    }
    assert_eq!(world.count("notification").await, 0);
    assert_eq!(world.count("push_delivery").await, 0);
    // The post was published again.
    world.clock.advance(TimeDelta::seconds(1));
    tell(&world, &written(&world, &comment(me, other, 62))).await;
    tell(&world, &liked(&world, me, other)).await;
    tell(&world, &gone).await;
    assert_eq!(world.count(OF_POST).await, 2);
    // In three months it is forgotten.
    world.clock.advance(TimeDelta::days(91));
    while world.store.delete_old_notifications().await.unwrap() > 0 {}
    assert_eq!(world.count("withdrawn_post").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_a_clock_ahead_says_of_a_post_happened_by_now_at_most(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let ahead = Event {
        occurred_at: world.clock.now() + TimeDelta::seconds(30),
        ..written(&world, &comment(me, other, 61))
    };
    tell(&world, &withdrawn(&world, 51)).await;
    tell(&world, &ahead).await;
    assert_eq!(world.count("notification").await, 0);
    assert_eq!(world.count("push_delivery").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn told_and_gone_at_once_nothing_is_left(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    for id in 61..81 {
        let body = CommentWritten {
            post_id: id,
            ..comment(me, other, id)
        };
        let tells = written(&world, &body);
        let gone = withdrawn(&world, id);
        let (told, taken) = tokio::join!(
            consumer::tell(&world.store, &tells),
            consumer::tell(&world.store, &gone)
        );
        told.unwrap();
        taken.unwrap();
    }
    assert_eq!(world.count("notification").await, 0);
    assert_eq!(world.count("push_delivery").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn hundreds_of_notices_go_in_slices_and_pushes_without_one_too(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    sqlx::query(
        "insert into notification (member_id, type, title, body, link, dedupe_key, created_at) \
         select $1, 'COMMENT', 't', 'b', '/community/detail?communitySid=51', 'old:' || n, \
         '2026-01-01' from generate_series(1, 450) n",
    )
    .bind(me)
    .execute(&world.pool)
    .await
    .unwrap();
    sqlx::query("insert into notification_setting values ($1, 'COMMENT', false, true)")
        .bind(me)
        .execute(&world.pool)
        .await
        .unwrap();
    for (post_id, id) in [(51, 61), (510, 62)] {
        let body = CommentWritten {
            post_id,
            ..comment(me, other, id)
        };
        tell(&world, &written(&world, &body)).await;
    }
    assert_eq!(world.count("push_delivery").await, 2);
    let gone = withdrawn(&world, 51);
    // A crash after the first slice.
    let post = withdrawals::withdrawn_post(&gone).unwrap().unwrap();
    assert!(world.store.withdraw_post(&post).await.unwrap());
    assert_eq!(world.count("notification").await, 250);
    tell(&world, &gone).await;
    assert_eq!(world.count("notification").await, 0);
    assert_eq!(world.count("push_delivery").await, 1);
}
