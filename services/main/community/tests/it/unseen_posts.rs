//! Comments and likes of posts that others do not see any more are told nobody.

use community::MIGRATOR;
use community::domain::moderation::Decision;
use community::store::{Liked, TextRef, WantedLike};
use kernel::MemberId;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{CommentWritten, PostLiked};
use sqlx::PgPool;

use crate::picture_races::delete_meanwhile;
use crate::world::{MEMBER, OTHER, THIRD, World, new_comment, new_reply};

/// The rules of writing hold it back until a moderator has read it.
const HELD: &str = "종목 추천방을 열었어요";

/// How many comments and how many groups of likes were told since the last call.
async fn told(world: &World) -> (usize, usize) {
    let written: Vec<CommentWritten> = world.told("community.comment.written.v1").await;
    let liked: Vec<PostLiked> = world.told("community.post.liked.v1").await;
    (written.len(), liked.len())
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_comment_that_is_published_below_an_unseen_post_is_told_nobody(pool: PgPool) {
    let world = World::new(pool).await;
    for (content, is_deleted) in [("지울 글", true), ("가려질 글", false)] {
        let post = world.post(MEMBER, content).await.id;
        let comment = world.comment(OTHER, post, "댓글이에요").await.id;
        let held = [
            world.comment(THIRD, post, HELD).await.id,
            world.reply(THIRD, comment, HELD).await.id,
        ];
        assert_eq!(told(&world).await, (1, 0));
        if is_deleted {
            world.delete(MEMBER, post).await.unwrap();
        } else {
            world.hide(Subject::PostId(post)).await;
        }
        for text in held.map(TextRef::Comment) {
            world.decide(text, Decision::Publish, 1).await.unwrap();
        }
        assert_eq!(told(&world).await, (0, 0), "{content}");
    }
    let never_told = "select count(*) from comment where told_at is null";
    assert_eq!(world.count(never_told).await, 4);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_deleted_a_comment_is_not_told_of_replies(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let comment = world.comment(OTHER, post, "저도요").await.id;
    let held = world.reply(THIRD, comment, HELD).await.id;
    world.delete_comment(OTHER, comment).await.unwrap();
    told(&world).await;
    let text = TextRef::Comment(held);
    world.decide(text, Decision::Publish, 1).await.unwrap();
    let written: Vec<CommentWritten> = world.told("community.comment.written.v1").await;
    let members: Vec<(i64, i64)> = written
        .iter()
        .map(|one| (one.told_post_author_id, one.told_comment_author_id))
        .collect();
    assert_eq!(members, [(MEMBER, 0)]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_waits_for_the_deletion_of_its_post_is_told_nobody(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "지울 글").await.id;
    let like = world.like(OTHER, post, true);
    delete_meanwhile(&world, post, like).await.unwrap();
    assert_eq!(told(&world).await, (0, 0));

    let post = world.post(MEMBER, "지울 글이 또 있어요").await.id;
    let comment = world.try_comment(new_comment(OTHER, post, "댓글이에요"));
    delete_meanwhile(&world, post, comment).await.unwrap();
    assert_eq!(told(&world).await, (0, 0));

    let post = world.post(MEMBER, "지울 글이 더 있어요").await.id;
    let comment = world.comment(MEMBER, post, "제 댓글이에요").await.id;
    let reply = world.try_reply(new_reply(OTHER, comment, "답글이에요"));
    delete_meanwhile(&world, post, reply).await.unwrap();
    assert_eq!(told(&world).await, (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_like_that_leaves_the_counter_as_it_is_waits_as_well(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "지울 글").await.id;
    world.like(THIRD, post, true).await.unwrap();
    assert_eq!(told(&world).await, (0, 1));
    let wanted = [(OTHER, true), (THIRD, false)].map(|(member, liked)| WantedLike {
        member: MemberId(member),
        liked,
    });
    let likes = world.store.like_together(&wanted, Liked::Post(post));
    let states = delete_meanwhile(&world, post, likes).await.unwrap();
    assert!(states.iter().all(|state| state.unwrap().count == 1));
    assert_eq!(told(&world).await, (0, 0));
}
