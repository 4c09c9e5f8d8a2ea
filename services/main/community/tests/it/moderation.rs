//! Decisions of moderators, and what everybody is told.

use community::MIGRATOR;
use community::decision_events::{POST_HIDDEN, REPORT_DECIDED};
use community::domain::moderation::{Decision, Rule};
use community::domain::post::Publication;
use community::store::{Decided, ModerationError, NewDecision, TextRef};
use futures_util::future::join_all;
use prost::Message;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{ListReportsRequest, PostHidden, ReportDecided, UpdatePostRequest};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World, reason};

/// Members of old, whose four reports hide a text.
pub(crate) const CROWD: std::ops::Range<i64> = 200_000..200_004;

pub(crate) fn decision(text: TextRef, decision: Decision, version: i32) -> NewDecision {
    NewDecision {
        text,
        decision,
        version,
        rule: None,
        reason: "운영 원칙에 어긋나요".to_owned(),
        operator: "kim".to_owned(),
    }
}

impl World {
    pub(crate) async fn hide(&self, subject: Subject) {
        for member in CROWD {
            self.report(member, subject).await.unwrap();
        }
    }

    pub(crate) async fn decide(
        &self,
        text: TextRef,
        what: Decision,
        version: i32,
    ) -> Result<Decided, ModerationError> {
        self.store.decide(&decision(text, what, version)).await
    }

    /// The events of a type since the last call, in their order.
    pub(crate) async fn told<M: Message + Default>(&self, event_type: &str) -> Vec<M> {
        let sent = "with sent as (delete from outbox where event_type = $1 returning id, body) \
                    select body from sent order by id";
        let bodies: Vec<Vec<u8>> = sqlx::query_scalar(sent)
            .bind(event_type)
            .fetch_all(&self.pool)
            .await
            .unwrap();
        let bodies = bodies.iter();
        bodies.map(|body| M::decode(&**body).unwrap()).collect()
    }

