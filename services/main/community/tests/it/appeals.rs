//! What authors say against hiding.

use community::MIGRATOR;
use community::domain::moderation::Decision;
use community::domain::post::Publication;
use community::store::TextRef;
use futures_util::future::join_all;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{
    AppealRequest, Category, GetHidingRequest, Hiding, HidingCause, ReportDecided, ReportReason,
    UpdatePostRequest, appeal_request, get_hiding_request,
};
use sqlx::PgPool;
use tonic::Status;

use crate::moderation::CROWD;
use crate::world::{MEMBER, OTHER, World, fresh_id, reason};

pub(crate) fn appeal_of(post: i64) -> AppealRequest {
    AppealRequest {
        member_id: MEMBER,
        request_id: fresh_id(),
        subject: Some(appeal_request::Subject::PostId(post)),
        text: " 규칙을 어기지 않았어요 ".to_owned(),
    }
}

pub(crate) async fn appeal(world: &World, request: AppealRequest) -> Result<bool, Status> {
    let appealed = world.moderation.clone().appeal(request).await;
    appealed.map(|appealed| appealed.into_inner().replayed)
}

pub(crate) async fn hiding(world: &World, member_id: i64, post: i64) -> Result<Hiding, Status> {
    let request = GetHidingRequest {
        member_id,
        subject: Some(get_hiding_request::Subject::PostId(post)),
    };
    let hiding = world.moderation.clone().get_hiding(request).await;
    hiding.map(tonic::Response::into_inner)
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_granted_appeal_takes_everything_back(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "신고당할 글").await.id;
    world.hide(Subject::PostId(post)).await;
    let why = hiding(&world, MEMBER, post).await.unwrap();
    assert_eq!(
        (why.cause(), why.rule()),
        (HidingCause::Reports, ReportReason::Spam)
    );
    assert!(why.may_appeal && why.reason.is_empty());
    let text = TextRef::Post(post);
    world.decide(text, Decision::Uphold, 1).await.unwrap();
    world.work().await;
    let why = hiding(&world, MEMBER, post).await.unwrap();
    assert_eq!(why.cause(), HidingCause::Upheld);
    assert_eq!(why.reason, "운영 원칙에 어긋나요");

    let first = appeal_of(post);
    // A repeat at once, and a second one.
    let repeats = (0..6).map(|_| appeal(&world, first.clone()));
    let repeats: Vec<bool> = join_all(repeats)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(repeats.iter().filter(|replayed| !**replayed).count(), 1);
    assert_eq!(
        reason(appeal(&world, appeal_of(post)).await),
        "ALREADY_APPEALED"
    );
    let other = AppealRequest {
        text: "다른 말이에요".to_owned(),
        ..first
    };
    assert_eq!(reason(appeal(&world, other).await), "REQ_SID_REUSED");
    let why = hiding(&world, MEMBER, post).await.unwrap();
    assert!(!why.may_appeal);
    assert_eq!(why.appeal.unwrap().text, "규칙을 어기지 않았어요");

    world
        .told::<ReportDecided>("community.report.decided.v1")
        .await;
    world.notices().await;
    world.decide(text, Decision::Dismiss, 1).await.unwrap();
    assert_eq!(world.get(0, post).await.unwrap().id, post);
    assert_eq!(world.notices().await, ["RESTORED"]);
    assert_eq!(world.sanction(MEMBER).await, None, "lifted");
    // Who was right is told that they were not.
    world.work().await;
    let told = world
        .told::<ReportDecided>("community.report.decided.v1")
        .await;
    let reporters: Vec<i64> = told.iter().map(|told| told.told_reporter_id).collect();
    assert_eq!(reporters, CROWD.collect::<Vec<_>>());
    assert!(told.iter().all(|told| !told.is_upheld));
    let why = hiding(&world, MEMBER, post).await.unwrap();
    assert!(why.appeal.unwrap().is_upheld && why.cause == 0);
    // The next text begins at the bottom of the ladder.
    let next = world.post(MEMBER, "다음 글").await.id;
    world.report(OTHER, Subject::PostId(next)).await.unwrap();
    let given = world.decide(TextRef::Post(next), Decision::Uphold, 1).await;
    assert!(given.unwrap().sanction.unwrap().is_warning());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_dismissed_appeal_changes_nothing_more(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "신고당할 글").await.id;
    world.hide(Subject::PostId(post)).await;
    appeal(&world, appeal_of(post)).await.unwrap();
    let text = TextRef::Post(post);
    world.decide(text, Decision::Uphold, 1).await.unwrap();
    assert_eq!(world.notices().await, ["HIDDEN", "WARNED"]);
    let why = hiding(&world, MEMBER, post).await.unwrap();
    let decided = why.appeal.unwrap();
    assert!(decided.decided_at_us > 0 && !decided.is_upheld && !why.may_appeal);
    assert_eq!(
        reason(appeal(&world, appeal_of(post)).await),
        "ALREADY_APPEALED"
    );

    // After it was upheld, the same decision answers the appeal and sanctions nobody again.
    let other = world.post(MEMBER, "다른 글").await.id;
    world.report(OTHER, Subject::PostId(other)).await.unwrap();
    let text = TextRef::Post(other);
    world.decide(text, Decision::Uphold, 1).await.unwrap();
    appeal(&world, appeal_of(other)).await.unwrap();
    let kept = world.decide(text, Decision::Uphold, 1).await.unwrap();
    assert!(!kept.is_repeated && kept.sanction.is_none());
    assert_eq!(world.notices().await, ["SUSPENDED", "KEPT_HIDDEN"]);
    assert_eq!(world.count("select count(*) from sanction").await, 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_refused_text_is_appealed_and_published(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "종목 추천방을 열었어요").await.id;
    assert_eq!(reason(appeal(&world, appeal_of(post)).await), "NOT_HIDDEN");
    let text = TextRef::Post(post);
    world.decide(text, Decision::Refuse, 1).await.unwrap();
    let why = hiding(&world, MEMBER, post).await.unwrap();
    assert_eq!(why.cause(), HidingCause::Refused);
    appeal(&world, appeal_of(post)).await.unwrap();
    world.decide(text, Decision::Publish, 1).await.unwrap();
    assert_eq!(world.get(0, post).await.unwrap().id, post);
    assert_eq!(world.notices().await, ["REFUSED", "RESTORED"]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn others_and_nonsense_appeal_to_nothing(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "신고당할 글").await.id;
    assert_eq!(reason(appeal(&world, appeal_of(post)).await), "NOT_HIDDEN");
    world.hide(Subject::PostId(post)).await;
    for (request, expected) in [
        (
            AppealRequest {
                member_id: OTHER,
                ..appeal_of(post)
            },
            "POST_NOT_FOUND",
        ),
        (appeal_of(4_711), "POST_NOT_FOUND"),
        (
            AppealRequest {
                subject: Some(appeal_request::Subject::CommentId(4_711)),
                ..appeal_of(post)
            },
            "COMMENT_NOT_FOUND",
        ),
        (
            AppealRequest {
                subject: None,
                ..appeal_of(post)
            },
            "MALFORMED",
        ),
        (
            AppealRequest {
                member_id: 0,
                ..appeal_of(post)
            },
            "MALFORMED",
        ),
        (
            AppealRequest {
                request_id: "x".to_owned(),
                ..appeal_of(post)
            },
            "MALFORMED",
        ),
        (
            AppealRequest {
                text: " ".to_owned(),
                ..appeal_of(post)
            },
            "TEXT_LENGTH",
        ),
        (
            AppealRequest {
                text: "가".repeat(501),
                ..appeal_of(post)
            },
            "TEXT_LENGTH",
        ),
    ] {
        assert_eq!(reason(appeal(&world, request).await), expected);
    }
    assert_eq!(reason(hiding(&world, OTHER, post).await), "POST_NOT_FOUND");
    assert_eq!(
        reason(hiding(&world, MEMBER, 4_711).await),
        "POST_NOT_FOUND"
    );
    assert_eq!(world.count("select count(*) from appeal").await, 0);
    world.delete(MEMBER, post).await.unwrap();
    assert_eq!(
        reason(appeal(&world, appeal_of(post)).await),
        "POST_NOT_FOUND"
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_appeal_ends_when_the_author_makes_the_text_harmless(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "종목 추천방을 열었어요").await.id;
    let text = TextRef::Post(post);
    world.decide(text, Decision::Restrict, 1).await.unwrap();
    appeal(&world, appeal_of(post)).await.unwrap();
    let lifted = world.decide(text, Decision::Lift, 1).await.unwrap();
    assert_eq!(lifted.publication, Publication::Held);
    let open = "select count(*) from appeal where decided_at is null";
    assert_eq!(world.count(open).await, 1);
    let change = UpdatePostRequest {
        member_id: MEMBER,
        post_id: post,
        category: Category::Free.into(),
        content: "종목을 고르는 법을 배우고 있어요".to_owned(),
        ..UpdatePostRequest::default()
    };
    world.posts.clone().update_post(change).await.unwrap();
    assert_eq!(world.get(0, post).await.unwrap().id, post);
    assert_eq!(world.count(open).await, 0);
}
