//! Pictures of posts and comments: whose they are, who sees them, and when they go.

use chrono::TimeDelta;
use community::MIGRATOR;
use community::store::{PictureRemoval, TextRef};
use proto::community::v1::{
    Category, CreateReplyRequest, Post, PostOrder, UpdateCommentRequest, UpdatePostRequest,
};
use sqlx::PgPool;
use tonic::{Response, Status};
use uuid::Uuid;

use crate::picture_calls::{comment_with, post_with};
use crate::world::{MEMBER, OTHER, THIRD, World, list_of, new_reply, reason};

const FILES: &str = "select count(*) from picture";

fn ids(post: &Post) -> Vec<&str> {
    post.pictures.iter().map(|one| one.id.as_str()).collect()
}

async fn change(world: &World, post: i64, content: &str, images: &[&str]) -> Result<Post, Status> {
    let request = UpdatePostRequest {
        member_id: MEMBER,
        post_id: post,
        category: Category::Free.into(),
        content: content.to_owned(),
        images: images.iter().map(|id| (*id).to_owned()).collect(),
        ..UpdatePostRequest::default()
    };
    let written = world.posts.clone().update_post(request).await;
    written.map(|written| written.into_inner().post.unwrap())
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_post_shows_its_pictures_in_order_with_their_words(pool: PgPool) {
    let world = World::new(pool).await;
    let (one, two) = (world.picture(MEMBER).await, world.picture(MEMBER).await);
    let mut request = post_with(MEMBER, "차트 두 장", &[&two, &one]);
    request.image_alts = vec![" 하락하는 차트 ".to_owned()];
    let post = world.try_post(request.clone()).await.unwrap();
    assert_eq!(ids(&post), [&two, &one]);
    assert_eq!(post.pictures[0].alt_text, "하락하는 차트");
    assert_eq!((post.pictures[1].width, post.pictures[1].height), (60, 40));
    let page = world.try_list(list_of(OTHER, PostOrder::Latest)).await;
    assert_eq!(page.unwrap().posts[0].pictures, post.pictures);
    // The same request again, and one with other pictures under its key.
    let repeated = world.posts.clone().create_post(request.clone()).await;
    let repeated = repeated.unwrap().into_inner();
    assert!(repeated.replayed);
    assert_eq!(repeated.post.unwrap().id, post.id);
    request.images.pop();
    let reused = world.try_post(request).await;
    assert_eq!(reason(reused), "REQ_SID_REUSED");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn only_ones_own_unused_pictures_are_taken(pool: PgPool) {
    let world = World::new(pool).await;
    let (own, used) = (world.picture(MEMBER).await, world.picture(MEMBER).await);
    let (others, gone) = (world.picture(OTHER).await, world.picture(MEMBER).await);
    world.delete_picture(MEMBER, &gone).await.unwrap();
    let post = world
        .try_post(post_with(MEMBER, "처음 쓴 글", &[&used]))
        .await;
    let post = post.unwrap().id;
    for images in [
        &[own.as_str(), "https://evil.example/x.png"][..],
        &["/files/../../etc/passwd"],
        &["javascript:alert(1)"],
        &["00000000000000000000000000000000"],
        &[&own, &own],
        &[&others],
        &[&gone],
        &[&used],
    ] {
        let refused = world
            .try_post(post_with(MEMBER, "다음에 쓴 글", images))
            .await;
        assert_eq!(reason(refused), "IMAGE_UNKNOWN", "{images:?}");
    }
    let many = [own.as_str(); 6];
    let refused = world.try_post(post_with(MEMBER, "많은 사진", &many)).await;
    assert_eq!(reason(refused), "TOO_MANY_IMAGES");
    let refused = world
        .try_comment(comment_with(MEMBER, post, &many[..3]))
        .await;
    assert_eq!(reason(refused), "TOO_MANY_IMAGES");
    let fresh = world.picture(MEMBER).await;
    for (alt, expected) in [
        ("가".repeat(201), "TEXT_LENGTH"),
        (
            "카톡 아이디 stock123 으로 연락 주세요 010-1234-5678".to_owned(),
            "CONTACT_DETAILS",
        ),
    ] {
        let mut request = post_with(MEMBER, "설명이 있는 글", &[&fresh]);
        request.image_alts = vec![alt];
        assert_eq!(reason(world.try_post(request).await), expected);
    }
    assert!(world.is_shown(&fresh).await, "it can still be used");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn two_posts_at_once_cannot_share_a_picture(pool: PgPool) {
    let world = World::new(pool).await;
    let picture = world.picture(MEMBER).await;
    let (one, other) = tokio::join!(
        world.try_post(post_with(MEMBER, "하나의 글", &[&picture])),
        world.try_post(post_with(MEMBER, "다른 글이에요", &[&picture]))
    );
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    let lost = if one.is_err() { one } else { other };
    assert_eq!(reason(lost), "IMAGE_UNKNOWN");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn changing_pictures_changes_a_post_and_leaves_those_taken_out_for_a_week(pool: PgPool) {
    let world = World::new(pool).await;
    let (one, two) = (world.picture(MEMBER).await, world.picture(MEMBER).await);
    let post = world
        .try_post(post_with(MEMBER, "바꿀 글", &[&one, &two]))
        .await;
    let post = post.unwrap().id;
    let same = change(&world, post, "바꿀 글", &[&one, &two])
        .await
        .unwrap();
    assert_eq!(same.modified_at_us, 0);
    let turned = change(&world, post, "바꿀 글", &[&two, &one])
        .await
        .unwrap();
    assert_ne!(turned.modified_at_us, 0);
    assert_eq!(ids(&turned), [&two, &one]);
    let less = change(&world, post, "바꿀 글", &[&two]).await.unwrap();
    assert_eq!(ids(&less), [&two]);
    assert!(!world.is_shown(&one).await);
    let elsewhere = world.try_post(post_with(MEMBER, "다른 글", &[&one])).await;
    assert_eq!(reason(elsewhere), "IMAGE_UNKNOWN");
    let back = change(&world, post, "바꿀 글", &[&one, &two])
        .await
        .unwrap();
    assert_eq!(ids(&back), [&one, &two]);
    change(&world, post, "바꿀 글", &[]).await.unwrap();
    world.pass(TimeDelta::days(7) + TimeDelta::seconds(1));
    world.work().await;
    assert_eq!(
        (world.count(FILES).await, world.flaky.count().await),
        (0, 0)
    );
    let refused = change(&world, post, "바꿀 글", &[&one]).await;
    assert_eq!(reason(refused), "IMAGE_UNKNOWN");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_change_of_words_alone_keeps_the_pictures(pool: PgPool) {
    let world = World::new(pool).await;
    let (of_post, of_comment) = (world.picture(MEMBER).await, world.picture(MEMBER).await);
    let mut request = post_with(MEMBER, "바꿀 글", &[&of_post]);
    request.image_alts = vec!["차트".to_owned()];
    let post = world.try_post(request).await.unwrap();
    let comment = comment_with(MEMBER, post.id, &[&of_comment]);
    let comment = world.try_comment(comment).await.unwrap();
    let mut of_words = UpdatePostRequest {
        member_id: MEMBER,
        post_id: post.id,
        category: Category::Free.into(),
        content: "바꾼 글".to_owned(),
        keeps_images: true,
        ..UpdatePostRequest::default()
    };
    let changed = world.posts.clone().update_post(of_words.clone()).await;
    let changed = changed.unwrap().into_inner().post.unwrap();
    assert_eq!(changed.content, "바꾼 글");
    assert_eq!(changed.pictures, post.pictures);
    let mut words_of_comment = UpdateCommentRequest {
        member_id: MEMBER,
        comment_id: comment.id,
        content: "바꾼 댓글".to_owned(),
        keeps_images: true,
        ..UpdateCommentRequest::default()
    };
    let same = words_of_comment.clone();
    let changed = world.comments.clone().update_comment(same).await;
    let changed = changed.unwrap().into_inner().comment.unwrap();
    assert_eq!(changed.content, "바꾼 댓글");
    assert_eq!(changed.pictures, comment.pictures);
    assert!(world.is_shown(&of_post).await && world.is_shown(&of_comment).await);
    // To keep all and to name some contradict each other.
    of_words.images = vec![of_post];
    let refused = world.posts.clone().update_post(of_words).await;
    assert_eq!(reason(refused), "MALFORMED");
    words_of_comment.image_alts = vec!["차트".to_owned()];
    let refused = world
        .comments
        .clone()
        .update_comment(words_of_comment)
        .await;
    assert_eq!(reason(refused), "MALFORMED");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn pictures_of_what_is_held_hidden_or_deleted_are_not_shown(pool: PgPool) {
    let world = World::new(pool).await;
    let publication = async |table: &'static str, id: i64, word: &'static str| {
        let update = format!("update {table} set publication = '{word}' where id = {id}");
        let update = sqlx::query(sqlx::AssertSqlSafe(update));
        update.execute(&world.pool).await.unwrap();
    };
    let (of_post, of_comment) = (world.picture(MEMBER).await, world.picture(OTHER).await);
    let post = world
        .try_post(post_with(MEMBER, "사진 글", &[&of_post]))
        .await;
    let post = post.unwrap().id;
    let comment = world
        .try_comment(comment_with(OTHER, post, &[&of_comment]))
        .await;
    let comment = comment.unwrap().id;
    for word in ["HELD", "HIDDEN"] {
        publication("comment", comment, word).await;
        assert!(world.is_shown(&of_post).await);
        assert!(!world.is_shown(&of_comment).await);
        publication("comment", comment, "PUBLISHED").await;
        publication("post", post, word).await;
        assert!(!world.is_shown(&of_post).await);
        assert!(!world.is_shown(&of_comment).await);
        publication("post", post, "PUBLISHED").await;
        assert!(world.is_shown(&of_post).await && world.is_shown(&of_comment).await);
    }
    world.delete_comment(OTHER, comment).await.unwrap();
    assert!(!world.is_shown(&of_comment).await);
    world.pass(TimeDelta::days(1));
    world.delete(MEMBER, post).await.unwrap();
    assert!(!world.is_shown(&of_post).await);
    world.pass(TimeDelta::days(6) + TimeDelta::seconds(1));
    world.work().await;
    assert_eq!(world.count(FILES).await, 1);
    world.pass(TimeDelta::days(1));
    world.work().await;
    assert_eq!(
        (world.count(FILES).await, world.flaky.count().await),
        (0, 0)
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_deleted_post_takes_the_pictures_of_its_comments_with_it(pool: PgPool) {
    let world = World::new(pool).await;
    let (of_comment, of_reply) = (world.picture(OTHER).await, world.picture(THIRD).await);
    let post = world.post(MEMBER, "지울 글").await.id;
    let comment = world
        .try_comment(comment_with(OTHER, post, &[&of_comment]))
        .await;
    let comment = comment.unwrap();
    assert_eq!(comment.pictures[0].id, of_comment);
    let reply = CreateReplyRequest {
        images: vec![of_reply.clone()],
        ..new_reply(THIRD, comment.id, "답글 사진")
    };
    let reply = world.try_reply(reply).await.unwrap();
    assert_eq!(reply.pictures[0].id, of_reply);
    let thread = &world.comments_of(0, post).await[0];
    assert_eq!(thread.pictures, comment.pictures);
    assert_eq!(thread.replies[0].pictures, reply.pictures);
    let changed = UpdateCommentRequest {
        member_id: THIRD,
        comment_id: reply.id,
        content: "답글 사진".to_owned(),
        ..UpdateCommentRequest::default()
    };
    let changed = world.comments.clone().update_comment(changed).await;
    let changed = changed.map(Response::into_inner).unwrap().comment.unwrap();
    assert!(changed.pictures.is_empty() && changed.modified_at_us > 0);
    world.delete(MEMBER, post).await.unwrap();
    for picture in [of_comment, of_reply] {
        assert!(!world.is_shown(&picture).await);
    }
    world.pass(TimeDelta::days(7) + TimeDelta::seconds(1));
    world.work().await;
    assert_eq!(
        (world.count(FILES).await, world.flaky.count().await),
        (0, 0)
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_covered_shows_no_pictures(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이에요").await.id;
    let picture = world.picture(OTHER).await;
    let comment = world
        .try_comment(comment_with(OTHER, post, &[&picture]))
        .await;
    let comment = comment.unwrap().id;
    world.reply(MEMBER, comment, "고마워요").await;
    world.block(THIRD, OTHER, true).await.unwrap();
    assert!(world.comments_of(THIRD, post).await[0].pictures.is_empty());
    world.delete_comment(OTHER, comment).await.unwrap();
    let covered = &world.comments_of(MEMBER, post).await[0];
    assert!(covered.is_deleted && covered.pictures.is_empty());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_deleted_out_of_a_text_is_seen_by_moderators_alone_for_a_week(pool: PgPool) {
    let world = World::new(pool).await;
    let picture = world.picture(MEMBER).await;
    let post = world.try_post(post_with(MEMBER, "신고당할 사진", &[&picture]));
    let post = post.await.unwrap().id;
    world.delete_picture(MEMBER, &picture).await.unwrap();
    assert!(!world.is_shown(&picture).await);
    assert!(world.get(OTHER, post).await.unwrap().pictures.is_empty());
    world.work().await;
    let id = Uuid::try_parse(&picture).unwrap();
    world.store.check_was_shown(id).await.unwrap();
    let of_case = world.store.pictures_of_case(TextRef::Post(post)).await;
    assert_eq!(of_case.unwrap().len(), 1);
    world.pass(TimeDelta::days(7) + TimeDelta::seconds(1));
    world.work().await;
    assert_eq!(world.count(FILES).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_a_moderator_removes_goes_at_once(pool: PgPool) {
    let world = World::new(pool).await;
    let (of_comment, unused) = (world.picture(OTHER).await, world.picture(OTHER).await);
    let post = world.post(MEMBER, "질문이에요").await.id;
    let comment = world
        .try_comment(comment_with(OTHER, post, &[&of_comment]))
        .await;
    let comment = comment.unwrap().id;
    let mut removals = Vec::new();
    for picture in [&of_comment, &unused] {
        let removal = PictureRemoval {
            picture: Uuid::try_parse(picture).unwrap(),
            reason: "신분증이 보여요".to_owned(),
            operator: "kim".to_owned(),
        };
        let step = world.store.remove_picture(&removal).await.unwrap();
        assert!(step.is_some());
        assert!(!world.is_shown(picture).await);
        let again = world.store.remove_picture(&removal).await.unwrap();
        assert_eq!(again, None);
        removals.push(removal);
    }
    assert!(world.comments_of(0, post).await[0].pictures.is_empty());
    let reused = post_with(OTHER, "사진 글", &[&unused]);
    assert_eq!(reason(world.try_post(reused).await), "IMAGE_UNKNOWN");
    let steps = world.store.steps_of(TextRef::Comment(comment)).await;
    let steps = steps.unwrap();
    assert_eq!((steps.len(), steps[0].version), (1, 1));
    assert_eq!(steps[0].picture_id, Some(removals[0].picture));
    world.work().await;
    assert_eq!(
        (world.count(FILES).await, world.flaky.count().await),
        (0, 0)
    );
    for removal in &removals {
        world.store.remove_picture(removal).await.unwrap_err();
    }
    assert_eq!(world.count("select count(*) from moderation_step").await, 2);
    // Their rows are gone; the history says whose they were.
    let uploaders: Vec<Option<i64>> =
        sqlx::query_scalar("select member_id from moderation_step order by id")
            .fetch_all(&world.pool)
            .await
            .unwrap();
    assert_eq!(uploaders, [Some(OTHER); 2]);
}