    /// The decisions that their author was told.
    pub(crate) async fn notices(&self) -> Vec<String> {
        let told = self.told::<PostHidden>(POST_HIDDEN).await;
        told.into_iter().map(|told| told.decision).collect()
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn upheld_reports_hide_sanction_and_are_told(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "신고당할 글").await.id;
    world.hide(Subject::PostId(post)).await;
    let hidden = world.told::<PostHidden>(POST_HIDDEN).await;
    assert_eq!(hidden.len(), 1);
    let told = (hidden[0].told_author_id, hidden[0].post_id);
    assert_eq!(told, (MEMBER, post));
    assert_eq!(hidden[0].decision, "HIDDEN");
    assert_eq!(
        (hidden[0].reason.as_str(), hidden[0].may_appeal),
        ("SPAM", true)
    );
    let text = TextRef::Post(post);
    let decided = world.decide(text, Decision::Uphold, 1).await.unwrap();
    assert_eq!(decided.publication, Publication::Hidden);
    assert!(decided.sanction.unwrap().is_warning());
    assert_eq!(world.notices().await, ["WARNED"]);
    let warned = world.sanction(MEMBER).await.unwrap();
    assert_eq!((warned.rung, warned.is_active), (1, false));
    // A repeat of the same, also by another moderator, changes nothing.
    let again = world.decide(text, Decision::Uphold, 1).await.unwrap();
    assert!(again.is_repeated && again.step == decided.step && again.sanction.is_none());
    let other = world.decide(text, Decision::Dismiss, 1).await;
    assert!(
        matches!(other, Err(ModerationError::Decided { .. })),
        "{other:?}"
    );
    assert!(world.notices().await.is_empty());
    // Everybody who reported is told once, and weighs more from now on.
    world.work().await;
    world.work().await;
    let told = world.told::<ReportDecided>(REPORT_DECIDED).await;
    let reporters: Vec<i64> = told.iter().map(|told| told.told_reporter_id).collect();
    assert_eq!(reporters, CROWD.collect::<Vec<_>>());
    assert!(
        told.iter()
            .all(|told| told.is_upheld && told.post_id == post)
    );
    let next = world.post(OTHER, "다음 글").await.id;
    for member in [200_000, 200_001] {
        world.report(member, Subject::PostId(next)).await.unwrap();
    }
    assert_eq!(reason(world.get(0, next).await), "POST_NOT_FOUND", "2 + 2");
    let listed = ListReportsRequest {
        member_id: 200_000,
        cursor: String::new(),
    };
    let listed = world.moderation.clone().list_reports(listed).await.unwrap();
    let listed = listed.into_inner().reports;
    let listed: Vec<(i64, bool, bool)> = listed
        .iter()
        .map(|report| (report.post_id, report.decided_at_us > 0, report.is_upheld))
        .collect();
    assert_eq!(listed, [(next, false, false), (post, true, true)]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn dismissed_reports_show_the_text_again(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let comment = world.comment(OTHER, post, "신고당할 댓글").await.id;
    let reply = world.reply(OTHER, comment, "신고당할 답글").await.id;
    for id in [reply, comment] {
        world.hide(Subject::CommentId(id)).await;
    }
    assert_eq!(world.get(0, post).await.unwrap().comment_count, 0);
    for id in [comment, reply] {
        let decided = world
            .decide(TextRef::Comment(id), Decision::Dismiss, 1)
            .await;
        assert_eq!(decided.unwrap().publication, Publication::Published);
    }
    assert_eq!(world.get(0, post).await.unwrap().comment_count, 2);
    let shown = &world.comments_of(0, post).await[0];
    assert_eq!((shown.id, shown.reply_count), (comment, 1));
    let expected = ["HIDDEN", "HIDDEN", "RESTORED", "RESTORED"];
    assert_eq!(world.notices().await, expected);
    assert_eq!(world.sanction(OTHER).await, None);
    world.work().await;
    let told = world.told::<ReportDecided>(REPORT_DECIDED).await;
    assert_eq!(told.len(), 8);
    assert!(
        told.iter()
            .all(|told| !told.is_upheld && told.kind == "COMMENT")
    );
    // One more report is not the fifth.
    world
        .report(300_000, Subject::CommentId(comment))
        .await
        .unwrap();
    assert_eq!(world.get(0, post).await.unwrap().comment_count, 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_text_that_was_changed_is_read_again_first(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "신고당할 글").await.id;
    world.hide(Subject::PostId(post)).await;
    let change = UpdatePostRequest {
        member_id: MEMBER,
        post_id: post,
        category: proto::community::v1::Category::Free.into(),
        content: "고친 글".to_owned(),
        ..UpdatePostRequest::default()
    };
    world
        .posts
        .clone()
        .update_post(change.clone())
        .await
        .unwrap();
    // The same again is no other text.
    world.posts.clone().update_post(change).await.unwrap();
    let text = TextRef::Post(post);
    let refused = world.decide(text, Decision::Dismiss, 1).await;
    assert!(
        matches!(refused, Err(ModerationError::Changed(2))),
        "{refused:?}"
    );
    world.like(OTHER, post, true).await.unwrap_err();
    world.decide(text, Decision::Dismiss, 2).await.unwrap();
    world.like(OTHER, post, true).await.unwrap();
    let version = "select version::bigint from post where content = '고친 글'";
    assert_eq!(world.count(version).await, 2, "likes are no other text");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn of_many_moderators_at_once_one_decides(pool: PgPool) {
    let world = World::new(pool).await;
    let mut posts = Vec::new();
    for number in 0..4 {
        let post = world.post(MEMBER, &format!("{number}번 글")).await.id;
        world.report(OTHER, Subject::PostId(post)).await.unwrap();
        posts.push(TextRef::Post(post));
    }
    let wanted = posts.iter().flat_map(|post| {
        let kinds = [Decision::Uphold, Decision::Dismiss, Decision::Uphold];
        kinds.map(|kind| world.decide(*post, kind, 1))
    });
    let outcomes = join_all(wanted).await;
    let decided = outcomes.iter().flatten().filter(|one| !one.is_repeated);
    assert_eq!(decided.count(), posts.len());
    let steps = "select count(*) from moderation_step";
    assert_eq!(world.count(steps).await, 4);
    let upheld = "select count(distinct post_id) from report where upheld";
    let upheld = world.count(upheld).await;
    // Each text of an author is another rung.
    let rungs = "select count(distinct rung) from sanction where member_id = 100007";
    assert_eq!(world.count(rungs).await, upheld);
    let sanctions = "select count(*) from sanction";
    assert_eq!(world.count(sanctions).await, upheld);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn thousands_who_reported_are_told_in_pages_after_any_crash(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "많이 신고당한 글").await.id;
    sqlx::query(
        "insert into report (member_id, post_id, reason, text, weight, created_at) \
         select n, $1, 'ABUSE', '', 0, now() from generate_series(300000, 301234) n",
    )
    .bind(post)
    .execute(&world.pool)
    .await
    .unwrap();
    let text = TextRef::Post(post);
    world.decide(text, Decision::Uphold, 1).await.unwrap();
    // One that ends before its page is committed has told nobody.
    let mut lost = world.pool.begin().await.unwrap();
    let taken = "select id from report where told_at is null order by id limit 500 \
                 for no key update skip locked";
    sqlx::query(taken).fetch_all(&mut *lost).await.unwrap();
    assert!(world.store.tell_reporters().await.unwrap(), "a full page");
    lost.rollback().await.unwrap();
    // Two processes at once tell nobody twice.
    let _more = join_all([world.store.tell_reporters(), world.store.tell_reporters()]).await;
    world.work().await;
    let told = "select count(*) from outbox where event_type = 'community.report.decided.v1'";
    assert_eq!(world.count(told).await, 1_235);
    let rule = "select count(*) from sanction where rule = 'ABUSE'";
    assert_eq!(world.count(rule).await, 1);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn held_texts_are_published_or_refused(pool: PgPool) {
    let world = World::new(pool).await;
    let ground = world.post(OTHER, "질문이 있어요").await.id;
    let held = async |text: TextRef| {
        let (table, id) = match text {
            TextRef::Post(id) => ("post", id),
            TextRef::Comment(id) => ("comment", id),
        };
        assert_eq!(
            world
                .decide(text, Decision::Uphold, 1)
                .await
                .unwrap_err()
                .to_string(),
            "it does not fit: nobody has reported it since it was decided, and its author does not appeal",
            "{table} {id}"
        );
    };
    let doubtful = "종목 추천방을 열었어요";
    let shown = world.post(MEMBER, doubtful).await;
    assert_eq!(shown.publication(), proto::community::v1::Publication::Held);
    let hidden = world
        .post(MEMBER, "또 다른 종목 추천방 이야기예요")
        .await
        .id;
    let comment = world.comment(MEMBER, ground, doubtful).await.id;
    for text in [TextRef::Post(shown.id), TextRef::Comment(comment)] {
        held(text).await;
        let decided = world.decide(text, Decision::Publish, 1).await.unwrap();
        assert_eq!(decided.publication, Publication::Published);
    }
    assert_eq!(world.get(0, shown.id).await.unwrap().id, shown.id);
    assert_eq!(world.get(0, ground).await.unwrap().comment_count, 1);
    let refused = world
        .decide(TextRef::Post(hidden), Decision::Refuse, 1)
        .await;
    assert_eq!(refused.unwrap().publication, Publication::Hidden);
    assert_eq!(world.notices().await, ["PUBLISHED", "PUBLISHED", "REFUSED"]);
    assert_eq!(world.sanction(MEMBER).await, None, "nobody saw it");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn nonsense_decides_nothing_and_history_never_changes(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "신고당할 글").await.id;
    world.report(OTHER, Subject::PostId(post)).await.unwrap();
    let good = decision(TextRef::Post(post), Decision::Uphold, 1);
    let notice = "select min(id) from post where author_id = 23488";
    let notice = TextRef::Post(world.count(notice).await);
    for (odd, said) in [
        (
            NewDecision {
                reason: " \u{200b}".to_owned(),
                ..good.clone()
            },
            "a reason is",
        ),
        (
            NewDecision {
                reason: "가".repeat(501),
                ..good.clone()
            },
            "a reason is",
        ),
        (
            NewDecision {
                operator: "k".to_owned(),
                ..good.clone()
            },
            "the name of an operator",
        ),
        (
            NewDecision {
                text: TextRef::Post(4_711),
                ..good.clone()
            },
            "there is no such text",
        ),
        (
            NewDecision {
                text: TextRef::Comment(4_711),
                ..good.clone()
            },
            "there is no such text",
        ),
        (
            NewDecision {
                text: notice,
                ..good.clone()
            },
            "reports of what the operator wrote",
        ),
        (
            NewDecision {
                version: 2,
                ..good.clone()
            },
            "the author changed",
        ),
        (
            NewDecision {
                decision: Decision::Publish,
                ..good.clone()
            },
            "it does not fit",
        ),
        (
            NewDecision {
                decision: Decision::Lift,
                ..good.clone()
            },
            "it does not fit",
        ),
    ] {
        let error = world.store.decide(&odd).await.unwrap_err().to_string();
        assert!(error.starts_with(said), "{error}");
    }
    assert_eq!(world.count("select count(*) from moderation_step").await, 0);
    assert_eq!(world.count("select count(*) from outbox").await, 0);
    world
        .report(OTHER, Subject::PostId(notice.id()))
        .await
        .unwrap();
    world.decide(notice, Decision::Dismiss, 1).await.unwrap();
    world.get(0, notice.id()).await.unwrap();
    let abuse = NewDecision {
        rule: Some(Rule::Abuse),
        ..good
    };
    world.store.decide(&abuse).await.unwrap();
    assert_eq!(
        world.told::<PostHidden>(POST_HIDDEN).await[0].reason,
        "ABUSE"
    );
    for change in [
        "update moderation_step set reason = ''",
        "delete from moderation_step",
        "truncate moderation_step cascade",
    ] {
        let refused = sqlx::raw_sql(change).execute(&world.pool).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("append-only"), "{refused}");
    }
}
