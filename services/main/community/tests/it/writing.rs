//! What may be written: texts that pass, and texts that are held or refused.

use chrono::{DateTime, TimeDelta, Utc};
use community::auth_events;
use community::domain::post::{Publication as Outcome, Tag, are_tags};
use community::domain::writing::{
    History, Kind, Limits, Refusal, check_appeal, check_report, judge_change,
};
use community::{MIGRATOR, error::CommunityError};
use proto::auth::v1::MemberJoined;
use proto::community::v1::{PostOrder, Publication, UpdatePostRequest};
use proto::convert::micros;
use sqlx::PgPool;

use crate::world::{MEMBER, OTHER, World, new_comment, new_post, reason, start};

const PASS: &str = include_str!("../data/pass.txt");
const STOPPED: &str = include_str!("../data/stopped.txt");

fn outcome(text: &str) -> String {
    match judge_change(Kind::Comment, text, &History::default(), start()) {
        Ok(judged) => judged.publication.as_str().to_owned(),
        Err(refusal) => match refusal {
            Refusal::Rate { .. } | Refusal::FirstDayLimit => "RATE".to_owned(),
            Refusal::TextLength { .. } => "TEXT_LENGTH".to_owned(),
            Refusal::LinkNotAllowed => "LINK_NOT_ALLOWED".to_owned(),
            Refusal::ContactDetails => "CONTACT_DETAILS".to_owned(),
            Refusal::Solicitation => "SOLICITATION".to_owned(),
            Refusal::RepeatedText => "REPEATED_TEXT".to_owned(),
        },
    }
}

