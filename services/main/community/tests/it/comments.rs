//! Comments and replies.

use chrono::TimeDelta;
use community::MIGRATOR;
use community::domain::writing::Limits;
use futures_util::future::join_all;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{
    CreateCommentRequest, CreateReplyRequest, ListRepliesRequest, Publication, UpdateCommentRequest,
};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, THIRD, World, new_comment, new_reply, reason};

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_page_has_the_first_replies_of_each_comment(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let mut written = Vec::new();
    for number in 0..45 {
        let comment = world.comment(OTHER, post, &format!("댓글 {number}")).await;
        written.push(comment.id);
    }
    for number in 0..23 {
        world
            .reply(THIRD, written[0], &format!("답글 {number}"))
            .await;
    }
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = world.try_comments(0, post, &cursor).await.unwrap();
        assert!(page.comments.len() <= 20);
        seen.extend(page.comments);
        cursor = page.cursor;
        if cursor.is_empty() {
            break;
        }
    }
    assert!(seen.iter().map(|comment| comment.id).eq(written.clone()));
    assert_eq!(seen[0].reply_count, 23);
    let first: Vec<&str> = seen[0].replies.iter().map(|one| &*one.content).collect();
    assert_eq!(first, ["답글 0", "답글 1", "답글 2"]);
    assert!(seen[1..].iter().all(|comment| comment.replies.is_empty()));
    let replies = async |cursor: String| {
        let request = ListRepliesRequest {
            viewer_id: 0,
            comment_id: written[0],
            cursor,
        };
        let page = world.comments.clone().list_replies(request).await;
        page.map(tonic::Response::into_inner)
    };
    let page = replies(String::new()).await.unwrap();
    assert_eq!(page.comments.len(), 20);
    let rest = replies(page.cursor).await.unwrap();
    assert_eq!((rest.comments.len(), rest.cursor.as_str()), (3, ""));
    assert_eq!(reason(replies("x".to_owned()).await), "CURSOR_UNKNOWN");
    let wrong = world.try_comments(0, post, "x").await;
    assert_eq!(reason(wrong), "CURSOR_UNKNOWN");
    assert_eq!(world.get(0, post).await.unwrap().comment_count, 68);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_deleted_comment_stays_while_it_has_replies(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let comment = world.comment(OTHER, post, "답이에요").await.id;
    let alone = world.comment(OTHER, post, "또 하나").await.id;
    let reply = world.reply(MEMBER, comment, "고마워요").await.id;
    let count = async || world.get(0, post).await.unwrap().comment_count;
    assert_eq!(count().await, 3);
    assert_eq!(
        reason(world.delete_comment(MEMBER, comment).await),
        "COMMENT_NOT_FOUND"
    );
    for _ in 0..2 {
        world.delete_comment(OTHER, comment).await.unwrap();
        world.delete_comment(OTHER, alone).await.unwrap();
    }
    assert_eq!(count().await, 1);
    let seen = world.comments_of(OTHER, post).await;
    assert_eq!(seen.len(), 1);
    assert!(seen[0].is_deleted && seen[0].content.is_empty());
    assert_eq!((seen[0].author_id, seen[0].reply_count), (0, 1));
    assert_eq!(seen[0].replies[0].content, "고마워요");
    let late = world.try_reply(new_reply(THIRD, comment, "늦었어요")).await;
    assert_eq!(reason(late), "COMMENT_NOT_FOUND");
    world.delete_comment(MEMBER, reply).await.unwrap();
    assert!(world.comments_of(0, post).await.is_empty());
    assert_eq!(count().await, 0);
    let gone = world.get_comment(0, comment).await;
    assert_eq!(reason(gone), "COMMENT_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn deleting_a_post_hides_all_of_it(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "곧 지워요").await.id;
    let comment = world.comment(OTHER, post, "왜요").await.id;
    world.delete(MEMBER, post).await.unwrap();
    let answers = [
        reason(world.try_comments(OTHER, post, "").await),
        reason(world.try_comment(new_comment(OTHER, post, "더")).await),
    ];
    assert_eq!(answers, ["POST_NOT_FOUND", "POST_NOT_FOUND"]);
    let answers = [
        reason(world.get_comment(OTHER, comment).await),
        reason(world.like_comment(OTHER, comment, true).await),
        reason(world.try_reply(new_reply(OTHER, comment, "더")).await),
    ];
    assert!(answers.iter().all(|answer| answer == "COMMENT_NOT_FOUND"));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn replies_speak_to_authors_of_their_thread(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let comment = world.comment(OTHER, post, "답이에요").await.id;
    let reply = world.reply(MEMBER, comment, "고마워요").await;
    let to = |tagged_member_id: i64| CreateReplyRequest {
        tagged_member_id,
        ..new_reply(THIRD, comment, "저도요")
    };
    for known in [OTHER, MEMBER] {
        let tagged = world.try_reply(to(known)).await.unwrap();
        assert_eq!(
            (tagged.tagged_member_id, tagged.parent_id),
            (known, comment)
        );
    }
    assert_eq!(reason(world.try_reply(to(4_711)).await), "TAG_UNKNOWN");
    assert_eq!(reason(world.try_reply(to(-1)).await), "MALFORMED");
    let deeper = world.try_reply(new_reply(OTHER, reply.id, "더 깊이")).await;
    assert_eq!(reason(deeper), "COMMENT_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_covered_place_tells_nothing_of_its_text(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let comment = world.comment(OTHER, post, "신고당할 댓글").await.id;
    world.like_comment(THIRD, comment, true).await.unwrap();
    world.reply(THIRD, comment, "답글").await;
    let to_other = CreateReplyRequest {
        tagged_member_id: OTHER,
        ..new_reply(MEMBER, comment, "그렇군요")
    };
    world.try_reply(to_other).await.unwrap();
    let tagged = async |viewer: i64| {
        let replies = world.comments_of(viewer, post).await.remove(0).replies;
        replies[1].tagged_member_id
    };
    assert_eq!(tagged(THIRD).await, OTHER);
    world.block(THIRD, OTHER, true).await.unwrap();
    assert_eq!(tagged(THIRD).await, 0);
    assert_eq!(tagged(0).await, OTHER);
    for member in 200_000..200_004 {
        let reported = Subject::CommentId(comment);
        world.report(member, reported).await.unwrap();
    }
    for viewer in [0, THIRD] {
        let place = world.comments_of(viewer, post).await.remove(0);
        assert!(place.is_deleted && place.content.is_empty());
        assert_eq!((place.like_count, place.is_liked), (0, false));
        assert_eq!(place.publication(), Publication::Published);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_text_that_only_its_author_sees_has_no_effect_on_others(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let comment = world.comment(OTHER, post, "답이에요").await.id;
    let held = world.reply(THIRD, comment, "작전주래요").await;
    assert_eq!(held.publication(), Publication::Held);
    for (viewer, expected) in [(THIRD, vec![held.id]), (OTHER, vec![]), (0, vec![])] {
        let listed = world.comments_of(viewer, post).await.remove(0);
        let one = world.get_comment(viewer, comment).await.unwrap();
        for seen in [listed, one] {
            let ids: Vec<i64> = seen.replies.iter().map(|reply| reply.id).collect();
            assert_eq!((ids, seen.reply_count), (expected.clone(), 0));
        }
    }
    let to_third = CreateReplyRequest {
        tagged_member_id: THIRD,
        ..new_reply(OTHER, comment, "누구세요")
    };
    assert_eq!(reason(world.try_reply(to_third).await), "TAG_UNKNOWN");
    let own = world.comment(THIRD, post, "여기도 작전주래요").await;
    assert_eq!(own.publication(), Publication::Held);
    let below = world.try_reply(new_reply(THIRD, own.id, "혼잣말")).await;
    assert_eq!(reason(below), "COMMENT_NOT_FOUND");
    assert_eq!(world.comments_of(0, post).await.len(), 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn changes_and_repeats_of_comments(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let request = new_comment(OTHER, post, "한 번만");
    let at_once = (0..6).map(|_| world.try_comment(request.clone()));
    let answers = join_all(at_once).await;
    let first = answers[0].as_ref().unwrap().id;
    let same = answers.iter().all(|one| one.as_ref().unwrap().id == first);
    assert!(same && world.get(0, post).await.unwrap().comment_count == 1);
    let reused = CreateCommentRequest {
        content: "다른 글".to_owned(),
        ..request
    };
    assert_eq!(reason(world.try_comment(reused).await), "REQ_SID_REUSED");
    world.pass(TimeDelta::seconds(9));
    let update = async |member_id: i64, content: &str| {
        let request = UpdateCommentRequest {
            member_id,
            comment_id: first,
            content: content.to_owned(),
            images: Vec::new(),
            image_alts: Vec::new(),
            keeps_images: false,
        };
        let written = world.comments.clone().update_comment(request).await;
        written.map(|written| written.into_inner().comment.unwrap())
    };
    let same = update(OTHER, " 한 번만").await.unwrap();
    assert_eq!(same.modified_at_us, 0);
    let changed = update(OTHER, "두 번째").await.unwrap();
    assert_eq!(changed.modified_at_us - changed.created_at_us, 9_000_000);
    assert_eq!(reason(update(MEMBER, "남의 것").await), "COMMENT_NOT_FOUND");
    let long = "가".repeat(501);
    assert_eq!(reason(update(OTHER, &long).await), "TEXT_LENGTH");
    let image = CreateCommentRequest {
        images: vec!["/files/1".to_owned()],
        ..new_comment(OTHER, post, "사진")
    };
    assert_eq!(reason(world.try_comment(image).await), "IMAGE_UNKNOWN");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_no_longer_sees_the_post_gets_a_repeat_and_changes_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let request = new_comment(OTHER, post, "답이에요");
    let comment = world.try_comment(request.clone()).await.unwrap();
    world.reply(THIRD, comment.id, "그렇군요").await;
    world.block(MEMBER, OTHER, true).await.unwrap();
    let repeated = world.try_comment(request.clone()).await.unwrap();
    assert_eq!((repeated.id, &*repeated.content), (comment.id, "답이에요"));
    assert_eq!(repeated.replies[0].content, "그렇군요");
    let change = UpdateCommentRequest {
        member_id: OTHER,
        comment_id: comment.id,
        content: "고친 답이에요".to_owned(),
        images: Vec::new(),
        image_alts: Vec::new(),
        keeps_images: false,
    };
    let refused = world.comments.clone().update_comment(change).await;
    assert_eq!(reason(refused), "COMMENT_NOT_FOUND");
    let seen = world.comments_of(MEMBER, post).await;
    assert!(seen[0].is_blocked && seen[0].modified_at_us == 0);
    let unchanged = "select count(*) from comment where content = '답이에요'";
    assert_eq!(world.count(unchanged).await, 1);
    world.delete_comment(OTHER, comment.id).await.unwrap();
    let gone = world.try_comment(request).await;
    assert_eq!(reason(gone), "COMMENT_NOT_FOUND");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn comments_have_a_rate(pool: PgPool) {
    let world = World::with(pool, Limits::default()).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let at_once = (0..15).map(|_| world.try_comment(new_comment(OTHER, post, "네")));
    let answers = join_all(at_once).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 10);
    let refused = answers.into_iter().find(Result::is_err).unwrap();
    assert_eq!(reason(refused), "WRITING_RATE");
    world.pass(TimeDelta::minutes(1));
    world.comment(OTHER, post, "네").await;
    assert_eq!(world.get(0, post).await.unwrap().comment_count, 11);
}
