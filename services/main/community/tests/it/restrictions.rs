//! 임시조치: texts that are hidden for thirty days because somebody claims a right.

use chrono::TimeDelta;
use community::MIGRATOR;
use community::domain::moderation::Decision;
use community::domain::post::Publication;
use community::store::TextRef;
use futures_util::future::join_all;
use proto::community::v1::report_request::Subject;
use proto::community::v1::{Category, UpdatePostRequest};
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World, reason};

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_restricted_text_is_shown_again_after_thirty_days(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "누구의 이야기").await.id;
    let comment = world.comment(OTHER, post, "그 사람 이야기").await.id;
    for text in [TextRef::Comment(comment), TextRef::Post(post)] {
        let restricted = world.decide(text, Decision::Restrict, 1).await.unwrap();
        assert_eq!(restricted.publication, Publication::Hidden);
        let again = world.decide(text, Decision::Restrict, 1).await.unwrap();
        assert!(again.is_repeated && again.step == restricted.step);
    }
    assert_eq!(reason(world.get(0, post).await), "POST_NOT_FOUND");
    assert_eq!(world.get(MEMBER, post).await.unwrap().comment_count, 0);
    assert_eq!(world.sanction(MEMBER).await, None);
    world.pass(TimeDelta::days(30) - TimeDelta::seconds(1));
    world.work().await;
    assert_eq!(reason(world.get(0, post).await), "POST_NOT_FOUND");
    world.pass(TimeDelta::seconds(1));
    // Processes that do it at once end each once.
    let ends = (0..4).map(|_| world.work());
    join_all(ends).await;
    assert_eq!(world.get(0, post).await.unwrap().comment_count, 1);
    let expected = ["RESTRICTED", "RESTRICTED", "EXPIRED", "EXPIRED"];
    assert_eq!(world.notices().await, expected);
    let late = world.decide(TextRef::Post(post), Decision::Lift, 1).await;
    let late = late.unwrap_err().to_string();
    assert_eq!(late, "it does not fit: it is not restricted");
    let expired = "select count(*) from moderation_step where kind = 'EXPIRED'";
    assert_eq!(world.count(expired).await, 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_claim_is_decided_before_its_time(pool: PgPool) {
    let world = World::new(pool).await;
    for (decision, publication, notice) in [
        (Decision::Lift, Publication::Published, "RESTORED"),
        (Decision::Remove, Publication::Hidden, ""),
    ] {
        let post = world
            .post(MEMBER, &format!("누구의 이야기 {notice}"))
            .await
            .id;
        let text = TextRef::Post(post);
        world.decide(text, Decision::Restrict, 1).await.unwrap();
        let decided = world.decide(text, decision, 1).await.unwrap();
        assert_eq!(decided.publication, publication);
        world.pass(TimeDelta::days(31));
        world.work().await;
        let shown = world.get(0, post).await.is_ok();
        assert_eq!(shown, publication == Publication::Published);
        let told = world.notices().await;
        assert_eq!(told.get(1).map_or("", String::as_str), notice, "{told:?}");
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_was_changed_meanwhile_is_held_until_somebody_reads_it(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "누구의 이야기").await.id;
    let text = TextRef::Post(post);
    world.decide(text, Decision::Restrict, 1).await.unwrap();
    let change = UpdatePostRequest {
        member_id: MEMBER,
        post_id: post,
        category: Category::Free.into(),
        content: "더 심한 이야기".to_owned(),
        ..UpdatePostRequest::default()
    };
    world
        .posts
        .clone()
        .update_post(change.clone())
        .await
        .unwrap();
    world.pass(TimeDelta::days(30));
    world.work().await;
    assert_eq!(reason(world.get(0, post).await), "POST_NOT_FOUND");
    // Another change is as unread as the first.
    let dotted = UpdatePostRequest {
        content: "더 심한 이야기.".to_owned(),
        ..change.clone()
    };
    world.posts.clone().update_post(dotted).await.unwrap();
    assert_eq!(reason(world.get(0, post).await), "POST_NOT_FOUND");
    let published = world.decide(text, Decision::Publish, 3).await.unwrap();
    assert_eq!(published.publication, Publication::Published);
    // Who lifts it has read what was changed.
    world.decide(text, Decision::Restrict, 3).await.unwrap();
    let change = UpdatePostRequest {
        content: "이제 괜찮은 이야기".to_owned(),
        ..change
    };
    world.posts.clone().update_post(change).await.unwrap();
    let lifted = world.decide(text, Decision::Lift, 4).await.unwrap();
    assert_eq!(lifted.publication, Publication::Published);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn other_decisions_wait_for_the_end_of_a_restriction(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "누구의 이야기").await.id;
    let text = TextRef::Post(post);
    world.hide(Subject::PostId(post)).await;
    world.decide(text, Decision::Restrict, 1).await.unwrap();
    // Reports are wrong, and the claim still hides it.
    let dismissed = world.decide(text, Decision::Dismiss, 1).await.unwrap();
    assert_eq!(dismissed.publication, Publication::Hidden);
    assert_eq!(reason(world.get(0, post).await), "POST_NOT_FOUND");
    world.pass(TimeDelta::days(30));
    world.work().await;
    assert_eq!(world.get(0, post).await.unwrap().id, post);

    let other = world.post(OTHER, "다른 이야기").await.id;
    let text = TextRef::Post(other);
    world.report(MEMBER, Subject::PostId(other)).await.unwrap();
    world.decide(text, Decision::Restrict, 1).await.unwrap();
    world.decide(text, Decision::Uphold, 1).await.unwrap();
    let lifted = world.decide(text, Decision::Lift, 1).await.unwrap();
    assert_eq!(
        lifted.publication,
        Publication::Hidden,
        "reports still hide it"
    );
}
