//! What a digest counts of that which is in no inbox.

use auth::MIGRATOR;
use auth::domain::PushKind;
use auth::notifications::{rules, withdrawals};
use kernel::Clock;
use proto::community::v1::{CommentWithdrawn, MemberBlocked, PostLiked, PostWithdrawn};
use sqlx::PgPool;

use crate::notices::{comment, member, tell};
use crate::world::World;

/// 08:30 in Korea, when the digest of these members goes.
const MORNING: &str = "2026-11-21T23:30:00Z";

/// Two members, of whom the first wants a digest and no inbox of comments and likes.
async fn collecting(pool: PgPool) -> (World, i64, i64) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    for statement in [
        "insert into notification_setting values ($1, 'COMMENT', false, true), \
         ($1, 'LIKE', false, true)",
        "insert into notification_preference (member_id, quiet_from, quiet_until, digest) \
         values ($1, 1260, 510, true)",
    ] {
        sqlx::query(statement)
            .bind(me)
            .execute(&world.pool)
            .await
            .unwrap();
    }
    (world, me, other)
}

/// What is pushed at a time and was before, oldest first.
async fn pushed(world: &World, at: &str) -> Vec<String> {
    world.clock.set(at.parse().unwrap());
    while world
        .store
        .divide_deliveries(&[PushKind::Sink], false, 10)
        .await
        .unwrap()
        > 0
    {}
    let read = "select d.body from push_send s join push_delivery d on d.id = s.delivery_id \
                order by s.id";
    sqlx::query_scalar(read)
        .fetch_all(&world.pool)
        .await
        .unwrap()
}

async fn like(world: &World, told: i64, by: i64) {
    let liked = PostLiked {
        post_id: 51,
        told_post_author_id: told,
        member_ids: vec![by],
        excerpt: "오늘은 쉬어요".to_owned(),
        liked_at_us: world.clock.now().timestamp_micros(),
    };
    tell(world, rules::POST_LIKED, &liked).await;
}

async fn withdraw(world: &World, comment_id: i64, told: i64) {
    let body = CommentWithdrawn {
        comment_id,
        post_id: 51,
        told_ids: vec![told],
        withdrawn_at_us: world.clock.now().timestamp_micros(),
    };
    tell(world, withdrawals::COMMENT_WITHDRAWN, &body).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_comment_that_was_taken_back_does_not_count(pool: PgPool) {
    let (world, me, other) = collecting(pool).await;
    for id in [61, 62] {
        // The second time in another event, as after a restored backup.
        for _ in 0..2 {
            tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, id)).await;
        }
    }
    withdraw(&world, 61, me).await;
    let counted = ["알림 1개가 기다리고 있어요."];
    assert_eq!(pushed(&world, MORNING).await, counted);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn where_all_was_taken_back_nothing_is_pushed(pool: PgPool) {
    let (world, me, other) = collecting(pool).await;
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 61)).await;
    withdraw(&world, 61, me).await;
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 62)).await;
    let block = MemberBlocked {
        member_id: me,
        blocked_id: other,
        blocked_at_us: world.clock.now().timestamp_micros(),
    };
    tell(&world, withdrawals::MEMBER_BLOCKED, &block).await;
    like(&world, me, other).await;
    let gone = PostWithdrawn {
        post_id: 51,
        withdrawn_at_us: world.clock.now().timestamp_micros(),
    };
    tell(&world, withdrawals::POST_WITHDRAWN, &gone).await;
    let digests = "push_delivery where collapse_key = 'digest'";
    assert_eq!(world.count(digests).await, 1);
    assert!(pushed(&world, MORNING).await.is_empty());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn likes_of_an_hour_count_once_in_the_digest_that_comes_next(pool: PgPool) {
    let (world, me, _other) = collecting(pool).await;
    world.clock.set("2026-11-21T23:10:00Z".parse().unwrap());
    for by in [1, 2] {
        like(&world, me, by).await;
    }
    let counted = "알림 1개가 기다리고 있어요.";
    assert_eq!(pushed(&world, MORNING).await, [counted]);
    world.clock.set("2026-11-21T23:40:00Z".parse().unwrap());
    like(&world, me, 3).await;
    let next_morning = "2026-11-22T23:30:00Z";
    assert_eq!(pushed(&world, next_morning).await, [counted, counted]);
}
