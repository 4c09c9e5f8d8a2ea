//! Withdrawals are dated after all that was told before others stopped seeing what they withdraw, so
//! that auth takes it back whatever comes first.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use community::MIGRATOR;
use kernel::Clock;
use proto::community::v1::{MemberBlocked, PostWithdrawn};
use proto::convert::micros;
use sqlx::PgPool;
use tokio::time::sleep;

use crate::world::{MEMBER, OTHER, World, new_comment};

/// When the only event of a type happened.
async fn told_at(world: &World, event_type: &str) -> i64 {
    let times: Vec<DateTime<Utc>> =
        sqlx::query_scalar("select occurred_at from outbox where event_type = $1")
            .bind(event_type)
            .fetch_all(&world.pool)
            .await
            .unwrap();
    assert_eq!(times.len(), 1, "{event_type}");
    micros(times[0])
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_deletion_that_waits_is_later_than_the_like_that_was_first(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "지울 글").await.id;
    let mut busy = world.pool.begin().await.unwrap();
    sqlx::query("select from post where id = $1 for no key update")
        .bind(post)
        .execute(&mut *busy)
        .await
        .unwrap();
    let delete = async {
        sleep(Duration::from_millis(300)).await;
        world.delete(MEMBER, post).await
    };
    let release = async {
        sleep(Duration::from_millis(600)).await;
        world.pass(TimeDelta::seconds(1));
        busy.commit().await.unwrap();
    };
    let (liked, deleted, ()) = tokio::join!(world.like(OTHER, post, true), delete, release);
    liked.unwrap();
    deleted.unwrap();
    let told_at = told_at(&world, "community.post.liked.v1").await;
    let withdrawn: Vec<PostWithdrawn> = world.told("community.post.withdrawn.v1").await;
    assert_eq!(withdrawn.len(), 1);
    assert!(withdrawn[0].withdrawn_at_us >= told_at);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_block_is_later_than_what_was_told_before_it_was_stored(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    world.follow(MEMBER, OTHER, true).await.unwrap();
    // The block ends following, and waits for it.
    let mut busy = world.pool.begin().await.unwrap();
    sqlx::query("select from follow for update")
        .execute(&mut *busy)
        .await
        .unwrap();
    let comment = async {
        sleep(Duration::from_millis(300)).await;
        world.pass(TimeDelta::seconds(1));
        let written = world.try_comment(new_comment(OTHER, post, "저도요")).await;
        busy.commit().await.unwrap();
        written
    };
    let (blocked, written) = tokio::join!(world.block(MEMBER, OTHER, true), comment);
    blocked.unwrap();
    written.unwrap();
    let told_at = told_at(&world, "community.comment.written.v1").await;
    let blocks: Vec<MemberBlocked> = world.told("community.member.blocked.v1").await;
    assert_eq!(blocks.len(), 1);
    assert!(blocks[0].blocked_at_us > told_at);
    // Until the block is stored more may be told.
    assert!(blocks[0].blocked_at_us > micros(world.clock.now()));
}
