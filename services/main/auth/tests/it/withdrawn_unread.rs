//! Open pages hear how many are unread once some were taken back.

use auth::MIGRATOR;
use auth::notifications::{consumer, rules, withdrawals};
use kernel::Clock;
use proto::community::v1::{CommentWithdrawn, CommentWritten, MemberBlocked, PostWithdrawn};
use sqlx::PgPool;

use crate::notices::{comment, created, event, member, tell};
use crate::notifications::unread;
use crate::world::World;

/// Member, notification and number of what was told last, oldest first.
async fn last_told(world: &World, count: usize) -> Vec<(i64, i64, i32)> {
    let told = created(world).await;
    let last = &told[told.len() - count..];
    last.iter()
        .map(|one| (one.member_id, one.notification_id, one.unread))
        .collect()
}

fn withdrawn(world: &World, comment_id: i64, told: i64) -> CommentWithdrawn {
    CommentWithdrawn {
        comment_id,
        post_id: 51,
        told_ids: vec![told],
        withdrawn_at_us: world.clock.now().timestamp_micros(),
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_comment_that_was_taken_back_is_not_counted(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    for id in [61, 62] {
        tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, id)).await;
    }
    assert_eq!(created(&world).await.len(), 2);
    let body = withdrawn(&world, 61, me);
    let gone = event(withdrawals::COMMENT_WITHDRAWN, &body);
    for _redelivered in 0..2 {
        consumer::tell(&world.store, &gone).await.unwrap();
    }
    assert_eq!(created(&world).await.len(), 3, "once");
    assert_eq!(last_told(&world, 1).await, [(me, 0, 1)]);
    let block = MemberBlocked {
        member_id: other,
        blocked_id: me,
        blocked_at_us: world.clock.now().timestamp_micros(),
    };
    tell(&world, withdrawals::MEMBER_BLOCKED, &block).await;
    assert_eq!(created(&world).await.len(), 4);
    assert_eq!(last_told(&world, 1).await, [(me, 0, 0)]);
    assert_eq!(unread(&world, me).await.unread, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_post_that_is_gone_tells_each_member_once(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    let reply = CommentWritten {
        parent_id: 61,
        told_comment_author_id: other,
        ..comment(0, me, 63)
    };
    let elsewhere = CommentWritten {
        post_id: 510,
        ..comment(me, other, 64)
    };
    for body in [
        comment(me, other, 61),
        comment(me, other, 62),
        reply,
        elsewhere,
    ] {
        tell(&world, rules::COMMENT_WRITTEN, &body).await;
    }
    assert_eq!(created(&world).await.len(), 4);
    let gone = PostWithdrawn {
        post_id: 51,
        withdrawn_at_us: world.clock.now().timestamp_micros(),
    };
    tell(&world, withdrawals::POST_WITHDRAWN, &gone).await;
    assert_eq!(created(&world).await.len(), 6);
    assert_eq!(last_told(&world, 2).await, [(me, 0, 1), (other, 0, 0)]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_was_read_or_in_no_inbox_changes_no_number(pool: PgPool) {
    let world = World::new(pool).await;
    let (me, other) = (
        member(&world, "개미왕").await,
        member(&world, "베짱이").await,
    );
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 61)).await;
    sqlx::query("update notification set read_at = created_at")
        .execute(&world.pool)
        .await
        .unwrap();
    sqlx::query("insert into notification_setting values ($1, 'COMMENT', false, true)")
        .bind(me)
        .execute(&world.pool)
        .await
        .unwrap();
    tell(&world, rules::COMMENT_WRITTEN, &comment(me, other, 62)).await;
    for id in [61, 62, 63] {
        let body = withdrawn(&world, id, me);
        tell(&world, withdrawals::COMMENT_WITHDRAWN, &body).await;
    }
    assert_eq!(world.count("notification").await, 0);
    assert_eq!(world.count("push_delivery").await, 0);
    assert_eq!(created(&world).await.len(), 1, "of the first one");
}
