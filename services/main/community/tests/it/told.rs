//! Whom comments and likes are told.

use chrono::TimeDelta;
use community::MIGRATOR;
use kernel::MemberId;
use prost::Message;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{
    Category, CommentEdited, CommentWithdrawn, CommentWritten, CreateReplyRequest, MemberBlocked,
    PostLiked, PostWithdrawn, UpdatePostRequest,
};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, THIRD, World, new_reply};

/// The rules of writing hold it back until a moderator has read it.
const HELD: &str = "종목 추천방을 열었어요";

/// Bodies of the events of a type, which are taken out of the outbox.
async fn take<M: Message + Default>(world: &World, event_type: &str) -> Vec<M> {
    let bodies: Vec<Vec<u8>> = sqlx::query_scalar(
        "with taken as (delete from outbox where event_type = $1 returning id, body) \
         select body from taken order by id",
    )
    .bind(event_type)
    .fetch_all(&world.pool)
    .await
    .unwrap();
    let decode = |body: &Vec<u8>| M::decode(body.as_slice()).unwrap();
    bodies.iter().map(decode).collect()
}

async fn comments(world: &World) -> Vec<(i64, i64, i64)> {
    let written: Vec<CommentWritten> = take(world, "community.comment.written.v1").await;
    let told = |one: &CommentWritten| {
        (
            one.told_post_author_id,
            one.told_comment_author_id,
            one.told_tagged_id,
        )
    };
    written.iter().map(told).collect()
}

async fn likes(world: &World) -> Vec<PostLiked> {
    take(world, "community.post.liked.v1").await
}

