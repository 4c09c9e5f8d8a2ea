//! How often a text may be changed, so that moderators can decide about the version that they read.

use chrono::TimeDelta;
use community::MIGRATOR;
use community::domain::moderation::Decision;
use community::domain::writing::Limits;
use community::store::TextRef;
use futures_util::future::join_all;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{Category, UpdateCommentRequest, UpdatePostRequest};
use sqlx::PgPool;
use tonic::Status;

use crate::world::{MEMBER, OTHER, World, reason};

async fn change(world: &World, text: TextRef, content: &str) -> Result<(), Status> {
    match text {
        TextRef::Post(post_id) => {
            let request = UpdatePostRequest {
                member_id: MEMBER,
                post_id,
                category: Category::Free.into(),
                content: content.to_owned(),
                ..UpdatePostRequest::default()
            };
            world.posts.clone().update_post(request).await.map(drop)
        }
        TextRef::Comment(comment_id) => {
            let request = UpdateCommentRequest {
                member_id: MEMBER,
                comment_id,
                content: content.to_owned(),
                ..UpdateCommentRequest::default()
            };
            let changed = world.comments.clone().update_comment(request).await;
            changed.map(drop)
        }
    }
}

async fn version(world: &World, text: TextRef) -> i32 {
    let version = match text {
        TextRef::Post(_) => "select version from post where id = $1",
        TextRef::Comment(_) => "select version from comment where id = $1",
    };
    let version = sqlx::query_scalar(version).bind(text.id());
    version.fetch_one(&world.pool).await.unwrap()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn changes_without_end_do_not_keep_moderators_from_deciding(pool: PgPool) {
    let world = World::with(pool, Limits::default()).await;
    let post = world.post(MEMBER, "신고당할 글").await.id;
    let comment = world.comment(MEMBER, post, "신고당할 댓글").await.id;
    for (text, subject) in [
        (TextRef::Comment(comment), Subject::CommentId(comment)),
        (TextRef::Post(post), Subject::PostId(post)),
    ] {
        world.report(OTHER, subject).await.unwrap();
        for number in 0..10 {
            let content = format!("바꾼 글 {number}");
            change(&world, text, &content).await.unwrap();
        }
        let read = version(&world, text).await;
        assert_eq!(read, 11);
        let refused = change(&world, text, "또 바꾼 글").await.unwrap_err();
        let problem = bootstrap::problem::of(&refused).unwrap();
        assert_eq!(problem.reason, "WRITING_RATE");
        assert_eq!(problem.facts["retryAfter"], "600");
        let decided = world.decide(text, Decision::Uphold, read).await.unwrap();
        assert!(decided.sanction.is_some());
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_text_has_room_for_thirty_changes_a_day(pool: PgPool) {
    let world = World::with(pool, Limits::default()).await;
    let post = TextRef::Post(world.post(MEMBER, "처음 쓴 글").await.id);
    for round in 0..3 {
        for number in 0..10 {
            let content = format!("글 {round} {number}");
            // A repeat changes nothing and is not counted.
            for _repeated in 0..2 {
                change(&world, post, &content).await.unwrap();
            }
        }
        let refused = change(&world, post, "하나 더").await;
        assert_eq!(reason(refused), "WRITING_RATE");
        world.pass(TimeDelta::minutes(10));
    }
    let refused = change(&world, post, "하나 더").await;
    assert_eq!(reason(refused), "WRITING_RATE");
    change(&world, post, "글 2 9").await.unwrap();
    assert_eq!(version(&world, post).await, 31);
    let other = TextRef::Post(world.post(MEMBER, "다른 글").await.id);
    change(&world, other, "다르게 쓴 글").await.unwrap();
    world.pass(TimeDelta::days(1));
    change(&world, post, "하나 더").await.unwrap();
    let kept = "select cardinality(edit_times)::bigint from text_edit order by post_id limit 1";
    assert_eq!(world.count(kept).await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn changes_at_once_do_not_pass_the_rate(pool: PgPool) {
    let world = World::with(pool, Limits::default()).await;
    let post = world.post(MEMBER, "처음 쓴 글").await.id;
    let comment = world.comment(MEMBER, post, "처음 쓴 댓글").await.id;
    let contents: Vec<String> = (0..15).map(|number| format!("글 {number}")).collect();
    for text in [TextRef::Post(post), TextRef::Comment(comment)] {
        let at_once = contents.iter().map(|content| change(&world, text, content));
        let answers = join_all(at_once).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 10);
        let refused = answers.into_iter().find(Result::is_err).unwrap();
        assert_eq!(reason(refused), "WRITING_RATE");
        assert_eq!(version(&world, text).await, 11);
    }
}

const CHANGED: &str = "select count(*) from text_edit";

/// A post and a comment that their author changed.
async fn changed(world: &World) -> [TextRef; 2] {
    let post = world.post(MEMBER, "처음 쓴 글").await.id;
    let comment = world.comment(MEMBER, post, "처음 쓴 댓글").await.id;
    let texts = [TextRef::Post(post), TextRef::Comment(comment)];
    for text in texts {
        change(world, text, "바꾼 글").await.unwrap();
    }
    texts
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn changes_that_count_no_more_are_forgotten(pool: PgPool) {
    let world = World::with(pool, Limits::default()).await;
    let [post, _comment] = changed(&world).await;
    world.pass(TimeDelta::hours(23));
    change(&world, post, "또 바꾼 글").await.unwrap();
    world.work().await;
    assert_eq!(world.count(CHANGED).await, 2);
    world.pass(TimeDelta::hours(2));
    world.work().await;
    assert_eq!(world.count(CHANGED).await, 1, "of the post");
    world.pass(TimeDelta::days(2));
    world.work().await;
    assert_eq!(world.count(CHANGED).await, 0);
    change(&world, post, "다시 바꾼 글").await.unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn changes_of_what_is_deleted_are_forgotten_with_it(pool: PgPool) {
    let world = World::with(pool, Limits::default()).await;
    changed(&world).await;
    world.leave(MEMBER, true).await;
    world.work().await;
    assert_eq!(world.count(CHANGED).await, 0);
}
