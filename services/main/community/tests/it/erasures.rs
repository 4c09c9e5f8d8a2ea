//! What becomes of a member's texts, uploads, likes and relations when they leave for good.

use chrono::TimeDelta;
use community::MIGRATOR;
use community::auth_events;
use kernel::{Clock, MemberId};
use proto::auth::v1::{MemberErased, MemberJoined};
use proto::community::v1::report_request::Subject;
use proto::community::v1::{
    ActivityKind, CreateReplyRequest, GetActivityRequest, ListActivityRequest,
};
use proto::convert::micros;
use sqlx::PgPool;

use crate::consistency::WRONG;
use crate::made_pictures::png;
use crate::picture_calls::{comment_with, post_with};
use crate::world::{MEMBER, OTHER, THIRD, World, new_comment, new_post, new_reply, reason, start};

const FINISHED: &str = "select count(*) from erasure where finished_at is not null";
/// What is left of a member besides texts.
const LEFT: &str = "select (select count(*) from picture where member_id = 100007) \
     + (select count(*) from post_like where member_id = 100007) \
     + (select count(*) from comment_like where member_id = 100007) \
     + (select count(*) from follow where 100007 in (member_id, other_id)) \
     + (select count(*) from block where member_id = 100007) \
     + (select count(*) from post_mute where member_id = 100007) \
     + (select count(*) from report where member_id = 100007 and text <> '') \
     + (select count(*) from member where member_id = 100007)";

impl World {
    /// As auth tells it.
    pub(crate) async fn leave(&self, member_id: i64, delete_content: bool) {
        let erased = MemberErased {
            member_id,
            delete_content,
            erased_at_us: micros(self.clock.now()),
        };
        auth_events::erase(&self.store, &erased).await.unwrap();
    }

    /// Until no transaction of before can write any more.
    pub(crate) async fn erase_all(&self) {
        for _ in 0..2 {
            self.work().await;
            self.pass(TimeDelta::seconds(61));
        }
        self.work().await;
    }
}

/// Where the member who leaves has left something.
struct Traces {
    /// A post of the member, on which another commented.
    post: i64,
    /// Another's post.
    other_post: i64,
    /// The member's, of another's post.
    comment: i64,
    pictures: [String; 3],
}

async fn leave_traces(world: &World) -> Traces {
    let joined = MemberJoined {
        member_id: MEMBER,
        nickname: "새싹".to_owned(),
        joined_at_us: micros(start() - TimeDelta::days(100)),
    };
    auth_events::keep(&world.store, &joined).await.unwrap();
    let pictures = [
        world.picture(MEMBER).await,
        world.picture(MEMBER).await,
        world.picture(MEMBER).await,
    ];
    let [of_post, of_comment, _unused] = pictures.each_ref().map(String::as_str);
    let post = post_with(MEMBER, "사진이 있는 글", &[of_post]);
    let post = world.try_post(post).await.unwrap().id;
    let other_post = world.post(OTHER, "다른 사람의 글").await.id;
    let comment = comment_with(MEMBER, other_post, &[of_comment]);
    let comment = world.try_comment(comment).await.unwrap().id;
    let tagging = CreateReplyRequest {
        tagged_member_id: MEMBER,
        ..new_reply(OTHER, comment, "고마워요")
    };
    world.try_reply(tagging).await.unwrap();
    let others = world.comment(OTHER, post, "저도요").await.id;
    world.reply(MEMBER, others, "반가워요").await;
    for liked in [post, other_post] {
        world.like(MEMBER, liked, true).await.unwrap();
        world.like(THIRD, liked, true).await.unwrap();
    }
    for (member, liked) in [(MEMBER, others), (THIRD, comment)] {
        world.like_comment(member, liked, true).await.unwrap();
    }
    world.follow(MEMBER, OTHER, true).await.unwrap();
    world.follow(THIRD, MEMBER, true).await.unwrap();
    world.block(MEMBER, 100_020, true).await.unwrap();
    world.block(100_021, MEMBER, true).await.unwrap();
    let member = MemberId(MEMBER);
    let muted = world.store.set_mute(member, other_post, true);
    muted.await.unwrap();
    let reported = world.report(MEMBER, Subject::PostId(other_post));
    reported.await.unwrap();
    // A post that the member likes and no longer sees.
    let hidden = world.post(THIRD, "곧 안 보일 글").await.id;
    world.like(MEMBER, hidden, true).await.unwrap();
    world.block(THIRD, MEMBER, true).await.unwrap();
    world.follow(100_022, MEMBER, true).await.unwrap();
    Traces {
        post,
        other_post,
        comment,
        pictures,
    }
}