#[test]
fn what_members_talk_about_passes() {
    let texts: Vec<&str> = PASS.lines().collect();
    assert!(texts.len() >= 200);
    let wrong = texts.iter().map(|text| (outcome(text), text));
    let wrong: Vec<_> = wrong
        .filter(|(outcome, _)| outcome != Outcome::Published.as_str())
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn offers_and_contacts_are_held_or_refused() {
    let texts: Vec<(&str, &str)> = STOPPED
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .collect();
    assert!(texts.len() >= 200);
    let wrong = texts
        .iter()
        .map(|(expected, text)| (expected, outcome(text), text));
    let wrong: Vec<_> = wrong
        .filter(|(expected, outcome, _)| outcome != *expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_doubtful_post_is_seen_by_its_author_alone(pool: PgPool) {
    let world = World::new(pool).await;
    let held = world.post(MEMBER, "확정 수익 상품이 있대요").await;
    assert_eq!(held.publication(), Publication::Held);
    assert_eq!(world.list(MEMBER, PostOrder::Latest).await, [held.id]);
    for viewer in [0, OTHER] {
        assert!(world.list(viewer, PostOrder::Latest).await.is_empty());
        assert!(world.list(viewer, PostOrder::Hot).await.is_empty());
        assert_eq!(reason(world.get(viewer, held.id).await), "POST_NOT_FOUND");
    }
    let liked = world.like(OTHER, held.id, true).await;
    assert_eq!(reason(liked), "POST_NOT_FOUND");
    let change = UpdatePostRequest {
        member_id: MEMBER,
        post_id: held.id,
        category: held.category,
        content: "예금 상품이 있대요".to_owned(),
        ..UpdatePostRequest::default()
    };
    let changed = world.posts.clone().update_post(change).await.unwrap();
    let changed = changed.into_inner().post.unwrap();
    assert_eq!(changed.publication(), Publication::Published);
    assert_eq!(world.list(OTHER, PostOrder::Latest).await, [held.id]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_doubtful_comment_is_not_counted(pool: PgPool) {
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    let held = world.comment(OTHER, post, "작전주예요").await;
    assert_eq!(held.publication(), Publication::Held);
    assert_eq!(world.comments_of(OTHER, post).await.len(), 1);
    assert!(world.comments_of(MEMBER, post).await.is_empty());
    assert_eq!(world.get(OTHER, post).await.unwrap().comment_count, 0);
    let update = async |content: &str| {
        world.change_comment(OTHER, held.id, content).await;
        world.get(OTHER, post).await.unwrap().comment_count
    };
    assert_eq!(update("좋은 종목이에요").await, 1);
    assert_eq!(update("작전주예요").await, 0);
    world.delete_comment(OTHER, held.id).await.unwrap();
    assert_eq!(world.get(OTHER, post).await.unwrap().comment_count, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn new_members_are_limited_for_a_day(pool: PgPool) {
    let world = World::with(pool, Limits::default()).await;
    let joined = |member_id: i64, at: DateTime<Utc>| MemberJoined {
        member_id,
        nickname: "새싹".to_owned(),
        joined_at_us: micros(at),
    };
    for _ in 0..2 {
        let event = joined(MEMBER, start());
        auth_events::keep(&world.store, &event).await.unwrap();
    }
    let link = "https://dart.fss.or.kr 에서 봤어요";
    let refused = world.try_post(new_post(MEMBER, link)).await;
    assert_eq!(reason(refused), "LINK_NOT_ALLOWED");
    for number in 0..3 {
        world.pass(TimeDelta::minutes(20));
        world.post(MEMBER, &format!("첫날 {number}")).await;
    }
    world.pass(TimeDelta::minutes(20));
    let fourth = world.try_post(new_post(MEMBER, "하나 더")).await;
    assert_eq!(reason(fourth), "FIRST_DAY_LIMIT");
    // Of who joined after somebody auth told of, but was not told of itself.
    let untold = world.try_post(new_post(OTHER, link)).await;
    assert_eq!(reason(untold), "LINK_NOT_ALLOWED");
    let post = world.post(MEMBER - 1, link).await.id;
    let untold = world.try_comment(new_comment(OTHER, post, link)).await;
    assert_eq!(reason(untold), "LINK_NOT_ALLOWED");
    world.pass(TimeDelta::hours(23));
    world.post(MEMBER, link).await;
    for wrong in [joined(0, start()), MemberJoined::default()] {
        let kept = auth_events::keep(&world.store, &wrong).await;
        assert!(matches!(kept, Err(CommunityError::Malformed)));
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_copy_of_the_last_few_posts_is_refused(pool: PgPool) {
    let world = World::new(pool).await;
    let first = world.post(MEMBER, "오늘의 매매 일지").await.id;
    let again = world.try_post(new_post(MEMBER, "오늘의 매매일지!")).await;
    assert_eq!(reason(again), "REPEATED_TEXT");
    world.post(OTHER, "오늘의 매매 일지").await;
    world.delete(MEMBER, first).await.unwrap();
    let after_deletion = world.try_post(new_post(MEMBER, "오늘의 매매 일지")).await;
    assert_eq!(reason(after_deletion), "REPEATED_TEXT");
    let other = world.post(MEMBER, "다른 일지").await;
    let change = |content: &str| {
        let request = UpdatePostRequest {
            member_id: MEMBER,
            post_id: other.id,
            category: other.category,
            content: content.to_owned(),
            ..UpdatePostRequest::default()
        };
        let mut posts = world.posts.clone();
        async move { posts.update_post(request).await }
    };
    assert_eq!(reason(change("오늘의 매매일지").await), "REPEATED_TEXT");
    change("다른 일지").await.unwrap();
    world.pass(TimeDelta::days(1));
    world.post(MEMBER, "오늘의 매매 일지").await;
    for number in 0..5 {
        world.post(MEMBER, &format!("다른 글 {number}")).await;
    }
    world.post(MEMBER, "오늘의 매매 일지").await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_copy_of_the_last_few_comments_is_refused(pool: PgPool) {
    const LONG: &str = "이 종목은 배당을 꾸준히 늘려서 좋아해요";
    let world = World::new(pool).await;
    let post = world.post(MEMBER, "질문이 있어요").await.id;
    for _ in 0..2 {
        world.comment(OTHER, post, "감사합니다").await;
    }
    let first = world.comment(OTHER, post, LONG).await.id;
    world.comment(MEMBER, post, LONG).await;
    let again = world.try_comment(new_comment(OTHER, post, LONG)).await;
    assert_eq!(reason(again), "REPEATED_TEXT");
    let second = world
        .comment(OTHER, post, "저는 성장하는 회사가 더 좋아요")
        .await
        .id;
    let change = |comment_id: i64, content: &str| {
        let request = proto::community::v1::UpdateCommentRequest {
            member_id: OTHER,
            comment_id,
            content: content.to_owned(),
            images: Vec::new(),
            image_alts: Vec::new(),
            keeps_images: false,
        };
        let mut comments = world.comments.clone();
        async move { comments.update_comment(request).await }
    };
    assert_eq!(reason(change(second, LONG).await), "REPEATED_TEXT");
    change(first, LONG).await.unwrap();
    world.delete_comment(OTHER, first).await.unwrap();
    assert_eq!(reason(change(second, LONG).await), "REPEATED_TEXT");
    world.pass(TimeDelta::days(1));
    change(second, LONG).await.unwrap();
}

/// As for a member of an hour, whom more is refused.
fn first_day(kind: Kind, text: &str) -> Result<String, Refusal> {
    let history = History {
        joined_at: Some(start()),
        ..History::default()
    };
    judge_change(kind, text, &history, start()).map(|judged| judged.text)
}

#[test]
fn what_members_talk_about_passes_on_their_first_day() {
    let texts = PASS.lines().filter(|text| !text.contains("://"));
    for text in texts {
        assert!(first_day(Kind::Comment, text).is_ok(), "{text}");
    }
}

#[test]
fn links_are_refused_on_the_first_day_whatever_they_end_in() {
    for link in [
        "youtu.be/x",
        "forms.gle/a1b2",
        "stocks.page/7",
        "WWW.STOCKS.STUDY/ROOM",
        "chart.ai",
        "stocks。im/x",
        "stocks.study/?room",
        "stocks.study/@room",
        "stocks.study:443/x",
        "BIT.LY/X",
        "ME2.DO/X",
        "YOUTU.BE/X",
    ] {
        let text = format!("{link} 에 적어 뒀어요");
        let refused = Err(Refusal::LinkNotAllowed);
        assert_eq!(first_day(Kind::Comment, &text), refused, "{link}");
    }
}

#[test]
fn markup_is_stored_as_it_is_written() {
    let mut stored = Vec::new();
    for markup in include_str!("../data/markup.txt").lines() {
        let small = markup.to_lowercase();
        for kind in [Kind::Post, Kind::Comment] {
            // Addresses that run are no links.
            if small.contains("javascript:") || small.contains("data:text") {
                let refused = Err(Refusal::LinkNotAllowed);
                assert_eq!(first_day(kind, markup), refused, "{markup}");
            } else {
                assert_eq!(first_day(kind, markup).as_deref(), Ok(markup));
                stored.push(markup);
            }
        }
        assert!(!are_tags(&[Tag {
            code: markup.to_owned(),
            is_held: false
        }]));
        assert_eq!(check_appeal(markup).as_deref(), Ok(markup));
        assert_eq!(check_report(markup).as_deref(), Ok(markup));
    }
    stored.dedup();
    assert!(stored.len() >= 100, "{}", stored.len());
    for some in stored.chunks(10) {
        let text = some.join("\n");
        assert_eq!(first_day(Kind::Post, &text).as_deref(), Ok(&*text));
    }
}