async fn mute(world: &World, member: i64, post: i64) {
    sqlx::query("insert into post_mute (post_id, member_id, muted_at) values ($1, $2, now())")
        .bind(post)
        .bind(member)
        .execute(&world.pool)
        .await
        .unwrap();
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_comment_is_told_the_author_and_a_reply_everybody_it_concerns(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let text = "가".repeat(100);
    let comment = world.comment(OTHER, post, &text).await.id;
    let written: Vec<CommentWritten> = take(&world, "community.comment.written.v1").await;
    assert_eq!(written.len(), 1);
    assert_eq!(written[0].excerpt, "가".repeat(80));
    assert_eq!(
        (
            written[0].post_id,
            written[0].comment_id,
            written[0].parent_id,
            written[0].author_id
        ),
        (post, comment, 0, OTHER)
    );
    assert_eq!(written[0].told_post_author_id, MEMBER);

    world.reply(THIRD, comment, "고마워요").await;
    assert_eq!(comments(&world).await, [(MEMBER, OTHER, 0)]);
    let tagged = CreateReplyRequest {
        tagged_member_id: THIRD,
        ..new_reply(OTHER, comment, "저도 고마워요")
    };
    world.try_reply(tagged).await.unwrap();
    assert_eq!(comments(&world).await, [(MEMBER, 0, THIRD)], "not oneself");
    world.comment(MEMBER, post, "모두 고마워요").await;
    assert_eq!(comments(&world).await, [], "of oneself nobody is told");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_blocked_or_muted_is_not_told(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let comment = world.comment(OTHER, post, "저도요").await.id;
    comments(&world).await;
    world.block(OTHER, THIRD, true).await.unwrap();
    let blocked = world
        .try_reply(new_reply(THIRD, comment, "안녕하세요"))
        .await;
    blocked.unwrap_err();
    world.block(OTHER, THIRD, false).await.unwrap();
    // Between the author of the post and the one of the comment.
    world.block(OTHER, MEMBER, true).await.unwrap();
    world.reply(THIRD, comment, "고마워요").await;
    assert_eq!(comments(&world).await, [(MEMBER, 0, 0)]);
    world.block(OTHER, MEMBER, false).await.unwrap();
    mute(&world, MEMBER, post).await;
    world.reply(THIRD, comment, "정말 고마워요").await;
    assert_eq!(comments(&world).await, [(0, OTHER, 0)]);
    world.like(OTHER, post, true).await.unwrap();
    assert_eq!(likes(&world).await, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn only_new_likes_of_others_are_told(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    for liked in [true, true, false] {
        world.like(OTHER, post, liked).await.unwrap();
        world.like(MEMBER, post, liked).await.unwrap();
    }
    let told = likes(&world).await;
    assert_eq!(told.len(), 1);
    assert_eq!(
        (told[0].told_post_author_id, told[0].member_ids.as_slice()),
        (MEMBER, &[OTHER][..])
    );
    assert_eq!(told[0].excerpt, "오늘은 쉬어요");
    let comment = world.comment(MEMBER, post, "저도요").await.id;
    world.like_comment(OTHER, comment, true).await.unwrap();
    assert_eq!(likes(&world).await, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_takes_a_like_back_and_likes_again_is_told_once(pool: PgPool) {
    use community::store::{Liked, WantedLike};
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    for liked in [true, false, true, false, true] {
        world.like(OTHER, post, liked).await.unwrap();
    }
    let told = async || -> Vec<Vec<i64>> {
        let told = likes(&world).await;
        told.into_iter().map(|one| one.member_ids).collect()
    };
    assert_eq!(told().await, [[OTHER]]);
    world.like(OTHER, post, false).await.unwrap();
    let wanted = [OTHER, THIRD].map(|member| WantedLike {
        member: MemberId(member),
        liked: true,
    });
    let together = world.store.like_together(&wanted, Liked::Post(post));
    let counts = together.await.unwrap();
    assert!(counts.iter().all(|state| state.unwrap().count == 2));
    assert_eq!(told().await, [[THIRD]]);
    let another = world.post(MEMBER, "내일도 쉬어요").await.id;
    world.like(OTHER, another, true).await.unwrap();
    assert_eq!(told().await, [[OTHER]], "of another post");

    // When nothing that was told of it is left.
    let remembered = "select count(*) from withdrawn_like";
    world.pass(TimeDelta::days(90) - TimeDelta::seconds(1));
    world.work().await;
    assert_eq!(world.count(remembered).await, 1);
    world.pass(TimeDelta::seconds(1));
    world.work().await;
    assert_eq!(world.count(remembered).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn likes_taken_back_at_once_are_told_once(pool: PgPool) {
    let world = World::new(pool).await;
    for number in 0..20 {
        let post = world.post(MEMBER, &format!("글 {number}")).await.id;
        world.like(OTHER, post, true).await.unwrap();
        let steps = [false, true, false, true, false, true];
        let at_once = steps.map(|liked| world.like(OTHER, post, liked));
        for liked in futures_util::future::join_all(at_once).await {
            liked.unwrap();
        }
        let told = likes(&world).await;
        assert_eq!(told.len(), 1, "{told:?}");
        let seen = world.get(OTHER, post).await.unwrap();
        assert_eq!(seen.like_count, i64::from(seen.is_liked));
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn likes_that_are_stored_together_are_told_together(pool: PgPool) {
    use community::store::{Liked, WantedLike};
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let wanted = [OTHER, THIRD, MEMBER].map(|member| WantedLike {
        member: MemberId(member),
        liked: true,
    });
    for _ in 0..2 {
        let stored = world.store.like_together(&wanted, Liked::Post(post));
        stored.await.unwrap();
    }
    let told = likes(&world).await;
    assert_eq!(told.len(), 1);
    let mut members = told[0].member_ids.clone();
    members.sort_unstable();
    let mut expected = [OTHER, THIRD];
    expected.sort_unstable();
    assert_eq!(members, expected);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_held_comment_is_told_once_it_is_published(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let held = world
        .comment(OTHER, post, "종목 추천방을 열었어요")
        .await
        .id;
    assert_eq!(comments(&world).await, []);
    let text = community::store::TextRef::Comment(held);
    let publish = community::domain::moderation::Decision::Publish;
    world.decide(text, publish, 1).await.unwrap();
    assert_eq!(comments(&world).await, [(MEMBER, 0, 0)]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_held_comment_is_told_once_its_author_changed_it(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let held = world.comment(OTHER, post, HELD).await.id;
    let change = async |comment, content: &str| world.change_comment(OTHER, comment, content).await;
    change(held, "저도 쉬어요").await;
    assert_eq!(comments(&world).await, [(MEMBER, 0, 0)]);
    for content in ["저도 그냥 쉬어요", HELD, "역시 쉬어요"] {
        change(held, content).await;
    }
    assert_eq!(comments(&world).await, [], "once");
    let published = world.comment(OTHER, post, "저도요").await.id;
    assert_eq!(comments(&world).await, [(MEMBER, 0, 0)]);
    change(published, HELD).await;
    change(published, "저도 그래요").await;
    change(published, HELD).await;
    let text = community::store::TextRef::Comment(published);
    let publish = community::domain::moderation::Decision::Publish;
    let version = "select version::bigint from comment order by id desc limit 1";
    let version = i32::try_from(world.count(version).await).unwrap();
    world.decide(text, publish, version).await.unwrap();
    assert_eq!(comments(&world).await, [], "once");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_changed_comment_says_its_text_to_whom_it_was_told(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let comment = world.comment(OTHER, post, "저도요").await.id;
    let reply = world.reply(THIRD, comment, "고마워요").await.id;
    let own = world.comment(MEMBER, post, "모두 고마워요").await.id;
    let long = "가".repeat(100);
    for content in [&*long, "정말 고마워요", "정말 고마워요"] {
        world.change_comment(THIRD, reply, content).await;
    }
    let edited: Vec<CommentEdited> = take(&world, "community.comment.edited.v1").await;
    let excerpts: Vec<&str> = edited.iter().map(|one| one.excerpt.as_str()).collect();
    let beginning = "가".repeat(80);
    assert_eq!(
        excerpts,
        [&*beginning, "정말 고마워요"],
        "the same is no edit"
    );
    for one in &edited {
        assert_eq!((one.post_id, one.comment_id), (post, reply));
        assert_eq!(one.told_ids, [MEMBER, OTHER]);
    }
    assert!(edited[0].version < edited[1].version);

    // Nobody was told of the one; the other was withdrawn.
    world.change_comment(MEMBER, own, "모두 참 고마워요").await;
    for content in [HELD, "역시 쉬어요"] {
        world.change_comment(OTHER, comment, content).await;
    }
    let edited: Vec<CommentEdited> = take(&world, "community.comment.edited.v1").await;
    assert_eq!(edited, []);
}

/// Comments that were withdrawn, and from whom.
async fn withdrawn(world: &World) -> Vec<(i64, Vec<i64>)> {
    let events: Vec<CommentWithdrawn> = take(world, "community.comment.withdrawn.v1").await;
    let told = |one: CommentWithdrawn| (one.comment_id, one.told_ids);
    events.into_iter().map(told).collect()
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_deletes_a_comment_takes_back_what_was_told(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let comment = world.comment(OTHER, post, "저도요").await.id;
    let reply = world.reply(THIRD, comment, "고마워요").await.id;
    let own = world.comment(MEMBER, post, "모두 고마워요").await.id;
    let held = world
        .comment(OTHER, post, "종목 추천방을 열었어요")
        .await
        .id;
    for _repeated in 0..2 {
        world.delete_comment(THIRD, reply).await.unwrap();
    }
    assert_eq!(withdrawn(&world).await, [(reply, vec![MEMBER, OTHER])]);
    world.delete_comment(MEMBER, own).await.unwrap();
    world.delete_comment(OTHER, held).await.unwrap();
    assert_eq!(withdrawn(&world).await, [], "nobody was told of them");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_hidden_is_taken_back(pool: PgPool) {
    use community::domain::moderation::Decision;
    use community::store::TextRef;
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let reported = world.comment(OTHER, post, "저도요").await.id;
    for member in 200_000..200_004 {
        let report = world.report(member, Subject::CommentId(reported));
        report.await.unwrap();
    }
    assert_eq!(withdrawn(&world).await, [(reported, vec![MEMBER])]);
    let claimed = world.comment(OTHER, post, "저도 그래요").await.id;
    let text = TextRef::Comment(claimed);
    world.decide(text, Decision::Restrict, 1).await.unwrap();
    assert_eq!(withdrawn(&world).await, [(claimed, vec![MEMBER])]);
    world.decide(text, Decision::Lift, 1).await.unwrap();
    assert_eq!(withdrawn(&world).await, []);
    let hidden = TextRef::Comment(reported);
    world.decide(hidden, Decision::Uphold, 1).await.unwrap();
    assert_eq!(withdrawn(&world).await, [], "it was hidden before");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_comment_that_an_edit_has_held_is_taken_back(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let comment = world.comment(OTHER, post, "저도요").await.id;
    world.change_comment(OTHER, comment, "저도 그래요").await;
    assert_eq!(withdrawn(&world).await, []);
    for content in [HELD, "종목 추천방을 또 열었어요"] {
        world.change_comment(OTHER, comment, content).await;
    }
    assert_eq!(withdrawn(&world).await, [(comment, vec![MEMBER])], "once");
    world.change_comment(OTHER, comment, "역시 쉬어요").await;
    assert_eq!(withdrawn(&world).await, []);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_post_that_others_see_no_more_is_taken_back(pool: PgPool) {
    let world = World::new(pool).await;
    let gone = async || -> Vec<i64> {
        let events: Vec<PostWithdrawn> = take(&world, "community.post.withdrawn.v1").await;
        events.iter().map(|one| one.post_id).collect()
    };
    let post = world.post(MEMBER, "오늘은 쉬어요").await.id;
    let change = async |content: &str| {
        let request = UpdatePostRequest {
            member_id: MEMBER,
            post_id: post,
            category: Category::Free.into(),
            content: content.to_owned(),
            ..UpdatePostRequest::default()
        };
        world.posts.clone().update_post(request).await.unwrap();
    };
    change("오늘도 쉬어요").await;
    assert!(gone().await.is_empty());
    for content in [HELD, "종목 추천방을 또 열었어요"] {
        change(content).await;
    }
    assert_eq!(gone().await, [post], "once");
    change("내일은 안 쉬어요").await;
    assert!(gone().await.is_empty());
    for member in 200_000..200_004 {
        let report = world.report(member, Subject::PostId(post));
        report.await.unwrap();
    }
    assert_eq!(gone().await, [post], "it is hidden");
    world.delete(OTHER, post).await.unwrap_err();
    for _repeated in 0..2 {
        world.delete(MEMBER, post).await.unwrap();
    }
    assert_eq!(gone().await, [post], "it is deleted");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_block_is_told_once(pool: PgPool) {
    let world = World::new(pool).await;
    let blocks = async || {
        let events: Vec<MemberBlocked> = take(&world, "community.member.blocked.v1").await;
        let pairs = events.iter().map(|one| (one.member_id, one.blocked_id));
        pairs.collect::<Vec<_>>()
    };
    for on in [true, true, false, false] {
        world.block(MEMBER, OTHER, on).await.unwrap();
    }
    assert_eq!(blocks().await, [(MEMBER, OTHER)]);
    world.block(MEMBER, OTHER, true).await.unwrap();
    assert_eq!(blocks().await, [(MEMBER, OTHER)], "again");
}
