//! Posts of which members want to hear nothing.

use community::MIGRATOR;
use futures_util::future::join_all;
use proto::community::v1::SetMuteRequest;
use sqlx::PgPool;
use tonic::Status;

use crate::world::{MEMBER, OTHER, World, reason};

async fn mute(world: &World, member_id: i64, post_id: i64, on: bool) -> Result<bool, Status> {
    let request = SetMuteRequest {
        member_id,
        post_id,
        on,
    };
    let mute = world.posts.clone().set_mute(request).await;
    mute.map(|mute| mute.into_inner().is_muted)
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_post_is_muted_by_each_for_themselves(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "시끄러운 글").await.id;
    let muted = (0..8).map(|_| mute(&world, OTHER, post, true));
    assert!(join_all(muted).await.into_iter().all(Result::unwrap));
    assert_eq!(world.count("select count(*) from post_mute").await, 1);
    assert!(world.get(OTHER, post).await.unwrap().is_muted);
    for viewer in [0, MEMBER] {
        assert!(!world.get(viewer, post).await.unwrap().is_muted);
    }
    for _ in 0..2 {
        assert!(!mute(&world, OTHER, post, false).await.unwrap());
    }
    assert!(!world.get(OTHER, post).await.unwrap().is_muted);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn only_what_is_seen_is_muted(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "시끄러운 글").await.id;
    assert_eq!(
        reason(mute(&world, OTHER, 4_711, true).await),
        "POST_NOT_FOUND"
    );
    assert_eq!(
        reason(mute(&world, OTHER, 4_711, false).await),
        "POST_NOT_FOUND"
    );
    assert_eq!(reason(mute(&world, 0, post, true).await), "MALFORMED");
    world.block(MEMBER, OTHER, true).await.unwrap();
    assert_eq!(
        reason(mute(&world, OTHER, post, true).await),
        "POST_NOT_FOUND"
    );
    mute(&world, OTHER, post, false).await.unwrap();
    world.delete(MEMBER, post).await.unwrap();
    assert_eq!(
        reason(mute(&world, MEMBER, post, true).await),
        "POST_NOT_FOUND"
    );
}
