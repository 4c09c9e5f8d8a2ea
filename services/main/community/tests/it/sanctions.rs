//! What authors have to bear: the ladder of sanctions.

use chrono::TimeDelta;
use community::MIGRATOR;
use community::decision_events::POST_HIDDEN;
use community::domain::moderation::Decision;
use community::error::CommunityError;
use community::store::{NewPicture, TextRef};
use kernel::MemberId;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{GetStandingRequest, PostHidden, Sanction};
use sqlx::PgPool;
use uuid::Uuid;

use crate::made_pictures::jpeg;
use crate::world::{MEMBER, OTHER, World, fresh_id, new_comment, new_post, new_reply, reason};

impl World {
    pub(crate) async fn sanction(&self, member_id: i64) -> Option<Sanction> {
        let request = GetStandingRequest { member_id };
        let standing = self.moderation.clone().get_standing(request).await;
        standing.unwrap().into_inner().sanction
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_ladder_ends_with_forever_and_keeps_from_writing(pool: PgPool) {
    let world = World::new(pool).await;
    let ground = world.post(OTHER, "다른 사람의 글").await.id;
    let thread = world.comment(OTHER, ground, "다른 사람의 댓글").await.id;
    let mine = world.comment(MEMBER, ground, "내 댓글").await.id;
    for (rung, days) in [
        (1, Some(0)),
        (2, Some(1)),
        (3, Some(7)),
        (4, Some(30)),
        (5, None),
    ] {
        let post = world
            .post(MEMBER, &format!("{rung}번째 신고당할 글"))
            .await
            .id;
        world.report(OTHER, Subject::PostId(post)).await.unwrap();
        let given = world.decide(TextRef::Post(post), Decision::Uphold, 1).await;
        let given = given.unwrap().sanction.unwrap();
        assert_eq!(given.rung.number(), rung);
        let sanction = world.sanction(MEMBER).await.unwrap();
        assert_eq!((sanction.rung, sanction.is_active), (rung.into(), rung > 1));
        let length = days.map(|days| i64::from(days) * 86_400_000_000);
        let ends = length.map_or(0, |length| sanction.begins_at_us + length);
        assert_eq!(sanction.ends_at_us, ends);
        let is_refused = async || {
            let post = world.try_post(new_post(MEMBER, &fresh_id())).await;
            let Err(status) = post else { return false };
            let problem = bootstrap::problem::of(&status).unwrap();
            assert_eq!(problem.reason, "WRITING_SUSPENDED");
            assert_eq!(problem.facts["why"], "운영 원칙에 어긋나요");
            assert_eq!(problem.facts.contains_key("until"), rung < 5);
            true
        };
        assert_eq!(is_refused().await, rung > 1);
        if rung > 1 {
            let comment = world.try_comment(new_comment(MEMBER, ground, "댓글")).await;
            assert_eq!(reason(comment), "WRITING_SUSPENDED");
            let reply = world.try_reply(new_reply(MEMBER, thread, "답글")).await;
            assert_eq!(reason(reply), "WRITING_SUSPENDED");
            let change = proto::community::v1::UpdateCommentRequest {
                member_id: MEMBER,
                comment_id: mine,
                content: "고친 댓글".to_owned(),
                images: Vec::new(),
                image_alts: Vec::new(),
                keeps_images: false,
            };
            let change = world.comments.clone().update_comment(change).await;
            assert_eq!(reason(change), "WRITING_SUSPENDED");
            // Reading, liking and deleting go on.
            world.like(MEMBER, ground, true).await.unwrap();
            world.get(MEMBER, ground).await.unwrap();
        }
        world.pass(TimeDelta::days(days.unwrap_or(400).into()));
        assert_eq!(is_refused().await, rung == 5, "over");
    }
    world.delete_comment(MEMBER, mine).await.unwrap();
    let notices = world.told::<PostHidden>(POST_HIDDEN).await;
    let notices: Vec<(&str, bool)> = notices
        .iter()
        .map(|told| (told.decision.as_str(), told.until_us > 0))
        .collect();
    let expected = [
        ("WARNED", false),
        ("SUSPENDED", true),
        ("SUSPENDED", true),
        ("SUSPENDED", true),
        ("SUSPENDED", false),
    ];
    assert_eq!(notices, expected);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_may_not_write_uploads_no_pictures(pool: PgPool) {
    let world = World::new(pool).await;
    let uphold = async |content: &str| {
        let post = world.post(MEMBER, content).await.id;
        world.report(OTHER, Subject::PostId(post)).await.unwrap();
        let text = TextRef::Post(post);
        world.decide(text, Decision::Uphold, 1).await.unwrap();
    };
    uphold("처음 신고당할 글").await;
    let picture = world.picture(MEMBER).await;
    assert!(world.is_shown(&picture).await, "a warning hides nothing");
    uphold("다시 신고당할 글").await;
    assert!(!world.is_shown(&picture).await, "it is in no text");
    let refused = world.upload(MEMBER, &jpeg(60, 40)).await.unwrap_err();
    let problem = bootstrap::problem::of(&refused).unwrap();
    assert_eq!(problem.reason, "WRITING_SUSPENDED");
    assert_eq!(problem.facts["why"], "운영 원칙에 어긋나요");
    assert!(problem.facts.contains_key("until"));
    // An upload that was under way when it was decided.
    let under_way = NewPicture {
        id: Uuid::new_v4(),
        member: MemberId(MEMBER),
        width: 60,
        height: 40,
        placeholder: "#000000".to_owned(),
    };
    let begun = world.store.begin_picture(&under_way).await;
    assert!(
        matches!(begun, Err(CommunityError::Suspended { .. })),
        "{begun:?}"
    );
    let rows = world.count("select count(*) from picture").await;
    assert_eq!((rows, world.flaky.count().await), (1, 2));
    world.pass(TimeDelta::days(1));
    assert!(world.is_shown(&picture).await, "the member may write again");
    world.delete_picture(MEMBER, &picture).await.unwrap();
    world.picture(MEMBER).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn who_deletes_a_reported_text_is_sanctioned_nevertheless(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(OTHER, "질문이 있어요").await.id;
    let comment = world.comment(MEMBER, post, "신고당할 댓글").await.id;
    world.hide(Subject::CommentId(comment)).await;
    world.delete_comment(MEMBER, comment).await.unwrap();
    let text = TextRef::Comment(comment);
    let decided = world.decide(text, Decision::Uphold, 1).await.unwrap();
    assert!(decided.sanction.is_some());
    let told = world.told::<PostHidden>(POST_HIDDEN).await;
    assert!(!told[1].may_appeal, "there is nothing to show again");
    assert_eq!(world.get(0, post).await.unwrap().comment_count, 0);
}
