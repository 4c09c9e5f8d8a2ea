//! Posts that are deleted while comments with pictures are written, changed and deleted.

use std::time::Duration;

use chrono::TimeDelta;
use community::MIGRATOR;
use futures_util::future::join_all;
use proto::community::v1::{Comment, CreateReplyRequest, UpdateCommentRequest};
use sqlx::PgPool;
use tonic::{Code, Status};

use crate::picture_calls::{comment_with, post_with};
use crate::world::{MEMBER, OTHER, THIRD, World, new_reply, reason};

/// The rules of writing hold it back until a moderator has read it.
const HELD: &str = "종목 추천방을 열었어요";

async fn change(
    world: &World,
    comment: i64,
    content: &str,
    images: &[&str],
) -> Result<Comment, Status> {
    let request = UpdateCommentRequest {
        member_id: OTHER,
        comment_id: comment,
        content: content.to_owned(),
        images: images.iter().map(|id| (*id).to_owned()).collect(),
        ..UpdateCommentRequest::default()
    };
    let changed = world.comments.clone().update_comment(request).await;
    changed.map(|changed| changed.into_inner().comment.unwrap())
}

/// Deletes a post while `write` runs, which begins before the deletion is committed.
pub(crate) async fn delete_meanwhile<T>(
    world: &World,
    post: i64,
    write: impl Future<Output = T>,
) -> T {
    let mut deletion = world.pool.begin().await.unwrap();
    sqlx::query("update post set deleted_at = '2026-12-01' where id = $1")
        .bind(post)
        .execute(&mut *deletion)
        .await
        .unwrap();
    let deletion = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        deletion.commit().await.unwrap();
    };
    tokio::join!(write, deletion).0
}

async fn assert_all_go(world: &World) {
    world.pass(TimeDelta::days(7) + TimeDelta::seconds(1));
    world.work().await;
    let rows = world.count("select count(*) from picture").await;
    assert_eq!((rows, world.flaky.count().await), (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_comment_beside_the_deletion_of_its_post_keeps_no_picture(pool: PgPool) {
    let world = World::new(pool).await;
    let (first, second) = (world.picture(OTHER).await, world.picture(OTHER).await);
    let post = world.post(MEMBER, "지울 글").await.id;
    let comment = world.comment(OTHER, post, "댓글이에요").await.id;
    let write = world.try_comment(comment_with(OTHER, post, &[&first]));
    let refused = delete_meanwhile(&world, post, write).await;
    assert_eq!(reason(refused), "POST_NOT_FOUND");
    let post = world.post(MEMBER, "지울 글이 또 있어요").await.id;
    let held = world.comment(OTHER, post, "다른 댓글").await.id;
    let reply = CreateReplyRequest {
        images: vec![second.clone()],
        ..new_reply(OTHER, held, HELD)
    };
    let refused = delete_meanwhile(&world, post, world.try_reply(reply)).await;
    assert_eq!(reason(refused), "COMMENT_NOT_FOUND");
    let refused = change(&world, comment, "댓글", &[&first]).await;
    assert_eq!(
        reason(refused),
        "COMMENT_NOT_FOUND",
        "nothing of it is left"
    );
    assert_all_go(&world).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_change_beside_the_deletion_of_its_post_keeps_no_picture(pool: PgPool) {
    let world = World::new(pool).await;
    let picture = world.picture(OTHER).await;
    for (content, words) in [("바꾼 댓글", "하나"), (HELD, "또 하나")] {
        let post = world.post(MEMBER, words).await.id;
        let comment = world.comment(OTHER, post, words).await.id;
        let images = [picture.as_str()];
        let write = change(&world, comment, content, &images);
        let refused = delete_meanwhile(&world, post, write).await;
        assert_eq!(reason(refused), "COMMENT_NOT_FOUND");
        assert!(world.is_shown(&picture).await, "it can still be used");
    }
    assert_all_go(&world).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn posts_and_their_comments_are_deleted_and_changed_at_once(pool: PgPool) {
    let world = World::new(pool).await;
    for round in 0..15 {
        let own = world.picture(MEMBER).await;
        let post = post_with(MEMBER, &format!("글 {round}"), &[&own]);
        let post = world.try_post(post).await.unwrap().id;
        let mut comments = Vec::new();
        for _ in 0..4 {
            let pictures = [world.picture(OTHER).await, world.picture(OTHER).await];
            let request = comment_with(OTHER, post, &[&pictures[0]]);
            let comment = world.try_comment(request).await.unwrap().id;
            comments.push((comment, pictures));
        }
        let replies = world.picture(THIRD).await;
        let reply = CreateReplyRequest {
            images: vec![replies],
            ..new_reply(THIRD, comments[0].0, "답글")
        };
        let reply = world.try_reply(reply).await.unwrap().id;
        let change = async |comment: i64, [first, second]: &[String; 2]| {
            change(&world, comment, HELD, &[second, first]).await?;
            change(&world, comment, "사진이 있는 댓글", &[first])
                .await
                .map(drop)
        };
        let ((), changes, deleted, reply) = tokio::join!(
            async {
                tokio::time::sleep(Duration::from_millis(8 * round)).await;
                world.delete(MEMBER, post).await.unwrap();
            },
            join_all(comments[..3].iter().map(|(id, own)| change(*id, own))),
            async {
                tokio::time::sleep(Duration::from_millis(4 * round)).await;
                world.delete_comment(OTHER, comments[3].0).await
            },
            world.delete_comment(THIRD, reply)
        );
        deleted.unwrap();
        reply.unwrap();
        for change in changes {
            let missing = change.err().map(|status| status.code());
            assert!(
                matches!(missing, None | Some(Code::NotFound)),
                "{missing:?}"
            );
        }
    }
    assert_all_go(&world).await;
}

/// As `delete_meanwhile`, but the transaction that deletes the post waits for what has the pictures.
#[sqlx::test(migrator = "MIGRATOR")]
async fn deleting_a_comment_does_not_wait_for_a_post_that_waits_for_its_picture(pool: PgPool) {
    let world = World::new(pool).await;
    let picture = world.picture(OTHER).await;
    let post = world.post(MEMBER, "지울 글").await.id;
    let comment = comment_with(OTHER, post, &[&picture]);
    let comment = world.try_comment(comment).await.unwrap().id;
    let mut deletion = world.pool.begin().await.unwrap();
    sqlx::query("select from post where id = $1 for no key update")
        .bind(post)
        .execute(&mut *deletion)
        .await
        .unwrap();
    let delete = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let update = sqlx::query("update post set deleted_at = '2026-12-01' where id = $1");
        update.bind(post).execute(&mut *deletion).await.unwrap();
        deletion.commit().await.unwrap();
    };
    let (deleted, ()) = tokio::join!(world.delete_comment(OTHER, comment), delete);
    deleted.unwrap();
    assert_all_go(&world).await;
}
