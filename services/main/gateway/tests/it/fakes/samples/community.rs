use proto::community::v1::{
    Category, Comment, Hiding, HidingCause, InstrumentTag, OwnReport, Picture, Post, Publication,
    ReportReason, Sanction, TextAppeal,
};

use super::INSTANT_US;
use super::market_data::NO_CODE;

/// Who wrote most of it.
pub(in crate::fakes) const AUTHOR: i64 = 100_002;

/// Who wrote a post or comment: of the one with this number, an author who left for good.
pub(in crate::fakes) fn author_of(id: i64) -> i64 {
    if id == 59 { 0 } else { AUTHOR }
}

/// A minute after it was written.
pub(in crate::fakes) const LATER_US: i64 = INSTANT_US + 60_000_000;

pub(in crate::fakes) fn post(id: i64, author_id: i64) -> Post {
    let tag = |code: &str, is_held| InstrumentTag {
        code: code.to_owned(),
        is_held,
    };
    Post {
        id,
        author_id,
        category: Category::Stock.into(),
        content: "반도체는 어떻게 보세요?".to_owned(),
        pictures: vec![],
        tags: vec![tag("005930", true), tag(NO_CODE, false)],
        created_at_us: INSTANT_US,
        modified_at_us: 0,
        like_count: 2,
        comment_count: 3,
        is_liked: true,
        publication: Publication::Published.into(),
        is_muted: false,
    }
}

pub(in crate::fakes) fn picture(id: String) -> Picture {
    Picture {
        id,
        width: 1_920,
        height: 1_280,
        placeholder: "#aabbcc".to_owned(),
        alt_text: String::new(),
    }
}

pub(in crate::fakes) fn pictures(ids: Vec<String>, alt_texts: Vec<String>) -> Vec<Picture> {
    let alt_texts = alt_texts
        .into_iter()
        .chain(std::iter::repeat(String::new()));
    let pictures = ids
        .into_iter()
        .zip(alt_texts)
        .map(|(id, alt_text)| Picture {
            alt_text,
            ..picture(id)
        });
    pictures.collect()
}

pub(in crate::fakes) fn comment(id: i64, author_id: i64) -> Comment {
    Comment {
        id,
        post_id: 51,
        author_id,
        content: "저는 기다려 보려고요".to_owned(),
        created_at_us: INSTANT_US,
        like_count: 1,
        publication: Publication::Published.into(),
        ..Comment::default()
    }
}

/// A reply of the author to the operator.
pub(in crate::fakes) fn reply(id: i64, comment_id: i64) -> Comment {
    Comment {
        parent_id: comment_id,
        content: "고마워요".to_owned(),
        tagged_member_id: kernel::MemberId::OPERATOR.0,
        ..comment(id, AUTHOR)
    }
}

/// One with a reply, one that was deleted and one of a blocked member, both with replies, and one
/// of a newer release.
pub(in crate::fakes) fn thread(post_id: i64) -> Vec<Comment> {
    let answered = |comment: Comment| Comment {
        post_id,
        reply_count: 5,
        replies: vec![reply(71, comment.id)],
        ..comment
    };
    vec![
        answered(comment(61, super::MEMBER)),
        answered(Comment {
            is_deleted: true,
            content: String::new(),
            ..comment(63, super::OTHER)
        }),
        answered(Comment {
            is_blocked: true,
            content: String::new(),
            ..comment(64, super::OTHER)
        }),
        Comment {
            publication: 4_711,
            ..comment(65, AUTHOR)
        },
    ]
}

/// What hides a restricted text whose author has appealed.
pub(in crate::fakes) fn hiding() -> Hiding {
    Hiding {
        publication: Publication::Hidden.into(),
        cause: HidingCause::Restricted.into(),
        rule: ReportReason::PersonalData.into(),
        reason: "권리를 침해한다는 요청이 있었어요".to_owned(),
        until_us: LATER_US,
        may_appeal: false,
        appeal: Some(TextAppeal {
            text: "제 이야기예요".to_owned(),
            created_at_us: INSTANT_US,
            decided_at_us: 0,
            is_upheld: false,
        }),
    }
}

/// For good.
pub(in crate::fakes) fn sanction() -> Sanction {
    Sanction {
        rung: 5,
        rule: ReportReason::Spam.into(),
        reason: "리딩방을 되풀이해 알렸어요".to_owned(),
        begins_at_us: INSTANT_US,
        ends_at_us: 0,
        is_active: true,
    }
}

/// One that nobody decided, one that was right, one that was not, and one of a newer release.
pub(in crate::fakes) fn own_reports() -> Vec<OwnReport> {
    let report = OwnReport {
        id: 84,
        post_id: 51,
        comment_id: 0,
        reason: ReportReason::Abuse.into(),
        created_at_us: INSTANT_US,
        decided_at_us: 0,
        is_upheld: false,
    };
    let decided = |id, comment_id, is_upheld| OwnReport {
        id,
        comment_id,
        decided_at_us: LATER_US,
        is_upheld,
        ..report
    };
    let newer = OwnReport {
        id: 81,
        reason: 4_711,
        ..report
    };
    vec![report, decided(83, 61, true), decided(82, 0, false), newer]
}
