//! Texts that several causes hide.

use chrono::TimeDelta;
use community::MIGRATOR;
use community::domain::causes::{Causes, StepKind};
use community::domain::moderation::Decision;
use community::domain::post::Publication;
use community::store::{ModerationError, TextRef};
use futures_util::future::join_all;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{
    AppealRequest, Category, CommentWritten, HidingCause, UpdatePostRequest,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use sqlx::PgPool;
use tonic::Status;

use crate::appeals::{appeal, appeal_of, hiding};
use crate::world::{MEMBER, OTHER, World, reason};

const SOLICITATION: &str = "종목 추천방을 열었어요";

/// How a text is before moderators decide about it.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// By the weight of its reports.
    Hidden,
    /// By one member, and shown.
    Reported,
    Held,
    /// Held since its author changed what was reported.
    HeldAndReported,
}

impl World {
    async fn try_rewrite(&self, member_id: i64, post: i64, content: &str) -> Result<(), Status> {
        let change = UpdatePostRequest {
            member_id,
            post_id: post,
            category: Category::Free.into(),
            content: content.to_owned(),
            ..UpdatePostRequest::default()
        };
        self.pass(TimeDelta::seconds(1));
        self.posts.clone().update_post(change).await.map(drop)
    }

    async fn rewrite(&self, member_id: i64, post: i64, content: &str) {
        self.try_rewrite(member_id, post, content).await.unwrap();
    }