async fn assert_only_texts_are_left(world: &World, traces: &Traces) {
    assert_eq!(
        (world.count(LEFT).await, world.count(FINISHED).await),
        (0, 1)
    );
    assert_eq!(world.count(WRONG).await, 0);
    assert_eq!(world.flaky.count().await, 0);
    for picture in &traces.pictures {
        assert!(!world.is_shown(picture).await);
    }
    // Whom others blocked stays blocked, and that somebody reported is kept without the words.
    let blocked = "select count(*) from block where other_id = 100007";
    assert_eq!(world.count(blocked).await, 2);
    let reports = "select count(*) from report where member_id = 100007 and weight > 0";
    assert_eq!(world.count(reports).await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn texts_that_are_kept_have_no_name_and_no_pictures(pool: PgPool) {
    let world = World::new(pool).await;
    let traces = leave_traces(&world).await;
    world.leave(MEMBER, false).await;
    let at_once = world.get(OTHER, traces.post).await.unwrap();
    assert_eq!(at_once.author_id, 0);
    world.erase_all().await;
    assert_only_texts_are_left(&world, &traces).await;

    let post = world.get(OTHER, traces.post).await.unwrap();
    assert_eq!(
        (post.author_id, post.content.as_str()),
        (0, "사진이 있는 글")
    );
    assert_eq!((post.pictures.len(), post.modified_at_us), (0, 0));
    assert_eq!((post.like_count, post.comment_count), (1, 2));
    let reply = &world.comments_of(OTHER, traces.post).await[0].replies[0];
    assert_eq!((reply.author_id, reply.content.as_str()), (0, "반가워요"));
    let comments = world.comments_of(OTHER, traces.other_post).await;
    assert_eq!((comments[0].id, comments[0].author_id), (traces.comment, 0));
    assert_eq!((comments[0].pictures.len(), comments[0].like_count), (0, 1));
    assert!(!comments[0].is_deleted);
    assert_eq!(comments[0].replies[0].tagged_member_id, 0);
    assert_eq!(comments[0].replies[0].author_id, OTHER);
    let counts = "select post_count * 100 + comment_count * 10 + received_likes \
         from member_count where member_id = 100007";
    assert_eq!(world.count(counts).await, 122);
    // Nobody is told of what is below a text without an author.
    let told = "select count(*) from outbox where event_type = 'community.comment.written.v1'";
    let before = world.count(told).await;
    world.comment(OTHER, traces.post, "다들 잘 지내요?").await;
    assert_eq!(world.count(told).await, before);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn texts_go_where_the_member_wants_it(pool: PgPool) {
    let world = World::new(pool).await;
    let traces = leave_traces(&world).await;
    world.leave(MEMBER, true).await;
    world.erase_all().await;
    assert_only_texts_are_left(&world, &traces).await;
    let gone = world.get(OTHER, traces.post).await;
    assert_eq!(reason(gone), "POST_DELETED");
    let comments = world.comments_of(OTHER, traces.other_post).await;
    assert_eq!(
        (comments[0].id, comments[0].is_deleted),
        (traces.comment, true)
    );
    let other = world.get(OTHER, traces.other_post).await.unwrap();
    assert_eq!((other.like_count, other.comment_count), (1, 1));
    let counts = "select post_count + comment_count + received_likes \
         from member_count where member_id = 100007";
    assert_eq!(world.count(counts).await, 0);
    // What was told of them is taken back.
    let withdrawn = "select count(*) from outbox where event_type in \
         ('community.post.withdrawn.v1', 'community.comment.withdrawn.v1')";
    assert_eq!(world.count(withdrawn).await, 3);
    world.pass(TimeDelta::days(31));
    world.work().await;
    let texts = "select (select count(*) from post where author_id = 100007 and content <> '') \
         + (select count(*) from comment where author_id = 100007 and content <> '')";
    assert_eq!(world.count(texts).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_left_is_nobody_whatever_is_told_or_asked_later(pool: PgPool) {
    let world = World::new(pool).await;
    let traces = leave_traces(&world).await;
    world.leave(MEMBER, false).await;
    let late = MemberJoined {
        member_id: MEMBER,
        nickname: "새싹".to_owned(),
        joined_at_us: micros(start()),
    };
    auth_events::keep(&world.store, &late).await.unwrap();
    world.erase_all().await;
    auth_events::keep(&world.store, &late).await.unwrap();
    assert_eq!(world.count(LEFT).await, 0);
    let written = [
        reason(world.try_post(new_post(MEMBER, "다시 왔어요")).await),
        reason(
            world
                .try_comment(new_comment(MEMBER, traces.other_post, "네"))
                .await,
        ),
        reason(world.report(MEMBER, Subject::PostId(traces.post)).await),
        reason(world.follow(MEMBER, OTHER, true).await),
        reason(world.follow(100_023, MEMBER, true).await),
        reason(world.block(MEMBER, OTHER, true).await),
        reason(world.upload(MEMBER, &png(8, 8)).await),
    ];
    assert_eq!(written, ["MEMBER_NOT_FOUND"; 7]);
    let liked = world.like(MEMBER, traces.other_post, true).await;
    assert_eq!(reason(liked), "POST_NOT_FOUND");
    let muted = world
        .store
        .set_mute(MemberId(MEMBER), traces.other_post, true);
    muted.await.unwrap_err();
    // Whoever still follows can let go.
    world.follow(100_022, MEMBER, false).await.unwrap();
    let activity = GetActivityRequest {
        viewer_id: OTHER,
        member_id: MEMBER,
    };
    let activity = world.people.clone().get_activity(activity).await;
    assert_eq!(reason(activity), "MEMBER_NOT_FOUND");
    let list = ListActivityRequest {
        viewer_id: OTHER,
        member_id: MEMBER,
        kind: ActivityKind::Post.into(),
        cursor: String::new(),
    };
    let list = world.people.clone().list_activity(list).await;
    assert_eq!(reason(list), "MEMBER_NOT_FOUND");
    assert_eq!((world.count(LEFT).await, world.count(WRONG).await), (0, 0));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_redelivery_changes_nothing_and_a_second_wish_is_heard(pool: PgPool) {
    let world = World::new(pool).await;
    let traces = leave_traces(&world).await;
    let erasures = "select count(*) from erasure";
    for _redelivered in 0..2 {
        world.leave(MEMBER, false).await;
        world.erase_all().await;
        let rows = (world.count(erasures).await, world.count(FINISHED).await);
        assert_eq!(rows, (1, 1));
        world.get(OTHER, traces.post).await.unwrap();
    }
    world.leave(MEMBER, true).await;
    assert_eq!(world.count(FINISHED).await, 0);
    world.erase_all().await;
    let gone = world.get(OTHER, traces.post).await;
    assert_eq!(reason(gone), "POST_DELETED");
    world.leave(MEMBER, false).await;
    assert_only_texts_are_left(&world, &traces).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_no_member_does_not_leave(pool: PgPool) {
    let world = World::new(pool).await;
    for (member_id, erased_at_us) in [(0, 0), (-1, 0), (23_488, 0), (MEMBER, i64::MAX)] {
        let erased = MemberErased {
            member_id,
            delete_content: true,
            erased_at_us,
        };
        let refused = auth_events::erase(&world.store, &erased).await;
        refused.unwrap_err();
    }
    assert_eq!(world.count("select count(*) from erasure").await, 0);
}
