//! Comments, likes and decisions.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use proto::community::v1::{CommentWritten, PostHidden, PostLiked, ReportDecided};
use rstest::rstest;

use super::*;

fn comment() -> CommentWritten {
    CommentWritten {
        comment_id: 61,
        post_id: 51,
        author_id: 100_009,
        told_post_author_id: MEMBER,
        excerpt: "저도 그렇게 생각해요".to_owned(),
        ..CommentWritten::default()
    }
}

#[test]
fn a_comment_is_told_the_author_of_the_post() {
    assert_eq!(
        text(COMMENT_WRITTEN, &comment()),
        [
            "COMMENT",
            "{nickname}님이 내 글에 댓글을 남겼어요",
            "저도 그렇게 생각해요",
            "/community/detail?communitySid=51",
            "comment:61"
        ]
    );
    assert_eq!(
        told(COMMENT_WRITTEN, &comment())[0].actor,
        Some(MemberId(100_009))
    );
}

#[test]
fn a_reply_is_told_everybody_once_by_what_concerns_them_most() {
    let reply = |post, comment_author, tagged| CommentWritten {
        parent_id: 60,
        told_post_author_id: post,
        told_comment_author_id: comment_author,
        told_tagged_id: tagged,
        ..comment()
    };
    let titles = |written: &CommentWritten| -> Vec<(i64, String)> {
        let notices = told(COMMENT_WRITTEN, written).into_iter();
        notices
            .map(|notice| (notice.member.0, notice.title))
            .collect()
    };
    let called = "{nickname}님이 답글에서 나를 불렀어요".to_owned();
    let replied = "{nickname}님이 내 댓글에 답글을 남겼어요".to_owned();
    let on_post = "{nickname}님이 내 글에 답글을 남겼어요".to_owned();
    assert_eq!(
        titles(&reply(1, 2, 3)),
        [(3, called.clone()), (2, replied), (1, on_post)]
    );
    assert_eq!(titles(&reply(1, 1, 1)), [(1, called)]);
    assert_eq!(titles(&reply(0, 0, 0)), [], "nobody is told");
    assert_eq!(titles(&reply(100_009, 100_009, 0)), [], "of oneself");
}

#[test]
fn likes_of_an_hour_share_a_row() {
    let liked = |at: &str, member_ids: Vec<i64>| PostLiked {
        post_id: 51,
        told_post_author_id: MEMBER,
        member_ids,
        excerpt: "오늘은 쉬어요".to_owned(),
        liked_at_us: at.parse::<DateTime<Utc>>().unwrap().timestamp_micros(),
    };
    let first = liked("2026-11-27T05:59:59.999999Z", vec![100_001, 100_002]);
    assert_eq!(
        text(POST_LIKED, &first),
        [
            "LIKE",
            "{count}명이 내 글을 좋아해요",
            "오늘은 쉬어요",
            "/community/detail?communitySid=51",
            "like:51:2026112705"
        ]
    );
    let people = vec![MemberId(100_001), MemberId(100_002)];
    let notice = told(POST_LIKED, &first).remove(0);
    assert_eq!(notice.batching, Batching::Counted { people });
    let next_hour = liked("2026-11-27T06:00:00Z", vec![100_001]);
    assert_eq!(text(POST_LIKED, &next_hour)[4], "like:51:2026112706");
    let own = liked("2026-11-27T06:00:00Z", vec![MEMBER]);
    assert_eq!(told(POST_LIKED, &own), []);
}

