//! Following, blocking, and what members did.

use std::time::Duration;

use chrono::TimeDelta;
use community::{MIGRATOR, auth_events};
use proto::auth::v1::MemberJoined;
use proto::community::v1::{
    Activity, ActivityKind, ActivityPage, Category, GetActivityRequest, ListActivityRequest,
    ListBlockedRequest, ListPostsRequest, PostOrder,
};
use proto::convert::micros;
use sqlx::PgPool;
use tonic::Status;

use crate::world::{MEMBER, OTHER, THIRD, World, list_of, new_comment, new_reply, reason, start};

/// Generous, for a busy machine.
const SOON: Duration = Duration::from_secs(20);

async fn activity(world: &World, viewer_id: i64, member_id: i64) -> Activity {
    let request = GetActivityRequest {
        viewer_id,
        member_id,
    };
    let found = world.people.clone().get_activity(request).await;
    found.unwrap().into_inner()
}

async fn listed(
    world: &World,
    (viewer_id, member_id): (i64, i64),
    kind: ActivityKind,
    cursor: &str,
) -> Result<ActivityPage, Status> {
    let request = ListActivityRequest {
        viewer_id,
        member_id,
        kind: kind.into(),
        cursor: cursor.to_owned(),
    };
    let page = world.people.clone().list_activity(request).await;
    page.map(tonic::Response::into_inner)
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_a_member_did_is_counted_and_listed(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "첫 글").await.id;
    let held = world.post(MEMBER, "작전주래요").await.id;
    let gone = world.post(MEMBER, "지울 글").await.id;
    let others = world.post(OTHER, "남의 글").await.id;
    let comment = world.comment(MEMBER, others, "댓글").await.id;
    let reply = world.reply(MEMBER, comment, "답글").await.id;
    world.comment(MEMBER, gone, "사라질 댓글").await;
    world.delete(MEMBER, gone).await.unwrap();
    world.like(OTHER, post, true).await.unwrap();
    world.like(THIRD, post, true).await.unwrap();
    world.like_comment(OTHER, comment, true).await.unwrap();
    let counts = activity(&world, 0, MEMBER).await;
    assert_eq!((counts.post_count, counts.comment_count), (1, 3));
    assert_eq!(counts.received_likes, 3);
    let posts = async |viewer: i64| {
        let page = listed(&world, (viewer, MEMBER), ActivityKind::Post, "").await;
        let posts = page.unwrap().posts;
        posts.iter().map(|post| post.id).collect::<Vec<_>>()
    };
    assert_eq!(posts(OTHER).await, [post]);
    assert_eq!(posts(MEMBER).await, [held, post]);
    let page = listed(&world, (0, MEMBER), ActivityKind::Comment, "").await;
    let comments = page.unwrap().comments;
    let ids: Vec<i64> = comments.iter().map(|comment| comment.id).collect();
    assert_eq!(ids, [reply, comment]);
    let liked = listed(&world, (OTHER, OTHER), ActivityKind::Like, "").await;
    assert_eq!(liked.unwrap().posts[0].id, post);
    for (pair, kind, cursor, expected) in [
        ((MEMBER, OTHER), ActivityKind::Like, "", "MALFORMED"),
        ((0, OTHER), ActivityKind::Unspecified, "", "MALFORMED"),
        ((0, OTHER), ActivityKind::Post, "x", "CURSOR_UNKNOWN"),
    ] {
        let refused = listed(&world, pair, kind, cursor).await;
        assert_eq!(reason(refused), expected);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn lists_of_activity_have_pages(pool: PgPool) {
    let world = World::new(pool).await;
    let mut posts = Vec::new();
    for number in 0..45 {
        posts.push(world.post(OTHER, &format!("글 {number}")).await.id);
    }
    // In another order than they were written.
    posts.sort_by_key(|id| id % 7);
    for post in &posts {
        world.pass(TimeDelta::seconds(1));
        world.like(MEMBER, *post, true).await.unwrap();
        world.comment(MEMBER, *post, "좋아요").await;
    }
    posts.reverse();
    let (mut liked, mut commented) = (Vec::new(), Vec::new());
    for (kind, seen) in [
        (ActivityKind::Like, &mut liked),
        (ActivityKind::Comment, &mut commented),
    ] {
        let mut cursor = String::new();
        loop {
            let page = listed(&world, (MEMBER, MEMBER), kind, &cursor).await;
            let page = page.unwrap();
            seen.extend(page.posts.iter().map(|post| post.id));
            seen.extend(page.comments.iter().map(|comment| comment.post_id));
            cursor = page.cursor;
            if cursor.is_empty() {
                break;
            }
        }
    }
    assert_eq!((liked, commented), (posts.clone(), posts));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn comments_below_a_deleted_post_are_passed_over_page_by_page(pool: PgPool) {
    let world = World::new(pool).await;
    let gone = world.post(OTHER, "지울 글").await.id;
    let kept = world.post(OTHER, "남는 글").await.id;
    let mut shown = Vec::new();
    for _ in 0..3 {
        shown.push(world.comment(MEMBER, kept, "좋아요").await.id);
    }
    shown.reverse();
    sqlx::query(
        "insert into comment (post_id, author_id, content, publication, created_at) \
         select $1, 100007, 'x', 'PUBLISHED', timestamptz '2026-12-02' + n * interval '1 second' \
         from generate_series(1, 700) n",
    )
    .bind(gone)
    .execute(&world.pool)
    .await
    .unwrap();
    world.delete(OTHER, gone).await.unwrap();
    for viewer in [0, THIRD, MEMBER] {
        let (mut sizes, mut seen) = (Vec::new(), Vec::new());
        let mut cursor = String::new();
        loop {
            let page = listed(&world, (viewer, MEMBER), ActivityKind::Comment, &cursor).await;
            let page = page.unwrap();
            sizes.push(page.comments.len());
            seen.extend(page.comments.iter().map(|comment| comment.id));
            cursor = page.cursor;
            if cursor.is_empty() {
                break;
            }
        }
        assert_eq!((sizes, &seen), (vec![0, 0, 3], &shown));
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn posts_of_followed_members_are_listed(pool: PgPool) {
    let world = World::new(pool).await;
    let mut written = Vec::new();
    for number in 0..15 {
        for author in [OTHER, THIRD] {
            written.push(world.post(author, &format!("글 {number}")).await.id);
        }
        world.post(MEMBER, &format!("내 글 {number}")).await;
    }
    written.reverse();
    assert!(world.list(MEMBER, PostOrder::Follow).await.is_empty());
    for other in [OTHER, THIRD] {
        for _ in 0..2 {
            let relation = world.follow(MEMBER, other, true).await.unwrap();
            assert!(relation.is_followed && !relation.is_blocked);
        }
    }
    let mut request = ListPostsRequest {
        size: 7,
        ..list_of(MEMBER, PostOrder::Follow)
    };
    let mut seen = Vec::new();
    loop {
        let page = world.try_list(request.clone()).await.unwrap();
        seen.extend(page.posts.iter().map(|post| post.id));
        request.cursor = page.cursor;
        if request.cursor.is_empty() {
            break;
        }
    }
    assert_eq!(seen, written);
    for (category, expected) in [(Category::Unspecified, 30), (Category::Coin, 0)] {
        let request = ListPostsRequest {
            category: category.into(),
            ..list_of(MEMBER, PostOrder::Follow)
        };
        let page = world.try_list(request.clone()).await.unwrap();
        assert_eq!(page.posts.len(), 20.min(expected));
        let second = ListPostsRequest { page: 1, ..request };
        assert_eq!(reason(world.try_list(second).await), "PAGE_TOO_FAR");
    }
    assert!(activity(&world, MEMBER, OTHER).await.is_followed);
    assert!(!activity(&world, OTHER, MEMBER).await.is_followed);
    for _ in 0..2 {
        let relation = world.follow(MEMBER, OTHER, false).await.unwrap();
        assert!(!relation.is_followed);
    }
    assert_eq!(world.list(MEMBER, PostOrder::Follow).await.len(), 15);
    for (other, expected) in [
        (MEMBER, "NOT_TO_ONESELF"),
        (23_488, "MEMBER_NOT_FOUND"),
        (0, "MEMBER_NOT_FOUND"),
        (-1, "MEMBER_NOT_FOUND"),
    ] {
        assert_eq!(reason(world.follow(MEMBER, other, true).await), expected);
        assert_eq!(reason(world.block(MEMBER, other, true).await), expected);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn blocked_members_see_nothing_of_each_other(pool: PgPool) {
    let world = World::new(pool).await;
    let mut visible = Vec::new();
    for number in 0..25 {
        let author = if number % 2 == 0 { OTHER } else { THIRD };
        let post = world.post(author, &format!("글 {number}")).await.id;
        if author == THIRD {
            visible.push(post);
        }
    }
    visible.reverse();
    let others = visible[0] + 1;
    let third = visible[0];
    let answered = world.comment(OTHER, third, "답이 있는 댓글").await.id;
    world.reply(THIRD, answered, "답글").await;
    let alone = world.comment(OTHER, third, "혼자인 댓글").await.id;
    let mine = world.comment(MEMBER, third, "내 댓글").await.id;
    world.reply(OTHER, mine, "막힐 답글").await;
    world.follow(MEMBER, OTHER, true).await.unwrap();
    world.follow(OTHER, MEMBER, true).await.unwrap();
    let count = world.get(0, third).await.unwrap().comment_count;
    for _ in 0..2 {
        let relation = world.block(MEMBER, OTHER, true).await.unwrap();
        assert!(relation.is_blocked && !relation.is_followed);
    }
    let follows = "select count(*) from follow";
    assert_eq!(world.count(follows).await, 0);
    // Without holes: each page is full but the last.
    let ten = ListPostsRequest {
        size: 10,
        ..list_of(MEMBER, PostOrder::Latest)
    };
    let page = world.try_list(ten).await.unwrap();
    let ids = page.posts.iter().map(|post| post.id);
    assert!(ids.eq(visible[..10].iter().copied()));
    assert_eq!(reason(world.get(MEMBER, others).await), "POST_NOT_FOUND");
    assert_eq!(
        reason(world.like(MEMBER, others, true).await),
        "POST_NOT_FOUND"
    );
    let answer = world.try_comment(new_comment(MEMBER, others, "저기")).await;
    assert_eq!(reason(answer), "POST_NOT_FOUND");
    let answer = world.try_reply(new_reply(MEMBER, answered, "저기")).await;
    assert_eq!(reason(answer), "COMMENT_NOT_FOUND");
    let seen = world.comments_of(MEMBER, third).await;
    let ids: Vec<i64> = seen.iter().map(|comment| comment.id).collect();
    assert_eq!(ids, [answered, mine]);
    assert!(seen[0].is_blocked && seen[0].content.is_empty());
    assert_eq!((seen[0].author_id, seen[0].replies.len()), (0, 1));
    assert_eq!((seen[1].reply_count, seen[1].replies.len()), (1, 0));
    let gone = world.get_comment(MEMBER, alone).await;
    assert_eq!(reason(gone), "COMMENT_NOT_FOUND");
    assert_eq!(world.get(MEMBER, third).await.unwrap().comment_count, count);
    assert!(activity(&world, MEMBER, OTHER).await.is_blocked);
    assert_eq!(activity(&world, MEMBER, OTHER).await.post_count, 0);
    // The other way, too.
    let own = world.post(MEMBER, "내 글").await.id;
    assert_eq!(reason(world.get(OTHER, own).await), "POST_NOT_FOUND");
    let seen = world.comments_of(OTHER, third).await;
    let blocked: Vec<bool> = seen.iter().map(|comment| comment.is_blocked).collect();
    assert_eq!(blocked, [false, false, true]);
    assert!(!activity(&world, OTHER, MEMBER).await.is_blocked);
    let follow = world.follow(OTHER, MEMBER, true).await;
    assert_eq!(reason(follow), "MEMBER_NOT_FOUND");
    let relation = world.block(MEMBER, OTHER, false).await.unwrap();
    assert!(!relation.is_blocked);
    assert_eq!(world.get(MEMBER, others).await.unwrap().id, others);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn blocked_members_are_listed_newest_first(pool: PgPool) {
    let world = World::new(pool).await;
    for other in 200_000..200_025 {
        world.pass(TimeDelta::seconds(1));
        world.block(MEMBER, other, true).await.unwrap();
    }
    world.block(OTHER, MEMBER, true).await.unwrap();
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let request = ListBlockedRequest {
            member_id: MEMBER,
            cursor,
        };
        let page = world.people.clone().list_blocked(request).await.unwrap();
        let page = page.into_inner();
        seen.extend(page.member_ids);
        cursor = page.cursor;
        if cursor.is_empty() {
            break;
        }
    }
    assert!(seen.into_iter().eq((200_000..200_025).rev()));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn following_and_blocking_at_once_leaves_no_follow(pool: PgPool) {
    let world = World::new(pool).await;
    for other in 200_000..200_010 {
        let follow = async |member: i64, other: i64| {
            // Refused, where the block came first.
            if let Err(status) = world.follow(member, other, true).await {
                assert_eq!(reason::<()>(Err(status)), "MEMBER_NOT_FOUND");
            }
        };
        let block = async || world.block(MEMBER, other, true).await.unwrap();
        tokio::join!(
            follow(MEMBER, other),
            block(),
            follow(other, MEMBER),
            block(),
            follow(MEMBER, other)
        );
    }
    assert_eq!(world.count("select count(*) from follow").await, 0);
    assert_eq!(world.count("select count(*) from block").await, 10);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_relation_waits_for_none_but_those_of_the_same_two(pool: PgPool) {
    let world = World::new(pool.clone()).await;
    // Keeps a follow of the member from ending.
    let mut stuck = pool.begin().await.unwrap();
    sqlx::query("insert into follow values ($1, $2, now())")
        .bind(OTHER)
        .bind(MEMBER)
        .execute(&mut *stuck)
        .await
        .unwrap();
    let waiting = async |number: i64| {
        let count = "select count(*) from pg_stat_activity \
                     where datname = current_database() and wait_event_type = 'Lock'";
        testkit::eventually(SOON, async || world.count(count).await == number).await;
    };
    let follow = world.follow(OTHER, MEMBER, true);
    let block = async {
        waiting(1).await;
        world.block(MEMBER, OTHER, true).await
    };
    let others = async {
        waiting(2).await;
        world.follow(THIRD, MEMBER, true).await.unwrap();
        world.follow(MEMBER, THIRD, true).await.unwrap();
        world.post(MEMBER, "기다리지 않아요").await;
        waiting(2).await;
        stuck.rollback().await.unwrap();
    };
    let all = async { tokio::join!(follow, block, others) };
    let (follow, block, ()) = tokio::time::timeout(SOON * 2, all).await.unwrap();
    assert!(follow.unwrap().is_followed);
    assert!(block.unwrap().is_blocked);
    assert_eq!(world.count("select count(*) from follow").await, 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_profile_says_when_somebody_joined(pool: PgPool) {
    let world = World::new(pool).await;
    assert_eq!(
        activity(&world, OTHER, MEMBER).await.joined_at_us,
        0,
        "of old"
    );
    let joined = MemberJoined {
        member_id: MEMBER,
        nickname: "새싹".to_owned(),
        joined_at_us: micros(start()),
    };
    // A second delivery changes nothing.
    for joined_at_us in [joined.joined_at_us, joined.joined_at_us + 1] {
        let joined = MemberJoined {
            joined_at_us,
            ..joined.clone()
        };
        auth_events::keep(&world.store, &joined).await.unwrap();
    }
    for viewer in [0, OTHER, MEMBER] {
        let told = activity(&world, viewer, MEMBER).await.joined_at_us;
        assert_eq!(told, micros(start()));
    }
    world.block(MEMBER, OTHER, true).await.unwrap();
    assert_eq!(activity(&world, OTHER, MEMBER).await.joined_at_us, 0);
}