    /// A post and its version.
    async fn begin(&self, author: i64, start: Start) -> (i64, i32) {
        if let Start::Held = start {
            return (self.post(author, SOLICITATION).await.id, 1);
        }
        let content = format!("누구의 이야기 {start:?}");
        let post = self.post(author, &content).await.id;
        if let Start::Hidden = start {
            self.hide(Subject::PostId(post)).await;
            return (post, 1);
        }
        self.report(OTHER, Subject::PostId(post)).await.unwrap();
        if let Start::Reported = start {
            return (post, 1);
        }
        self.rewrite(author, post, SOLICITATION).await;
        (post, 2)
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_text_is_shown_when_the_last_of_its_causes_ends(pool: PgPool) {
    use Decision::{Dismiss, Lift, Publish, Refuse, Remove, Restrict, Uphold};
    let world = World::new(pool).await;
    let mut author = 110_000;
    for (start, decisions, ends) in [
        (Start::Hidden, &[Restrict][..], [Dismiss, Lift]),
        (Start::Hidden, &[Restrict, Remove], [Dismiss, Lift]),
        (Start::Reported, &[Restrict, Uphold], [Dismiss, Lift]),
        (
            Start::Reported,
            &[Restrict, Remove, Uphold],
            [Dismiss, Lift],
        ),
        (Start::Reported, &[Uphold, Restrict], [Dismiss, Lift]),
        (
            Start::Reported,
            &[Uphold, Restrict, Remove],
            [Dismiss, Lift],
        ),
        (Start::Held, &[Restrict], [Publish, Lift]),
        (Start::Held, &[Restrict, Remove], [Publish, Lift]),
        (Start::Held, &[Refuse, Restrict], [Publish, Lift]),
        (Start::Held, &[Refuse, Restrict, Remove], [Publish, Lift]),
        (Start::Held, &[Restrict, Refuse], [Publish, Lift]),
        (Start::HeldAndReported, &[Uphold], [Publish, Dismiss]),
        (
            Start::HeldAndReported,
            &[Refuse, Uphold],
            [Publish, Dismiss],
        ),
        (
            Start::HeldAndReported,
            &[Uphold, Refuse],
            [Publish, Dismiss],
        ),
    ] {
        for ends in [ends, [ends[1], ends[0]]] {
            author += 1;
            let what = format!("{start:?} {decisions:?} {ends:?}");
            let (post, version) = world.begin(author, start).await;
            let text = TextRef::Post(post);
            for decision in decisions {
                let decided = world.decide(text, *decision, version).await;
                assert_eq!(decided.unwrap().publication, Publication::Hidden, "{what}");
            }
            let appealed = AppealRequest {
                member_id: author,
                ..appeal_of(post)
            };
            appeal(&world, appealed).await.unwrap();
            let [first, last] = ends;
            let ended = world.decide(text, first, version).await.unwrap();
            assert_ne!(ended.publication, Publication::Published, "{what}");
            assert_eq!(reason(world.get(0, post).await), "POST_NOT_FOUND", "{what}");
            let why = hiding(&world, author, post).await.unwrap();
            assert_eq!(why.appeal.unwrap().decided_at_us, 0, "{what}");
            let ended = world.decide(text, last, version).await.unwrap();
            assert_eq!(ended.publication, Publication::Published, "{what}");
            assert_eq!(world.get(0, post).await.unwrap().id, post, "{what}");
            let why = hiding(&world, author, post).await.unwrap();
            assert!(why.appeal.unwrap().is_upheld, "{what}");
        }
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn the_end_of_a_restriction_shows_nothing_that_another_cause_hides(pool: PgPool) {
    use Decision::{Refuse, Restrict, Uphold};
    use proto::community::v1::Publication::{Held, Hidden};
    let world = World::new(pool).await;
    let mut texts = Vec::new();
    for (start, decisions, left) in [
        (Start::Hidden, &[Restrict][..], Hidden),
        (Start::Reported, &[Restrict, Uphold], Hidden),
        (Start::Reported, &[Uphold, Restrict], Hidden),
        (Start::Held, &[Restrict], Held),
        (Start::Held, &[Restrict, Refuse], Hidden),
        (Start::HeldAndReported, &[Restrict, Uphold], Hidden),
    ] {
        let author = 110_000 + i64::try_from(texts.len()).unwrap();
        let (post, version) = world.begin(author, start).await;
        for decision in decisions {
            let text = TextRef::Post(post);
            world.decide(text, *decision, version).await.unwrap();
        }
        texts.push((author, post, left));
    }
    world.notices().await;
    world.pass(TimeDelta::days(30));
    world.work().await;
    for (author, post, left) in texts {
        assert_eq!(reason(world.get(0, post).await), "POST_NOT_FOUND");
        let own = world.get(author, post).await.unwrap();
        assert_eq!(own.publication(), left, "{post}");
    }
    assert!(world.notices().await.is_empty(), "nothing is shown");
    let open = "select count(*) from restriction where ended_at is null";
    assert_eq!(world.count(open).await, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_its_author_made_harmless_is_not_held_again(pool: PgPool) {
    let world = World::new(pool).await;
    let (post, _) = world.begin(MEMBER, Start::Held).await;
    let text = TextRef::Post(post);
    world.decide(text, Decision::Restrict, 1).await.unwrap();
    let lifted = world.decide(text, Decision::Lift, 1).await.unwrap();
    assert_eq!(lifted.publication, Publication::Held);
    world.rewrite(MEMBER, post, "질문이 있어요").await;
    world.get(0, post).await.unwrap();
    world.hide(Subject::PostId(post)).await;
    let dismissed = world.decide(text, Decision::Dismiss, 2).await.unwrap();
    assert_eq!(dismissed.publication, Publication::Published);
    // And what was published is held again after another change.
    world.rewrite(MEMBER, post, SOLICITATION).await;
    world.decide(text, Decision::Restrict, 3).await.unwrap();
    let lifted = world.decide(text, Decision::Lift, 3).await.unwrap();
    assert_eq!(lifted.publication, Publication::Held);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_was_hidden_before_there_was_a_history_stays_so(pool: PgPool) {
    let world = World::new(pool).await;
    let (post, _) = world.begin(MEMBER, Start::Reported).await;
    sqlx::query("update post set publication = 'HIDDEN' where id = $1")
        .bind(post)
        .execute(&world.pool)
        .await
        .unwrap();
    let text = TextRef::Post(post);
    for decision in [Decision::Restrict, Decision::Remove] {
        world.decide(text, decision, 1).await.unwrap();
    }
    appeal(&world, appeal_of(post)).await.unwrap();
    let lifted = world.decide(text, Decision::Lift, 1).await.unwrap();
    assert_eq!(lifted.publication, Publication::Hidden);
    let dismissed = world.decide(text, Decision::Dismiss, 1).await.unwrap();
    assert_eq!(dismissed.publication, Publication::Published);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_held_comment_is_counted_and_told_when_its_last_cause_ends(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(OTHER, "오늘은 쉬어요").await.id;
    let written = "community.comment.written.v1";
    for ends in [
        [Decision::Publish, Decision::Lift],
        [Decision::Lift, Decision::Publish],
    ] {
        let before = world.get(0, post).await.unwrap().comment_count;
        let content = format!("{SOLICITATION} {ends:?}");
        let comment = world.comment(MEMBER, post, &content).await.id;
        let text = TextRef::Comment(comment);
        world.decide(text, Decision::Restrict, 1).await.unwrap();
        world.decide(text, ends[0], 1).await.unwrap();
        assert_eq!(world.get(0, post).await.unwrap().comment_count, before);
        assert!(world.told::<CommentWritten>(written).await.is_empty());
        world.decide(text, ends[1], 1).await.unwrap();
        assert_eq!(world.get(0, post).await.unwrap().comment_count, before + 1);
        let told = world.told::<CommentWritten>(written).await;
        assert_eq!(told.len(), 1, "{ends:?}");
        assert_eq!(told[0].told_post_author_id, OTHER);
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_author_is_told_the_newest_cause_that_stands(pool: PgPool) {
    let world = World::new(pool).await;
    let (post, _) = world.begin(MEMBER, Start::Reported).await;
    let text = TextRef::Post(post);
    world.decide(text, Decision::Restrict, 1).await.unwrap();
    let why = hiding(&world, MEMBER, post).await.unwrap();
    assert_eq!(why.cause(), HidingCause::Restricted);
    assert!(why.until_us > 0);
    world.decide(text, Decision::Uphold, 1).await.unwrap();
    let why = hiding(&world, MEMBER, post).await.unwrap();
    assert_eq!(why.cause(), HidingCause::Upheld);
    assert_eq!(why.until_us, 0, "it is hidden longer");
    world.decide(text, Decision::Remove, 1).await.unwrap();
    let why = hiding(&world, MEMBER, post).await.unwrap();
    assert_eq!(why.cause(), HidingCause::Removed);
    appeal(&world, appeal_of(post)).await.unwrap();
    world.decide(text, Decision::Lift, 1).await.unwrap();
    let why = hiding(&world, MEMBER, post).await.unwrap();
    assert_eq!(why.cause(), HidingCause::Upheld);
    assert!(!why.reason.is_empty());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_repeat_is_one_whatever_was_decided_about_other_causes(pool: PgPool) {
    let world = World::new(pool).await;
    let (post, _) = world.begin(MEMBER, Start::Reported).await;
    let text = TextRef::Post(post);
    let upheld = world.decide(text, Decision::Uphold, 1).await.unwrap();
    let restricted = world.decide(text, Decision::Restrict, 1).await.unwrap();
    let again = world.decide(text, Decision::Uphold, 1).await.unwrap();
    assert!(again.is_repeated && again.step == upheld.step);
    let again = world.decide(text, Decision::Restrict, 1).await.unwrap();
    assert!(again.is_repeated && again.step == restricted.step);
    let removed = world.decide(text, Decision::Remove, 1).await.unwrap();
    // For thirty days would be less than for good.
    let less = world.decide(text, Decision::Restrict, 1).await;
    assert!(
        matches!(less, Err(ModerationError::Decided { step, .. }) if step == removed.step),
        "{less:?}"
    );
    let other = world.decide(text, Decision::Publish, 1).await;
    assert!(
        matches!(other, Err(ModerationError::Decision(_))),
        "{other:?}"
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn nothing_is_said_of_showing_what_was_deleted(pool: PgPool) {
    let world = World::new(pool).await;
    let (reported, _) = world.begin(MEMBER, Start::Hidden).await;
    let (claimed, _) = world.begin(MEMBER, Start::Reported).await;
    let text = TextRef::Post(claimed);
    world.decide(text, Decision::Restrict, 1).await.unwrap();
    for post in [reported, claimed] {
        world.delete(MEMBER, post).await.unwrap();
    }
    world.notices().await;
    let text = TextRef::Post(reported);
    world.decide(text, Decision::Dismiss, 1).await.unwrap();
    world.pass(TimeDelta::days(30));
    world.work().await;
    assert!(world.notices().await.is_empty());
    for post in [reported, claimed] {
        assert_eq!(reason(world.get(0, post).await), "POST_DELETED");
    }
}

/// What is seen of each post, and its history, oldest first.
const HISTORIES: &str = "select publication, array(select kind from moderation_step \
    where post_id = post.id order by id) from post where author_id <> 23488";

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_seen_follows_from_the_history_whatever_happens_at_once(pool: PgPool) {
    let world = World::new(pool).await;
    let mut posts = Vec::new();
    for number in 0..4 {
        let author = 110_000 + number;
        let start = [Start::Reported, Start::Held, Start::Hidden, Start::Reported];
        let start = start[usize::try_from(number).unwrap()];
        posts.push((author, world.begin(author, start).await.0));
    }
    let crowd = (0..8).map(async |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..40 {
            let (author, post) = posts[usize::try_from(random.next_u64() % 4).unwrap()];
            anything(&world, &mut random, author, post).await;
        }
    });
    join_all(crowd).await;
    world.pass(TimeDelta::days(30));
    let ends = (0..4).map(|_| world.work());
    join_all(ends).await;
    let found: Vec<(String, Vec<String>)> = sqlx::query_as(HISTORIES)
        .fetch_all(&world.pool)
        .await
        .unwrap();
    assert_eq!(found.len(), posts.len());
    for (publication, history) in found {
        let seen = Publication::parse(&publication).unwrap();
        let kinds = history.iter().map(|kind| StepKind::parse(kind).unwrap());
        let causes = Causes::of(kinds);
        let missing = causes.unrecorded(seen);
        let causes = missing.map_or(causes, |missing| causes.after(missing));
        assert_eq!(causes.publication(), seen, "{history:?}");
        // Only what its author wrote has no step, and only while nothing else hides it.
        assert_ne!(missing, Some(StepKind::Hidden), "{history:?}");
    }
    let steps = "select count(distinct kind) from moderation_step";
    assert!(world.count(steps).await >= 6);
}

/// A decision, a report, an appeal or a change of a post; what does not fit is refused, and a
/// technical failure is none of that.
async fn anything(world: &World, random: &mut ChaCha8Rng, author: i64, post: i64) {
    use Decision::{Dismiss, Lift, Publish, Refuse, Remove, Restrict, Uphold};
    let mut below = |most: u64| i64::try_from(random.next_u64() % most).unwrap();
    let outcome = match below(10) {
        0..=4 => {
            let kinds = [Dismiss, Lift, Publish, Refuse, Remove, Restrict, Uphold];
            let kind = kinds[usize::try_from(below(7)).unwrap()];
            let version = sqlx::query_scalar("select version from post where id = $1")
                .bind(post)
                .fetch_one(&world.pool)
                .await
                .unwrap();
            let decided = world.decide(TextRef::Post(post), kind, version).await;
            let is_technical = matches!(decided, Err(ModerationError::Community(_)));
            assert!(!is_technical, "{decided:?}");
            Ok(())
        }
        5..=7 => {
            let member = 200_000 + below(60);
            world.report(member, Subject::PostId(post)).await
        }
        8 => {
            let appealed = AppealRequest {
                member_id: author,
                ..appeal_of(post)
            };
            appeal(world, appealed).await.map(drop)
        }
        _ => {
            let content = [SOLICITATION, "질문이 있어요", "오늘은 쉬어요"];
            let content = content[usize::try_from(below(3)).unwrap()];
            world.try_rewrite(author, post, content).await
        }
    };
    if let Err(status) = outcome {
        let expected = [tonic::Code::NotFound, tonic::Code::FailedPrecondition];
        assert!(expected.contains(&status.code()), "{status:?}");
    }
}
