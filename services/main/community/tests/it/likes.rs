//! Likes of posts and comments.

use community::MIGRATOR;
use community::store::{LikeState, Liked, WantedLike};
use futures_util::future::join_all;
use kernel::MemberId;
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World, reason};

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_like_is_set_and_a_repeat_changes_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "좋아요").await.id;
    let comment = world.comment(MEMBER, post, "저도요").await.id;
    for (liked, count) in [(false, 0), (true, 1), (true, 1), (false, 0), (false, 0)] {
        let likes = world.like(OTHER, post, liked).await.unwrap();
        assert_eq!((likes.count, likes.is_liked), (count, liked));
        let likes = world.like_comment(OTHER, comment, liked).await.unwrap();
        assert_eq!((likes.count, likes.is_liked), (count, liked));
    }
    world.like(OTHER, post, true).await.unwrap();
    world.like_comment(OTHER, comment, true).await.unwrap();
    for (viewer, is_liked) in [(OTHER, true), (MEMBER, false), (0, false)] {
        let seen = world.get(viewer, post).await.unwrap();
        assert_eq!((seen.like_count, seen.is_liked), (1, is_liked));
        let seen = &world.comments_of(viewer, post).await[0];
        assert_eq!((seen.like_count, seen.is_liked), (1, is_liked));
    }
    assert_eq!(reason(world.like(0, post, true).await), "MALFORMED");
    assert_eq!(
        reason(world.like(OTHER, 4_711, true).await),
        "POST_NOT_FOUND"
    );
    let unknown = world.like_comment(OTHER, 4_711, true).await;
    assert_eq!(reason(unknown), "COMMENT_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn five_hundred_at_once_count_one_like_each(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "모두가 좋아해요").await.id;
    let comment = world.comment(MEMBER, post, "정말요").await.id;
    let members = 200_000..200_500;
    let likes = members.clone().map(async |member| {
        for _ in 0..2 {
            world.like(member, post, true).await.unwrap();
            world.like_comment(member, comment, true).await.unwrap();
        }
    });
    join_all(likes).await;
    let seen = world.get(200_001, post).await.unwrap();
    assert_eq!((seen.like_count, seen.is_liked), (500, true));
    assert_eq!(world.count("select count(*) from post_like").await, 500);
    let seen = world.get_comment(200_001, comment).await.unwrap();
    assert_eq!((seen.like_count, seen.is_liked), (500, true));
    let takes_back = members.map(|member| world.like(member, post, member % 2 == 0));
    join_all(takes_back).await;
    let seen = world.get(200_001, post).await.unwrap();
    assert_eq!((seen.like_count, seen.is_liked), (250, false));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn likes_together_are_decided_each_by_itself(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "좋아요").await.id;
    world.block(MEMBER, OTHER, true).await.unwrap();
    for member in [200_000, 200_001] {
        world.like(member, post, true).await.unwrap();
    }
    let want = |member: i64, liked: bool| WantedLike {
        member: MemberId(member),
        liked,
    };
    let wanted = [
        want(OTHER, true),
        want(200_000, false),
        want(200_001, true),
        want(200_002, true),
        want(200_003, false),
        want(200_004, true),
    ];
    let together = async |subject: Liked| {
        let states = world.store.like_together(&wanted, subject).await.unwrap();
        let state = |state: Option<LikeState>| state.map(|state| (state.count, state.is_liked));
        states.into_iter().map(state).collect::<Vec<_>>()
    };
    let expected = [
        None,
        Some((3, false)),
        Some((3, true)),
        Some((3, true)),
        Some((3, false)),
        Some((3, true)),
    ];
    for _ in 0..2 {
        assert_eq!(together(Liked::Post(post)).await, expected);
    }
    assert_eq!(world.count("select count(*) from post_like").await, 3);
    assert_eq!(together(Liked::Post(4_711)).await, [None; 6]);
    assert_eq!(together(Liked::Comment(4_711)).await, [None; 6]);
}
