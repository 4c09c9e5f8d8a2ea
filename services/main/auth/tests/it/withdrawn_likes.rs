//! Likes of a post that nobody sees any more, when very many members have liked it.

use auth::MIGRATOR;
use auth::notifications::{consumer, withdrawals};
use kernel::Clock;
use messaging::Event;
use proto::community::v1::PostWithdrawn;
use sqlx::PgPool;

use crate::notices::{event, member};
use crate::world::World;

/// Likes of a post in one hour.
async fn like(world: &World, member: i64, post: i64, people: i32) {
    let insert = "with told as (insert into notification \
        (member_id, type, title, body, link, dedupe_key, created_at, occurred_at) \
        values ($1, 'LIKE', 't', 'b', '/community/detail?communitySid=' || $2::bigint, \
        'like:' || $2::bigint, '2026-01-01', '2026-01-01') returning id) \
        insert into notification_liker select id, n from told, generate_series(1, $3) n";
    sqlx::query(insert)
        .bind(member)
        .bind(post)
        .bind(people)
        .execute(&world.pool)
        .await
        .unwrap();
}

fn withdrawn(world: &World, post_id: i64) -> Event {
    let body = PostWithdrawn {
        post_id,
        withdrawn_at_us: world.clock.now().timestamp_micros(),
    };
    event(withdrawals::POST_WITHDRAWN, &body)
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn very_many_people_go_in_slices_before_their_notification(pool: PgPool) {
    let world = World::new(pool).await;
    let me = member(&world, "개미왕").await;
    like(&world, me, 51, 12_000).await;
    like(&world, me, 510, 3).await;
    testkit::bound_statements(&world.pool, "delete", "notification_liker", 5_000).await;
    let gone = withdrawn(&world, 51);
    // A crash after the first slice.
    let post = withdrawals::withdrawn_post(&gone).unwrap().unwrap();
    assert!(world.store.withdraw_post(&post).await.unwrap());
    assert_eq!(world.count("notification_liker").await, 7_003);
    assert_eq!(world.count("notification").await, 2);
    for _redelivered in 0..2 {
        consumer::tell(&world.store, &gone).await.unwrap();
    }
    assert_eq!(world.count("notification").await, 1);
    assert_eq!(
        world.count("notification_liker").await,
        3,
        "of another post"
    );
}
