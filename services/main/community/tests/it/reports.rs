//! Reports, and the hiding of what many have reported.

use chrono::TimeDelta;
use community::MIGRATOR;
use community::auth_events;
use futures_util::future::join_all;
use proto::auth::v1::MemberJoined;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{
    Category, ListPostsRequest, PostOrder, Publication, ReportReason, ReportRequest,
};
use proto::convert::micros;
use sqlx::PgPool;

use crate::world::{MEMBER, NEWEST, OTHER, THIRD, World, list_of, reason, start};

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_post_is_hidden_at_weight_four(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "신고당할 글").await.id;
    // Repeats at once weigh nothing.
    let repeats = (0..8).map(|_| world.report(OTHER, Subject::PostId(post)));
    for repeat in join_all(repeats).await {
        repeat.unwrap();
    }
    for member in [200_000, 200_001] {
        world.report(member, Subject::PostId(post)).await.unwrap();
    }
    let joined = MemberJoined {
        member_id: 200_002,
        nickname: "새싹".to_owned(),
        joined_at_us: micros(start()),
    };
    auth_events::keep(&world.store, &joined).await.unwrap();
    world.report(200_002, Subject::PostId(post)).await.unwrap();
    assert_eq!(world.get(0, post).await.unwrap().id, post, "weight 3");
    world.report(199_999, Subject::PostId(post)).await.unwrap();
    for viewer in [0, OTHER] {
        assert_eq!(reason(world.get(viewer, post).await), "POST_NOT_FOUND");
        assert!(world.list(viewer, PostOrder::Latest).await.is_empty());
    }
    let own = world.get(MEMBER, post).await.unwrap();
    assert_eq!(own.publication(), Publication::Hidden);
    assert_eq!(world.list(MEMBER, PostOrder::Latest).await, [post]);
    let change = proto::community::v1::UpdatePostRequest {
        member_id: MEMBER,
        post_id: post,
        category: Category::Free.into(),
        content: "고친 글".to_owned(),
        ..Default::default()
    };
    let changed = world.posts.clone().update_post(change).await.unwrap();
    let changed = changed.into_inner().post.unwrap();
    assert_eq!(changed.publication(), Publication::Hidden, "still");
    let late = world.report(200_004, Subject::PostId(post)).await;
    assert_eq!(reason(late), "POST_NOT_FOUND");
    let reports = "select count(*) from report";
    let before = world.count(reports).await;
    for member in [OTHER, 199_999] {
        world.report(member, Subject::PostId(post)).await.unwrap();
    }
    assert_eq!(world.count(reports).await, before, "repeats");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn whoever_auth_has_not_told_of_yet_weighs_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "신고당할 글").await.id;
    for member in NEWEST + 1..NEWEST + 10 {
        world.report(member, Subject::PostId(post)).await.unwrap();
    }
    assert_eq!(world.get(0, post).await.unwrap().id, post);
    assert_eq!(world.count("select sum(weight) from report").await, 0);
    // Of an installation in which nobody joined since the community began, nobody is known.
    world
        .count("with gone as (delete from member returning 1) select count(*) from gone")
        .await;
    world.report(THIRD, Subject::PostId(post)).await.unwrap();
    assert_eq!(world.count("select sum(weight) from report").await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_hidden_comment_is_no_longer_counted(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let comment = world.comment(OTHER, post, "신고당할 댓글").await.id;
    let reply = world.reply(OTHER, comment, "신고당할 답글").await.id;
    for subject in [reply, comment] {
        let crowd =
            (200_000..200_006).map(|member| world.report(member, Subject::CommentId(subject)));
        for report in join_all(crowd).await {
            // The last two may come too late to see it.
            if let Err(status) = report {
                assert_eq!(status.code(), tonic::Code::NotFound);
            }
        }
        let left = world.get(0, post).await.unwrap().comment_count;
        assert_eq!(left, if subject == reply { 1 } else { 0 });
    }
    assert!(world.comments_of(0, post).await.is_empty());
    let own = &world.comments_of(OTHER, post).await[0];
    assert_eq!(own.publication(), Publication::Hidden);
    world.delete_comment(OTHER, comment).await.unwrap();
    assert_eq!(world.get(0, post).await.unwrap().comment_count, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn whoever_was_right_before_weighs_double(pool: PgPool) {
    let world = World::new(pool).await;
    let first = world.post(MEMBER, "처음 신고한 글").await.id;
    for member in [200_000, 200_001] {
        world.report(member, Subject::PostId(first)).await.unwrap();
    }
    sqlx::query("update report set upheld = true")
        .execute(&world.pool)
        .await
        .unwrap();
    let second = world.post(MEMBER, "다음에 신고한 글").await.id;
    for member in [200_000, 200_001] {
        world.report(member, Subject::PostId(second)).await.unwrap();
    }
    let own = world.get(MEMBER, second).await.unwrap();
    assert_eq!(own.publication(), Publication::Hidden);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn twenty_reports_of_a_member_weigh_in_a_day(pool: PgPool) {
    const TOTAL: &str = "select sum(weight) from report";
    let world = World::new(pool).await;
    let mut posts = Vec::new();
    for number in 0..22 {
        let content = format!("신고당할 글 {number}");
        posts.push(world.post(MEMBER, &content).await.id);
    }
    for post in &posts[..20] {
        world.report(OTHER, Subject::PostId(*post)).await.unwrap();
    }
    for member in 200_000..200_003 {
        let report = world.report(member, Subject::PostId(posts[20]));
        report.await.unwrap();
    }
    assert_eq!(world.count(TOTAL).await, 23);
    // Stored and answered as the others, and a repeat changes nothing.
    for _ in 0..2 {
        let report = world.report(OTHER, Subject::PostId(posts[20]));
        report.await.unwrap();
    }
    assert_eq!(world.count("select count(*) from report").await, 24);
    assert_eq!(world.count(TOTAL).await, 23);
    assert_eq!(world.get(0, posts[20]).await.unwrap().id, posts[20]);
    world.pass(TimeDelta::days(1));
    let report = world.report(OTHER, Subject::PostId(posts[21]));
    report.await.unwrap();
    assert_eq!(world.count(TOTAL).await, 24);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_operator_is_never_hidden_and_bad_reports_are_refused(pool: PgPool) {
    let world = World::new(pool).await;
    let notices = ListPostsRequest {
        category: Category::Notice.into(),
        ..list_of(0, PostOrder::Latest)
    };
    let notice = world.try_list(notices).await.unwrap().posts[0].id;
    for member in 200_000..200_010 {
        world.report(member, Subject::PostId(notice)).await.unwrap();
    }
    assert_eq!(world.get(0, notice).await.unwrap().id, notice);
    let post = world.post(MEMBER, "내 글").await.id;
    let good = || ReportRequest {
        member_id: OTHER,
        subject: Some(Subject::PostId(post)),
        reason: ReportReason::Other.into(),
        text: String::new(),
    };
    for (request, expected) in [
        (
            ReportRequest {
                member_id: MEMBER,
                ..good()
            },
            "NOT_TO_ONESELF",
        ),
        (
            ReportRequest {
                subject: None,
                ..good()
            },
            "MALFORMED",
        ),
        (
            ReportRequest {
                reason: 0,
                ..good()
            },
            "MALFORMED",
        ),
        (
            ReportRequest {
                text: "가".repeat(301),
                ..good()
            },
            "TEXT_LENGTH",
        ),
        (
            ReportRequest {
                subject: Some(Subject::PostId(4_711)),
                ..good()
            },
            "POST_NOT_FOUND",
        ),
        (
            ReportRequest {
                subject: Some(Subject::CommentId(4_711)),
                ..good()
            },
            "COMMENT_NOT_FOUND",
        ),
    ] {
        let answer = world.people.clone().report(request).await;
        assert_eq!(reason(answer), expected);
    }
    let reports = "select count(*) from report";
    assert_eq!(world.count(reports).await, 10);
    world.pass(TimeDelta::seconds(1));
    world.people.clone().report(good()).await.unwrap();
    assert_eq!(world.count(reports).await, 11);
}