#[rstest]
#[case("POST", true, "알려주신 글을 가렸어요", "/community")]
#[case("COMMENT", true, "알려주신 댓글을 가렸어요", "/community")]
#[case(
    "POST",
    false,
    "알려주신 글을 살펴봤어요",
    "/community/detail?communitySid=51"
)]
fn a_report_is_decided(
    #[case] kind: &str,
    #[case] is_upheld: bool,
    #[case] title: &str,
    #[case] link: &str,
) {
    // A decision that an appeal reverses is told, too.
    let key = if is_upheld {
        "report:8:upheld"
    } else {
        "report:8:dismissed"
    };
    let decided = ReportDecided {
        report_id: 8,
        told_reporter_id: MEMBER,
        kind: kind.to_owned(),
        post_id: 51,
        is_upheld,
        ..ReportDecided::default()
    };
    let body = if is_upheld {
        "커뮤니티 규칙에 어긋나는 내용이었어요. 알려주셔서 고마워요."
    } else {
        "커뮤니티 규칙에 어긋나지 않아서 그대로 두었어요."
    };
    assert_eq!(
        text(REPORT_DECIDED, &decided),
        ["REPORT", title, body, link, key]
    );
}

#[rstest]
#[case(
    "HIDDEN",
    0,
    true,
    "내 글이 가려졌어요",
    "커뮤니티 규칙에 어긋난다는 신고가 있었어요. 생각이 다르면 이의를 제기할 수 있어요."
)]
#[case(
    "HIDDEN",
    0,
    false,
    "내 글이 가려졌어요",
    "커뮤니티 규칙에 어긋난다는 신고가 있었어요."
)]
#[case(
    "RESTRICTED",
    1,
    false,
    "내 글이 잠시 가려졌어요",
    "권리를 침해한다는 요청이 있어서 12월 27일 09:00까지 가려요."
)]
#[case(
    "RESTRICTED",
    0,
    false,
    "내 글이 잠시 가려졌어요",
    "권리를 침해한다는 요청이 있었어요."
)]
#[case(
    "RESTORED",
    0,
    false,
    "내 글이 다시 보여요",
    "살펴보니 커뮤니티 규칙에 어긋나지 않았어요."
)]
#[case(
    "EXPIRED",
    0,
    false,
    "내 글이 다시 보여요",
    "권리를 침해한다는 요청으로 가려둔 기간이 끝났어요."
)]
#[case(
    "REFUSED",
    0,
    true,
    "내 글을 올리지 않았어요",
    "살펴보니 커뮤니티 규칙에 어긋나는 내용이 있었어요. 생각이 다르면 이의를 제기할 수 있어요."
)]
#[case("PUBLISHED", 0, false, "내 글이 올라갔어요", "확인을 마쳤어요.")]
#[case(
    "KEPT_HIDDEN",
    0,
    false,
    "이의 제기를 살펴봤어요",
    "커뮤니티 규칙에 어긋나서 글을 그대로 가려둘게요."
)]
#[case(
    "WARNED",
    0,
    false,
    "커뮤니티 규칙을 지켜주세요",
    "규칙에 어긋나는 글이 있었어요. 되풀이되면 글쓰기가 제한돼요."
)]
#[case(
    "SUSPENDED",
    1,
    false,
    "글쓰기가 제한됐어요",
    "12월 27일 09:00까지 글과 댓글을 쓸 수 없어요."
)]
#[case(
    "SUSPENDED",
    0,
    true,
    "글쓰기가 제한됐어요",
    "이제 글과 댓글을 쓸 수 없어요. 생각이 다르면 이의를 제기할 수 있어요."
)]
fn a_decision_is_told_its_author(
    #[case] decision: &str,
    #[case] until: i64,
    #[case] may_appeal: bool,
    #[case] title: &str,
    #[case] body: &str,
) {
    let instant: DateTime<Utc> = "2026-12-27T00:00:00Z".parse().unwrap();
    let hidden = PostHidden {
        decision_id: 4,
        told_author_id: MEMBER,
        kind: "POST".to_owned(),
        post_id: 51,
        decision: decision.to_owned(),
        until_us: until * instant.timestamp_micros(),
        may_appeal,
        ..PostHidden::default()
    };
    assert_eq!(
        text(POST_HIDDEN, &hidden),
        [
            "REPORT",
            title,
            body,
            "/community/detail?communitySid=51",
            "decision:4"
        ]
    );
}
